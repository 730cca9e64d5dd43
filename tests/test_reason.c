// How what is on critical paths grows with the ranks: the sentences about algorithms whose growth is known by hand, and, over
// the registry, that a form holds on ranks from which it was not found.
#include "search/search/reason.h"
#include "only.h"
#include "tap.h"
#include <math.h>
#include <string.h>

static Request request_of(Collective collective, const Model *model)
{
    Request r = {.question = {.collective = collective, .elem = 1}};
    GError *error = NULL;
    r.machine.platform = platform_load("generic-100g", &error);
    g_assert_no_error(error);
    r.machine.model = model;
    return r;
}

static const CollAlgorithm *find(Collective collective, const char *name)
{
    const CollAlgorithm *a = algorithm_find(collective, name);
    if (!a)
        g_error("%s is not known", name);
    return a;
}

static void test_sentences(void)
{
    static const struct {
        Collective collective;
        const char *name, *text;
        const Model *model; // NULL for hockney
    } table[] = {
        {COLL_BCAST, "binomial", "binomial has log2 p messages one after the other, and sends each byte log2 p times."},
        {COLL_BCAST, "linear", "linear has p - 1 messages one after the other, and sends each byte p - 1 times."},
        {COLL_ALLREDUCE, "ring",
         "ring has 2(p - 1) messages one after the other, and sends each byte less than twice, whatever p is."},
        {COLL_ALLREDUCE, "rabenseifner",
         "rabenseifner has 2 log2 p messages one after the other, and sends each byte less than twice, whatever p is."},
        {COLL_ALLGATHER, "bruck", "bruck has log2 p messages one after the other, and sends m bytes p - 1 times."},
        {COLL_ALLTOALL, "bruck",
         "bruck has log2 p messages one after the other, and sends m bytes 1/2 p log2 p times."},
        {COLL_BARRIER, "dissemination", "dissemination has log2 p messages one after the other."},
        {COLL_BCAST, "binomial",
         "binomial has log2 p messages one after the other; a byte takes no time in this model.", &logp_model},
        {COLL_BARRIER, "dissemination", "dissemination has log2 p messages one after the other.", &logp_model},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_auto(Request) r = request_of(table[i].collective, table[i].model ? table[i].model : &hockney_model);
        Reason x;
        g_assert_true(reason_find(&r, find(table[i].collective, table[i].name), 0, &x));
        g_autofree char *text = reason_text(&x);
        g_assert_cmpstr(text, ==, table[i].text);
    }
}

static void test_pairs(void)
{
    static const struct {
        Collective collective;
        const char *a, *b, *text;
        const Model *model; // NULL for hockney
    } table[] = {
        {COLL_ALLREDUCE, "ring", "recursive_doubling",
         "recursive_doubling has fewer messages one after the other, log2 p against 2(p - 1), which counts for short "
         "messages; ring sends each byte less than twice, whatever p is, and recursive_doubling log2 p times, which "
         "counts for long ones."},
        {COLL_ALLREDUCE, "ring", "rabenseifner",
         "rabenseifner has fewer messages one after the other, 2 log2 p against 2(p - 1); both send each byte less "
         "than "
         "twice, whatever p is."},
        {COLL_BCAST, "linear", "binomial",
         "binomial has fewer messages one after the other, log2 p against p - 1; binomial sends each byte log2 p "
         "times, "
         "and linear p - 1 times."},
        {COLL_ALLREDUCE, "rabenseifner", "reduce_scatter_allgather",
         "Both have 2 log2 p messages one after the other and send each byte less than twice, whatever p is."},
        {COLL_REDUCE_SCATTER, "recursive_doubling", "mirrored",
         "Both have log2 p messages one after the other; mirrored sends each byte less than once, whatever p is, and "
         "recursive_doubling log2 p - 1 + 1/p times."},
        {COLL_BARRIER, "linear", "dissemination",
         "dissemination has fewer messages one after the other, log2 p against 2(p - 1)."},
        {COLL_BCAST, "binomial", "scatter_ring_allgather",
         "binomial has fewer messages one after the other, log2 p against p + log2 p - 1; a byte takes no time in this "
         "model.",
         &logp_model},
        {COLL_BCAST, "binomial", "scatter_rd_allgather",
         "binomial has fewer messages one after the other, log2 p against 2 log2 p; a byte takes no time in this "
         "model.",
         &logp_model},
        {COLL_ALLREDUCE, "rabenseifner", "reduce_scatter_allgather",
         "Both have 2 log2 p messages one after the other; a byte takes no time in this model.", &logp_model},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_auto(Request) r = request_of(table[i].collective, table[i].model ? table[i].model : &hockney_model);
        const CollAlgorithm *a = find(table[i].collective, table[i].a), *b = find(table[i].collective, table[i].b);
        g_autofree char *one = reason_of_pair(&r, a, b, 0), *other = reason_of_pair(&r, b, a, 0);
        g_assert_cmpstr(one, ==, table[i].text);
        g_assert_cmpstr(other, ==, table[i].text); // the order does not matter
    }
}

// Checks that a form gives the number num / den at x.
static bool holds(const Growth *g, int64_t x, int log, int64_t num, int64_t den)
{
    const __int128 scaled = (__int128)g->many * x * x * log + (__int128)g->line * x * x + (__int128)g->log * x * log +
                            (__int128)g->fixed * x + g->rest;
    return !g->known || scaled * den == (__int128)g->scale * x * num;
}

// Runs an algorithm on 256 ranks, twice as many as the most from which forms are found.
static void check_beyond(const Request *r, const CollAlgorithm *a, const Reason *x, int *checked)
{
    enum { P = 256, M = 1 << 20 };
    GError *error = NULL;
    Point *at[2] = {NULL};
    for (int i = 0; i < 2; i++) {
        at[i] = point_new(r, a, P, 0, (size_t)M << i, &error);
        g_assert_no_error(error);
        if (at[i]->why || !point_run(at[i], r, &error))
            break;
    }
    g_assert_no_error(error);
    if (at[1] && at[0]->prediction && at[1]->prediction && point_timed(at[0])) {
        const int64_t *one = at[0]->prediction->count, *two = at[1]->prediction->count;
        *checked += x->sent.known;
        if (!holds(&x->sent, P, 8, two[1] - one[1], M) || !holds(&x->reduced, P, 8, two[2] - one[2], M)) {
            g_autofree char *text = reason_text(x);
            g_error("%s on %d ranks sends %" G_GINT64_FORMAT " bytes more: %s", a->name, P, two[1] - one[1], text);
        }
    }
    point_free(at[0]);
    point_free(at[1]);
}

static void test_beyond(void)
{
    int checked = 0, found = 0;
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        if (a->shared || a->collective == COLL_BARRIER)
            continue;
        g_auto(Request) r = request_of(a->collective, &hockney_model);
        question_add(&r.question, a);
        Reason x;
        if (!reason_find(&r, a, 0, &x))
            continue;
        found++;
        if (collectives[a->collective].vector)
            check_beyond(&r, a, &x, &checked);
    }
    g_test_message("%d of %d algorithms have a form", checked, found);
    g_assert_cmpint(checked, >, only_one() ? -1 : 50);
}

// On nodes the letter is N, and what the NIC holds up is said.
static void test_nodes(void)
{
    g_auto(Request) r = request_of(COLL_ALLREDUCE, &hockney_model);
    GError *error = NULL;
    platform_free(r.machine.platform);
    r.machine.platform = platform_load("leonardo", &error);
    g_assert_no_error(error);
    g_autofree char *text =
        reason_of_pair(&r, find(COLL_ALLREDUCE, "recursive_doubling"), find(COLL_ALLREDUCE, "smp"), 32);
    g_assert_nonnull(text);
    g_assert_nonnull(strstr(text, "messages of other ranks go first through the NIC, and in smp none (N: nodes)."));
    g_assert_nonnull(strstr(text, "log2 N"));
    g_assert_null(strstr(text, "log2 p"));
}

// Nothing is said of what has no such numbers.
static void test_none(void)
{
    g_auto(Request) r = request_of(COLL_ALLGATHER, &hockney_model);
    g_assert_null(reason_of_pair(&r, find(COLL_ALLGATHER, "two_procs"), find(COLL_ALLGATHER, "ring"), 0));
}

static void add(void)
{
    g_test_add_func("/reason/sentences", test_sentences);
    g_test_add_func("/reason/pairs", test_pairs);
    g_test_add_func("/reason/beyond", test_beyond);
    g_test_add_func("/reason/nodes", test_nodes);
    g_test_add_func("/reason/none", test_none);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
