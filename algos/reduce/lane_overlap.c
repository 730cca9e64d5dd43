// What:   reduce in segments, all of whose steps overlap. In a node, a rank receives its block of a segment from all
//         others at once and adds up what comes, while blocks of the next segment travel. The ranks of one number in
//         all nodes, a lane, do the same with the parts of this block, and send the totals to the root. The ranks with
//         the root's number in their nodes have no block, so that the root has nothing to do but send its vector and
//         receive the result. This is for long vectors on machines where a reduction takes longer than a message within
//         a node. See shapes/lane_turns.h.
// Cost:   no formula: the totals of all ranks wait for each other at the root. n nodes of k ranks, S segments: at least
//         max(m gamma, S n (k-1) alpha + m beta).
// Source: this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020,
//         for the lanes.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, at most 1024 ranks, a commutative
//         operation; else lane runs.
//
//   p = 6, 3 per node      0 -> 1 2   1-2   3 -> 4 5   4-5  (halves)      1-4   2-5  (quarters)      1 2 4 5 -> 0
#include "coll.h"

// Receives the totals of a segment. In an operation in place they come where its blocks were, so these must have left.
static void collect(LaneTurns *w, int segment, Slice out)
{
    const Coll *c = w->c;
    lane_turns_sent(w, segment);
    for (int ahead = 0; ahead < w->lane.p; ahead++) {
        const int node = coll_nodes_node_ahead(c->nodes, c->root, ahead);
        for (int i = 0; i < w->node.p; i++)
            if (i != w->without)
                coll_irecv(c, coll_nodes_members(c->nodes, node)[i],
                           lane_turns_part(w, lane_turns_block(w, out, i), node));
    }
}

static void to_root(LaneTurns *w, int segment, const Blocks *out)
{
    LaneSegment *x = lane_turns_slot(w, segment);
    coll_phase(w->c, "to the root");
    x->on = coll_mark(w->c);
    if (w->c->rank == w->c->root)
        collect(w, segment, block(out, segment));
    else if (lane_turns_has_block(w))
        coll_isend(w->c, w->c->root, x->piece);
    x->on_ends = coll_mark(w->c);
}

static void reduce_lane_overlap(const Coll *c)
{
    LaneTurns w = lane_turns(c, c->nodes->local[c->root]);
    const Blocks out = c->rank == c->root ? blocks_of(c->out, &w.in) : w.in;
    for (int t = 0; t < lane_turns_number(&w); t++) {
        lane_turns_take(&w, t);
        if (lane_turns_has(&w, t - 1))
            to_root(&w, t - 1, &out);
        if (lane_turns_has(&w, t - 3)) {
            lane_turns_sent(&w, t - 3);
            lane_turns_arrived(&w, t - 3);
        }
    }
}

const CollAlgorithm reduce_lane_overlap_algorithm = {
    .collective = COLL_REDUCE,
    .name = "lane_overlap",
    .summary = "lane in segments, whose messages travel while others are added up",
    .run = reduce_lane_overlap,
    .needs = {&need_nodes, &need_nodes_equal, &need_few_ranks, &need_commutative},
    .otherwise = "lane",
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .cost = "no formula: the totals of all ranks wait for each other at the root. n nodes of k ranks, S segments: at "
            "least max(m gamma, S n (k-1) alpha + m beta)",
    .unknown = "the totals of all ranks wait for each other at the root",
    .source = "this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER "
              "2020, for the lanes",
};
