// The circulant graph: every rank sends to the ranks skip[k] ahead of it, k = 0 .. q-1, where skip[q] = p and
// skip[k] = ceil(skip[k+1] / 2), so that skip[0] = 1 and q = ceil(log2 p).
#include "shapes/circulant.h"
#include "api/blocks.h"
#include "api/communicate.h"
#include "api/integers.h"

Circulant circulant_graph(int p)
{
    Circulant x = {.p = p, .q = log2_ceil(p)};
    x.skip[x.q] = p;
    for (int k = x.q - 1; k >= 0; k--)
        x.skip[k] = x.skip[k + 1] / 2 + x.skip[k + 1] % 2;
    return x;
}

// ---- A block for each rank -----------------------------------------------------------------------------------------

Blocks circulant_reduce_scatter(const Coll *c, const Blocks *in)
{
    const Circulant x = circulant_graph(c->p);
    const Blocks acc = blocks_turned(c, in, c->rank);
    const Slice inbox = coll_scratch(c, blocks(&acc, 0, c->p / 2).len);
    coll_pack(c, acc.all, in, c->p, blocks_numbers(c, c->rank, 1, c->p, c->p));
    for (int k = x.q - 1; k >= 0; k--) {
        const int s = x.skip[k], n = x.skip[k + 1] - s;
        const Slice keep = blocks(&acc, 0, n), got = slice_like(inbox, keep);
        coll_sendrecv(c, (c->rank + s) % c->p, blocks(&acc, s, s + n), (c->rank + c->p - s) % c->p, got);
        coll_reduce(c, keep, keep, got);
    }
    return acc;
}

void circulant_allgather(const Coll *c, const Blocks *have, const Blocks *out)
{
    const Circulant x = circulant_graph(c->p);
    for (int k = 0; k < x.q; k++) {
        const int s = x.skip[k], n = x.skip[k + 1] - s;
        coll_sendrecv(c, (c->rank + c->p - s) % c->p, blocks(have, 0, n), (c->rank + s) % c->p, blocks(have, s, s + n));
    }
    coll_unpack(c, out, c->p, blocks_numbers(c, c->rank, 1, c->p, c->p), have->all);
}

// ---- One message in n blocks ---------------------------------------------------------------------------------------

// Writes v as a sum of skips, taking the largest that fits each time; returns the last one, or q if v = 0.
static int base_block(const Circulant *x, int v)
{
    for (int k = x->q - 1; k >= 0; k--) {
        if (x->skip[k] == v)
            return k;
        if (x->skip[k] < v)
            v -= x->skip[k];
    }
    return x->q;
}

typedef struct BlockSearch {
    const int *skip;
    int *block;
    int k;           // the round whose block is being looked for
    int64_t v, last; // p + v; what was found for the round before
    uint64_t unused; // skips
} BlockSearch;

// Finds, for each round k, the block that arrives at v.
//
// A block travels from the root along a path of distinct skips, and reaches v in round k from v - skip[k]. Such a path
// uses no skip that an earlier round has claimed. Among the ranks that a path can reach, the search wants the last one
// up to v - skip[k] that lies before the rank found for the round before. It therefore extends the path by the largest
// unused skip below e first, and recurses while the path stays short of v - skip[k+1].
static void find_blocks(BlockSearch *s, int64_t from, int e)
{
    for (uint64_t left; (left = s->unused & ((UINT64_C(1) << e) - 1)) != 0;) {
        e = 63 - __builtin_clzll(left);
        const int64_t at = from + s->skip[e];
        if (at > s->v - s->skip[s->k] || at >= s->last)
            continue;
        if (at <= s->v - s->skip[s->k + 1])
            find_blocks(s, at, e);
        if (from > s->v - s->skip[s->k + 1])
            return;
        s->last = at;
        s->block[s->k++] = e;
        s->unused &= ~(UINT64_C(1) << e);
    }
}

void circulant_receives(const Circulant *x, int v, int *block)
{
    const int b = base_block(x, v);
    BlockSearch s = {.skip = x->skip,
                     .block = block,
                     .v = (int64_t)x->p + v,
                     .last = 2 * (int64_t)x->p,
                     .unused = ((UINT64_C(2) << x->q) - 1) & ~(UINT64_C(1) << b)};
    find_blocks(&s, 0, x->q + 1);
    for (int k = 0; k < x->q; k++)
        block[k] = block[k] == x->q ? b : block[k] - x->q;
}

CirculantSchedule circulant_schedule(const Coll *c, int n)
{
    CirculantSchedule x = {.graph = circulant_graph(c->p), .v = coll_v(c), .n = n};
    if (c->p == 1)
        return x;
    const int q = x.graph.q;
    x.rounds = n - 1 + q;
    x.before = (q - (n - 1) % q) % q;
    circulant_receives(&x.graph, x.v, x.recv);
    for (int k = 0; k < q; k++) {
        int block[32];
        circulant_receives(&x.graph, (x.v + x.graph.skip[k]) % c->p, block);
        x.send[k] = block[k];
    }
    return x;
}

int circulant_k(const CirculantSchedule *x, int i)
{
    return (x->before + i) % x->graph.q;
}

int circulant_block(const CirculantSchedule *x, int i, int entry)
{
    const int q = x->graph.q, block = (x->before + i) / q * q - x->before + entry;
    return block < 0 ? -1 : block < x->n ? block : x->n - 1;
}

CirculantRound circulant_round(const Coll *c, const CirculantSchedule *x, int i)
{
    const int k = circulant_k(x, i), s = x->graph.skip[k];
    const int send = circulant_block(x, i, x->send[k]), recv = circulant_block(x, i, x->recv[k]);
    CirculantRound r = {.to = -1, .from = -1};
    if (send >= 0 && x->v + s != c->p) { // the root has everything
        r.to = (c->rank + s) % c->p;
        r.send = send;
    }
    if (recv >= 0 && x->v != 0) {
        r.from = (c->rank + c->p - s) % c->p;
        r.recv = recv;
    }
    return r;
}
