// The rounds of every algorithm are those that tests/golden/rounds.txt shows: which rank sends how many bytes to which
// rank, in which order, and how many requests a rank has open. Texts that differ in these may cost the same, so no
// table of times tells them apart.
//
// The file has a drawing of every algorithm with its defaults, and one for each parameter at another value.
// `test_rounds --write` (make golden) writes it anew; read what changed there.
#include "engine/rounds/rounds.h"
#include "engine/rounds/texts.h"
#include "engine/schedule/parse.h"
#include "search/search/points.h"
#include "tap.h"
#include <stdio.h>
#include <string.h>

// Returns the most requests that a rank has open at once.
static int most_open(const Operation *op)
{
    g_autoptr(GPtrArray) texts = texts_of(op);
    int most = 0;
    for (guint rank = 0; rank < texts->len; rank++) {
        const GArray *ops = g_ptr_array_index(texts, rank);
        int open = 0;
        for (guint i = 0; i < ops->len; i++) {
            const CollOp *x = &g_array_index(ops, CollOp, i);
            open += x->kind == COLL_ISEND || x->kind == COLL_IRECV;
            open -= x->kind == COLL_WAIT ? 1 : x->kind == COLL_WAITALL ? x->n : 0;
            open = x->kind == COLL_THROTTLE ? MIN(open, x->n - 1) : open;
            most = MAX(most, open);
        }
    }
    return most;
}

// Returns the algorithm's point with these parameters, on the first of these numbers of ranks on which it runs itself,
// with 8 bytes for each rank. Free with point_free.
static Point *point_of(Request *r, const CollAlgorithm *a)
{
    static const struct {
        int p, per_node;
    } ranks[] = {{6, 3}, {8, 4}, {2, 1}, {12, 6}, {6, 4}};
    GError *error = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++) {
        const int p = ranks[i].p;
        const size_t m = a->collective == COLL_BARRIER ? 0 : collectives[a->collective].vector ? 8 * (size_t)p : 8;
        Point *x = point_new(r, a, p, ranks[i].per_node, m, &error);
        g_assert_no_error(error);
        if (x->ran == a)
            return x;
        point_free(x);
    }
    if (r->question.counts.kind == COUNTS_LINEAR) { // the algorithm may need blocks of equal length
        r->question.counts.kind = COUNTS_EQUAL;
        return point_of(r, a);
    }
    g_error("%s %s runs on none of the numbers of ranks", collectives[a->collective].name, a->name);
}

static void add_drawing(GString *text, const CollAlgorithm *a, char **params)
{
    Request r = {.question.collective = a->collective, .question.elem = 1, .question.params = params};
    if (collectives[a->collective].counts)
        r.question.counts.kind = COUNTS_LINEAR; // so that blocks of two ranks differ
    Point *x = point_of(&r, a);
    const Operation op = point_operation(&r, x);
    g_autofree char *set = g_strjoinv(" ", params);
    g_autoptr(GArray) messages = a->shared ? shared_rounds_play(&op) : rounds_play(&op);
    g_autofree char *drawing = rounds_draw(messages, x->p, a->peers == PEERS_XOR, NULL);
    const char *const rows = strchr(drawing + 1, '\n') + 1; // the first line is empty, the second has the heads
    char *const legend = strstr(drawing, "\n  (");
    if (legend)
        legend[1] = '\0';
    const int open = most_open(&op);
    g_string_append_printf(text, "%s %s%s%s, p = %d, m = %zu", collectives[a->collective].name, a->name,
                           *set ? " " : "", set, x->p, x->m);
    if (open)
        g_string_append_printf(text, ", %d request%s open", open, open == 1 ? "" : "s");
    g_string_append_printf(text, "\n%s\n", rows);
    point_free(x);
}

// Adds drawings of the algorithm with its defaults, and with another value of each parameter. A segment of 6 bytes cuts
// a vector evenly and a block unevenly; fragments of 12 bytes are more than the slots. They are given together with
// other parameters, which may count them.
static void add_algorithm(GString *text, const CollAlgorithm *a)
{
    add_drawing(text, a, (char *[]){NULL});
    const char *length = NULL;
    for (int i = 0; i < algorithm_n_params(a); i++)
        length = a->params[i].kind == PARAM_SIZE ? a->params[i].name : length;
    g_autofree char *cut = length ? g_strconcat(length, a->shared ? "=12" : "=6", NULL) : NULL;
    if (cut)
        add_drawing(text, a, (char *[]){cut, NULL});
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        const int64_t few = param->def > 3 ? 3 : param->def + 1, n = param->kind == PARAM_CHOICE ? param->max : 1;
        for (int64_t k = 1; k <= n && (param->kind == PARAM_INT || param->kind == PARAM_CHOICE); k++) {
            g_autofree char *value = param_text(param, param->kind == PARAM_INT ? few : (param->def + k) % (n + 1));
            g_autofree char *other = g_strconcat(param->name, "=", value, NULL);
            add_drawing(text, a, (char *[]){other, cut, NULL});
        }
    }
}

// Returns all drawings. Free with g_free.
static char *draw_all(void)
{
    GString *text = g_string_new(NULL);
    for (int i = 0; i < n_algorithms; i++)
        add_algorithm(text, algorithms[i]);
    return g_string_free(text, FALSE);
}

// Returns the name of the golden file. Free with g_free.
static char *golden_file(void)
{
    const char *const tests = g_getenv("COLLSIM_TESTS");
    return g_build_filename(tests ? tests : "tests", "golden", "rounds.txt", NULL);
}

static void test_rounds(void)
{
    g_autofree char *file = golden_file(), *golden = NULL, *text = draw_all();
    GError *error = NULL;
    g_file_get_contents(file, &golden, NULL, &error);
    g_assert_no_error(error);
    g_auto(GStrv) want = g_strsplit(golden, "\n\n", -1), got = g_strsplit(text, "\n\n", -1);
    for (guint i = 0; want[i] || got[i]; i++) {
        if (want[i] && got[i] && strcmp(want[i], got[i]) == 0)
            continue;
        g_test_message("%s has\n%s", file, want[i] ? want[i] : "its end");
        g_test_message("and the texts give\n%s", got[i] ? got[i] : "nothing more");
        g_test_message("if this is meant, run make golden");
        g_test_fail();
        return;
    }
}

static int write_golden(void)
{
    g_autofree char *file = golden_file(), *text = draw_all();
    g_autoptr(GError) error = NULL;
    if (g_file_set_contents(file, text, -1, &error))
        return 0;
    g_printerr("%s\n", error->message);
    return 2;
}

static void add(void)
{
    g_test_add_func("/rounds", test_rounds);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--write") == 0)
        return write_golden();
    return tap_run(argc, argv, add);
}
