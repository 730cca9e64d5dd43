// Calibration on the measurements of others: a row that gives a point of a table is predicted to take what it took. They
// are read from the folder COLLSIM_MEASURED, or else ../shared/measured; without it, the tests are skipped.
#include "base/error.h"
#include "base/share.h"
#include "measurements/calibrate/measured_own.h"
#include "measurements/calibrate/measured_points.h"
#include "measurements/calibrate/measured_steps.h"
#include "measurements/logs/log_names.h"
#include "sample.h"
#include "search/search/measurement_rows.h"
#include "tap.h"
#include <math.h>
#include <string.h>

enum { LEAST_OF_GROUP = 5 }; // rows of each group that are held against their predictions, at least

// A set, and what `make validate` gives in addition to its calibrating rows.
typedef struct Set {
    const char *rows, *file, *names, *figures;
    guint least; // so many rows are held against their predictions, at least
} Set;

static const Set SETS[] = {
    {"cloudlab.csv", "cloudlab_osu.csv", "cloudlab.csv", "gamma=0.1ns/B;lambda=0.75;eager=32K", 30},
    {"leonardo.csv", "pico_collectives.csv", "pico.csv",
     "gamma=0.12ns/B;lambda=0;fresh=0.45ns/B above 32M;copy=0.1ns/B above 64K", 50},
    {"lumi.csv", "pico_collectives.csv", "pico.csv", "gamma=0.19ns/B", 50},
};

static char *published(const char *folder, const char *name)
{
    const char *given = g_getenv("COLLSIM_MEASURED");
    char *path = g_build_filename(given ? given : "../shared/measured", folder, name, NULL);
    if (g_file_test(path, G_FILE_TEST_EXISTS))
        return path;
    g_test_skip("NO MEASUREMENTS: set COLLSIM_MEASURED to their folder");
    g_free(path);
    return NULL;
}

static Platform *assumed_of(const char *figures)
{
    g_auto(GStrv) sets = g_strsplit(figures, ";", -1);
    Platform *platform = platform_new("");
    for (char **set = sets; *set; set++)
        g_assert_true(platform_set(platform, *set, NULL));
    return platform;
}

// Returns the time of a step or a gap that a row would give to its table, NAN if it gives none.
static double point_of(const Platform *work, const CalibrateRow *row, const MeasuredLevel *level, MeasuredSteps *steps)
{
    if (!measured_steps(&row->op, steps))
        return NAN;
    MeasuredOwn own;
    const double last = steps->part == PART_GAP ? table_time_at(level->one, steps->bytes) : 0;
    g_assert_true(measured_own_time(work, row, &own, NULL));
    return (row->sample->time_s - own.others_s - last) / (double)steps->k;
}

static double table_of(const MeasuredLevel *level, const MeasuredSteps *steps)
{
    const Table *t = steps->part == PART_GAP                   ? level->gap
                     : steps->part == PART_STEP && level->step ? level->step
                                                               : level->one;
    return table_time_at(t, steps->bytes);
}

// Calibrates from the samples of a log on these lines, and holds the predictions of the rows whose point is in its table
// as it was measured against their times. Returns their number.
static guint check_group(const Log *log, GHashTable *lines, const char *figures)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Platform) assumed = assumed_of(figures), base = platform_copy(assumed);
    Log *own = log_new(log->name, "CSV", "measured");
    g_autoptr(GPtrArray) logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free),
                         keep = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref),
                         notes = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(logs, own);
    for (guint i = 0; i < log->samples->len; i++) {
        LogSample s = g_array_index(log->samples, LogSample, i);
        s.log = own;
        s.map = "";
        s.per_node = 1;
        if (g_hash_table_contains(lines, GUINT_TO_POINTER(s.line)))
            g_array_append_val(own->samples, s);
    }
    g_autoptr(GArray) rows = measurement_rows_make(logs, &measured_model, assumed, keep, notes, &error);
    g_assert_no_error(error);
    g_autoptr(MeasuredFit) fit = measured_fit(logs, rows, assumed, &error);
    g_assert_no_error(error);
    g_autoptr(Platform) work = measured_own_machine(base, NAN);
    guint checked = 0;
    for (guint i = 0; i < rows->len; i++) {
        const CalibrateRow *row = &g_array_index(rows, CalibrateRow, i);
        const MeasuredLevel *level = &fit->platform->measured->level[0];
        MeasuredSteps steps;
        const double point = point_of(work, row, level, &steps);
        // Where there is a ring, recursive doubling shows `far` and `swap`, and gives no point.
        if (strcmp(row->op.algorithm->name, "recursive_doubling") == 0)
            continue;
        if (!fit->uses_row[i] || isnan(point) || fabs(table_of(level, &steps) / point - 1) > 1e-3)
            continue;
        const PredictOptions options = {0};
        g_autoptr(Prediction) p = measured_model.predict(&measured_model, &row->op, fit->platform, &options, &error);
        g_assert_no_error(error);
        if (fabs(p->time_s / row->sample->time_s - 1) > 0.01)
            g_error("%s, line %u: %s of %zu bytes took %g s and is predicted to take %g s", log->name,
                    row->sample->line, row->series, row->op.m, row->sample->time_s, p->time_s);
        checked++;
    }
    return checked;
}

// Returns the lines of the calibrating rows of each group of a set. Free with g_hash_table_unref.
static GHashTable *groups_of(const Csv *rows, const char *file)
{
    GHashTable *groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_hash_table_unref);
    for (size_t i = 0; i < csv_rows(rows); i++) {
        size_t line = 0;
        if (strcmp(csv_field(rows, i, csv_column(rows, "use")), "calibrate") != 0 ||
            strcmp(csv_field(rows, i, csv_column(rows, "file")), file) != 0)
            continue;
        const char *group = csv_field(rows, i, csv_column(rows, "group"));
        GHashTable *lines = g_hash_table_lookup(groups, group);
        if (!lines)
            g_hash_table_insert(groups, g_strdup(group), lines = g_hash_table_new(NULL, NULL));
        g_assert_true(csv_size(rows, i, csv_column(rows, "line"), 2, G_MAXUINT, &line, NULL));
        g_hash_table_add(lines, GSIZE_TO_POINTER(line));
    }
    return groups;
}

static void test_set(gconstpointer data)
{
    const Set *set = data;
    g_autoptr(GError) error = NULL;
    g_autofree char *rows_path = published("rows", set->rows);
    g_autofree char *path = published(".", set->file);
    if (!rows_path || !path)
        return;
    g_autofree char *claims = share_path(SHARE_CLAIMS, NULL);
    g_autofree char *names_path = g_build_filename(claims, "..", "names", set->names, NULL);
    g_autoptr(LogNames) names = log_names_read(names_path, &error);
    g_autoptr(Csv) rows = csv_read(rows_path, &error);
    g_autoptr(Log) log = log_read(path, NULL, &(LogReading){.names = names}, &error);
    g_assert_no_error(error);
    g_autoptr(GHashTable) groups = groups_of(rows, set->file);
    // Groups are drawn, as a set of eight takes 12 seconds; the only group of a set always runs.
    g_autoptr(GList) sorted = g_list_sort(g_hash_table_get_keys(groups), (GCompareFunc)strcmp);
    const gboolean all = sample_all() || !sorted->next;
    guint checked = 0, i = 0;
    for (const GList *group = sorted; group; group = group->next) {
        if (!all && !sample_takes(i++, 4))
            continue;
        const guint of_group = check_group(log, g_hash_table_lookup(groups, group->data), set->figures);
        g_assert_cmpuint(of_group, >=, LEAST_OF_GROUP);
        checked += of_group;
    }
    g_assert_cmpuint(checked, >=, all ? set->least : LEAST_OF_GROUP);
}

static void add(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(SETS); i++) {
        g_autofree char *name = g_strconcat("/calibrate_sets/", SETS[i].rows, NULL);
        g_test_add_data_func(name, &SETS[i], test_set);
    }
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
