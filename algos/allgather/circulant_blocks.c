// What:   All ranks broadcast their blocks at the same time over the circulant graph: every block travels in S segments
//         as in bcast circulant, and all segments that have the same sender and receiver in a round are one message.
//         The algorithm is meant for blocks of different lengths. See shapes/circulant.c.
// Cost:   T = (S-1 + ceil(log2 p)) alpha + (p-1) m beta. S is the number of segments of a block, and m is its size,
//         in bytes. In an allgatherv every block has the S segments that the longest block needs.
// Source: Träff 2022-2024, n-block broadcast schedules; MPICH main, allgather circ_graph. See arXiv 2205.10072 and
//         2407.18004, all-to-all broadcast.
// Needs:  nothing.
//
//   p = 5, S = 1      r -> r+1   r's block
//                     r -> r+2   r's block
//                     r -> r+3   the blocks of r and r-1
#include "coll.h"
#include "times/times.h"

// The schedules of all broadcasts. Every rank is the root of one, and has another v in each.
typedef struct All {
    CirculantSchedule x;
    const int *receives; // circulant_receives for each v: p numbers for each round of a group
    Blocks out;
} All;

static All schedule_all(const Coll *c)
{
    All a = {.out = coll_out(c)};
    const Blocks longest = blocks_size(c, slice_at(c->out, 0, blocks_longest(&a.out)), c->par.segment);
    a.x = circulant_schedule(c, longest.n);
    const size_t p = (size_t)c->p, q = (size_t)a.x.graph.q;
    int *receives = coll_ints(c, p * q), of_v[32];
    for (size_t v = 1; v < p; v++) {
        circulant_receives(&a.x.graph, (int)v, of_v);
        for (size_t k = 0; k < q; k++)
            receives[k * p + v] = of_v[k];
    }
    a.receives = receives;
    return a;
}

// One round of all broadcasts.
typedef struct Round {
    const int *receives; // by v
    int group;
} Round;

// Returns the segment that `rank` receives in the round of the broadcast whose root is v ranks behind it; the slice is
// empty if there is none.
static Slice arrives(const Coll *c, const All *a, Round round, int rank, int v)
{
    const int n = circulant_block(&a->x, round.group, round.receives[v]);
    if (n < 0)
        return (Slice){0};
    const Blocks segments = blocks_even(c, block(&a->out, (rank + c->p - v) % c->p), a->x.n);
    return block(&segments, n);
}

static void allgather_circulant_blocks(const Coll *c)
{
    const All a = schedule_all(c);
    const Slice outbox = coll_scratch(c, c->out.len), inbox = coll_scratch(c, c->out.len);
    coll_copy(c, block(&a.out, c->rank), c->in);
    for (int i = 0; i < a.x.rounds; i++) {
        const int k = circulant_k(&a.x, i), s = a.x.graph.skip[k];
        const Round round = {a.receives + (size_t)k * (size_t)c->p, circulant_group(&a.x, i)};
        const int to = (c->rank + s) % c->p, from = (c->rank + c->p - s) % c->p;
        size_t sent = 0, got = 0;
        for (int v = 1; v < c->p; v++) {
            const Slice part = arrives(c, &a, round, to, v);
            coll_copy(c, slice_at(outbox, sent, part.len), part);
            sent += part.len;
            got += arrives(c, &a, round, c->rank, v).len;
        }
        coll_sendrecv(c, to, slice_at(outbox, 0, sent), from, slice_at(inbox, 0, got));
        got = 0;
        for (int v = 1; v < c->p; v++) {
            const Slice part = arrives(c, &a, round, c->rank, v);
            coll_copy(c, part, slice_at(inbox, got, part.len));
            got += part.len;
        }
    }
}

static int64_t formula(const CollPoint *x)
{
    return x->p == 1 ? 0 : (segments(x, x->m) - 1 + log2_ceil(x->p)) * x->alpha + (x->p - 1) * x->m * x->beta;
}

#define COMMON                                                                                                         \
    .name = "circulant_blocks",                                                                                        \
    .summary = "all ranks broadcast their blocks at once, in segments, over a circulant graph",                        \
    .run = allgather_circulant_blocks, .params = {SEGMENT}, .peers = PEERS_SHIFT, .same_as = same_always,              \
    .cost = "(S-1 + ceil(log2 p)) alpha + (p-1) m beta", .formula = formula,                                           \
    .source = "Träff 2022-2024, n-block broadcast schedules; MPICH main, allgather circ_graph"

const CollAlgorithm allgather_circulant_blocks_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .aliases = {"mpich:circ_graph"},
};

const CollAlgorithm allgatherv_circulant_blocks_algorithm = {COMMON, .collective = COLL_ALLGATHERV};
