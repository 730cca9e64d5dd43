// What:   The message travels down two chains at once, in segments. `share` percent of each segment go down the ranks
//         node by node, so that most of these messages stay within a node, and the rest goes down them lane by lane:
//         every message of this chain goes to another node. So NICs work while ranks of a node talk to each other.
//         Where the memory of a node is slower than its NICs, this is faster than either chain alone. In each step a
//         rank receives and sends a segment in each chain. It waits for the messages of a step when it begins the step
//         that comes `ahead` steps later. The larger this number, the less one chain holds up the other, but the later
//         the last rank begins.
// Cost:   no formula: a message waits for those of the other chain. S segments: about S-1 + ahead (p-2) + 1 steps of
//         2 alpha + m/S beta.
// Source: this page; NCCL, whose rings each carry a share of the vector.
// Needs:  several nodes of several ranks (--map or --per-node); else pipeline runs.
//
//   p = 6, 3 per node      first chain     0 -> 1 -> 2 -> 3 -> 4 -> 5
//                          second chain    0 -> 3 -> 1 -> 4 -> 2 -> 5
#include "coll.h"

static void bcast_two_chains(const Coll *c)
{
    const WayChain x[2] = {two_ways_chain(c, WAY_BY_NODE, c->out, false),
                           two_ways_chain(c, WAY_BY_LANE, c->out, false)};
    WaySteps step = two_ways_steps(c, &x[0], &x[1]);
    while (two_ways_next(c, &step)) {
        for (int i = 0; i < 2; i++) {
            const int segment = x[i].before >= 0 ? two_ways_segment(&x[i], x[i].first, step.t) : -1;
            if (segment >= 0)
                two_ways_begin(c, &step, coll_irecv(c, x[i].before, block(&x[i].segments, segment)));
        }
        for (int i = 0; i < 2; i++) {
            const int64_t sent_from = x[i].first + (x[i].before >= 0 ? c->par.leaders : 0);
            const int segment = two_ways_segment(&x[i], sent_from, step.t);
            if (x[i].after >= 0 && segment >= 0)
                two_ways_begin(c, &step, coll_isend(c, x[i].after, block(&x[i].segments, segment)));
        }
    }
}

const CollAlgorithm bcast_two_chains_algorithm = {
    .collective = COLL_BCAST,
    .name = "two_chains",
    .summary = "a share of each segment goes down the ranks by node, the rest goes down them by lane",
    .run = bcast_two_chains,
    .needs = {&need_nodes},
    .otherwise = "pipeline",
    .params = {SEGMENT, WAY_SHARE("segment", "down"), WAY_AHEAD},
    .peers = PEERS_SHIFT,
    .cost = "no formula: a message waits for those of the other chain",
    .unknown = "a message waits for those of the other chain",
    .source = "this page; NCCL, whose rings each carry a share of the vector",
};
