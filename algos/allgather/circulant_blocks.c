// What:   All ranks broadcast their blocks at the same time over the circulant graph: every block travels in S segments
//         as in bcast circulant. The segments that have the same sender and receiver in a round are one message, or
//         each is a message of its own. The algorithm is meant for blocks of different lengths. See shapes/circulant.c.
// Cost:   aggregated: (S-1 + ceil(log2 p)) alpha + (p-1) m beta; separate: (p-1) (S alpha + m beta). S is the number of
//         segments of a block, and m is its size, in bytes. In an allgatherv every block has the S segments that the
//         longest block needs.
// Source: Träff 2022-2024, n-block broadcast schedules; MPICH main, allgather circ_graph. See arXiv 2205.10072 and
//         2407.18004, all-to-all broadcast. Träff aggregates; MPICH sends separately.
// Needs:  nothing.
//
//   p = 5, S = 1      r -> r+1   r's block
//                     r -> r+2   r's block
//                     r -> r+3   the blocks of r and r-1
#include "coll.h"
#include "times/times.h"

enum { AGGREGATED, SEPARATE };
static const char *const ways[] = {"aggregated", "separate", NULL};

// The schedules of all broadcasts. Every rank is the root of one, and has another v in each.
typedef struct All {
    CirculantSchedule x;
    const int *receives; // circulant_receives for each v: p numbers for each round of a group
    const int *order;    // for each round of a group, the p - 1 v in the order of these numbers, the largest first
    const int *often;    // for each round of a group, how many v receive -q, .. and q-1
    bool alike;          // all ranks' blocks are as long as each other
    Blocks segments;     // then those of rank 0's block, which are as long as any other's
    // If they are not, block i is cut into segments of size[i] bytes, the first longer[i] of them one element longer.
    const size_t *size;
    const int *longer;
    Blocks out;
} All;

// Fills what of All depends on p alone.
static void make_schedules(int p, int *receives)
{
    const Circulant graph = circulant_graph(p);
    const int q = graph.q;
    int *order = receives + (size_t)p * (size_t)q, *often = order + (size_t)p * (size_t)q, of_v[32];
    for (int i = 0; i < 2 * q * q; i++)
        often[i] = 0;
    for (int v = 1; v < p; v++) {
        circulant_receives(&graph, v, of_v);
        for (int k = 0; k < q; k++) {
            receives[(size_t)k * (size_t)p + (size_t)v] = of_v[k];
            often[2 * q * k + q + of_v[k]]++;
        }
    }
    for (int k = 0; k < q; k++, receives += p, order += p) {
        int place[64], at = 0;
        for (int i = 2 * q - 1; i >= 0; at += often[2 * q * k + i--])
            place[i] = at;
        for (int v = 1; v < p; v++)
            order[place[q + receives[v]]++] = v;
    }
}

// Notes how long the segments of each block are.
static void cut_blocks(const Coll *c, All *a)
{
    size_t *size = coll_sizes(c, (size_t)c->p);
    int *longer = coll_ints(c, (size_t)c->p);
    for (int i = 0; i < c->p; i++) {
        const Blocks segments = blocks_even(c, block(&a->out, i), a->x.n);
        size[i] = segments.size;
        longer[i] = segments.longer;
    }
    a->size = size;
    a->longer = longer;
}

static All schedule_all(const Coll *c)
{
    All a = {.out = coll_out(c)};
    const Blocks longest = blocks_size(c, slice_at(c->out, 0, blocks_longest(&a.out)), c->par.segment);
    a.x = circulant_schedule(c, longest.n);
    const size_t p = (size_t)c->p, q = (size_t)a.x.graph.q;
    a.receives = coll_table(c, make_schedules, c->p, 2 * q * (p + q));
    a.order = a.receives + p * q;
    a.often = a.order + p * q;
    a.alike = !a.out.counts && c->out.len == p * longest.all.len; // with counts there may be gaps
    if (a.alike)
        a.segments = blocks_even(c, block(&a.out, 0), a.x.n);
    else
        cut_blocks(c, &a);
    return a;
}

// One round of all broadcasts.
typedef struct Round {
    const int *receives;      // by v
    const int *order, *often; // as in All
    int group;
} Round;

// Returns true if a rank receives a segment in the round of the broadcast whose root is v ranks behind it.
static bool any_arrives(const All *a, Round round, int v)
{
    return circulant_block(&a->x, round.group, round.receives[v]) >= 0;
}

// Returns the segment that `rank` receives in the round of the broadcast whose root is v ranks behind it; the slice is
// empty if there is none.
static Slice arrives(const Coll *c, const All *a, Round round, int rank, int v)
{
    if (!any_arrives(a, round, v))
        return (Slice){0};
    const Blocks segments = blocks_even(c, block(&a->out, (rank + c->p - v) % c->p), a->x.n);
    const Slice part = block(&segments, circulant_block(&a->x, round.group, round.receives[v]));
    // As a slice of its own, because a recorder takes the p blocks of a cut for those of the p ranks.
    return slice_at(part, 0, part.len);
}

// Returns the bytes that a rank receives in the round.
static size_t arrive(const Coll *c, const All *a, Round round, int rank)
{
    const int q = a->x.graph.q;
    size_t len = 0;
    for (int i = 0; i < c->p - 1 && !a->alike; i++) {
        const int v = round.order[i], segment = circulant_block(&a->x, round.group, round.receives[v]),
                  owner = rank < v ? rank + c->p - v : rank - v;
        if (segment < 0)
            break;
        len += a->size[owner] + (segment < a->longer[owner] ? c->elem : 0);
    }
    if (!a->alike)
        return len;
    for (int i = 0; i < 2 * q; i++) {
        const int segment = round.often[i] ? circulant_block(&a->x, round.group, i - q) : -1;
        len += segment < 0 ? 0 : (size_t)round.often[i] * block(&a->segments, segment).len;
    }
    return len;
}

// Copies the segments of a round into the outbox, or out of the inbox, where they lie one after the other.
static void pack(const Coll *c, const All *a, Round round, int rank, Slice box, bool in)
{
    size_t at = 0;
    for (int i = 0; i < c->p - 1 && coll_copies(c) && any_arrives(a, round, round.order[i]); i++) {
        const Slice part = arrives(c, a, round, rank, round.order[i]), packed = slice_at(box, at, part.len);
        coll_copy(c, in ? part : packed, in ? packed : part);
        at += part.len;
    }
}

// Sends the segments of a round in one message, and receives those of another.
static void exchange_all(const Coll *c, const All *a, Round round, int to, int from, Slice outbox, Slice inbox)
{
    const size_t comes = arrive(c, a, round, c->rank), leaves = a->alike ? comes : arrive(c, a, round, to);
    pack(c, a, round, to, outbox, false);
    coll_sendrecv(c, to, slice_at(outbox, 0, leaves), from, slice_at(inbox, 0, comes));
    pack(c, a, round, c->rank, inbox, true);
}

// Sends and receives each segment of a round by itself.
static void exchange_each(const Coll *c, const All *a, Round round, int to, int from)
{
    for (int v = 1; v < c->p; v++)
        if (any_arrives(a, round, v)) {
            coll_isend(c, to, arrives(c, a, round, to, v));
            coll_irecv(c, from, arrives(c, a, round, c->rank, v));
        }
    coll_waitall(c, 0);
}

static void allgather_circulant_blocks(const Coll *c)
{
    const All a = schedule_all(c);
    const bool all = c->par.choice == AGGREGATED;
    const Slice outbox = coll_scratch(c, all ? c->out.len : 0), inbox = coll_scratch(c, all ? c->out.len : 0);
    coll_copy(c, block(&a.out, c->rank), c->in);
    for (int i = 0; i < a.x.rounds; i++) {
        const int k = circulant_k(&a.x, i), s = a.x.graph.skip[k];
        const size_t first = (size_t)k * (size_t)c->p;
        const Round round = {a.receives + first, a.order + first, a.often + 2 * k * a.x.graph.q,
                             circulant_group(&a.x, i)};
        const int to = (c->rank + s) % c->p, from = (c->rank + c->p - s) % c->p;
        if (all)
            exchange_all(c, &a, round, to, from, outbox, inbox);
        else
            exchange_each(c, &a, round, to, from);
    }
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m),
                  messages = x->par.choice == AGGREGATED ? S - 1 + log2_ceil(x->p) : (x->p - 1) * S;
    return x->p == 1 ? 0 : messages * x->alpha + (x->p - 1) * x->m * x->beta;
}

#define COMMON                                                                                                         \
    .name = "circulant_blocks",                                                                                        \
    .summary = "all ranks broadcast their blocks at once, in segments, over a circulant graph",                        \
    .run = allgather_circulant_blocks,                                                                                 \
    .params = {SEGMENT, CHOICE("blocks", ways, "one message for all segments of a round, or one for each")},           \
    .peers = PEERS_SHIFT, .same_as = same_always,                                                                      \
    .cost = "aggregated: (S-1 + ceil(log2 p)) alpha + (p-1) m beta; separate: (p-1) (S alpha + m beta)",               \
    .formula = formula, .source = "Träff 2022-2024, n-block broadcast schedules; MPICH main, allgather circ_graph"

const CollAlgorithm allgather_circulant_blocks_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .aliases = {"mpich:circ_graph"},
};

const CollAlgorithm allgatherv_circulant_blocks_algorithm = {COMMON, .collective = COLL_ALLGATHERV};
