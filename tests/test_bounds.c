// The lower bounds: no algorithm of the registry takes less under any discipline, and the algorithms that are known to
// be optimal take exactly as much. Times are compared as integers.
#include "search/form/bounds.h"
#include "engine/model/model.h"
#include "engine/schedule/record.h"
#include "registry/registry.h"
#include "sample.h"
#include "tap.h"
#include "judge/prove/nodes.h"
#include "registry/composition.h"
#include "api/integers.h"
#include "api/make.h"
#include <string.h>

typedef struct Costs {
    double alpha, beta, gamma;
} Costs;

static double time_of(const Schedule *s, Costs x, Transfer transfer)
{
    g_autoptr(Replay) r = replay(s, &(Hockney){x.alpha, x.beta, x.gamma, transfer}, &(ReplayOptions){0}, NULL);
    g_assert_cmpuint(r->stuck->len, ==, 0);
    return r->time_s;
}

// Returns the schedule of the algorithm, or of its fallback, with its default parameters but this segment, in bytes;
// NULL if neither can run. Free with schedule_free.
static Schedule *schedule_of(const CollAlgorithm *a, int p, int root, size_t m, size_t segment)
{
    const char *why;
    const Coll all = {.p = p,
                      .root = root,
                      .elem = 1,
                      .commutative = true,
                      .nodes = nodes_of(p, p % 3 ? 2 : 3),
                      .par = algorithm_defaults(a)};
    Coll c = coll_make(a->collective, &all, root, m, NULL);
    c.par.segment = segment;
    const CollAlgorithm *ran = coll_resolve(a, &c, &why);
    return ran ? schedule_record(&(Operation){ran, c, m}, NULL) : NULL;
}

// ---- No algorithm is below a bound ---------------------------------------------------------------------------------

typedef struct BoundsCase {
    const CollAlgorithm *a;
    int p;
    size_t m;
    bool equal; // whether all segments have the same length
    Transfer transfer;
} BoundsCase;

// Fails if `got` is below the bound; `what` names it.
static void above(const BoundsCase *x, const char *what, double got, double bound)
{
    if (got < bound)
        g_error("%s %s, %d ranks, %" G_GSIZE_FORMAT " bytes, %s: %s is %g, its bound %g",
                collectives[x->a->collective].name, x->a->name, x->p, x->m, transfer_names[x->transfer], what, got,
                bound);
}

// Compares the schedule with every bound under every discipline. Returns 1, the number of schedules that were checked.
static int check_schedule(const Schedule *s, BoundsCase x)
{
    for (x.transfer = TRANSFER_RENDEZVOUS; x.transfer <= TRANSFER_EAGER_PORT; x.transfer++) {
        const Bounds b = bounds_of_ports(x.a->collective, x.p, (double)x.m, 1, x.transfer == TRANSFER_EAGER);
        above(&x, "rounds", time_of(s, (Costs){1, 0, 0}, x.transfer), b.rounds);
        above(&x, "bytes", time_of(s, (Costs){0, 1, 0}, x.transfer), b.bytes);
        above(&x, "work", time_of(s, (Costs){0, 0, 1}, x.transfer), b.work);
        for (double alpha = 1; x.a->collective == COLL_BCAST && x.p > 1 && x.equal && alpha <= 1024; alpha *= 32) {
            Platform platform = {0};
            platform.value[KEY_ALPHA] = alpha;
            platform.value[KEY_BETA] = 1;
            above(&x, "T", time_of(s, (Costs){alpha, 1, 0}, x.transfer),
                  bounds_bcast_blocks(x.p, (double)x.m, &platform) * (1 - 1e-12));
        }
    }
    return 1;
}

static bool segmented(const CollAlgorithm *a)
{
    for (int i = 0; i < COLL_MAX_PARAMS && a->params[i].name; i++)
        if (strcmp(a->params[i].name, "segment") == 0)
            return true;
    return false;
}

static int check_algorithm(const CollAlgorithm *a, int p)
{
    const size_t sizes[] = {24 * (size_t)p, 0, 1, 1003}, segments[] = {0, 24, 100};
    const int n_segments = segmented(a) ? G_N_ELEMENTS(segments) : 1, roots = collectives[a->collective].rooted ? p : 1;
    int checked = 0;
    for (size_t i = 0; i < (p > 17 ? 1 : G_N_ELEMENTS(sizes)); i++)
        for (int j = 0; j < n_segments; j++)
            for (int root = 0; root < roots; root += MAX(p - 1, 1)) {
                Schedule *s = schedule_of(a, p, root, sizes[i], segments[j]);
                // After halvings, ranks send several blocks in one message.
                const bool equal = (segments[j] == 0 || sizes[i] % segments[j] == 0) && !algorithm_param(a, "halvings");
                checked += s ? check_schedule(s, (BoundsCase){.a = a, .p = p, .m = sizes[i], .equal = equal}) : 0;
                schedule_free(s);
            }
    return checked;
}

static void test_none_below(void)
{
    int checked = 0;
    for (int i = 0; i < n_algorithms; i++)
        for (int p = 1; p <= 64 && !algorithms[i]->shared; p = p == 17 ? 33 : p == 33 ? 64 : p + 1)
            checked += p <= 9 || sample_takes((guint)(i + p), 4) ? check_algorithm(algorithms[i], p) : 0;
    g_test_message("%d schedules", checked);
    g_assert_cmpint(checked, >, sample_of(10000, 4000));
}

// ---- Some algorithms reach a bound ---------------------------------------------------------------------------------

enum { ROUNDS = 1, BYTES = 2, WORK = 4, POW2 = 8, EAGER = 16 };
static const struct {
    Collective collective;
    const char *algorithm;
    int reaches; // which bounds; POW2: only if p is a power of two; EAGER: under eager sends instead of rendezvous
} optimal[] = {
    {COLL_ALLGATHER, "bruck", ROUNDS | BYTES},
    {COLL_ALLGATHER, "ring", BYTES},
    {COLL_ALLGATHER, "recursive_doubling", ROUNDS | BYTES | POW2},
    {COLL_ALLGATHERV, "bruck", ROUNDS | BYTES},
    {COLL_ALLREDUCE, "recursive_doubling", ROUNDS | POW2},
    {COLL_ALLREDUCE, "ring", BYTES | WORK},
    {COLL_ALLREDUCE, "circulant", BYTES | WORK},
    {COLL_ALLREDUCE, "rabenseifner", BYTES | WORK | POW2},
    {COLL_ALLTOALL, "bruck", ROUNDS},
    {COLL_ALLTOALL, "pairwise", BYTES},
    {COLL_ALLTOALLV, "pairwise", BYTES},
    {COLL_BARRIER, "dissemination", ROUNDS},
    {COLL_BCAST, "binomial", ROUNDS},
    {COLL_EXSCAN, "dissemination", ROUNDS},
    {COLL_GATHER, "binomial", ROUNDS | BYTES},
    {COLL_GATHER, "linear", BYTES},
    {COLL_GATHER, "linear", ROUNDS | BYTES | EAGER},
    {COLL_GATHERV, "linear", ROUNDS | BYTES | EAGER},
    {COLL_REDUCE, "binomial_blocking", ROUNDS},
    {COLL_REDUCE, "redscat_gather", WORK | POW2},
    {COLL_REDUCE, "linear", ROUNDS | BYTES | EAGER},
    {COLL_REDUCE_SCATTER, "circulant", ROUNDS | BYTES | WORK},
    {COLL_REDUCE_SCATTER, "recursive_halving", ROUNDS | BYTES | WORK | POW2},
    {COLL_REDUCE_SCATTER_BLOCK, "circulant", ROUNDS | BYTES | WORK},
    {COLL_SCAN, "dissemination", ROUNDS},
    {COLL_SCATTER, "binomial", ROUNDS | BYTES},
    {COLL_SCATTERV, "linear", BYTES},
};

static void reached(size_t i, int p, int which, Costs costs, double bound, const Schedule *s)
{
    const Transfer transfer = optimal[i].reaches & EAGER ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS;
    const double got = optimal[i].reaches & which ? time_of(s, costs, transfer) : bound;
    if (got != bound)
        g_error("%s %s, %d ranks: %g, its bound %g", collectives[optimal[i].collective].name, optimal[i].algorithm, p,
                got, bound);
}

static void test_reached(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(optimal); i++)
        for (int p = 2; p <= 130; p = p < 35 ? p + 1 : 2 * p - 6) {
            const size_t m = 24 * (size_t)p * (size_t)pow2_floor(p);
            if ((optimal[i].reaches & POW2) && !is_pow2(p))
                continue;
            const CollAlgorithm *a = algorithm_find(optimal[i].collective, optimal[i].algorithm);
            Schedule *s = schedule_of(a, p, 0, m, 0);
            const Bounds b = bounds_of_ports(optimal[i].collective, p, (double)m, 1, optimal[i].reaches & EAGER);
            reached(i, p, ROUNDS, (Costs){1, 0, 0}, b.rounds, s);
            reached(i, p, BYTES, (Costs){0, 1, 0}, b.bytes, s);
            reached(i, p, WORK, (Costs){0, 0, 1}, b.work, s);
            schedule_free(s);
        }
}

// A bcast of n equal blocks takes at least n - 1 + c rounds, where c = ceil(log2 p), and over the circulant graph it
// takes no more. So it reaches the bound for equal blocks if the best n is whole. For p = 33, 4096 bytes, alpha = 5 and
// beta = 1 the best n is sqrt((c - 1) m beta / alpha) = sqrt(5 * 4096 / 5) = 64.
static void test_blocks(void)
{
    Platform platform = {0};
    platform.value[KEY_ALPHA] = 5;
    platform.value[KEY_BETA] = 1;
    Schedule *s = schedule_of(algorithm_find(COLL_BCAST, "circulant"), 33, 0, 4096, 64);
    const double t = time_of(s, (Costs){5, 1, 0}, TRANSFER_RENDEZVOUS),
                 bound = bounds_bcast_blocks(33, 4096, &platform);
    g_assert_cmpfloat_with_epsilon(t, bound, 1e-9 * bound);
    g_assert_cmpfloat(t, ==, (64 + 5) * (5 + 64));
    schedule_free(s);
}

// ---- Values computed by hand ---------------------------------------------------------------------------------------

static void test_ports(void)
{
    for (int p = 1, k = 1; p <= 1000; p = k == 4 ? p + 1 : p, k = k % 4 + 1) {
        const Bounds b = bounds_of_ports(COLL_ALLTOALL, p, 10, k, false);
        int rounds = 0;
        for (int reached_ranks = 1; reached_ranks < p; reached_ranks *= k + 1)
            rounds++;
        g_assert_cmpfloat(b.rounds, ==, rounds);
        g_assert_cmpfloat(b.bytes, ==, 10. * (p - 1) / k);
    }
    const Bounds b = bounds_of_ports(COLL_REDUCE, 27, 270, 2, false);
    g_assert_cmpfloat(b.rounds, ==, 3);
    g_assert_cmpfloat(b.bytes, ==, 135);
    g_assert_cmpfloat(b.work, ==, 260);
}

static void test_nothing(void)
{
    for (int i = 0; i < N_COLLECTIVES; i++) {
        const Bounds alone = bounds_lower((Collective)i, 1, 64), empty = bounds_lower((Collective)i, 8, 0);
        g_assert_cmpfloat(alone.rounds + alone.bytes + alone.work, ==, 0);
        g_assert_cmpfloat(empty.rounds, ==, i == COLL_BARRIER ? 3 : 0);
        g_assert_cmpfloat(empty.bytes + empty.work, ==, 0);
        const Bounds b = bounds_lower((Collective)i, 8, 64);
        g_assert_cmpfloat(b.rounds, ==, 3);
        g_assert_cmpint(b.bytes > 0, ==, i != COLL_BARRIER);
        g_assert_cmpint(b.work > 0, ==, collectives[i].reduces);
    }
}

static void add(void)
{
    g_test_add_func("/bounds/no-algorithm-below", test_none_below);
    g_test_add_func("/bounds/optimal-algorithms", test_reached);
    g_test_add_func("/bounds/equal-blocks", test_blocks);
    g_test_add_func("/bounds/ports", test_ports);
    g_test_add_func("/bounds/nothing-to-move", test_nothing);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
