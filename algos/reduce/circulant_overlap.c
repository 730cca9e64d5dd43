// What:   Two circulant reductions take turns, each with half of the vector: while the segments of one half travel, every
//         rank reduces the segment of the other half that came before. See reduce/circulant.c.
// Cost:   T = u + (2(S-1 + ceil(log2 p)) - 1) max(u,g) + g, u = alpha + m/(2S) beta, g = m/(2S) gamma; eager: a
//         recurrence over all ranks' clocks. S is the number of segments of a half.
// Source: Träff 2024, n-block schedules for reduction; the overlap is ours.
// Needs:  a commutative operation.
//
//   p = 5, S = 1      r -> r-3      3 -> 0   4 -> 1      (first half)
//                     r -> r-3      3 -> 0   4 -> 1      (second half; the first one is reduced)
//                     r -> r-2      2 -> 0               (first half; the second one is reduced)
//                     r -> r-2      2 -> 0               (second half)
//                     r -> r-1      1 -> 0               (first half)
//                     r -> r-1      1 -> 0               (second half)
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

static void reduce_circulant_overlap(const Coll *c)
{
    const Slice acc = reduce_acc(c);
    const Blocks half = blocks_even(c, acc, 2);
    coll_copy(c, acc, c->in);
    Blocks segments[2];
    CirculantSchedule x[2];
    Slice inbox[2], sum = {0}, got = {0}; // what came last, and where it is to be added
    for (int h = 0; h < 2; h++) {
        segments[h] = blocks_size(c, block(&half, h), c->par.segment);
        inbox[h] = coll_scratch(c, block(&segments[h], 0).len);
        x[h] = circulant_schedule(c, segments[h].n);
    }
    for (int i = 0; i < 2 * x[0].rounds; i++) {
        const int h = i % 2, left = x[h].rounds - 1 - i / 2;
        // If the second half has a segment less, its last turn is empty.
        const CirculantRound r = left >= 0 ? circulant_round(c, &x[h], left) : (CirculantRound){.to = -1, .from = -1};
        const Slice part = block(&segments[h], r.send), comes = slice_like(inbox[h], part);
        const CollReq first = coll_mark(c);
        if (r.to >= 0)
            coll_irecv(c, r.to, comes);
        if (r.from >= 0)
            coll_isend(c, r.from, block(&segments[h], r.recv));
        coll_reduce(c, sum, sum, got);
        coll_waitall(c, first);
        sum = r.to >= 0 ? part : (Slice){0};
        got = r.to >= 0 ? comes : (Slice){0};
    }
    coll_reduce(c, sum, sum, got);
}

static int pattern(const Coll *c, int *x)
{
    const Blocks half = blocks_even(c, c->in, 2);
    int n = 0;
    for (int h = 0; h < 2; h++) {
        const CirculantSchedule schedule = circulant_schedule(c, blocks_size(c, block(&half, h), c->par.segment).n);
        n += circulant_pattern(c, &schedule, x + n);
    }
    return n;
}

// Follows all ranks' clocks, because eager messages may arrive before their round.
static int64_t eager(const CollPoint *x)
{
    const int64_t S = segments(x, x->m / 2), gm = g(x, x->m / 2 / S);
    CirculantSchedule *of = calloc((size_t)x->p, sizeof *of);
    bool *pending = calloc((size_t)x->p, sizeof *pending);
    Clocks k = clocks_new(x->p);
    clocks_bytes(&k, x->m / 2 / S);
    for (int v = 0; v < x->p; v++)
        of[v] = circulant_schedule(&(Coll){.p = x->p, .rank = v}, (int)S);
    for (int i = 2 * of[0].rounds - 1; i >= 0; i--) {
        for (int v = 0; v < x->p; v++) {
            const CirculantRound r = circulant_round(&(Coll){.p = x->p, .rank = v}, &of[v], i / 2);
            k.to[v] = r.from;
            k.from[v] = r.to;
        }
        clocks_round(&k, x, false);
        for (int v = 0; v < x->p; v++) {
            k.now[v] = later(k.now[v], k.before[v] + (pending[v] ? gm : 0));
            pending[v] = k.from[v] >= 0;
        }
    }
    for (int v = 0; v < x->p; v++)
        k.now[v] += pending[v] ? gm : 0;
    free(of);
    free(pending);
    return clocks_free(&k);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m / 2), um = u(x, x->m / 2 / S), gm = g(x, x->m / 2 / S);
    if (x->eager)
        return eager(x);
    return x->p == 1 ? 0 : um + (2 * (S - 1 + log2_ceil(x->p)) - 1) * later(um, gm) + gm;
}

const CollAlgorithm reduce_circulant_overlap_algorithm = {
    .collective = COLL_REDUCE,
    .name = "circulant_overlap",
    .summary = "circulant reductions of both halves take turns: segments of one travel while the other is reduced",
    .run = reduce_circulant_overlap,
    .needs = {&need_commutative},
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .pattern = pattern,
    .cost = "u + (2(S-1 + ceil(log2 p)) - 1) max(u,g) + g, u = alpha + m/(2S) beta, g = m/(2S) gamma; eager: a "
            "recurrence over all ranks' clocks",
    .formula = formula,
    .source = "Träff 2024, n-block schedules for reduction; the overlap is ours",
};
