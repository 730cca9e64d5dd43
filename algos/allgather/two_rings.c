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

typedef struct TwoRings {
    const int *order[2]; // the ranks along each ring
    int place[2];        // the caller's places in these
} TwoRings;

static TwoRings rings(const Coll *c)
{
    const CollNodes *nodes = c->nodes;
    const int node = nodes->of[c->rank], local = nodes->local[c->rank];
    return (TwoRings){{nodes->member, nodes->lane},
                      {nodes->first[node] + local, nodes->lane_first[local] + nodes->in_lane[c->rank]}};
}

// Returns the rank that is so many places before the caller in a ring.
static int before(const Coll *c, const TwoRings *x, int ring, int places)
{
    return x->order[ring][(x->place[ring] - places + 2 * c->p) % c->p];
}

// Returns the part of a block that travels around a ring.
static Slice share(const Coll *c, Slice block, int ring)
{
    const size_t first = block.len / c->elem * (size_t)c->par.chains / 100 * c->elem;
    return ring == 0 ? slice_at(block, 0, first) : slice_at(block, first, block.len - first);
}

static void allgather_two_rings(const Coll *c)
{
    const TwoRings x = rings(c);
    const Blocks out = coll_out(c);
    coll_copy(c, block(&out, c->rank), c->in);
    for (int step = 0; step < c->p - 1; step++) {
        const CollReq step_began = coll_mark(c);
        for (int ring = 0; ring < 2; ring++)
            coll_irecv(c, before(c, &x, ring, 1), share(c, block(&out, before(c, &x, ring, step + 1)), ring));
        for (int ring = 0; ring < 2; ring++)
            coll_isend(c, before(c, &x, ring, -1), share(c, block(&out, before(c, &x, ring, step)), ring));
        coll_waitall(c, step_began);
    }
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * (2 * x->alpha + x->m * x->beta);
}

#define COMMON                                                                                                         \
    .name = "two_rings", .summary = "a share of each block goes around the ranks by node, the rest around the nodes",  \
    .run = allgather_two_rings, .needs = {&need_nodes}, .otherwise = "ring",                                           \
    .params = {{"share", PARAM_INT, offsetof(CollParams, chains), 50, 1, 99, NULL,                                     \
                "share of a block, in percent, that goes around the ranks node by node", CUT_NOT}},                    \
    .peers = PEERS_SHIFT, .same_as = same_two_rings, .cost = "(p-1) (2 alpha + m beta)", .formula = formula,           \
    .source = "this page; NCCL, whose rings each carry a share of the vector"

const CollAlgorithm allgather_two_rings_algorithm = {COMMON, .collective = COLL_ALLGATHER};

const CollAlgorithm allgatherv_two_rings_algorithm = {COMMON, .collective = COLL_ALLGATHERV};
