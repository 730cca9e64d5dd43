// What:   lane with shares of a node in place of the whole node: the ranks of each node are `leaders` shares of consecutive
//         ranks. The root's share scatters the message among its ranks. The rank of every number within this share
//         broadcasts its block to the ranks of the same number in all other shares, those of its own node among them,
//         and then every share gathers the blocks. Fewer blocks than ranks of a node mean fewer messages within nodes,
//         and several ranks of a node can send the same block to other nodes. See registry/rails.h for the groups.
// Cost:   no formula: the ranks leave the scatter at different times, and so the broadcasts begin one after the other.
// Source: this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020,
//         whose lanes have whole nodes.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, which leaders divides, shares of
//         several ranks, parts that can run; else lane runs.
//
//   p = 8, 4 per node      scatter             0 -> 1 (m/2)
//                          between shares      0 -> 2 4 6   1 -> 3 5 7 (m/2)
//                          gather              0-1   2-3   4-5   6-7 (m/2)
#include "coll.h"

enum { OUTER, SCATTER, GATHER };

// Returns the view of the ranks that broadcast the caller's block, node by node.
static Coll column_view(const Coll *c, Slice own)
{
    Coll column = rails_group(c, RAILS_COUNTERPARTS);
    column.root = c->nodes->of[c->root] * c->par.leaders + rails_share_of(c, c->root);
    column.in = column.out = own;
    return column;
}

static Slice own_block(const Coll *c, const Coll *share)
{
    const Blocks parts = blocks_even(c, c->out, share->p);
    return block(&parts, share->rank);
}

static void bcast_lane_shares(const Coll *c)
{
    Coll share = rails_group(c, RAILS_SHARE);
    const Slice own = own_block(c, &share);
    const Coll column = column_view(c, own);
    if (column.rank == column.root) {
        share.root = c->nodes->local[c->root] % share.p;
        share.in = c->out;
        share.out = own;
        coll_phase(c, "scatter");
        coll_call(&share, c->par.part[SCATTER]);
    }
    coll_phase(c, "between shares");
    coll_call(&column, c->par.part[OUTER]);
    share.root = 0;
    share.in = own;
    share.out = c->out;
    coll_phase(c, "gather");
    coll_call(&share, c->par.part[GATHER]);
}

// A rank does what the rank of its number in another share does, if both do the same in the broadcast of their block.
static int same_as(const Coll *c)
{
    const Coll share = rails_group(c, RAILS_SHARE), column = column_view(c, own_block(c, &share));
    const bool regular = c->nodes->ordered && !c->nodes->inner;
    // Blocks of different lengths would be written in bytes, and differ from rank to rank.
    if (!regular || c->out.len % ((size_t)c->p * c->elem) != 0 || column.rank == column.root)
        return coll_v(c);
    const int like = (call_same(&column, c->par.part[OUTER]) + column.root) % column.p;
    return like == column.root ? coll_v(c) : (like * share.p + share.rank - c->root + c->p) % c->p;
}

const CollAlgorithm bcast_lane_shares_algorithm = {
    .collective = COLL_BCAST,
    .name = "lane_shares",
    .summary = "a scatter in a share of the root's node, a broadcast of each block to all shares of nodes, an "
               "allgather in each",
    .run = bcast_lane_shares,
    .needs = {&need_nodes, &need_leaders, &need_several_in_shares, &need_group_parts},
    .groups = {[OUTER] = RAILS_COUNTERPARTS, [SCATTER] = RAILS_SHARE, [GATHER] = RAILS_SHARE},
    .otherwise = "lane",
    .params = {{"leaders", PARAM_INT, offsetof(CollParams, leaders), 2, 2, INT32_MAX, NULL,
                "number of shares of a node's ranks", CUT_NOT},
               PART("outer", OUTER, COLL_BCAST, "knomial", "the broadcast of a block between the shares"),
               PART_WITHIN("scatter", SCATTER, COLL_SCATTERV, "linear", "the scatter within the root's share"),
               PART_WITHIN("gather", GATHER, COLL_ALLGATHERV, "bruck", "the allgather within a share")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost =
        "no formula: the ranks leave the scatter at different times, and so the broadcasts begin one after the other",
    .unknown = "the ranks leave the scatter at different times",
    .source = "this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER "
              "2020, whose lanes have whole nodes",
};
