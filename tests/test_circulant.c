// The schedules of the circulant graph fulfil Träff's conditions. If they do, a broadcast of n blocks is correct and
// takes n-1+ceil(log2 p) rounds, for any n. The conditions are checked for every rank, for all p of a range and a few
// larger p. Among few ranks, a search through all skips shows that those of alltoall circulant send the fewest blocks.
#include "coll.h"
#include "registry/registry.h"
#include "times/times.h"
#include "tap.h"
#include <stdlib.h>

// Ranks, and rounds among them, whose skips are all tried.
enum { MOST_PLACES = 17, MOST_TRIED = 6 };

static CirculantSchedule schedule_of(int p, int v)
{
    return circulant_schedule(&(Coll){.p = p, .rank = v}, 1);
}

// In q rounds, v receives q blocks that are all different modulo q: one of the blocks 0 .. q-1 that are begun in these
// rounds (`base`), and q - 1 of those that were begun in the q rounds before, which have negative numbers.
static void check_receives(const CirculantSchedule *x, int base)
{
    const int q = x->graph.q;
    uint64_t seen = 0;
    for (int k = 0; k < q; k++) {
        g_assert_cmpint(x->recv[k], >=, -q);
        g_assert_true(x->recv[k] < 0 || x->recv[k] == base);
        seen |= UINT64_C(1) << (x->recv[k] + q) % q;
    }
    g_assert_cmpuint(seen, ==, (UINT64_C(1) << q) - 1);
}

// v sends only what it has: its first block of the q rounds before (base - q), or a block that it received in an
// earlier round of these q.
static void check_sends(const CirculantSchedule *x, int base)
{
    const int q = x->graph.q;
    for (int k = 0; k < q; k++) {
        bool has = x->send[k] == base - q || x->v + x->graph.skip[k] == x->graph.p; // nothing is sent to the root
        for (int j = 0; j < k; j++)
            has |= x->send[k] == x->recv[j];
        g_assert_true(has);
    }
}

// Returns the block of the current q rounds that the rank receives.
static int first_block(const CirculantSchedule *x)
{
    for (int k = 0; k < x->graph.q; k++)
        if (x->recv[k] >= 0)
            return x->recv[k];
    g_assert_not_reached();
}

static void check_p(int p)
{
    CirculantSchedule *of = malloc((size_t)p * sizeof *of);
    for (int v = 0; v < p; v++)
        of[v] = schedule_of(p, v);
    for (int v = 0; v < p; v++) {
        for (int k = 0; k < of[v].graph.q; k++)
            g_assert_cmpint(of[v].send[k], ==, of[(v + of[v].graph.skip[k]) % p].recv[k]);
        if (v > 0) {
            check_receives(&of[v], first_block(&of[v]));
            check_sends(&of[v], first_block(&of[v]));
        }
    }
    for (int k = 0; k < of[0].graph.q; k++)
        g_assert_cmpint(of[0].send[k], ==, k);
    free(of);
}

#ifdef __SANITIZE_ADDRESS__
enum { ALL_TO = 130 };
#else
enum { ALL_TO = 600 };
#endif

static void test_all(void)
{
    for (int p = 2; p <= ALL_TO; p++)
        check_p(p);
}

static void test_beyond(void)
{
    static const int p[] = {1000, 1023, 1024, 1025, 1365, 2047, 2049, 3001, 4010};
    for (size_t i = 0; i < G_N_ELEMENTS(p); i++)
        check_p(p[i]);
}

// The skips of 17 ranks, by hand: each is half of the next one, rounded up.
static void test_skips(void)
{
    static const int skips[] = {1, 2, 3, 5, 9, 17};
    const Circulant x = circulant_graph(17);
    g_assert_cmpint(x.q, ==, 5);
    for (int k = 0; k <= x.q; k++)
        g_assert_cmpint(x.skip[k], ==, skips[k]);
    g_assert_cmpint(circulant_graph(1).q, ==, 0);
}

// The root of 5 ranks sends 2 blocks in 2 - 1 + 3 = 4 rounds. It begins the blocks one after the other, and goes on
// sending the last one when it has no more.
static void test_rounds(void)
{
    const Coll root = {.p = 5, .rank = 3, .root = 3};
    const CirculantSchedule x = circulant_schedule(&root, 2);
    static const int to[] = {1, 4, 0, 1}, send[] = {0, 1, 1, 1};
    g_assert_cmpint(x.rounds, ==, 4);
    for (int i = 0; i < x.rounds; i++) {
        const CirculantRound r = circulant_round(&root, &x, i);
        g_assert_cmpint(r.to, ==, to[i]);
        g_assert_cmpint(r.send, ==, send[i]);
        g_assert_cmpint(r.from, ==, -1);
    }
}

// ---- The skips of alltoall ------------------------------------------------------------------------------------------

// Returns how many blocks a rank sends in n rounds of alltoall circulant, by its formula.
static int64_t blocks_sent(int p, int n)
{
    const CollAlgorithm *a = algorithm_find(COLL_ALLTOALL, "circulant");
    CollPoint x = {.p = p, .m = 1, .par = algorithm_defaults(a), .beta = 1};
    param_set(algorithm_param(a, "extra"), &x.par, n - log2_ceil(p));
    return algorithm_time(a, &x);
}

// Returns the least number of blocks that n more rounds can send, with skips of at least `from`. fewest[j] is how many
// of the rounds before take a block j places; p or more if they cannot.
static int64_t least_of_all(int p, int n, int from, const int *fewest)
{
    int64_t least = 0;
    for (int j = 0; j < p && n == 0; j++)
        least = fewest[j] < p ? least + fewest[j] : INT32_MAX;
    if (n == 0)
        return least;
    least = INT32_MAX;
    for (int skip = from; skip < p; skip++) {
        int next[MOST_PLACES];
        for (int j = 0; j < p; j++) {
            const int by_it = fewest[(j - skip + p) % p] + 1;
            next[j] = by_it < fewest[j] ? by_it : fewest[j];
        }
        const int64_t sent = least_of_all(p, n - 1, skip, next);
        least = sent < least ? sent : least;
    }
    return least;
}

// The algorithm looks for skips from a few starts, and ends where a count of the ways says that no others send fewer
// blocks. Here all skips are tried.
static void test_all_skips(void)
{
    for (int p = 2; p <= MOST_PLACES; p++)
        for (int n = log2_ceil(p); n <= MOST_TRIED && n < p; n++) {
            int fewest[MOST_PLACES] = {0};
            for (int j = 1; j < p; j++)
                fewest[j] = p;
            g_assert_cmpint(blocks_sent(p, n), ==, least_of_all(p, n, 1, fewest));
        }
}

static void add(void)
{
    g_test_add_func("/circulant/skips", test_skips);
    g_test_add_func("/circulant/rounds", test_rounds);
    g_test_add_func("/circulant/all-skips", test_all_skips);
    g_test_add_func("/circulant/conditions", test_all);
    g_test_add_func("/circulant/conditions-large-p", test_beyond);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
