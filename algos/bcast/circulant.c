// What:   In every round, each rank sends one segment to the rank skip[k] ahead of it and receives another one from the
//         rank skip[k] behind it. The skips repeat in groups of q = ceil(log2 p) rounds, k = 0 .. q-1, and skip[k] is
//         about p / 2^(q-k). Each rank computes by itself which segments these are; see shapes/circulant.c.
// Cost:   T = (S-1 + ceil(log2 p)) (alpha + m/S beta). S is the number of segments. No broadcast of S segments takes
//         fewer rounds.
// Source: Träff 2022-2024, n-block broadcast schedules; MPICH main, bcast circ_graph. See arXiv 2205.10072, 2312.11236
//         and 2407.18004.
// Needs:  nothing.
//
//   p = 5, S = 2      round 1   r -> r+3      0 -> 3 (segment 0)
//                     round 2   r -> r+1      0 -> 1 (1)   3 -> 4 (0)
//                     round 3   r -> r+2      0 -> 2 (1)   4 -> 1 (0)
//                     round 4   r -> r+3      0 -> 3 (1)   1 -> 4 (1)   4 -> 2 (0)
#include "coll.h"
#include "times/times.h"

static void bcast_circulant(const Coll *c)
{
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    const CirculantSchedule x = circulant_schedule(c, segments.n);
    for (int i = 0; i < x.rounds; i++) {
        const CirculantRound r = circulant_round(c, &x, i);
        coll_exchange(c, r.to, block(&segments, r.send), r.from, block(&segments, r.recv));
    }
}

static int pattern(const Coll *c, int *x)
{
    const CirculantSchedule schedule = circulant_schedule(c, blocks_size(c, c->out, c->par.segment).n);
    return circulant_pattern(c, &schedule, x);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    return x->p == 1 ? 0 : (S - 1 + log2_ceil(x->p)) * u(x, x->m / S);
}

const CollAlgorithm bcast_circulant_algorithm = {
    .collective = COLL_BCAST,
    .name = "circulant",
    .aliases = {"mpich:circ_graph"},
    .summary = "segments travel over a circulant graph; all ranks are busy, and the number of rounds is optimal",
    .run = bcast_circulant,
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .pattern = pattern,
    .cost = "(S-1 + ceil(log2 p)) (alpha + m/S beta)",
    .formula = formula,
    .source = "Träff 2022-2024, n-block broadcast schedules; MPICH main, bcast circ_graph",
};
