// What:   Rank 0 gathers all blocks and broadcasts them. Parameters select the gather and the broadcast.
// Cost:   T = T_gather(p, m) + T_bcast(p, p m); both linear: 2(p-1) alpha + (p^2-1) m beta. m is the size of a block,
//         in bytes.
// Source: allgather linear: Open MPI 4.1, allgather basic_linear.
//         allgatherv linear: Open MPI 4.1, allgatherv default.
// Needs:  parts that can run; else ring runs.
//
//   p = 4      1 -> 0   2 -> 0   3 -> 0      0 -> 1   0 -> 2   0 -> 3 (4 blocks)
#include "coll.h"
#include "times/times.h"

enum { GATHER, BCAST };

static void allgather_linear(const Coll *c)
{
    coll_call(c, c->par.part[GATHER]);
    Coll all = *c;
    all.in = c->out;
    all.counts = NULL;
    coll_call(&all, c->par.part[BCAST]);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t gather = call_time(x, x->par.part[GATHER], x->p, x->m);
    const int64_t bcast = call_time(x, x->par.part[BCAST], x->p, x->p * x->m);
    return then(gather, bcast);
}

#define COMMON                                                                                                         \
    .name = "linear", .summary = "rank 0 gathers all blocks and broadcasts them", .run = allgather_linear,             \
    .needs = {&need_group_parts}, .otherwise = "ring", .peers = PEERS_SHIFT,                                           \
    .cost = "T_gather(p, m) + T_bcast(p, p m); both linear: 2(p-1) alpha + (p^2-1) m beta", .formula = formula,        \
    .unknown = "a part without a formula"

const CollAlgorithm allgather_linear_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .aliases = {"ompi:1", "smpi:GB"},
    .params = {PART("gather", GATHER, COLL_GATHER, "linear", "the gather to rank 0"),
               PART("bcast", BCAST, COLL_BCAST, "linear", "the broadcast from rank 0")},
    .source = "Open MPI 4.1, allgather basic_linear",
};

const CollAlgorithm allgatherv_linear_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .aliases = {"ompi:1", "smpi:GB"},
    .params = {PART("gatherv", GATHER, COLL_GATHERV, "linear", "the gather to rank 0"),
               PART("bcast", BCAST, COLL_BCAST, "linear", "the broadcast from rank 0")},
    .source = "Open MPI 4.1, allgatherv default",
};
