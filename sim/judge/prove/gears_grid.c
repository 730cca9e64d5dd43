#include "judge/prove/gears_grid.h"
#include "api/make.h"
#include "judge/prove/nodes.h"
#include "registry/composition.h"
#include "engine/schedule/record.h"
#include <string.h>

// On 70 ranks, a ring is long enough to run in lockstep after a scatter.
static const int many_p[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 64, 70};
const GearsGrid gears_grid = {many_p, G_N_ELEMENTS(many_p), 3};

// ---- The grid -------------------------------------------------------------------------------------------------------

char *gears_describe(gconstpointer point)
{
    const GearsPoint *x = point;
    g_autofree char *params = params_text(x->a, &x->c.par);
    return g_strdup_printf("%s %s p=%d root=%d m=%zu %s", collectives[x->a->collective].name, x->a->name, x->c.p,
                           x->c.root, x->m, params);
}

// Sets *value to the i-th of the few values that are tried for a parameter. Returns false if i is too large.
static bool param_value(const CollParam *param, int i, size_t m, int64_t *value)
{
    switch (param->kind) {
    case PARAM_SIZE:
        *value = i == 0 ? param->def : CLAMP((int64_t)(m / 4 + 1), param->min, param->max);
        return i < 2;
    case PARAM_INT:
        *value = strcmp(param->name, "radix") == 0 ? 2 + i : i == 0 ? param->min : 3;
        return i < (strcmp(param->name, "radix") == 0 ? 3 : 2);
    case PARAM_CHOICE:
        *value = i;
        return i <= param->max;
    case PARAM_ALGORITHM:
        break;
    }
    if (i > 1)
        return false;
    *value = 0;
    while (!param_allows(param, (int)*value) || i-- > 0)
        ++*value;
    return true;
}

// Visits the point if the algorithm itself runs there, not its fallback.
static void visit_here(GearsPoint *x, GearsVisit visit, void *data)
{
    Coll c = coll_make(x->a->collective, &x->c, 0, x->m, NULL);
    const char *why;
    if (coll_resolve(x->a, &c, &why) != x->a)
        return;
    visit(x, data);
    x->number++;
}

// Visits the point with all parameters at their first values and with all at their second ones; on up to 17 ranks also
// with one parameter at each further value and the others at their first.
static void visit_params(GearsPoint *x, GearsVisit visit, void *data)
{
    const CollParam *params = x->a->params;
    int64_t value;
    int n = 0;
    while (n < COLL_MAX_PARAMS && params[n].name)
        n++;
    for (int chosen = -1; chosen <= n; chosen++)
        for (int i = 1; chosen < 0 || chosen == n || param_value(&params[chosen], i, x->m, &value); i++) {
            for (int k = 0; k < n; k++) {
                param_value(&params[k], k == chosen ? i : chosen == n, x->m, &value);
                param_set(&params[k], &x->c.par, value);
            }
            if ((chosen < n || n > 1) && (chosen < 0 || chosen == n || x->c.p <= 17))
                visit_here(x, visit, data);
            if (chosen < 0 || chosen == n)
                break;
        }
}

void gears_visit(const CollAlgorithm *a, int p, const size_t *sizes, size_t n, GearsVisit visit, void *data)
{
    GearsPoint x = {.a = a};
    const int roots[] = {0, p - 1, p / 2}, n_roots = !collectives[a->collective].rooted ? 1 : p == 2 ? 2 : 3;
    const size_t n_sizes = a->collective == COLL_BARRIER ? 1 : n;
    for (int r = 0; r < n_roots; r++)
        for (size_t k = 0; k < n_sizes; k++) {
            x.m = sizes[k];
            x.c = (Coll){.p = p, .root = roots[r], .elem = 1, .commutative = true, .nodes = nodes_suited(a, p)};
            x.c.par = algorithm_defaults(a);
            visit_params(&x, visit, data);
        }
}

void gears_visit_all(const CollAlgorithm *a, int p, GearsVisit visit, void *data)
{
    const size_t sizes[] = {7 * (size_t)p + 3, 1, 1000, (size_t)p, 0};
    gears_visit(a, p, sizes, p > 17 ? 2 : 5, visit, data);
}

// ---- Symmetry -------------------------------------------------------------------------------------------------------

static bool same_class(const Class *a, const Class *b)
{
    return a->n_ops == b->n_ops && a->cut == b->cut && a->loops == b->loops && a->one_source == b->one_source &&
           memcmp(a->ops, b->ops, a->n_ops * sizeof(Op)) == 0 &&
           (!a->loops || memcmp(a->strides, b->strides, a->n_ops * sizeof(Stride)) == 0);
}

static bool same_cuts(const Schedule *a, const Schedule *b)
{
    bool same = a->n_cuts == b->n_cuts;
    for (int i = 1; same && i < a->n_cuts; i++) {
        const Cut *x = &a->cuts[i], *y = &b->cuts[i];
        same = x->whole == y->whole && x->size == y->size && x->elem == y->elem && x->longer == y->longer;
    }
    return same;
}

// A schedule in which ranks share classes, as the registry entry declares, equals one for which every rank was
// recorded.
static char *compare_recordings(const GearsPoint *x)
{
    Schedule *each = schedule_record(&(Operation){x->a, x->c, x->m}, &(RecordOptions){.every_rank = true});
    Schedule *shared = schedule_record(&(Operation){x->a, x->c, x->m}, &(RecordOptions){.trust = true});
    g_autofree char *where = gears_describe(x);
    char *wrong = NULL;
    if (each->n_classes != shared->n_classes || each->kinds != shared->kinds ||
        each->one_source != shared->one_source || each->most_open > shared->most_open || !same_cuts(each, shared))
        wrong = g_strdup_printf("%s: %u classes if every rank is recorded, %u as the entry declares them", where,
                                each->n_classes, shared->n_classes);
    for (int v = 0; v < x->c.p && !wrong; v++)
        if (!same_class(class_of(each, v), class_of(shared, v)))
            wrong = g_strdup_printf("%s: v = %d has another schedule than the entry declares", where, v);
    schedule_free(each);
    schedule_free(shared);
    return wrong;
}

static void count_recordings(const GearsPoint *x, void *data)
{
    GearsProof *proof = data;
    if (proof->wrong)
        return;
    proof->wrong = compare_recordings(x);
    proof->n.schedules++;
}

void gears_prove_symmetry(const CollAlgorithm *a, const GearsGrid *grid, GearsProof *proof)
{
    for (int i = 0; i < grid->n; i++)
        gears_visit_all(a, grid->p[i], count_recordings, proof);
}

// Counts the point if the algorithm itself runs there, for the view of the root.
static void count_if_runs(const CollAlgorithm *a, const Coll *c, size_t m, GearsProof *proof)
{
    Coll view = coll_make(a->collective, c, c->root, m, NULL);
    const char *why;
    if (coll_resolve(a, &view, &why) == a)
        count_recordings(&(GearsPoint){.a = a, .c = *c, .m = m}, proof);
}

void gears_prove_nodes(const CollAlgorithm *a, GearsProof *proof)
{
    for (int p = 8; a->same_as && algorithm_needs_nodes(a) && p <= 24; p += 4)
        for (int k = 0; k < 2 * p; k++) {
            const int root = collectives[a->collective].rooted ? k % p : 0;
            const size_t m = (size_t)(k % 3 ? p * (k % 3) : 1 + k);
            const CollNodes *nodes = k < p || p % 6 ? nodes_of(p, 4) : nodes_of(p, 6);
            const Coll c = {
                .p = p, .root = root, .elem = 1, .commutative = true, .nodes = nodes, .par = algorithm_defaults(a)};
            count_if_runs(a, &c, m, proof);
        }
}

void gears_prove_pattern(const CollAlgorithm *a, GearsProof *proof)
{
    const int choices = a->params[0].name && a->params[0].kind == PARAM_CHOICE ? (int)a->params[0].max + 1 : 1;
    for (int k = 0; a->pattern && k < 40 * 64 * choices; k++) {
        Coll c = {.p = 1 + k / 64 % 40, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
        c.root = k % 3 || !collectives[a->collective].rooted ? 0 : c.p / 2;
        c.par.segment = k % 5 ? 1 : 3;
        c.par.choice = choices > 1 ? k / 64 / 40 : c.par.choice;
        count_if_runs(a, &c, 1 + (size_t)(k % 64), proof);
    }
}

// ---- The registry in all gears --------------------------------------------------------------------------------------

const Hockney gears_models[GEARS_MODELS] = {
    {.alpha = 7, .beta = 3, .gamma = 1},
    {.alpha = 1e-6, .beta = 0.08e-9, .gamma = 0.05e-9},
    {.alpha = 1},
    {.beta = 1},
    {.alpha = 1.6e-6, .beta = 0.0848e-9, .gamma = 0.19e-9},
    {.gamma = 1},
};

// Sets the start of each rank at random: up to 10 us, or if the model's costs are integers 0 to 3, which makes many
// ties.
void gears_skew(double *start, int p, const Hockney *model, uint32_t seed)
{
    GRand *random = g_rand_new_with_seed(seed);
    const bool integers = gears_is_whole(model->alpha);
    for (int rank = 0; rank < p; rank++)
        start[rank] = integers ? g_rand_int_range(random, 0, 4) : g_rand_double_range(random, 0, 10e-6);
    g_rand_free(random);
}

GearsCase gears_case(const GearsPoint *x, const Schedule *s, uint32_t model, Transfer transfer, const double *start,
                     int64_t cut_off)
{
    GearsCase k = {
        .s = s, .model = gears_models[model], .start = start, .name = gears_describe, .of = x, .cut_off = cut_off};
    k.model.transfer = transfer;
    return k;
}

// Runs the gears under all transfers, with all ranks starting at 0 and at random times, for two of the six models
// (under a sanitizer for one), which change from point to point.
void gears_agree_everywhere(const GearsPoint *x, const Schedule *s, int64_t cut_off, uint32_t apart, GearsProof *proof)
{
    g_autofree double *start = g_new(double, x->c.p);
    for (uint32_t i = (x->number + (uint32_t)cut_off) % apart; i < GEARS_MODELS; i += apart) {
        gears_skew(start, x->c.p, &gears_models[i], x->number + 1000 * i);
        for (int transfer = 0; transfer < 3; transfer++)
            for (uint32_t skewed = 0; skewed < 2; skewed++) {
                GearsCase k = gears_case(x, s, i, (Transfer)transfer, skewed ? start : NULL, cut_off);
                k.wrong = &proof->wrong;
                if (!proof->wrong)
                    gears_agree(&k, x->number + i + (uint32_t)transfer + skewed, &proof->n);
            }
    }
    proof->n.schedules++;
}

// What agree() needs.
typedef struct AgreeWork {
    GearsProof *proof;
    uint32_t apart;
} AgreeWork;

static void agree(const GearsPoint *x, void *data)
{
    const AgreeWork *work = data;
    if (work->proof->wrong)
        return;
    Schedule *s = schedule_record(&(Operation){x->a, x->c, x->m}, NULL);
    gears_agree_everywhere(x, s, 0, work->apart, work->proof);
    schedule_free(s);
}

void gears_prove_agree(const CollAlgorithm *a, const GearsGrid *grid, GearsProof *proof)
{
    AgreeWork work = {proof, grid->models_apart};
    for (int i = 0; i < grid->n && !a->shared; i++)
        gears_visit_all(a, grid->p[i], agree, &work);
}
