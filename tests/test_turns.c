// Lockstep of ranks that take turns, on so many ranks that the walk along the critical path runs long stretches again
// and looks only at the ranks near the path. The path, its certificate and the last clock are those of flow.
#include "gears_reference.h"
#include "only.h"
#include "engine/schedule/record.h"
#include "sample.h"
#include "tap.h"

enum { RANKS = 1024 };

static void skew(double *start, uint32_t seed)
{
    GRand *random = g_rand_new_with_seed(seed);
    for (int rank = 0; rank < RANKS; rank++)
        start[rank] = g_rand_int_range(random, 0, 4000);
    g_rand_free(random);
}

static void compare(const Replay *a, const Replay *b)
{
    g_assert_true(a->clock_s == b->clock_s && a->time_s == b->time_s);
    g_assert_true(certificate_equal(&a->certificate, &b->certificate));
    g_assert_cmpuint(a->path->len, ==, b->path->len);
    for (guint i = 0; i < a->path->len; i++) {
        const PathStep *x = &g_array_index(a->path, PathStep, i), *y = &g_array_index(b->path, PathStep, i);
        g_assert_true(x->rank == y->rank && x->peer == y->peer && x->kind == y->kind && x->bytes == y->bytes);
        g_assert_true(x->end_s == y->end_s);
    }
}

// Returns how many ranks are on the path.
static int ranks_on(const GArray *path)
{
    g_autofree bool *on = g_new0(bool, RANKS);
    int n = 0;
    for (guint i = 0; i < path->len; i++) {
        bool *here = &on[g_array_index(path, PathStep, i).rank];
        n += !*here;
        *here = true;
    }
    return n;
}

static void test_paths(void)
{
    const CollAlgorithm *const a = algorithm_find(COLL_ALLREDUCE, "k_ring");
    if (only_one() && only_one() != a) {
        g_test_skip("another algorithm is tested");
        return;
    }
    double start[RANKS];
    const int radixes[] = {2, 4, 16};
    int wide = 0; // paths over many ranks
    for (int i = 0; i < 12; i++) {
        if (!sample_takes((guint)i, 2))
            continue;
        Operation op = {.algorithm = a, .c = {.p = RANKS, .elem = 1, .commutative = true}, .m = 3 * RANKS + 100};
        op.c.par = algorithm_defaults(a);
        op.c.par.radix = radixes[i / 4];
        Schedule *s = schedule_record(&op, NULL);
        const Hockney model = {7, 3, 1, i & 1 ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS};
        ReplayOptions o = {.gear = GEAR_LOCKSTEP, .path = true, .start = i & 2 ? start : NULL};
        skew(start, (uint32_t)i);
        g_assert_true(replay_gear_applies(s, &model, &o, GEAR_LOCKSTEP));
        g_autoptr(Replay) turns = replay(s, &model, &o, NULL);
        o.gear = GEAR_FLOW;
        g_autoptr(Replay) flow = replay(s, &model, &o, NULL);
        compare(turns, flow);
        wide += ranks_on(turns->path) > 50;
        schedule_free(s);
    }
    g_assert_cmpint(wide, >, sample_of(3, 0));
}

static void add(void)
{
    g_test_add_func("/turns/paths", test_paths);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
