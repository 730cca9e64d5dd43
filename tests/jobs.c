#include "jobs.h"
#include "judge/prove/nodes.h"
#include "run/launch/job_map.h"
#include "api/backend.h"
#include "api/make.h"
#include "engine/schedule/counts.h"
#include "registry/composition.h"
#include <string.h>

// ---- Kinds ---------------------------------------------------------------------------------------------------------

typedef struct ElementKind {
    size_t elem;
    JobOp op;
} ElementKind;
static const ElementKind element_kinds[] = {{1, JOB_SUM},     {8, JOB_SUM},     {12, JOB_SUM},
                                            {1, JOB_MAX},     {8, JOB_MAX},     {2, JOB_ORDERED},
                                            {4, JOB_ORDERED}, {8, JOB_ORDERED}, {16, JOB_ORDERED}};
enum { PLAIN_KINDS = 3 }; // the first of element_kinds, which are enough if nothing is reduced
static const char *const maps[] = {"block:2", "cyclic:2", "block:3", "cyclic:4", "block:4<block:2>block:8", "random"};
static const CountsSpec specs[] = {{.kind = COUNTS_EQUAL},
                                   {.kind = COUNTS_LINEAR},
                                   {.kind = COUNTS_ZERO_HOLES, .gaps = true},
                                   {.kind = COUNTS_RANDOM, .seed = 1}};
// The sizes of a vector or block: in elements, except for the last, which is in bytes. 127 is a prime that exceeds the
// number of ranks.
static const size_t sizes[] = {0, 1, 13, 127, 65536};

// Takes the lowest digit off *index: returns *index mod n and divides *index by n. So one number chooses several
// things.
static int digit(int *index, int n)
{
    const int value = *index % n;
    *index /= n;
    return value;
}

// Returns the number of an algorithm's variants, not counting parameters and sizes.
static int count_kinds(const CollAlgorithm *a)
{
    const CollectiveInfo *info = &collectives[a->collective];
    return (info->reduces ? (int)G_N_ELEMENTS(element_kinds) : PLAIN_KINDS) * (1 + info->in_place) * 2 *
           (algorithm_needs_nodes(a) ? (int)G_N_ELEMENTS(maps) : 1) * (info->counts ? (int)G_N_ELEMENTS(specs) : 1);
}

// Sets the job's fields, on p ranks, to its variant number `index`, 0 .. count_kinds()-1. Returns the counts that belong
// to it.
static const CountsSpec *set_kind(Job *job, int p, int index)
{
    const CollectiveInfo *info = &collectives[job->collective];
    const ElementKind *kind =
        &element_kinds[digit(&index, info->reduces ? (int)G_N_ELEMENTS(element_kinds) : PLAIN_KINDS)];
    job->elem = kind->elem;
    job->op = kind->op;
    job->synchronous = digit(&index, 2);
    job->in_place = digit(&index, 1 + info->in_place);
    if (algorithm_needs_nodes(job->algorithm)) {
        const char *map = maps[digit(&index, (int)G_N_ELEMENTS(maps))];
        g_autofree char *random = job_map_text(nodes_kept(NODES_RANDOM, p, 3));
        job->nodes = job_map_parse(strcmp(map, "random") == 0 ? random : map, p);
    }
    return info->counts ? &specs[digit(&index, (int)G_N_ELEMENTS(specs))] : &specs[0];
}

// Sets the job's size and counts on p ranks, for one of `sizes`.
static void set_size(Job *job, int p, size_t size, const CountsSpec *spec)
{
    const bool scatters = job->collective == COLL_REDUCE_SCATTER;
    job->m = job->collective == COLL_BARRIER ? 0 : size == 65536 ? size / job->elem * job->elem : size * job->elem;
    CountsSpec used = *spec;
    used.gaps &= !scatters;
    const size_t mean = job->m / job->elem / (size_t)(scatters ? p : 1) * job->elem;
    if (collectives[job->collective].counts && spec->kind != COUNTS_EQUAL)
        counts_make(&used, p, mean, job->elem, &job->counts, NULL);
}

// ---- Parameters ----------------------------------------------------------------------------------------------------

// Sets `value` to the values of a parameter, other than its default, that are tried, and returns how many there are. A
// segment is about a third or a tenth of the message, and need not consist of whole elements. A part of a composition
// takes every algorithm that it allows.
static int values_of(const CollParam *param, const Job *job, int64_t *value)
{
    const int64_t m = (int64_t)job->m, elem = (int64_t)job->elem;
    const int64_t segments[] = {m / 3 + 1, m / 10 + 3 * elem}, numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const int64_t *tried = param->kind == PARAM_SIZE ? segments : numbers;
    const int n = param->kind == PARAM_SIZE ? 2 : 9;
    int found = 0;
    for (int i = 0; i < n_algorithms && param->kind == PARAM_ALGORITHM; i++)
        if (param_allows(param, i) && i != param->def)
            value[found++] = i;
    for (int i = 0; i < n && param->kind != PARAM_ALGORITHM; i++)
        if (tried[i] >= param->min && tried[i] <= param->max && tried[i] != param->def)
            value[found++] = tried[i];
    return found;
}

// Counts the values that are tried of all parameters, without the defaults, and sets the parameter that has value
// number i (from 0); sets nothing if there is no such value. Returns how many there are.
static int set_param(Job *job, int i)
{
    int64_t value[64];
    int all = 0;
    for (int k = 0; k < COLL_MAX_PARAMS && job->algorithm->params[k].name; k++) {
        const CollParam *param = &job->algorithm->params[k];
        const int n = values_of(param, job, value);
        if (i >= all && i < all + n)
            param_set(param, &job->par, value[i - all]);
        all += n;
    }
    return all;
}

// ---- The grid ------------------------------------------------------------------------------------------------------

typedef struct Grid {
    GArray *jobs;
    GRand *random;
    int p, drawn, refused;
} Grid;

// Returns true if the job's algorithm, or its fallback, can run on p ranks.
static bool runs(const Job *job, int p)
{
    const Coll of = {.p = p,
                     .root = job->root,
                     .elem = job->elem,
                     .commutative = job->op != JOB_ORDERED,
                     .nodes = job->nodes,
                     .par = job->par,
                     .counts = job->counts};
    Coll view = coll_make(job->collective, &of, job->root, job->m, NULL);
    const char *why;
    if (job->in_place)
        coll_in_place(&view, job->collective);
    return coll_resolve(job->algorithm, &view, &why) != NULL;
}

// Adds one job, or counts it as refused. `kind` is the number of its variant; `param` chooses a parameter's value as in
// set_param, modulo their number, or is -1 for the defaults.
static void add(Grid *g, const CollAlgorithm *a, int root, size_t size, int kind, int param)
{
    Job job = {
        .kind = JOB_ALGORITHM, .collective = a->collective, .algorithm = a, .par = algorithm_defaults(a), .root = root};
    const CountsSpec *spec = set_kind(&job, g->p, kind);
    set_size(&job, g->p, size, spec);
    if (param >= 0)
        set_param(&job, param % MAX(set_param(&job, -1), 1));
    if (runs(&job, g->p))
        g_array_append_val(g->jobs, job);
    else {
        job_clear(&job);
        g->refused++;
    }
}

// Adds every variant with the default parameters, and each other value of each parameter with a random variant.
static void add_all(Grid *g, const CollAlgorithm *a, int root, size_t size)
{
    const int kinds = count_kinds(a);
    Job job = {.collective = a->collective, .algorithm = a, .m = size, .elem = 1};
    for (int kind = 0; kind < kinds; kind++)
        add(g, a, root, size, kind, -1);
    for (int i = set_param(&job, -1); i-- > 0;)
        add(g, a, root, size, g_rand_int_range(g->random, 0, kinds), i);
}

// Adds g->drawn random variants, half of them with a parameter at another value than the default.
static void add_drawn(Grid *g, const CollAlgorithm *a, int root, size_t size)
{
    for (int i = 0; i < g->drawn; i++) {
        const int kind = g_rand_int_range(g->random, 0, count_kinds(a)), param = g_rand_int_range(g->random, 0, 1000);
        add(g, a, root, size, kind, g_rand_boolean(g->random) ? param : -1);
    }
}

// Adds jobs of the library's own algorithm for the collective. Its results are taken to be right.
static void add_library(Grid *g, Collective collective)
{
    const CollectiveInfo *info = &collectives[collective];
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        const ElementKind *kind =
            &element_kinds[(i + (size_t)g->p) % (info->reduces ? G_N_ELEMENTS(element_kinds) : 1)];
        Job job = {.kind = JOB_LIBRARY,
                   .collective = collective,
                   .root = info->rooted ? g->p - 1 : 0,
                   .elem = kind->elem,
                   .op = kind->op};
        set_size(&job, g->p, sizes[i], &specs[info->counts ? i % G_N_ELEMENTS(specs) : 0]);
        g_array_append_val(g->jobs, job);
    }
}

GArray *jobs_make(int p, int drawn, int *refused)
{
    Grid g = {.jobs = g_array_new(FALSE, FALSE, sizeof(Job)),
              .random = g_rand_new_with_seed((guint32)p),
              .p = p,
              .drawn = drawn};
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        for (int root = 0; root < (collectives[a->collective].rooted ? p : 1); root++) {
            if (p > 8 && root > 1 && root != p / 2 && root != p - 1)
                continue;
            for (size_t k = 0; k < (a->collective == COLL_BARRIER ? 1 : G_N_ELEMENTS(sizes)); k++)
                (drawn ? add_drawn : add_all)(&g, a, root, sizes[k]);
        }
    }
    // MPICH's own collectives wait without giving up the core, so they are slow where many ranks share a core.
    for (int c = 0; c < N_COLLECTIVES && p <= 4; c++)
        add_library(&g, (Collective)c);
    g_rand_free(g.random);
    *refused = g.refused;
    return g.jobs;
}

void jobs_free(GArray *jobs)
{
    for (guint i = 0; i < jobs->len; i++)
        job_clear(&g_array_index(jobs, Job, i));
    g_array_free(jobs, TRUE);
}
