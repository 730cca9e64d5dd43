#include "registry/composition.h"
#include "api/communicate.h"
#include "api/backend.h"
#include "api/integers.h"
#include "api/make.h"
#include "registry/registry.h"
#include "shapes/node.h"
#include "shapes/symmetry.h"
#include "times/times.h"
#include <glib.h>
#include <string.h>

bool algorithm_has_parts(const CollAlgorithm *a)
{
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (a->params[i].kind == PARAM_ALGORITHM)
            return true;
    return false;
}

// Returns the parameters of a fallback `other`: it takes the values of the parameters that `a` has too, and the
// defaults of the rest.
static CollParams params_for(const CollAlgorithm *other, const CollAlgorithm *a, const CollParams *par)
{
    CollParams result = algorithm_defaults(other);
    for (int i = 0; i < COLL_MAX_PARAMS && other->params[i].name; i++)
        for (int j = 0; j < COLL_MAX_PARAMS && a->params[j].name; j++)
            if (strcmp(other->params[i].name, a->params[j].name) == 0)
                param_set(&other->params[i], &result, param_get(&a->params[j], par));
    return result;
}

const CollAlgorithm *coll_resolve(const CollAlgorithm *a, Coll *c, const char **why)
{
    for (int i = 0; i < COLL_MAX_NEEDS && a->needs[i]; i++) {
        if (a->needs[i] == &need_nodes)
            c->nodes = coll_nodes(c);
        if (a->needs[i]->holds(c))
            continue;
        *why = a->needs[i]->otherwise;
        if (!a->otherwise)
            return NULL;
        const char *nested;
        const CollAlgorithm *other = algorithm_find(a->collective, a->otherwise);
        c->par = params_for(other, a, &c->par);
        return coll_resolve(other, c, &nested);
    }
    return a;
}

// Gives the view the parameters of the algorithm that runs when this view calls `algorithm`.
static void called(const CollAlgorithm *algorithm, Coll *view)
{
    const char *why;
    view->par = algorithm_defaults(algorithm);
    const CollAlgorithm *a = coll_resolve(algorithm, view, &why);
    g_assert(a); // a composition needs parts that can run on its groups
    if (view->run->part_runs && view->p > 1)
        view->run->part_runs(view->run, algorithm, a, a == algorithm ? NULL : why);
    view->run->irregular |= a != algorithm && view->p > 1;
    if (a->shared)
        coll_take_queues(view);
}

// Runs the algorithm that the view's parameters belong to.
static void run_part(const Coll *view)
{
    CollRun *run = view->run;
    if (run->skips_parts && !algorithm_has_parts(view->par.of))
        return;
    const struct CollPart part = {run->part, run->phase, view->par.of, (int)view->level};
    coll_run_place(run, &part, NULL);
    part.ran->run(view);
    coll_run_place(run, part.around, part.phase);
}

void coll_call(const Coll *c, const CollAlgorithm *algorithm)
{
    Coll view = *c;
    called(algorithm, &view);
    run_part(&view);
}

void coll_call_overlapped(const Coll *c, const CollAlgorithm *algorithm, void (*meanwhile)(void *data), void *data)
{
    Coll view = *c;
    called(algorithm, &view);
    coll_overlap(&view, run_part, meanwhile, data);
}

bool coll_can(const Coll *c, const CollAlgorithm *algorithm)
{
    Coll view = *c;
    view.par = algorithm_defaults(algorithm);
    CollRun run; // for views that are only asked about
    coll_run_init(&run, NULL);
    if (!c->run)
        view.run = &run;
    const char *why;
    const bool can = coll_resolve(algorithm, &view, &why) != NULL;
    coll_run_clear(&run);
    return can;
}

int call_same(const Coll *c, const CollAlgorithm *algorithm)
{
    Coll view = *c;
    view.par = algorithm_defaults(algorithm);
    const char *why;
    const CollAlgorithm *a = coll_resolve(algorithm, &view, &why);
    return a && a->same_as && a->peers == PEERS_SHIFT ? a->same_as(&view) : coll_v(c);
}

// Returns true if the algorithm may group the ranks of a group by the machine's further levels.
static bool may_nest(const CollPoint *x, const CollAlgorithm *algorithm)
{
    return algorithm_needs_nodes(algorithm) && x->nodes && (x->nodes->inner || x->nodes->outer);
}

// Returns true if the algorithm cuts m bytes into segments and the last one is shorter. No formula knows that case.
static bool ends_short(const CollAlgorithm *a, const CollParams *par, int64_t m)
{
    const int64_t segment = algorithm_param(a, "segment") ? (int64_t)par->segment : 0;
    return segment > 0 && m > segment && m % segment != 0;
}

int64_t call_time(const CollPoint *x, const CollAlgorithm *algorithm, int p, int64_t m)
{
    if (p != x->p && may_nest(x, algorithm))
        return -1;
    const CollNodes *nodes = p == x->p ? x->nodes : NULL; // a group's nodes are not known here
    const Coll all = {.p = p, .elem = 1, .commutative = true, .nodes = nodes, .par = algorithm_defaults(algorithm)};
    Coll view = coll_make(algorithm->collective, &all, 0, (size_t)m, NULL);
    const char *why;
    const CollAlgorithm *a = coll_resolve(algorithm, &view, &why);
    CollPoint y = *x;
    y.p = p;
    y.m = algorithm->collective == COLL_REDUCE_SCATTER_BLOCK ? m * p : m;
    y.nodes = nodes;
    y.par = view.par;
    y.kept = NULL; // other parameters make other trees
    const bool known = a && !a->shared && (!x->levels || a->levels) && !ends_short(a, &y.par, y.m);
    return p == 1 ? 0 : known ? algorithm_time(a, &y) : -1;
}

int64_t call_time_far(const CollPoint *x, int part, int64_t m)
{
    const CollPoint far = point_far(x);
    return call_time(&far, x->par.part[part], x->nodes->n, m);
}

int64_t call_time_near(const CollPoint *x, int part, int p, int64_t m)
{
    const CollPoint near = point_near(x);
    return call_time(&near, x->par.part[part], p, m);
}

bool call_root_ends(const CollAlgorithm *reduction)
{
    return !algorithm_needs_nodes(reduction);
}

bool call_ends_in_step(const CollAlgorithm *algorithm, int n)
{
    const CollAlgorithm *a = algorithm_entry(algorithm);
    const bool halves =
        a == &reduce_scatter_recursive_halving_algorithm || a == &allreduce_recursive_doubling_algorithm;
    return n == 1 || a->same_as == same_always || (halves && is_pow2(n));
}

// ---- Nodes: part[0] runs among the leaders, and the other parts run within every node ------------------------------

// Returns true if the parts within a node can run on this node.
static bool inner_can(const Coll *c, int node)
{
    Coll member = *c;
    member.rank = c->nodes->member[c->nodes->first[node]];
    const Coll group = coll_node(&member);
    bool can = true;
    for (int i = 1; i < COLL_MAX_PARTS && c->par.part[i]; i++)
        can = can && coll_can(&group, c->par.part[i]);
    return can;
}

// All ranks must come to the same answer, so each of them asks for the same nodes: one of each size, because nodes of
// one size are alike: needs do not ask for the root.
static bool parts_can(const Coll *c)
{
    Coll member = *c;
    member.rank = coll_leaders(c).map(c, 0);
    const Coll leaders = coll_leaders(&member);
    bool can = coll_can(&leaders, c->par.part[0]);
    for (int i = 0; can && i < c->nodes->n_sizes; i++)
        can = inner_can(c, c->nodes->sized[i]);
    return can;
}

const CollNeed need_node_parts = {parts_can, "a part cannot run on these nodes", "parts that can run on the nodes"};

int64_t call_node_parts_time(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    if (k == 0)
        return -1;
    int64_t sum = call_time_far(x, 0, x->m);
    for (int i = 1; i < COLL_MAX_PARTS && x->par.part[i] && sum >= 0; i++)
        sum = then(sum, call_time_near(x, i, k, x->m));
    return sum;
}
