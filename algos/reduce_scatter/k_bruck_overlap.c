// What:   k_bruck whose rounds overlap: what arrives last in a round is added in the order in which the next round sends
//         it on, the farthest run of blocks first, so that a run is added while the one before it travels. The next
//         round sends at once what the last message has nothing for, if that is shorter in the first round.
// Cost:   the recurrence of one rank, as all are in step: at most k_bruck's, and up to (k-1)/k g less for each round but
//         the last one, g = d m/p gamma.
// Source: this page. Bruck et al. 1997, the allgather backwards; Träff 2024 for k = 2.
// Needs:  a commutative operation.
//
//   p = 9, k = 3      to r+3, to r+6 (3 blocks)      add block 2, send it to r+2; add block 1, send it to r+1; add block 0
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

// Returns the number of the i-th run that a rank sends in a round of n: the shorter one of the first round is the last.
static int64_t run_at(bool first, int64_t n, int64_t i)
{
    return first ? i + 1 : n - i;
}

static int64_t blocks_of_run(int p, int64_t d, int64_t run)
{
    return p - run * d < d ? p - run * d : d;
}

// What arrives last in a round: it is for the first n blocks.
typedef struct BruckLast {
    int64_t n;
    Slice inbox;
    CollReq request;
} BruckLast;

// Adds it to the run of blocks, as far as it is for these.
static void add_late(const Coll *c, const Blocks *acc, const BruckLast *late, int64_t run, int64_t d)
{
    const int first = (int)(run * d), end = (int)(first + d < late->n ? first + d : late->n);
    if (first >= end)
        return;
    const Slice keep = blocks(acc, first, end);
    coll_wait(c, late->request);
    coll_reduce(c, keep, keep, slice_like(slice_at(late->inbox, blocks(acc, 0, first).len, keep.len), keep));
}

static void round_at(const Coll *c, const Blocks *acc, int64_t d, bool first, BruckLast *late)
{
    const int p = c->p, n = (int)k_bruck_runs(p, c->par.radix, d);
    const Blocks inbox = blocks_even(c, coll_scratch(c, (size_t)n * blocks(acc, 0, (int)d).len), n);
    const CollReq request = coll_mark(c);
    for (int i = 0; i < n; i++) {
        const int64_t run = run_at(first, n, i);
        const Slice keep = blocks(acc, 0, (int)blocks_of_run(p, d, run));
        coll_irecv(c, (int)((c->rank + p - run * d) % p), slice_like(block(&inbox, i), keep));
    }
    for (int i = 0; i < n; i++) {
        const int64_t run = run_at(first, n, i), far = run * d;
        add_late(c, acc, late, run, d);
        coll_isend(c, (int)((c->rank + far) % p), blocks(acc, (int)far, (int)(far + blocks_of_run(p, d, run))));
    }
    add_late(c, acc, late, 0, d);
    for (int i = 0; i < n; i++) {
        *late = (BruckLast){blocks_of_run(p, d, run_at(first, n, i)), block(&inbox, i), request + i};
        if (i + 1 < n)
            add_late(c, acc, late, 0, d);
    }
}

static void reduce_scatter_k_bruck_overlap(const Coll *c)
{
    const Blocks in = coll_in(c), acc = blocks_turned(c, &in, c->rank);
    const int64_t most = k_bruck_first(c->p, c->par.radix);
    const CollReq mark = coll_mark(c);
    BruckLast late = {0};
    exchange_pack(c, acc.all, &in, c->rank, 1);
    for (int64_t d = most; c->p > 1 && d >= 1; d /= c->par.radix)
        round_at(c, &acc, d, d == most, &late);
    add_late(c, &acc, &late, 0, 1);
    coll_waitall(c, mark);
    coll_copy(c, c->out, block(&acc, 0));
}

// The clock of a rank, and what has arrived last.
typedef struct BruckClock {
    const CollPoint *x;
    int64_t now, out; // the port is free
    int64_t n, come;
} BruckClock;

static void add_time(BruckClock *t, int64_t run, int64_t d)
{
    const int64_t n = (t->n < (run + 1) * d ? t->n : (run + 1) * d) - run * d;
    if (n > 0)
        t->now = later(t->now, t->come) + g(t->x, n * (t->x->m / t->x->p));
}

static void round_time(BruckClock *t, int64_t d, bool first, int64_t *come)
{
    const int p = t->x->p;
    const int64_t n = k_bruck_runs(p, t->x->par.radix, d);
    for (int64_t i = 0; i < n; i++) {
        const int64_t run = run_at(first, n, i);
        add_time(t, run, d);
        come[i] = t->out = later(t->now, t->out) + u(t->x, blocks_of_run(p, d, run) * (t->x->m / p));
    }
    add_time(t, 0, d);
    for (int64_t i = 0; i < n; i++) {
        t->n = blocks_of_run(p, d, run_at(first, n, i));
        t->come = come[i];
        if (i + 1 < n)
            add_time(t, 0, d);
    }
}

static int64_t formula(const CollPoint *x)
{
    const int p = x->p, k = x->par.radix;
    const int64_t most = k_bruck_first(p, k);
    int64_t *come = calloc((size_t)(k < p ? k : p), sizeof *come);
    BruckClock t = {.x = x};
    for (int64_t d = most; p > 1 && d >= 1; d /= k)
        round_time(&t, d, d == most, come);
    free(come);
    add_time(&t, 0, 1);
    return later(t.now, t.out);
}

#define COMMON                                                                                                         \
    .name = "k_bruck_overlap", .summary = "k_bruck, in which blocks are added while others travel to the next round",  \
    .run = reduce_scatter_k_bruck_overlap, .needs = {&need_commutative},                                               \
    .params = {RADIX(4, "k, the factor by which a round divides the blocks")}, .peers = PEERS_SHIFT,                   \
    .same_as = same_always,                                                                                            \
    .cost = "the recurrence of one rank, as all are in step: at most k_bruck's, and up to (k-1)/k g less for each "    \
            "round but the last one, g = d m/p gamma",                                                                 \
    .formula = formula, .source = "this page. Bruck et al. 1997, the allgather backwards; Träff 2024 for k = 2"

const CollAlgorithm reduce_scatter_k_bruck_overlap_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_k_bruck_overlap_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
