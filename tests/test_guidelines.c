// Guidelines: how they are read and written, and each form of them by construction: a log in which it is violated, once.
#include "advice/guidelines/guidelines.h"
#include "measurements/logs/logs.h"
#include "tap.h"
#include <math.h>
#include <string.h>

// ---- Reading ------------------------------------------------------------------------------------------------------------

static void test_texts(void)
{
    static const struct {
        const char *text, *written; // NULL: as it is
        GuidelineKind kind;
    } good[] = {
        {"allgather(m) <= gather(m) + bcast(p*m)", NULL, GUIDELINE_MOCK_UP},
        {" allgather ( m )<=gather(m)+bcast( m * p ) ", "allgather(m) <= gather(m) + bcast(p*m)", GUIDELINE_MOCK_UP},
        {"barrier() <= allreduce(8)", NULL, GUIDELINE_MOCK_UP},
        {"barrier() <= barrier() on next(p)", NULL, GUIDELINE_RANKS},
        {"each(m) <= each(next(m))", NULL, GUIDELINE_SIZES},
        {"each(m) <= each(m) on next(p)", NULL, GUIDELINE_RANKS},
        {"each(k*m) <= k*each(m)", NULL, GUIDELINE_SPLIT},
        {"each(m*2) <= 2*each(m)", "each(2*m) <= 2*each(m)", GUIDELINE_MOCK_UP},
        {"allgather(m*per_node) on nodes <= allgather(m)", "allgather(per_node*m) on nodes <= allgather(m)",
         GUIDELINE_BY_NODES},
        {"scan(m) <= allgather(m) + p*reduce_local(m)", NULL, GUIDELINE_MOCK_UP},
        {"reduce_scatter(m) <= 64K*reduce(m/p/2)", "reduce_scatter(m) <= 64K*reduce(m/2/p)", GUIDELINE_MOCK_UP},
        {"bcast(m) <= 2*p*bcast(1)", NULL, GUIDELINE_MOCK_UP},
    };
    for (guint i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autoptr(GError) error = NULL;
        Guideline *g = guideline_parse(good[i].text, "text", &error);
        g_assert_no_error(error);
        g_assert_cmpstr(g->text, ==, good[i].written ? good[i].written : good[i].text);
        g_assert_cmpint(g->kind, ==, good[i].kind);
        Guideline *again = guideline_parse(g->text, "text", &error);
        g_assert_no_error(error);
        g_assert_cmpstr(again->text, ==, g->text);
        guideline_free(again);
        guideline_free(g);
    }
}

static void test_refused(void)
{
    static const char *const bad[][2] = {
        {"", "column 1: the end; allowed: a collective"},
        {"allgather(m)", "column 13: the end; allowed: <="},
        {"allgather(m) <= ", "column 17: the end; allowed: a collective"},
        {"allgather(m) <= gathr(m)", "column 17: 'gathr(m)'; allowed: a collective"},
        {"allgather(m) <= gather(m) bcast(m)", "column 27: 'bcast(m)'; allowed: + or the end"},
        {"allgather(q) <= gather(m)", "column 11: 'q) <= gather(m)'; allowed: a number"},
        {"allgather(0) <= gather(m)", "allowed: a number"},
        {"allgather(m+1) <= gather(m)", "allowed: *, / or )"},
        {"allgather(m) <= gather(m) on next(m)", "allowed: next(p) or nodes"},
        {"allgather(m*m) <= gather(m)", "allowed: m once on the left"},
        {"allgather(p/m) <= gather(m)", "allowed: m once on the left"},
        {"allgather(p*p*p*p*p) <= gather(p)", "allowed: a variable at most four times"},
        {"allgather(8) <= gather(m)", "allowed: m on the right where it is on the left"},
        {"allgather(m) <= gather(8/m)", "allowed: m or next(m) at most once"},
        {"allgather(next(m)) <= gather(m)", "allowed: next(m) and next(p) on the right"},
        {"allgather(m) on next(p) <= gather(m)", "allowed: next(m) and next(p) on the right"},
        {"2*allgather(m) <= gather(m)", "allowed: one call of a collective on the left"},
        {"reduce_local(m) <= gather(m)", "allowed: one call of a collective on the left"},
        {"each(m) <= gather(m)", "allowed: each on both sides or on none"},
        {"gather(m) <= each(m)", "allowed: each on both sides or on none"},
        {"barrier(8) <= allreduce(8)", "allowed: barrier() without a size"},
        {"bcast() <= allreduce(8)", "allowed: barrier() without a size"},
        {"bcast(m) <= k*bcast(m)", "allowed: k where the left has k*m"},
        {"bcast(k) <= bcast(8)", "allowed: k*m on the left"},
        {"bcast(m) <= 9999999999999999999*bcast(m)", "allowed: a number from 1"},
        {"bcast(m) <= 1T*1T*bcast(m)", "allowed: a number from 1"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(guideline_parse(bad[i][0], "text", &error));
        if (!strstr(error->message, bad[i][1]) || !g_str_has_prefix(error->message, "text: "))
            g_error("%s: %s", bad[i][0], error->message);
    }
}

static void test_lists(void)
{
    static const struct {
        const char *text, *error; // NULL: none
    } lists[] = {
        {"guideline,source\ngather(m) <= allgather(m),here\n", NULL},
        {"guideline\nscatter(m) <= bcast(p*m)\n", NULL},
        {"source\nhere\n", "guideline"},
        {"guideline\n", "has no guideline"},
        {"guideline\ngather(m) <= allgather(m)\ngather(m)<=allgather( m )\n", "stands on line 2 already"},
        {"guideline\ngather(m) < allgather(m)\n", "l.csv:2: column 11"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) list = guidelines_parse(lists[i].text, strlen(lists[i].text), "l.csv", &error);
        g_assert_true((list != NULL) == (lists[i].error == NULL));
        if (error && lists[i].error)
            g_assert_nonnull(strstr(error->message, lists[i].error));
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) own = guidelines_read(NULL, &error);
    g_assert_no_error(error);
    for (guint i = 0; i < own->len; i++)
        g_assert_cmpstr(((const Guideline *)own->pdata[i])->source, !=, "");
}

static void test_values(void)
{
    const GuidelineProduct product = {.times = 3, .over = 2, .power = {[GUIDELINE_P] = 1, [GUIDELINE_M] = 1}};
    size_t value[N_GUIDELINE_VARIABLES] = {[GUIDELINE_P] = 4, [GUIDELINE_M] = 5}, out = 0;
    g_assert_true(guideline_value(&product, value, &out));
    g_assert_cmpuint(out, ==, 30);
    g_assert_true(guideline_invert(&product, value, 12));
    g_assert_cmpuint(value[GUIDELINE_M], ==, 2);
    g_assert_false(guideline_invert(&product, value, 13)); // m would be no whole number
    value[GUIDELINE_P] = 3;
    value[GUIDELINE_M] = 1;
    g_assert_false(guideline_value(&product, value, &out));
    value[GUIDELINE_M] = (size_t)1 << 49;
    g_assert_false(guideline_value(&product, value, &out)); // above 2^50
    value[GUIDELINE_P] = 0;
    g_assert_false(guideline_value(&product, value, &out));
}

// ---- Each form, by construction -----------------------------------------------------------------------------------------

// A log of times on 4 ranks, in which the guideline has `rows` rows, and the worst of them is x, `right` as text.
typedef struct GuidelineForm {
    const char *guideline, *log;
    guint rows, violated;
    double x;
    const char *right;
} GuidelineForm;

#define HEAD "collective,p,per_node,bytes,time_us\n"

static const GuidelineForm forms[] = {
    {"allgather(m) <= gather(m) + bcast(p*m)",
     HEAD "allgather,4,1,8,40\ngather,4,1,8,5\nbcast,4,1,32,15\nbcast,4,1,8,1\n", 1, 1, 2, "gather(8) + bcast(32)"},
    {"allreduce(p*m) <= reduce_scatter_block(m) + allgather(m)",
     HEAD "allreduce,4,1,64,3\nallreduce,4,1,10,9\nreduce_scatter_block,4,1,16,1\nallgather,4,1,16,1\n", 1, 1, 1.5,
     "reduce_scatter_block(16) + allgather(16)"},
    {"reduce_scatter(m) <= allreduce(m)", HEAD "reduce_scatter,4,1,64,3\nallreduce,4,1,64,3\n", 1, 0, 1,
     "allreduce(64)"},
    {"each(m) <= each(next(m))", HEAD "bcast,4,1,8,1\nbcast,4,1,64,4\nbcast,4,1,512,2\nscatter,4,1,8,2\n", 2, 1, 2,
     "bcast(512)"},
    {"each(m) <= each(m) on next(p)", HEAD "bcast,4,1,8,3\nbcast,8,1,8,2\nbcast,16,1,8,3\nbcast,8,2,8,1\n", 2, 1, 1.5,
     "bcast(8) on 8x1"},
    {"each(k*m) <= k*each(m)", HEAD "bcast,4,1,8,1\nbcast,4,1,16,1.5\nbcast,4,1,64,20\n", 2, 1, 20 / 6., "4*bcast(16)"},
    {"allgather(per_node*m) on nodes <= allgather(m)", HEAD "allgather,8,2,8,2\nallgather,4,1,16,5\n", 1, 1, 2.5,
     "allgather(8) on 4x2"},
    {"barrier() <= allreduce(8)", HEAD "barrier,4,1,0,6\nallreduce,4,1,8,4\n", 1, 1, 1.5, "allreduce(8)"},
    {"scan(m) <= exscan(m) + reduce_local(m)", HEAD "scan,4,1,8,6\nexscan,4,1,8,1\nreduce_local,1,,8,1\n", 1, 1, 3,
     "exscan(8) + reduce_local(8)"},
    {"scan(m) <= allgather(m) + p*reduce_local(m)", HEAD "scan,4,1,8,12\nallgather,4,1,8,1\nreduce_local,1,,8,1\n", 1,
     1, 2.4, "allgather(8) + 4*reduce_local(8)"},
    {"alltoall(m) <= alltoallv(m)", HEAD "alltoall,4,1,8,2\nalltoallv,4,1,8,1\n", 1, 1, 2, "alltoallv(8)"},
};

static GPtrArray *logs_of(const char *text)
{
    g_autoptr(GError) error = NULL;
    const LogReading how = {.defaults = TRUE};
    Log *log = log_parse(text, strlen(text), "log.csv", NULL, &how, &error);
    g_assert_no_error(error);
    GPtrArray *logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free);
    g_ptr_array_add(logs, log);
    return logs;
}

static GPtrArray *list_of(const char *guideline)
{
    g_autoptr(GError) error = NULL;
    GPtrArray *list = g_ptr_array_new_with_free_func(guideline_free);
    g_ptr_array_add(list, guideline_parse(guideline, "text", &error));
    g_assert_no_error(error);
    return list;
}

static void test_forms(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
        const GuidelineForm *form = &forms[i];
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) list = list_of(form->guideline), logs = logs_of(form->log),
                             notes = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(Guidelines) x = guidelines_new(list, 0.1);
        g_assert_true(guidelines_measure(x, logs, FALSE, FALSE, notes, &error));
        const GuidelineTotal total = guidelines_total(x, NULL);
        if (total.checked[GUIDELINE_MEASURED] != form->rows || total.violated[GUIDELINE_MEASURED] != form->violated)
            g_error("%s: %u rows, %u violated", form->guideline, total.checked[GUIDELINE_MEASURED],
                    total.violated[GUIDELINE_MEASURED]);
        const GuidelineRow *row = &g_array_index(x->rows, GuidelineRow, total.worst);
        g_autofree char *right =
            guidelines_right_text(x, &g_array_index(x->cases, GuidelineCase, row->worst[GUIDELINE_MEASURED]));
        g_assert_cmpstr(right, ==, form->right);
        g_assert_cmpfloat(fabs(row->x[GUIDELINE_MEASURED] / form->x - 1), <, 1e-12);
    }
}

// What takes exactly as much longer as is tolerated keeps the guideline; 2^-20 more violates it.
static void test_tolerance(void)
{
    static const char *const logs[] = {
        "collective,p,per_node,bytes,time_s\nbarrier,4,1,0,1.25\nallreduce,4,1,8,1\n",
        "collective,p,per_node,bytes,time_s\nbarrier,4,1,0,1.25000095367431640625\nallreduce,4,1,8,1\n",
    };
    for (guint i = 0; i < G_N_ELEMENTS(logs); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) list = list_of("barrier() <= allreduce(8)"), read = logs_of(logs[i]),
                             notes = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(Guidelines) x = guidelines_new(list, 0.25);
        g_assert_true(guidelines_measure(x, read, FALSE, FALSE, notes, &error));
        const GuidelineTotal total = guidelines_total(x, NULL);
        g_assert_cmpuint(total.checked[GUIDELINE_MEASURED], ==, 1);
        g_assert_cmpuint(total.violated[GUIDELINE_MEASURED], ==, i);
    }
}

// Rows whose times are means over the ranks do not count where a collective has a root, nor do other runs, machines, predictions
// and named algorithms.
static void test_what_counts(void)
{
    static const struct {
        const char *log;
        gboolean best, means;
        guint checked, marked, violated;
    } logs[] = {
        {"collective,p,bytes,avg_us\nallreduce,4,8,9\nreduce,4,8,1\nbcast,4,8,1\n", FALSE, FALSE, 0, 1, 0},
        {"collective,p,bytes,max_us\nallreduce,4,8,9\nreduce,4,8,1\nbcast,4,8,1\n", FALSE, FALSE, 1, 0, 1},
        {"collective,p,bytes,max_us\nallreduce,4,8,9\nreduce,4,8,1\nbcast,4,8,1\n", FALSE, TRUE, 0, 1, 0},
        {"collective,p,bytes,min_run_us\nallreduce,4,8,9\nreduce,4,8,1\nbcast,4,8,1\n", FALSE, FALSE, 0, 1, 0},
        {"collective,algorithm,p,bytes,max_us\nallreduce,ring,4,8,9\nreduce,,4,8,1\nbcast,library,4,8,1\n"
         "allreduce,default,4,8,2\n",
         FALSE, FALSE, 1, 0, 0},
        {"collective,algorithm,p,bytes,max_us\nallreduce,ring,4,8,9\nreduce,linear,4,8,1\nbcast,linear,4,8,1\n", TRUE,
         FALSE, 1, 0, 1},
        {"collective,ompi_id,p,bytes,max_us\nallreduce,0,4,8,9\nallreduce,1,4,8,1\nreduce,0,4,8,1\nbcast,0,4,8,1\n",
         FALSE, FALSE, 1, 0, 1},
        {"collective,algorithm,p,bytes,max_us,flags\nallreduce,x,4,8,9,library_default\nreduce,y,4,8,1,library_"
         "default\n"
         "bcast,z,4,8,1,few_iters|library_default\n",
         FALSE, FALSE, 1, 0, 1},
    };
    for (guint i = 0; i < G_N_ELEMENTS(logs); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) list = list_of("allreduce(m) <= reduce(m) + bcast(m)"), log = logs_of(logs[i].log),
                             notes = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(Guidelines) x = guidelines_new(list, 0.1);
        g_assert_true(guidelines_measure(x, log, logs[i].best, logs[i].means, notes, &error));
        const GuidelineTotal total = guidelines_total(x, NULL);
        if (total.checked[1] != logs[i].checked || total.marked != logs[i].marked ||
            total.violated[1] != logs[i].violated)
            g_error("log %u: %u checked, %u marked, %u violated", i, total.checked[1], total.marked, total.violated[1]);
    }
}

static void test_nothing(void)
{
    static const char *const logs[][2] = {
        {"collective,run,p,bytes,max_us\nallreduce,a,4,8,9\nreduce,a,4,8,1\nbcast,b,4,8,1\n", "no guideline has both"},
        {"collective,algorithm,p,bytes,max_us\nallreduce,ring,4,8,9\n",
         "no row counts: log.csv: rows that are of an algorithm that was named"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(logs); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) list = list_of("allreduce(m) <= reduce(m) + bcast(m)"), log = logs_of(logs[i][0]),
                             notes = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(Guidelines) x = guidelines_new(list, 0.1);
        g_assert_false(guidelines_measure(x, log, FALSE, FALSE, notes, &error));
        g_assert_nonnull(strstr(error->message, logs[i][1]));
    }
}

// What is predicted, and measured, and both.
static void test_both(void)
{
    static const char log[] = "collective,algorithm,ranks,bytes,measured_s,predicted_s\n"
                              "bcast,x:auto,4,8,3,1\nbcast,x:auto,4,16,2,2\n"   // measured only
                              "gather,x:auto,4,8,1,3\ngather,x:auto,4,16,2,2\n" // predicted only
                              "scatter,x:auto,4,8,3,3\nscatter,x:auto,4,16,2,2\n"
                              "reduce,x:auto,4,8,1,1\nreduce,x:auto,4,16,2,\n"; // not known
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) list = list_of("each(m) <= each(next(m))"), logs = logs_of(log),
                         notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(Guidelines) x = guidelines_new(list, 0.1);
    g_assert_true(guidelines_measure(x, logs, FALSE, FALSE, notes, &error));
    const GuidelineTotal total = guidelines_total(x, list->pdata[0]);
    g_assert_cmpuint(total.compared, ==, 3);
    g_assert_cmpuint(total.both, ==, 1);
    g_assert_cmpuint(total.missed, ==, 1);
    g_assert_cmpuint(total.false_alarms, ==, 1);
    g_autoptr(GArray) rows = guidelines_violations(x, FALSE, 10), first = guidelines_violations(x, TRUE, 1);
    g_assert_cmpuint(rows->len, ==, 3);
    g_assert_cmpuint(first->len, ==, 1);
}

static void add(void)
{
    g_test_add_func("/guidelines/texts", test_texts);
    g_test_add_func("/guidelines/refused", test_refused);
    g_test_add_func("/guidelines/lists", test_lists);
    g_test_add_func("/guidelines/values", test_values);
    g_test_add_func("/guidelines/forms", test_forms);
    g_test_add_func("/guidelines/tolerance", test_tolerance);
    g_test_add_func("/guidelines/what counts", test_what_counts);
    g_test_add_func("/guidelines/nothing", test_nothing);
    g_test_add_func("/guidelines/both", test_both);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
