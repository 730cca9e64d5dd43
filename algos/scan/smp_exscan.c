// What:   Every node scans its own vectors. Then the last ranks of the nodes, which have their nodes' sums, make an
//         exclusive scan of these, and broadcast the result in their nodes. Every rank reduces it into its own result,
//         in front. In an exscan, the nodes make exscans, and a last rank adds its own vector for its node's sum.
// Cost:   scan smp_exscan: T_inner(ranks of a node) + T_outer(nodes) + T_bcast(ranks of a node) + m gamma, nodes of
//         equal size; on two levels, T_outer has the figures between nodes, the rest those within a node.
//         exscan smp_exscan: T_inner(ranks of a node) + T_outer(nodes) + T_bcast(ranks of a node) + 2 m gamma, nodes of
//         equal size; on two levels, T_outer has the figures between nodes, the rest those within a node. This holds
//         only if the last rank of a node ends the inner scan last, as in linear, and in recursive_doubling on most
//         numbers of ranks.
// Source: folklore; in MPICH (smp) the sums travel through the first ranks of the nodes.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of consecutive ranks, parts that can run on the
//         nodes; else recursive_doubling runs.
//
//   p = 8, 4 per node      in the nodes         0-1  2-3  4-5  6-7      0-2  1-3  4-6  5-7
//                          among the last       3 -> 7
//                          in the second node   7 -> 4      7 -> 5   4 -> 6
#include "coll.h"
#include "times/times.h"

enum { OUTER, INNER, BCAST };

// Returns the last rank of a node.
static int last_of(const Coll *up, int node)
{
    return up->nodes->member[up->nodes->first[node + 1] - 1];
}

static void run(const Coll *c, bool exclusive)
{
    Coll node = coll_node(c), last = coll_sub(c, c->nodes->n, c->nodes->of[c->rank], last_of);
    const bool is_first = node.rank == 0, is_last = node.rank == node.p - 1;
    const Slice own = exclusive && is_last ? coll_scratch(c, c->in.len) : c->out;
    if (exclusive && is_last)
        coll_copy(c, own, c->in);
    coll_call(&node, c->par.part[INNER]);
    node.in = node.out = last.out = coll_scratch(c, c->in.len);
    node.root = node.p - 1;
    last.level = COLL_OUTER_LEVEL;
    last.in = own;
    coll_phase(c, "sum of the node");
    if (exclusive && is_last && !is_first && last.rank + 1 < last.p)
        coll_reduce(c, own, c->out, own);
    if (is_last)
        coll_call(&last, c->par.part[OUTER]);
    if (last.rank == 0)
        return; // nothing comes before the first node
    coll_call(&node, c->par.part[BCAST]);
    coll_phase(c, "reduce");
    if (exclusive && is_first)
        coll_copy(c, c->out, node.out);
    else
        coll_reduce(c, c->out, node.out, c->out);
}

static void scan_smp_exscan(const Coll *c)
{
    run(c, false);
}

static void exscan_smp_exscan(const Coll *c)
{
    run(c, true);
}

// The nodes behind the first one do the same, apart from their last ranks.
static int same_as(const Coll *c)
{
    return c->nodes->local[c->rank] == coll_nodes_equal(c->nodes) - 1 ? coll_v(c) : rails_same_node(c, true);
}

// Returns true if the last rank of a node ends the inner scan last.
static bool last_ends_last(const CollPoint *x, bool exclusive)
{
    const CollAlgorithm *inner = x->par.part[INNER];
    if (inner != (exclusive ? &exscan_recursive_doubling_algorithm : &scan_recursive_doubling_algorithm))
        return inner == (exclusive ? &exscan_linear_algorithm : &scan_linear_algorithm);
    CollPoint near = point_near(x);
    near.p = coll_nodes_equal(x->nodes);
    Clocks node = clocks_new(near.p);
    prefix_doubling_times(&near, exclusive, node.now);
    const int64_t last = node.now[near.p - 1];
    return clocks_free(&node) == last;
}

static int64_t time_of(const CollPoint *x, bool exclusive)
{
    const int64_t parts = coll_nodes_equal(x->nodes) && last_ends_last(x, exclusive) ? call_node_parts_time(x) : -1;
    return parts < 0 ? -1 : parts + g(x, x->m);
}

static int64_t formula(const CollPoint *x)
{
    return time_of(x, false);
}

// A last rank adds its own vector to what comes before it in its node.
static int64_t formula_exclusive(const CollPoint *x)
{
    return then(time_of(x, true), g(x, x->m));
}

#define COMMON(collective, cost_text)                                                                                  \
    .name = "smp_exscan", .needs = {&need_nodes, &need_nodes_ordered, &need_node_parts},                               \
    .otherwise = "recursive_doubling",                                                                                 \
    .params = {PART("outer", OUTER, COLL_EXSCAN, "recursive_doubling",                                                 \
                    "the exscan among the last ranks of the nodes"),                                                   \
               PART_WITHIN("inner", INNER, collective, "recursive_doubling", "the scan within a node"),                \
               PART_WITHIN("bcast", BCAST, COLL_BCAST, "binomial", "the broadcast within a node")},                    \
    .ordered = true, .peers = PEERS_SHIFT, .same_as = same_as, .cost = (cost_text), .levels = true,                    \
    .unknown = "nodes of unequal size, an inner scan whose last rank does not end last, or a part without a formula",  \
    .source = "folklore; in MPICH (smp) the sums travel through the first ranks of the nodes"

const CollAlgorithm scan_smp_exscan_algorithm = {
    COMMON(COLL_SCAN,
           "T_inner(ranks of a node) + T_outer(nodes) + T_bcast(ranks of a node) + m gamma, nodes of equal size; on "
           "two levels, T_outer has the figures between nodes, the rest those within a node"),
    .collective = COLL_SCAN,
    .summary = "a scan in each node, an exscan of the nodes' sums, and its broadcast in each node",
    .run = scan_smp_exscan,
    .formula = formula,
};

const CollAlgorithm exscan_smp_exscan_algorithm = {
    COMMON(COLL_EXSCAN, "T_inner(ranks of a node) + T_outer(nodes) + T_bcast(ranks of a node) + 2 m gamma, nodes of "
                        "equal size; on two levels, T_outer has the figures between nodes, the rest those within a "
                        "node"),
    .collective = COLL_EXSCAN,
    .summary = "an exscan in each node, an exscan of the nodes' sums, and its broadcast in each node",
    .run = exscan_smp_exscan,
    .formula = formula_exclusive,
};
