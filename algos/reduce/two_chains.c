// What:   Partial results travel up two chains at once, in segments, to the root. `share` percent of each segment go up
//         the ranks node by node, so that most of these messages stay within a node, and the rest goes up them lane by
//         lane: every message of this chain goes to another node. So NICs work while ranks of a node talk to each
//         other. Where the memory of a node is slower than its NICs, this is faster than either chain alone. In each
//         step a rank receives a segment of each chain, and adds and sends the ones that have come. It waits for the
//         messages of a step when it begins the step that comes `ahead` steps later. The larger this number, the less
//         one chain holds up the other, but the later the root begins. It is bcast two_chains backwards.
// Cost:   no formula: a message waits for those of the other chain. S segments: about S-1 + ahead (p-2) + 1 steps of
//         2 alpha + m/S beta, or of m/S gamma if that is more.
// Source: this page; NCCL, whose rings each carry a share of the vector.
// Needs:  several nodes of several ranks (--map or --per-node), a commutative operation; else pipeline runs.
//
//   p = 6, 3 per node      first chain     5 -> 4 -> 3 -> 2 -> 1 -> 0
//                          second chain    5 -> 2 -> 4 -> 1 -> 3 -> 0
#include "coll.h"

// A chain, and what a rank adds up in it.
typedef struct ChainSum {
    WayChain way; // its segments are those of the sum
    Blocks own;   // the same segments of the caller's vector
    // The segments that come. One more than there are open steps, so that the next one can come while the rank adds up.
    Slice inbox[WAYS_MOST_AHEAD + 1];
} ChainSum;

static ChainSum chain_sum(const Coll *c, RankWay way, Slice acc)
{
    ChainSum x = {.way = two_ways_chain(c, way, acc, true)};
    x.own = blocks_of(two_ways_share(c, way, c->in), &x.way.segments);
    for (int i = 0; i <= c->par.leaders; i++)
        x.inbox[i] = coll_scratch_if(c, x.way.after >= 0, block(&x.way.segments, 0).len);
    return x;
}

// Returns the place for what comes in step t.
static Slice inbox_at(const Coll *c, const ChainSum *x, int64_t t, Slice like)
{
    return slice_like(x->inbox[t % (c->par.leaders + 1)], like);
}

// Adds what has come for this step, and begins to send the sum.
static void pass_on(const Coll *c, const ChainSum *x, WaySteps *step)
{
    const bool adds = x->way.after >= 0;
    const int ahead = adds ? c->par.leaders : 0, segment = two_ways_segment(&x->way, x->way.first + ahead, step->t);
    if (segment < 0)
        return;
    const Slice own = block(&x->own, segment), sum = adds ? block(&x->way.segments, segment) : own;
    if (adds)
        coll_reduce(c, sum, own, inbox_at(c, x, step->t - ahead, own));
    if (x->way.before >= 0)
        two_ways_begin(c, step, coll_isend(c, x->way.before, sum));
}

static void reduce_two_chains(const Coll *c)
{
    const Slice acc = reduce_acc(c);
    const ChainSum x[2] = {chain_sum(c, WAY_BY_NODE, acc), chain_sum(c, WAY_BY_LANE, acc)};
    WaySteps step = two_ways_steps(c, &x[0].way, &x[1].way);
    while (two_ways_next(c, &step)) {
        for (int i = 0; i < 2; i++) {
            const WayChain *way = &x[i].way;
            const int segment = way->after >= 0 ? two_ways_segment(way, way->first, step.t) : -1;
            if (segment >= 0)
                two_ways_begin(c, &step,
                               coll_irecv(c, way->after, inbox_at(c, &x[i], step.t, block(&way->segments, segment))));
        }
        for (int i = 0; i < 2; i++)
            pass_on(c, &x[i], &step);
    }
}

const CollAlgorithm reduce_two_chains_algorithm = {
    .collective = COLL_REDUCE,
    .name = "two_chains",
    .summary = "a share of each segment goes up the ranks by node, the rest goes up them by lane",
    .run = reduce_two_chains,
    .needs = {&need_nodes, &need_commutative},
    .otherwise = "pipeline",
    .params = {SEGMENT, WAY_SHARE("segment", "up"), WAY_AHEAD},
    .peers = PEERS_SHIFT,
    .cost = "no formula: a message waits for those of the other chain",
    .unknown = "a message waits for those of the other chain",
    .source = "this page; NCCL, whose rings each carry a share of the vector",
};
