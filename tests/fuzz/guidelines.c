// Lists of guidelines: what is read is written and read back, its sizes are computed, and it is held against a small log.
#include "advice/guidelines/guidelines.h"
#include "base/limits.h"
#include "fuzz.h"
#include "measurements/logs/logs.h"
#include <math.h>
#include <string.h>

static const char log_text[] = "collective,p,per_node,bytes,time_us\n"
                               "barrier,4,2,0,1\nbarrier,8,2,0,2\n"
                               "bcast,4,2,8,1\nbcast,4,2,16,5\nbcast,4,2,64,2\nbcast,8,2,8,1\nbcast,2,1,8,7\n"
                               "allgather,4,2,8,3\nallgather,4,2,16,1\nallgather,4,2,64,1\nallgather,2,1,16,9\n"
                               "gather,4,2,8,1\ngather,4,2,16,1\nallreduce,4,2,8,2\nallreduce,4,2,64,3\n"
                               "reduce,4,2,8,1\nreduce_local,1,,8,1\n";

static void check_text(const Guideline *g)
{
    g_autoptr(GError) error = NULL;
    Guideline *again = guideline_parse(g->text, "again", &error);
    g_assert_no_error(error);
    g_assert_cmpstr(again->text, ==, g->text);
    g_assert_cmpint(again->kind, ==, g->kind);
    guideline_free(again);
}

// A size that a product gives for an m is one from which the product gives this m back.
static void check_sizes(const Guideline *g)
{
    for (size_t m = 1; m <= 1 << 20; m *= 3) {
        size_t value[N_GUIDELINE_VARIABLES] = {2, 3, 4, 12, m, m + 1}, out;
        if (!guideline_value(&g->left.size, value, &out))
            continue;
        g_assert_true(out <= LIMIT_BYTES);
        if (g->left.size.power[GUIDELINE_M] && guideline_invert(&g->left.size, value, out))
            g_assert_cmpuint(value[GUIDELINE_M], ==, m);
    }
}

static void measure(const GPtrArray *list)
{
    static Log *log; // read once
    g_autoptr(GError) error = NULL;
    const LogReading how = {.defaults = TRUE};
    if (!log)
        log = log_parse(log_text, strlen(log_text), "log.csv", NULL, &how, &error);
    g_assert_no_error(error);
    g_autoptr(GPtrArray) logs = g_ptr_array_new(), notes = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(logs, log);
    g_autoptr(Guidelines) x = guidelines_new(list, 0.1);
    if (!fuzz_outcome(guidelines_measure(x, logs, FALSE, FALSE, notes, &error), &error))
        return;
    for (guint i = 0; i < x->rows->len; i++) {
        const GuidelineRow *row = &g_array_index(x->rows, GuidelineRow, i);
        g_assert_true(row->x[GUIDELINE_MEASURED] > 0 && isnan(row->x[GUIDELINE_PREDICTED]));
        g_autofree char *right =
            guidelines_right_text(x, &g_array_index(x->cases, GuidelineCase, row->worst[GUIDELINE_MEASURED]));
        g_assert_true(*right);
    }
}

FUZZ_HARNESS(guidelines)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) list = guidelines_parse(text, strlen(text), "list.csv", &error);
    if (!fuzz_outcome(list != NULL, &error))
        return 0;
    for (guint i = 0; i < list->len; i++) {
        check_text(list->pdata[i]);
        check_sizes(list->pdata[i]);
    }
    measure(list);
    return 0;
}
