// What:   The rounds of the circulant broadcast run backwards: where the broadcast sends a segment from one rank to
//         another, the reduction returns a partial result of this segment. See bcast/circulant.c and
//         shapes/circulant.c.
// Cost:   T = (S-1 + ceil(log2 p)) (alpha + m/S (beta + gamma)); eager: a recurrence over all ranks' clocks. S is the
//         number of segments.
// Source: Träff 2024, n-block schedules for reduction; MPICH main, reduce circ_graph. See arXiv 2407.18004, broadcast
//         schedules with applications to reduction.
// Needs:  a commutative operation.
//
//   p = 5, S = 1      r -> r-3      3 -> 0   4 -> 1
//                     r -> r-2      2 -> 0
//                     r -> r-1      1 -> 0
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

static void reduce_circulant(const Coll *c)
{
    const Slice acc = reduce_acc(c);
    const Blocks segments = blocks_size(c, acc, c->par.segment);
    const Slice inbox = coll_scratch(c, block(&segments, 0).len);
    const CirculantSchedule x = circulant_schedule(c, segments.n);
    coll_copy(c, acc, c->in);
    for (int i = x.rounds - 1; i >= 0; i--) {
        const CirculantRound r = circulant_round(c, &x, i);
        const Slice part = block(&segments, r.send), got = slice_like(inbox, part);
        coll_exchange(c, r.from, block(&segments, r.recv), r.to, got);
        if (r.to >= 0)
            coll_reduce(c, part, part, got);
    }
}

static int pattern(const Coll *c, int *x)
{
    const CirculantSchedule schedule = circulant_schedule(c, blocks_size(c, c->in, c->par.segment).n);
    return circulant_pattern(c, &schedule, x);
}

// Follows all ranks' clocks, because eager messages may arrive before their round.
static int64_t eager(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    CirculantSchedule *of = calloc((size_t)x->p, sizeof *of);
    Clocks k = clocks_new(x->p);
    clocks_bytes(&k, x->m / S);
    for (int v = 0; v < x->p; v++)
        of[v] = circulant_schedule(&(Coll){.p = x->p, .rank = v}, (int)S);
    for (int i = of[0].rounds - 1; i >= 0; i--) {
        for (int v = 0; v < x->p; v++) {
            const CirculantRound r = circulant_round(&(Coll){.p = x->p, .rank = v}, &of[v], i);
            k.to[v] = r.from;
            k.from[v] = r.to;
        }
        clocks_round(&k, x, true);
    }
    free(of);
    return clocks_free(&k);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    if (x->eager)
        return eager(x);
    return x->p == 1 ? 0 : (S - 1 + log2_ceil(x->p)) * (u(x, x->m / S) + g(x, x->m / S));
}

const CollAlgorithm reduce_circulant_algorithm = {
    .collective = COLL_REDUCE,
    .name = "circulant",
    .aliases = {"mpich:circ_graph"},
    .summary = "the circulant broadcast backwards: partial results of segments travel, and all ranks are busy",
    .run = reduce_circulant,
    .needs = {&need_commutative},
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .pattern = pattern,
    .cost = "(S-1 + ceil(log2 p)) (alpha + m/S (beta + gamma)); eager: a recurrence over all ranks' clocks",
    .formula = formula,
    .source = "Träff 2024, n-block schedules for reduction; MPICH main, reduce circ_graph",
};
