// Why a run takes so long, over the registry: to ask for it changes no time, the shares add up to the time exactly, and the
// phases of a text cover its critical path.
#include "api/make.h"
#include "machines.h"
#include "engine/model/shares.h"
#include "judge/prove/nodes.h"
#include "only.h"
#include "registry/composition.h"
#include "tap.h"
#include <string.h>

// Sets the operation. Returns false if the algorithm does not run there.
static bool set_operation(Operation *op, const CollAlgorithm *a, int p, size_t m, const CollNodes *nodes)
{
    const char *why;
    const int root = collectives[a->collective].rooted ? p / 2 : 0;
    Coll c = {.p = p, .root = root, .elem = 1, .commutative = true, .nodes = nodes, .par = algorithm_defaults(a)};
    *op = (Operation){.algorithm = a, .c = c, .m = m};
    Coll whole = coll_make(a->collective, &c, 0, m, NULL);
    return coll_resolve(a, &whole, &why) == a;
}

static Prediction *predict(const Model *model, const Operation *op, const Platform *platform, PredictOptions o,
                           bool why)
{
    GError *error = NULL;
    o.why = why;
    Prediction *p = model->predict(model, op, platform, &o, &error);
    if (error)
        g_error("%s: %s", op->algorithm->name, error->message);
    return p;
}

// Whether the path is asked for or not, the run is the same.
static void check_same(const Prediction *a, const Prediction *b, const char *what)
{
    if (a->time_s != b->time_s || memcmp(a->count, b->count, sizeof a->count) != 0 ||
        memcmp(&a->totals, &b->totals, sizeof a->totals) != 0)
        g_error("%s: %.17g s with a path, %.17g s without", what, b->time_s, a->time_s);
}

static void check_shares(const Prediction *p, const char *what)
{
    g_autoptr(GArray) shares = shares_of(p);
    double sum[N_RESOURCES], all = 0;
    shares_by_resource(shares, sum);
    for (int i = 0; i < N_RESOURCES; i++)
        all += sum[i];
    if (shares_sum(shares) != p->time_s)
        g_error("%s: the shares add up to %.17g s, not %.17g s", what, shares_sum(shares), p->time_s);
    g_assert_cmpfloat_with_epsilon(all, p->time_s, 1e-9 * p->time_s + 1e-300);
}

// Returns TRUE if steps have phases. If some have, all must, apart from copies and the first use of buffers: a text may do
// these between its phases.
static gboolean check_phases(const Prediction *p, const char *what)
{
    guint named = 0;
    for (guint i = 0; i < p->why->len; i++)
        named += g_array_index(p->why, WhyStep, i).phase != NULL;
    for (guint i = 0; named > 0 && i < p->why->len; i++) {
        const WhyStep *x = &g_array_index(p->why, WhyStep, i);
        if (!x->phase && strcmp(x->what, "copy") != 0 && strcmp(x->what, "fresh") != 0)
            g_error("%s: step %u, %s by rank %d, is in no phase", what, i, x->what, x->rank);
    }
    return named > 0;
}

static gboolean check_run(const Model *model, const Operation *op, const Platform *platform, const PredictOptions *o)
{
    g_autofree char *nodes = nodes_text(op->c.nodes),
                    *what = g_strdup_printf("%s %s, %s, p = %d, m = %zu, nodes %s, %s",
                                            collectives[op->algorithm->collective].name, op->algorithm->name,
                                            model->name, op->c.p, op->m, nodes, transfer_names[o->transfer % 3]);
    g_autoptr(Prediction) without = predict(model, op, platform, *o, false),
                          with = predict(model, op, platform, *o, true);
    if (with->stuck->len > 0)
        return FALSE;
    check_same(without, with, what);
    check_shares(with, what);
    return check_phases(with, what);
}

static Platform *load(const char *name)
{
    GError *error = NULL;
    Platform *platform = platform_load(name, &error);
    g_assert_no_error(error);
    return platform;
}

// One machine without levels, in all models.
static void test_flat(void)
{
    static const int ps[] = {2, 5, 8, 13, 24};
    g_autoptr(Platform) platform = load("generic-100g");
    int phased = 0;
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        int64_t n = 0;
        gboolean phases = FALSE;
        for (size_t k = 0; k < G_N_ELEMENTS(ps); k++) {
            Operation op;
            const CollNodes *nodes = algorithm_needs_nodes(a) ? nodes_of(ps[k], 4) : NULL;
            if (!set_operation(&op, a, ps[k], (size_t)ps[k] * 96 + 8, nodes))
                continue;
            for (Transfer t = TRANSFER_RENDEZVOUS; t <= TRANSFER_EAGER && !a->shared; t++)
                phases |= check_run(&hockney_model, &op, platform, &(PredictOptions){.transfer = t});
            phases |= check_run(a->shared ? &shared_model : &loggops_model, &op, platform, &(PredictOptions){0});
            n++;
        }
        phased += phases;
        only_visited(n);
    }
    g_test_message("%d algorithms name phases", phased);
    g_assert_true(only_one() || phased > 60);
}

// Machines with levels, NICs and memories, and those of measured.
static void test_levels(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(20261123);
    const int p = 12;
    for (int i = only_first(); i < only_end(); i++) {
        const CollAlgorithm *a = algorithms[i];
        Operation op;
        DrawnMachine x;
        for (int k = 0; k < 2 && !a->shared; k++) {
            const int has = MACHINES_NICS | MACHINES_MEMORY | MACHINES_LEVELS | (k ? MACHINES_WORK : 0);
            if (k)
                machines_draw_measured(&x, random, p, 4, has);
            else
                machines_draw(&x, random, p, 4, has);
            if (set_operation(&op, a, p, 24, x.map->nodes))
                check_run(k ? &measured_model : &hockney_model, &op, x.platform, &(PredictOptions){.map = x.map});
            machines_clear(&x);
        }
    }
}

static void add(void)
{
    g_test_add_func("/why/flat", test_flat);
    g_test_add_func("/why/levels", test_levels);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
