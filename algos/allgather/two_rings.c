// What:   Every block travels around two rings at once, in p-1 steps each. `share` percent of it go around the ranks
//         node by node, so that most of these messages stay within a node, and the rest goes around them lane by lane:
//         every message of this ring goes to another node. So NICs work while ranks of a node talk to each other. Where
//         the memory of a node is slower than its NICs, this is faster than either ring alone.
// Cost:   T = (p-1) (2 alpha + m beta). m is the size of a block, in bytes.
// Source: this page; NCCL, whose rings each carry a share of the vector.
// Needs:  several nodes of several ranks (--map or --per-node); else ring runs.
//
//   p = 6, 3 per node      first ring    0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 0
//                          second ring   0 -> 3 -> 1 -> 4 -> 2 -> 5 -> 0
#include "coll.h"
#include "times/times.h"

static void allgather_two_rings(const Coll *c)
{
    const Blocks out = coll_out(c);
    coll_copy(c, block(&out, c->rank), c->in);
    for (int step = 0; step < c->p - 1; step++) {
        const CollReq step_began = coll_mark(c);
        for (RankWay way = WAY_BY_NODE; way <= WAY_BY_LANE; way++)
            coll_irecv(c, two_ways_before(c, way, 1),
                       two_ways_share(c, way, block(&out, two_ways_before(c, way, step + 1))));
        for (RankWay way = WAY_BY_NODE; way <= WAY_BY_LANE; way++)
            coll_isend(c, two_ways_before(c, way, -1),
                       two_ways_share(c, way, block(&out, two_ways_before(c, way, step))));
        coll_waitall(c, step_began);
    }
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * (2 * x->alpha + x->m * x->beta);
}

#define COMMON                                                                                                         \
    .name = "two_rings", .summary = "a share of each block goes around the ranks by node, the rest around the nodes",  \
    .run = allgather_two_rings, .needs = {&need_nodes}, .otherwise = "ring", .params = {WAY_SHARE("block", "around")}, \
    .peers = PEERS_SHIFT, .same_as = same_two_rings, .cost = "(p-1) (2 alpha + m beta)", .formula = formula,           \
    .source = "this page; NCCL, whose rings each carry a share of the vector"

const CollAlgorithm allgather_two_rings_algorithm = {COMMON, .collective = COLL_ALLGATHER};

const CollAlgorithm allgatherv_two_rings_algorithm = {COMMON, .collective = COLL_ALLGATHERV};
