// What is kept of operations (kept.h) serves the next machine: a schedule is the same one, and neither predictions nor
// bounds by texts change because texts ran for another machine.
#include "engine/model/same_path.h"
#include "engine/schedule/kept.h"
#include "engine/schedule/part.h"
#include "api/make.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "search/form/segment_bound.h"
#include "search/form/text_bound.h"
#include "tap.h"
#include <math.h>

enum { ENOUGH_BYTES = 1 << 28 };

static Platform machine(double alpha, double beta, double gamma)
{
    Platform x = {.name = NULL};
    x.value[KEY_ALPHA] = alpha;
    x.value[KEY_BETA] = beta;
    x.value[KEY_GAMMA] = gamma;
    return x;
}

// Returns the operation; its algorithm is NULL if a fallback would run.
static Operation operation(const CollAlgorithm *a, int p, size_t m)
{
    const char *why;
    const Coll all = {.p = p, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
    Operation op = {.c = coll_make(a->collective, &all, 0, m, NULL), .m = m};
    op.algorithm = a->shared || coll_resolve(a, &op.c, &why) != a ? NULL : a;
    return op;
}

static Prediction *predicted(const Operation *op, const Platform *platform, Transfer transfer)
{
    g_autoptr(GError) error = NULL;
    Prediction *x =
        hockney_model.predict(&hockney_model, op, platform, &(PredictOptions){.transfer = transfer}, &error);
    g_assert_no_error(error);
    return x;
}

static Schedule *admitted(const Operation *op)
{
    Totals totals;
    g_autoptr(GError) error = NULL;
    Schedule *s = kept_admit(op, &(RecordOptions){.mixes = true}, 0, &totals, &error);
    const Totals again = schedule_totals(s);
    g_assert_no_error(error);
    g_assert_cmpmem(&totals, sizeof totals, &again, sizeof again);
    return s;
}

// An operation with another size, number of ranks, root or parameter has a schedule of its own; nothing is kept beyond the
// limit.
static void test_schedules(void)
{
    const CollAlgorithm *const a = algorithm_find(COLL_BCAST, "binomial");
    const Operation op = operation(a, 12, 960);
    Operation other[] = {op, operation(a, 12, 961), operation(a, 13, 960), op};
    other[0].c.root = 3;
    other[3].c.par.segment = 96;
    kept_limit(ENOUGH_BYTES);
    Schedule *const first = admitted(&op), *const again = admitted(&op);
    g_assert_true(first == again);
    Schedule *const part = schedule_part(first, 0, 1);
    g_assert_cmpint(part->others, ==, 0); // so schedule_free frees it
    schedule_free(part);
    const CollCounts counts = {0};
    Operation uneven = op;
    uneven.c.counts = &counts;
    g_assert_true(kept_takes(&op));
    g_assert_false(kept_takes(&uneven));
    for (guint i = 0; i < G_N_ELEMENTS(other); i++) {
        Schedule *const s = admitted(&other[i]);
        g_assert_true(s != first);
        schedule_free(s);
    }
    kept_limit(0);
    g_assert_cmpint(first->p, ==, 12); // its owners still have it
    Schedule *const anew = admitted(&op);
    g_assert_true(anew != first);
    schedule_free(anew);
    schedule_free(first);
    schedule_free(again);

    kept_limit(1 << 12); // less than any schedule has
    const Operation large = operation(algorithm_find(COLL_ALLTOALL, "linear"), 64, 1 << 20);
    Schedule *const one = admitted(&large), *const two = admitted(&large);
    g_assert_true(one != two);
    schedule_free(one);
    schedule_free(two);
    kept_limit(0);
}

static void assert_same(const Operation *op, const Platform *platform, Transfer transfer)
{
    kept_limit(ENOUGH_BYTES);
    g_autoptr(Prediction) first = predicted(op, platform, transfer), second = predicted(op, platform, transfer);
    kept_limit(0);
    g_autoptr(Prediction) fresh = predicted(op, platform, transfer);
    g_assert_true(first->time_s == second->time_s && second->time_s == fresh->time_s);
    g_assert_cmpmem(second->count, sizeof second->count, fresh->count, sizeof fresh->count);
    g_assert_cmpmem(&second->totals, sizeof second->totals, &fresh->totals, sizeof fresh->totals);
}

// Texts run for one machine, up to a limit; another machine asks, perhaps with a limit of its own, and is told to the last
// bit what it is told if nothing is kept. From its limit on that is the limit.
static void assert_bounds(const Operation *op, const Platform *from, const Platform *to, Transfer transfer)
{
    const double fresh_s = text_bound(op, to, transfer, NULL, INFINITY),
                 from_s = text_bound(op, from, transfer, NULL, INFINITY);
    const double limits[] = {INFINITY, from_s * 2, from_s, from_s / 2, from_s / 50},
                 enough[] = {fresh_s / 3, fresh_s, fresh_s * 3, INFINITY};
    for (guint i = 0; i < G_N_ELEMENTS(limits); i++)
        for (guint k = 0; k < G_N_ELEMENTS(enough); k++) {
            kept_limit(ENOUGH_BYTES);
            text_bound(op, from, transfer, NULL, limits[i]);
            for (guint all = 0; all < G_N_ELEMENTS(enough); all++) {
                const guint j = (k + all) % G_N_ELEMENTS(enough);
                g_assert_cmpfloat(text_bound(op, to, transfer, NULL, enough[j]), ==, MIN(fresh_s, enough[j]));
            }
            kept_limit(0);
            g_assert_cmpfloat(text_bound(op, to, transfer, NULL, enough[k]), ==, MIN(fresh_s, enough[k]));
        }
}

// A run on a machine is what it is without one on another machine before it, and so is a bound for all segments.
static void assert_same_after(const Operation *op, const Platform *from, const Platform *to, Transfer transfer)
{
    const CollAlgorithm *const a = op->algorithm;
    const CollParam *segment = NULL;
    for (int i = 0; i < algorithm_n_params(a); i++)
        segment = a->params[i].kind == PARAM_SIZE ? &a->params[i] : segment;
    double bound_s[3] = {0};
    kept_limit(ENOUGH_BYTES);
    g_autoptr(Prediction) first G_GNUC_UNUSED = predicted(op, from, transfer), then = predicted(op, to, transfer);
    for (int i = 0; segment && i < 2; i++)
        bound_s[i] = segment_bound(op, segment, false, i == 0 ? from : to, transfer, NULL);
    kept_limit(0);
    g_autoptr(Prediction) fresh = predicted(op, to, transfer);
    if (segment)
        bound_s[2] = segment_bound(op, segment, false, to, transfer, NULL);
    g_assert_true(then->time_s == fresh->time_s);
    g_assert_cmpmem(then->count, sizeof then->count, fresh->count, sizeof fresh->count);
    g_assert_true(bound_s[1] == bound_s[2]);
}

// Returns TRUE if the time on one machine follows from the run on another.
static gboolean follows(const char *name, Collective collective, int p, const Platform *from, const Platform *to)
{
    const Operation op = operation(algorithm_find(collective, name), p, 4001);
    const Hockney figures = hockney_figures(to, TRANSFER_RENDEZVOUS), eager = hockney_figures(to, TRANSFER_EAGER);
    double time_s = 0;
    kept_limit(ENOUGH_BYTES);
    g_autoptr(Prediction) first G_GNUC_UNUSED = predicted(&op, from, TRANSFER_RENDEZVOUS);
    const gboolean known = same_path_time(&op, &figures, &time_s);
    g_assert_false(same_path_time(&op, &eager, &(double){0})); // which nobody has run
    g_autoptr(Prediction) then = predicted(&op, to, TRANSFER_RENDEZVOUS);
    g_assert_true(!known || time_s == then->time_s);
    kept_limit(0);
    g_assert_false(same_path_time(&op, &figures, &time_s));
    return known;
}

static void test_paths(void)
{
    const Platform cheap = machine(1e-6, 1e-9, 3e-10), dear = machine(3e-5, 1e-12, 9e-9),
                   blurred = machine(1, 1e-9, 1e-20);
    g_assert_true(follows("binomial", COLL_BCAST, 12, &cheap, &dear));
    g_assert_true(follows("ring", COLL_ALLREDUCE, 12, &cheap, &dear));
    // One chain has the most messages, and another the most bytes; ranks receive in the order in which others send; and a
    // byte is too little to be seen in the sum of a second.
    g_assert_false(follows("hybrid_overlap", COLL_ALLREDUCE, 12, &cheap, &dear));
    g_assert_false(follows("binary_blocks", COLL_ALLREDUCE, 24, &cheap, &dear));
    g_assert_false(follows("dbt", COLL_BCAST, 12, &cheap, &dear));
    g_assert_false(follows("ring", COLL_ALLREDUCE, 12, &cheap, &blurred));
}

static void test_machines(void)
{
    const Platform machines[] = {machine(1e-6, 1e-9, 3e-10), machine(1e-8, 4e-9, 1e-10), machine(3e-5, 1e-12, 9e-9)};
    const int ranks[] = {5, 12};
    for (int i = 0; i < n_algorithms; i++)
        for (guint k = 0; k < G_N_ELEMENTS(ranks); k++) {
            const Operation op = operation(algorithms[i], ranks[k], 4001);
            for (Transfer t = TRANSFER_RENDEZVOUS; op.algorithm && t <= TRANSFER_EAGER; t++)
                for (guint x = 0; x < G_N_ELEMENTS(machines); x++) {
                    assert_same(&op, &machines[x], t);
                    assert_bounds(&op, &machines[x], &machines[(x + 1) % G_N_ELEMENTS(machines)], t);
                    assert_same_after(&op, &machines[x], &machines[(x + 1) % G_N_ELEMENTS(machines)], t);
                }
        }
}

static void add(void)
{
    g_test_add_func("/kept/schedules", test_schedules);
    g_test_add_func("/kept/machines", test_machines);
    g_test_add_func("/kept/paths", test_paths);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
