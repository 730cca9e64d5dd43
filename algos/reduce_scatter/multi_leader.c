// What:   Every node has several leaders, each for its share of the node's ranks. A leader reduces, over its node, the
//         blocks of the ranks of its number of share in all nodes; the leaders of the same number reduce and scatter
//         these among themselves; and each scatters the blocks of its share. See registry/rails.h for the groups.
// Cost:   one leader: T_reduce(k) of m bytes + T_outer(nodes) of m bytes + T_scatter(k) of m/p bytes, k the ranks of a
//         node; on two levels, T_outer has the figures between nodes, the rest those within a node.
// Source: Bayatpour et al., DPML, SC 2017, with blocks that are scattered in place of a broadcast.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of consecutive ranks if the operation is not
//         commutative, nodes of equal size, which leaders divides, parts that can run; else nonoverlapping runs.
//
//   p = 8, 4 per node, 2 leaders      blocks 0 1 4 5   1, 2, 3 -> 0    5, 6, 7 -> 4     0-4     0 -> 1   4 -> 5
//                                     blocks 2 3 6 7   0, 1, 3 -> 2    4, 5, 7 -> 6     2-6     2 -> 3   6 -> 7
#include "coll.h"
#include "times/times.h"

enum { OUTER, REDUCE, SCATTER };

// Reduces the blocks of every share, which are in `packed`, over the node, and returns the caller's if it leads one.
static Slice reduce_shares(const Coll *c, const CollCounts *shares, Slice packed)
{
    Coll node = rails_group(c, RAILS_NODE);
    Slice sum = {0};
    for (int j = 0, size = node.p / c->par.leaders; j < c->par.leaders; j++) {
        node.root = j * size;
        node.in = slice_at(packed, shares->at[j], shares->len[j]);
        node.out = coll_scratch_if(c, node.rank == node.root, node.in.len);
        coll_call(&node, c->par.part[REDUCE]);
        sum = node.rank == node.root ? node.out : sum;
    }
    return sum;
}

// Reduces and scatters among the leaders of one number. `order` has the ranks of their shares, node by node.
static Slice among_leaders(const Coll *c, const Blocks *in, const int *order, int size, Slice sum)
{
    Coll lane = rails_group(c, RAILS_LANE);
    CollCounts counts;
    lane.in = sum;
    rails_chunks(&lane, &counts, in, order, size);
    const Blocks nodes = coll_in(&lane);
    lane.out = coll_scratch(c, block(&nodes, lane.rank).len);
    coll_call(&lane, c->par.part[OUTER]);
    return lane.out;
}

static void reduce_scatter_multi_leader(const Coll *c)
{
    Coll share = rails_group(c, RAILS_SHARE);
    const int leaders = c->par.leaders, size = share.p, ranks = c->nodes->n * size;
    const int *order = rails_order(c, leaders), number = c->nodes->local[c->rank] / size;
    const Blocks in = coll_in(c);
    const Slice packed = coll_scratch(c, c->in.len);
    coll_pack(c, packed, &in, c->p, order);
    const CollCounts shares = rails_lengths(c, &in, order, leaders, ranks);
    const Slice sum = reduce_shares(c, &shares, packed);
    const int *own = order + number * ranks + c->nodes->of[c->rank] * size; // the ranks of the caller's share
    const CollCounts counts = rails_lengths(c, &in, own, size, 1);
    share.in = (Slice){.buf = COLL_IN, .len = counts.at[size]};
    if (share.rank == 0)
        share.in = among_leaders(c, &in, order + number * ranks, size, sum);
    share.counts = in.counts || in.longer ? &counts : NULL;
    coll_call(&share, c->par.part[SCATTER]);
}

static int same_as(const Coll *c)
{
    Coll lane = rails_group(c, RAILS_LANE);
    const Coll share = rails_group(c, RAILS_SHARE);
    const Blocks in = coll_in(c);
    if (in.longer > 0)
        return coll_v(c);
    lane.in.len = (size_t)(lane.p * share.p) * c->out.len;
    return share.rank ? rails_same_node(c, false) : rails_same_lane(c, &lane, c->par.part[OUTER], false);
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    if (x->par.leaders > 1)
        return -1;
    const int64_t reduce = call_time_near(x, REDUCE, k, x->m), outer = call_time_far(x, OUTER, x->m);
    return then(then(reduce, outer), call_time_near(x, SCATTER, k, x->m / x->p));
}

#define COMMON                                                                                                         \
    .name = "multi_leader",                                                                                            \
    .summary = "several leaders in each node reduce, each for its share of the ranks, exchange, and scatter",          \
    .run = reduce_scatter_multi_leader, .needs = {&need_nodes, &need_nodes_order, &need_leaders, &need_group_parts},   \
    .groups = {[OUTER] = RAILS_LANE, [REDUCE] = RAILS_NODE, [SCATTER] = RAILS_SHARE}, .otherwise = "nonoverlapping",   \
    .params = {{"leaders", PARAM_INT, offsetof(CollParams, leaders), 2, 1, INT32_MAX, NULL,                            \
                "number of leaders in a node", CUT_NOT},                                                               \
               PART("outer", OUTER, COLL_REDUCE_SCATTER, "circulant",                                                  \
                    "the reduce-scatter between the leaders of one number"),                                           \
               PART("reduce", REDUCE, COLL_REDUCE, "binomial", "the reduction within a node"),                         \
               PART("scatter", SCATTER, COLL_SCATTERV, "linear", "the scatter within a share")},                       \
    .ordered = true, .peers = PEERS_SHIFT, .same_as = same_as,                                                         \
    .cost = "one leader: T_reduce(k) of m bytes + T_outer(nodes) of m bytes + T_scatter(k) of m/p bytes, k the ranks " \
            "of a node; on two levels, T_outer has the figures between nodes, the rest those within a node",           \
    .formula = formula, .levels = true, .unknown = "several leaders; a part without a formula",                        \
    .source = "Bayatpour et al., DPML, SC 2017, with blocks that are scattered in place of a broadcast"

const CollAlgorithm reduce_scatter_multi_leader_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_multi_leader_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
