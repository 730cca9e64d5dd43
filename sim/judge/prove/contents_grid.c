#include "judge/prove/contents_grid.h"
#include "api/make.h"
#include "judge/prove/nodes.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "engine/schedule/counts.h"
#include <string.h>

static const int beyond[] = {64, 100, 127};
const ContentsGrid contents_grid = {33, beyond, G_N_ELEMENTS(beyond), 17};

static void check(const ContentsCase *x, ContentsTally *tally)
{
    const CollAlgorithm *ran;
    if (tally->wrong)
        return;
    g_autofree char *error = contents_check(x, &ran);
    tally->cases += ran != NULL;
    tally->fallbacks += ran && ran != x->algorithm;
    tally->refused += !ran;
    if (!error)
        return;
    g_autofree char *params = params_text(x->algorithm, &x->par), *nodes = nodes_text(x->nodes);
    tally->wrong = g_strdup_printf("p %d root %d m %zu elem %zu%s%s%s%s%s%s%s: %s", x->p, x->root, x->m, x->elem,
                                   x->nodes ? " nodes " : "", x->nodes ? nodes : "", x->commutative ? "" : ", ordered",
                                   x->in_place ? ", in place" : "", x->counts ? ", counts" : "", *params ? " " : "",
                                   params, error);
}

// Sets `value` to the values of a parameter that are tried, and returns how many there are. These are the default and a
// few small numbers within the parameter's range; for a segment, also 1 and 3 elements; and for a part of a
// composition, every algorithm that it allows.
static int values_of(const CollParam *param, size_t elem, int64_t *value)
{
    const int64_t sizes[] = {param->def, (int64_t)elem, 3 * (int64_t)elem};
    const int64_t ints[] = {param->def, param->min, 2, 3, 8}, choices[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int64_t *tried = param->kind == PARAM_SIZE ? sizes : param->kind == PARAM_INT ? ints : choices;
    const int n = param->kind == PARAM_SIZE ? 3 : param->kind == PARAM_INT ? 5 : 8;
    int distinct = 0;
    if (param->kind == PARAM_ALGORITHM) {
        for (int i = 0; i < n_algorithms; i++)
            if (param_allows(param, i) || param_shares(param, i))
                value[distinct++] = i;
        return distinct;
    }
    for (int i = 0; i < n; i++) {
        value[distinct] = tried[i];
        int j = 0;
        while (value[j] != value[distinct])
            j++;
        distinct += j == distinct && value[j] <= param->max && value[j] >= param->min;
    }
    return distinct;
}

// Returns true if the algorithm itself runs, and not its fallback, which is an entry of its own and passes all these
// checks by itself.
static bool runs_itself(const ContentsCase *x)
{
    const Coll all = {.p = x->p,
                      .root = x->root,
                      .elem = x->elem,
                      .commutative = x->commutative,
                      .nodes = x->nodes,
                      .par = x->par,
                      .counts = x->counts};
    CollRun run; // for a view that is only asked about
    coll_run_init(&run, NULL);
    Coll view = coll_make(x->algorithm->collective, &all, 0, x->m, &run);
    const char *why;
    const bool itself = coll_resolve(x->algorithm, &view, &why) == x->algorithm;
    coll_run_clear(&run);
    return itself;
}

// Checks the case with the default parameters, which it has. With `all`, also tries each parameter's values, with the
// others at their defaults; if the first parameter is a segment, again with the segment at the last of its values.
static void check_params(ContentsCase *x, bool all, ContentsTally *tally)
{
    const CollAlgorithm *a = x->algorithm;
    const CollParams usual = x->par;
    g_autofree int64_t *value = g_new(int64_t, n_algorithms + 8), *first = g_new(int64_t, n_algorithms + 8);
    check(x, tally);
    for (int k = 0; all && k < COLL_MAX_PARAMS && a->params[k].name; k++) {
        // The parts of a composition are entries of their own, and pass all these checks by themselves.
        const bool few = a->params[k].kind == PARAM_ALGORITHM && x->p > 9 && x->p != 16;
        const int n = few ? 0 : values_of(&a->params[k], x->elem, value);
        const int64_t def = few ? 0 : param_get(&a->params[k], &usual);
        for (int i = 0; i < n; i++) {
            if (value[i] == def)
                continue;
            x->par = usual;
            param_set(&a->params[k], &x->par, value[i]);
            // Each part has one size of element at one root, and the other one at the next root and at the next p.
            if (a->params[k].kind == PARAM_ALGORITHM && ((x->elem == 1) != ((x->p + x->root + value[i]) % 2 == 0)))
                continue;
            if (a->params[k].kind == PARAM_ALGORITHM && !runs_itself(x))
                continue;
            // Checks of shared memory keep p numbers for each access, so of such parts few ranks must do.
            if (a->params[k].kind == PARAM_ALGORITHM && param_shares(&a->params[k], (int)value[i]) && x->p > 6)
                continue;
            check(x, tally);
            if (k == 0 || a->params[0].kind != PARAM_SIZE)
                continue;
            param_set(&a->params[0], &x->par, first[values_of(&a->params[0], x->elem, first) - 1]);
            check(x, tally);
        }
    }
    x->par = usual;
}

// Places p blocks in an order that has nothing to do with that of the ranks, with an unused element after every third.
static void shuffle_blocks(int p, size_t elem, size_t *at, const size_t *len)
{
    g_autofree int *order = g_new(int, p);
    GRand *random = g_rand_new_with_seed(1);
    for (int i = 0; i < p; i++) {
        const int j = g_rand_int_range(random, 0, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    g_rand_free(random);
    size_t end = 0;
    for (int i = 0; i < p; i++) {
        at[order[i]] = end;
        end += len[order[i]] + (i % 3 == 2 ? elem : 0);
    }
    at[p] = end;
}

// Repeats the checks for blocks of different lengths if the collective allows them. Every second kind of counts leaves
// gaps between the blocks and one shuffles them, except in reduce_scatter, which has no displacements in MPI.
static void check_counts(ContentsCase *x, bool all_params, ContentsTally *tally)
{
    check_params(x, all_params, tally);
    if (!collectives[x->algorithm->collective].counts)
        return;
    for (int kind = COUNTS_EQUAL; kind < N_COUNTS; kind++) {
        if (kind == COUNTS_ONE_BIG && x->algorithm->collective == COLL_ALLTOALLV && x->p > 33)
            continue; // padding every block to the longest one would make p^3 blocks
        const CountsSpec spec = {.kind = (CountsKind)kind,
                                 .seed = 1,
                                 .gaps = kind % 2 == 0 && x->algorithm->collective != COLL_REDUCE_SCATTER};
        CollCounts *counts;
        const size_t mean = x->m / (size_t)(x->algorithm->collective == COLL_REDUCE_SCATTER ? x->p : 1);
        counts_make(&spec, x->p, mean, x->elem, &counts, NULL);
        if (kind == COUNTS_RANDOM && x->algorithm->collective != COLL_REDUCE_SCATTER)
            shuffle_blocks(x->p, x->elem, (size_t *)(uintptr_t)counts->at, counts->len);
        x->counts = counts;
        check_params(x, false, tally);
        counts_free(counts);
    }
    x->counts = NULL;
}

// Repeats the checks for several kinds and sizes of nodes if the algorithm needs nodes.
static void check_nodes(ContentsCase *x, bool all_params, ContentsTally *tally)
{
    static const struct {
        NodesKind kind;
        int k;
    } tried[] = {{NODES_BLOCK, 4},  {NODES_BLOCK, 2}, {NODES_BLOCK, 3}, {NODES_BLOCK, 7},
                 {NODES_CYCLIC, 3}, {NODES_RUNS, 3},  {NODES_RANDOM, 4}};
    const bool nodes = algorithm_needs_nodes(x->algorithm);
    for (int i = 0; i < (nodes ? (int)G_N_ELEMENTS(tried) : 1); i++) {
        x->nodes = nodes ? nodes_kept(tried[i].kind, x->p, tried[i].k) : NULL;
        if (i > 0 && !runs_itself(x))
            continue; // the first kind has shown that the fallback is taken
        check_counts(x, all_params && (i == 0 || tried[i].kind == NODES_RANDOM), tally);
    }
}

// Repeats the checks for commutative and other operations, and in place, if the collective has these forms.
static void check_kinds(ContentsCase *x, bool all_params, ContentsTally *tally)
{
    const CollectiveInfo *info = &collectives[x->algorithm->collective];
    for (int ordered = 0; ordered <= info->reduces; ordered++)
        for (int in_place = 0; in_place <= info->in_place; in_place++) {
            x->commutative = !ordered;
            x->in_place = in_place;
            check_nodes(x, all_params, tally);
        }
}

// Sets `count` to the numbers of elements that are tried, and returns how many there are. A vector that is cut into p
// blocks gets numbers around p; a collective whose blocks stay whole needs only small ones for large p.
static int counts_of(Collective c, int p, int *count)
{
    const int cut[] = {0, 1, p - 1, p + 1, 13, 4 * p + 3}, whole[] = {0, 1, 13, p - 1, p + 1};
    if (c == COLL_BARRIER) {
        count[0] = 0;
        return 1;
    }
    const int n = collectives[c].vector ? (p <= 33 ? 6 : 5) : p <= 17 ? 5 : 3;
    memcpy(count, collectives[c].vector ? cut : whole, (size_t)n * sizeof *count);
    return n;
}

static void check_p(const CollAlgorithm *a, int p, int both_elements_to, ContentsTally *tally)
{
    int counts[6];
    const int n = counts_of(a->collective, p, counts);
    for (int root = 0; root < (collectives[a->collective].rooted ? p : 1); root++) {
        const bool usual = p <= 9 || root == 0 || root == 1 || root == p / 2 || root == p - 1;
        // In shared memory texts are long, because a fragment may be a single element; so fewer ranks must do.
        const bool few = p <= (a->shared ? 9 : 17);
        const bool all_params = few || (p <= 33 && (!collectives[a->collective].rooted || root == p / 2));
        ContentsCase x = {.algorithm = a, .par = algorithm_defaults(a), .p = p, .root = root, .commutative = true};
        for (int i = 0; usual && i < n; i++)
            // A barrier moves no elements; its signals have one byte.
            for (x.elem = 1; x.elem <= (a->collective == COLL_BARRIER ? 1 : 8); x.elem *= 8) {
                // Few texts look at bytes. So if there are many ranks, each number of elements has one size of element
                // at even p, and the other one at odd p.
                if (p > both_elements_to && (x.elem == 1) != ((p + i) % 2 == 0))
                    continue;
                x.m = (size_t)counts[i] * x.elem;
                check_kinds(&x, all_params, tally);
            }
        if (!usual && p <= 33) { // every root, at one size
            x.elem = a->collective == COLL_BARRIER ? 1 : 8;
            x.m = (size_t)(collectives[a->collective].vector ? p + 1 : 2) * x.elem;
            check_kinds(&x, few, tally);
        }
    }
}

void contents_prove(const CollAlgorithm *a, const ContentsGrid *grid, ContentsTally *tally)
{
    *tally = (ContentsTally){0};
    for (int p = 1; p <= grid->all_to && !tally->wrong; p++)
        check_p(a, p, grid->both_elements_to, tally);
    for (int i = 0; i < grid->n_beyond && !tally->wrong; i++)
        check_p(a, grid->beyond[i], grid->both_elements_to, tally);
}
