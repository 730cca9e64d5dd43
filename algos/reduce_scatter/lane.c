// What:   Every node reduces and scatters the vector among its ranks, so that rank i of the node has the node's sums of
//         the blocks of all ranks of number i. These ranks, a lane, then reduce and scatter them among themselves. See
//         registry/rails.h for the groups.
// Cost:   T_inner(k) of m bytes + T_outer(nodes) of m/k bytes, k the ranks of a node; on two levels, T_outer has the
//         figures between nodes, T_inner those within a node.
// Source: Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the operation is not
//         commutative, nodes of equal size, parts that can run; else nonoverlapping runs.
//
//   p = 4, 2 per node      0-1   2-3 (2 blocks: of the first, or second, ranks)      0-2   1-3
#include "coll.h"
#include "times/times.h"

enum { OUTER, INNER };

static void reduce_scatter_lane(const Coll *c)
{
    Coll node = rails_group(c, RAILS_NODE), lane = rails_group(c, RAILS_LANE);
    const int *order = rails_order(c, node.p);
    const Blocks in = coll_in(c);
    CollCounts lanes, own;
    node.in = coll_scratch(c, c->in.len);
    coll_pack(c, node.in, &in, c->p, order);
    rails_chunks(&node, &lanes, &in, order, lane.p);
    const Blocks sums = coll_in(&node);
    node.out = lane.in = coll_scratch(c, block(&sums, node.rank).len);
    coll_call(&node, c->par.part[INNER]);
    rails_chunks(&lane, &own, &in, order + node.rank * lane.p, 1);
    coll_call(&lane, c->par.part[OUTER]);
}

static int same_as(const Coll *c)
{
    Coll lane = rails_group(c, RAILS_LANE);
    const Blocks in = coll_in(c);
    if (in.longer > 0)
        return coll_v(c);
    lane.in.len = (size_t)lane.p * c->out.len;
    return rails_same_lane(c, &lane, c->par.part[OUTER], false);
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    return then(call_time_near(x, INNER, k, x->m), call_time_far(x, OUTER, x->m / k));
}

#define COMMON                                                                                                         \
    .name = "lane", .summary = "a reduce-scatter in each node, then one between the ranks of one number in all nodes", \
    .run = reduce_scatter_lane, .needs = {&need_nodes, &need_nodes_order, &need_nodes_equal, &need_group_parts},       \
    .groups = {[OUTER] = RAILS_LANE, [INNER] = RAILS_NODE}, .otherwise = "nonoverlapping",                             \
    .params = {PART("outer", OUTER, COLL_REDUCE_SCATTER, "circulant", "the reduce-scatter between the nodes"),         \
               PART("inner", INNER, COLL_REDUCE_SCATTER, "circulant", "the reduce-scatter within a node")},            \
    .ordered = true, .peers = PEERS_SHIFT, .same_as = same_as,                                                         \
    .cost = "T_inner(k) of m bytes + T_outer(nodes) of m/k bytes, k the ranks of a node; on two levels, T_outer has "  \
            "the figures between nodes, T_inner those within a node",                                                  \
    .formula = formula, .levels = true, .unknown = "a part without a formula",                                         \
    .source = "Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020"

const CollAlgorithm reduce_scatter_lane_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_lane_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
