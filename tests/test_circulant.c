// The schedules of the circulant graph fulfil Träff's conditions. If they do, a broadcast of n blocks is correct and
// takes n-1+ceil(log2 p) rounds, for any n. The conditions are checked for every rank, for all p of a range and a few
// larger p.
#include "coll.h"
#include "tap.h"
#include <stdlib.h>

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

static void add(void)
{
    g_test_add_func("/circulant/skips", test_skips);
    g_test_add_func("/circulant/rounds", test_rounds);
    g_test_add_func("/circulant/conditions", test_all);
    g_test_add_func("/circulant/conditions-large-p", test_beyond);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
