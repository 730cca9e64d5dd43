// Logs of OSU, IMB, netgauge and CSV, with a label in the first line; then what `calibrate` makes of them.
#include "measurements/calibrate/calibrate.h"
#include "fuzz.h"
#include "search/search/measurement_rows.h"
#include <string.h>

// Returns TRUE if all rows can be simulated in no time.
static gboolean small(const GArray *rows)
{
    enum { MOST_ROWS = 40, MOST_RANKS = 16, MOST_BYTES = 4096 };
    for (guint i = 0; i < rows->len; i++) {
        const Operation *const op = &g_array_index(rows, CalibrateRow, i).op;
        if (op->c.p > MOST_RANKS || op->m > MOST_BYTES)
            return FALSE;
    }
    return rows->len <= MOST_ROWS;
}

static void fit(const GPtrArray *logs, const Model *model)
{
    g_autoptr(GPtrArray) keep = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) rows = measurement_rows_make(logs, model, NULL, keep, notes, &error);
    if (!fuzz_outcome(rows != NULL, &error) || !small(rows))
        return;
    g_autoptr(Platform) assumed = platform_new("");
    g_autoptr(Calibration) c = calibrate(model, logs, rows, assumed, &error);
    if (!fuzz_outcome(c != NULL, &error))
        return;
    g_autoptr(Platform) platform = calibration_platform(c, "f", "title", NULL, &error);
    g_assert_no_error(error);
    g_autofree char *text = platform_text(platform, NULL, NULL);
    platform_free(platform_parse("f.ini", text, strlen(text), &error));
    g_assert_no_error(error);
}

FUZZ_HARNESS(logs)
{
    enum { MOST_SAMPLES = 200 };
    const uint8_t *const end = memchr(data, '\n', size);
    g_auto(GStrv) label_line = fuzz_lines(data, end ? (size_t)(end - data) : size, 0);
    const size_t head = end ? (size_t)(end - data) + 1 : size;
    g_autoptr(GError) error = NULL;
    g_auto(LogLabel) label = {0};
    const char *path;
    if (!fuzz_outcome(log_label(label_line[0], &label, &path, &error), &error))
        return 0;
    g_autoptr(Log) log = log_parse((const char *)data + head, size - head, "f.log", &label, NULL, &error);
    if (!fuzz_outcome(log != NULL, &error) || log->samples->len > MOST_SAMPLES)
        return 0;
    g_autoptr(GPtrArray) logs = g_ptr_array_new(), notes = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(logs, log);
    measurement_rows_prepare(logs, &hockney_model, notes);
    for (int i = 0; models[i]; i++)
        if (models[i] != &measured_model) // which has a calibration of its own
            fit(logs, models[i]);
    return 0;
}
