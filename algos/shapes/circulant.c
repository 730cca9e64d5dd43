// The circulant graph: every rank sends to the ranks skip[k] ahead of it, k = 0 .. q-1, where skip[q] = p and
// skip[k] = ceil(skip[k+1] / 2), so that skip[0] = 1 and q = ceil(log2 p). Example: p = 5 has the skips 1 2 3, then 5.
//
// The source of the reduce-scatter and the allgather is Träff 2024; the broadcast follows Träff 2022-2024 (arXiv
// 2205.10072, 2312.11236, 2407.18004).
#include "shapes/circulant.h"
#include "api/blocks.h"
#include "api/communicate.h"
#include "api/integers.h"
#include "shapes/exchange.h"

Circulant circulant_graph(int p)
{
    Circulant x = {.p = p, .q = log2_ceil(p)};
    x.skip[x.q] = p;
    for (int k = x.q - 1; k >= 0; k--)
        x.skip[k] = x.skip[k + 1] / 2 + x.skip[k + 1] % 2;
    return x;
}

// ---- A block for each rank -----------------------------------------------------------------------------------------

void circulant_halve(const Coll *c, const Circulant *x, int rounds, const Blocks *acc)
{
    const Slice inbox = coll_scratch(c, rounds > 0 ? blocks(acc, 0, x->p / 2).len : 0);
    for (int k = x->q - 1; k >= x->q - rounds; k--) {
        const int s = x->skip[k], n = x->skip[k + 1] - s;
        const Slice keep = blocks(acc, 0, n), got = slice_like(inbox, keep);
        coll_sendrecv(c, (c->rank + s) % c->p, blocks(acc, s, s + n), (c->rank + c->p - s) % c->p, got);
        coll_reduce(c, keep, keep, got);
    }
}

// Reduces what has come for blocks first .. end-1 of `acc`; `got` begins with block 0.
static void add_blocks(const Coll *c, const Blocks *acc, Slice got, int first, int end)
{
    if (first >= end)
        return;
    const Slice sum = blocks(acc, first, end);
    coll_reduce(c, sum, sum, slice_at(got, blocks(acc, 0, first).len, sum.len));
}

void circulant_halve_overlap(const Coll *c, const Circulant *x, int rounds, const Blocks *acc)
{
    const size_t most = rounds > 0 ? blocks(acc, 0, x->p / 2).len : 0;
    const Slice inbox[2] = {coll_scratch(c, most), coll_scratch(c, most)};
    int came = 0; // the number of blocks that came in the last round
    for (int k = x->q - 1; k >= x->q - rounds; k--) {
        const int s = x->skip[k], n = x->skip[k + 1] - s;
        const Slice last = inbox[(k + 1) % 2];
        add_blocks(c, acc, last, s, came);
        const CollReq first = coll_mark(c);
        coll_irecv(c, (c->rank + c->p - s) % c->p, slice_like(inbox[k % 2], blocks(acc, 0, n)));
        coll_isend(c, (c->rank + s) % c->p, blocks(acc, s, s + n));
        add_blocks(c, acc, last, 0, s < came ? s : came);
        coll_waitall(c, first);
        came = n;
    }
    add_blocks(c, acc, inbox[(x->q - rounds) % 2], 0, came);
}

void circulant_halve_back(const Coll *c, const Circulant *x, int rounds, const Blocks *have)
{
    for (int k = x->q - rounds; k < x->q; k++) {
        const int s = x->skip[k], n = x->skip[k + 1] - s;
        coll_sendrecv(c, (c->rank + c->p - s) % c->p, blocks(have, 0, n), (c->rank + s) % c->p, blocks(have, s, s + n));
    }
}

void circulant_turn(const Coll *c, const Blocks *turned, const Blocks *vector, bool back)
{
    const int n = vector->n, behind = n - turned->turn;
    const Slice here[2] = {blocks(turned, 0, behind), blocks(turned, behind, n)},
                there[2] = {blocks(vector, turned->turn, n), blocks(vector, 0, turned->turn)};
    for (int i = 0; i < 2; i++)
        coll_copy(c, back ? there[i] : here[i], back ? here[i] : there[i]);
}

Blocks circulant_reduce_scatter(const Coll *c, const Blocks *in, bool overlap)
{
    const Circulant x = circulant_graph(c->p);
    const Blocks acc = blocks_turned(c, in, c->rank);
    exchange_pack(c, acc.all, in, c->rank, 1);
    (overlap ? circulant_halve_overlap : circulant_halve)(c, &x, x.q, &acc);
    return acc;
}

void circulant_allgather(const Coll *c, const Blocks *have, const Blocks *out)
{
    const Circulant x = circulant_graph(c->p);
    circulant_halve_back(c, &x, x.q, have);
    exchange_unpack(c, out, c->rank, 1, have->all);
}

// ---- One message in n blocks ---------------------------------------------------------------------------------------

// Returns v's base block: the one block that v receives in the same group of q rounds in which the root sends it. The
// function writes v as a sum of skips, taking the largest skip that fits each time; the base block is the number of the
// last, and smallest, skip. It is q for v = 0, the root. Example: for p = 5, v = 4 = 3 + 1 = skip[2] + skip[0] has the
// base block 0.
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
    int k;           // the round whose block the search looks for
    int64_t v;       // the place of v on the line, p + v
    int64_t last;    // the place found for round k-1
    uint64_t unused; // bit e is set if no round has claimed skip[e]
} BlockSearch;

// Finds, for each round k, which block v receives, and writes it to block[k] as a number 0 .. q.
//
// Think of the ranks as places on a line: places u and p + u are both rank u, so places 0 and p are the root. A sum of
// distinct skips is a path from place 0. On the paths that the search finds, the smallest skip is the base block of the
// rank at the end. (The path of skip[q] = p alone ends at the root; there, block q stands for v's own base block.) In
// round k, v receives from place p + v - skip[k]. The search gives round k the base block of a place that
//   - lies at or before p + v - skip[k],
//   - lies before the place found for round k-1, and
//   - is the end of a path of skips that no earlier round has claimed; the round claims the smallest skip of its path.
//
// The search is depth-first. `from` is the end of the path so far, and only skips below number e may extend it; the
// largest of them is tried first, because it leads farthest. The new end `at` can still serve round k+1 if it lies at
// or before p + v - skip[k+1]; then the search first extends the path, to find places beyond `at` for round k (and the
// rounds after it), and takes `at` for the round that comes next.
//
// Example: p = 5, v = 3. The skips are 1 2 3 5, and v is at place 8. Its base block is 2, because 3 = skip[2]; this
// leaves the skips 0, 1 and 3 unused.
//   0 + skip[3] = 5   lies before 8 - skip[1] = 6, so it can still serve round 1: extend the path first.
//   5 + skip[1] = 7   is 8 - skip[0]: round 0 receives block 1, from rank 2.
//   5 + skip[0] = 6   is 8 - skip[1]: round 1 receives block 0, from rank 1. No unused skip is left below 0: go back.
//   place 5           is 8 - skip[2]: round 2 receives block 3, from the root.
// block[] is 1 0 3. Here 3 = q stands for v's base block 2, which the root sends in this group of rounds; 1 and 0 are
// blocks of the group before. circulant_receives turns these numbers into -2 -3 2.
static void find_blocks(BlockSearch *s, int64_t from, int e)
{
    for (uint64_t left; (left = s->unused & ((UINT64_C(1) << e) - 1)) != 0;) {
        e = 63 - __builtin_clzll(left);
        const int64_t at = from + s->skip[e];
        if (at > s->v - s->skip[s->k] || at >= s->last)
            continue;
        if (at <= s->v - s->skip[s->k + 1])
            find_blocks(s, at, e);
        // No later round can take `from` itself, so the caller must take it for this one.
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

int circulant_group(const CirculantSchedule *x, int i)
{
    const int q = x->graph.q;
    return (x->before + i) / q * q - x->before;
}

CirculantRound circulant_round(const Coll *c, const CirculantSchedule *x, int i)
{
    const int k = circulant_k(x, i), s = x->graph.skip[k], group = circulant_group(x, i);
    const int send = circulant_block(x, group, x->send[k]), recv = circulant_block(x, group, x->recv[k]);
    CirculantRound r = {.to = -1, .from = -1};
    if (send >= 0 && x->v + s != c->p) { // rank v + s = p is the root, which has every block
        r.to = (c->rank + s) % c->p;
        r.send = send;
    }
    if (recv >= 0 && x->v != 0) {
        r.from = (c->rank + c->p - s) % c->p;
        r.recv = recv;
    }
    return r;
}

int circulant_pattern(const Coll *c, const CirculantSchedule *x, int *pattern)
{
    enum { FIRST = 3, LAST = 1, BITS = 4 }; // groups of rounds; bits of a round
    const int q = x->graph.q, per_int = 8;
    int n = 0;
    for (int i = 0; i < x->rounds; i++) {
        if (i == FIRST * q && i < x->rounds - LAST * q)
            i = x->rounds - LAST * q;
        const CirculantRound r = circulant_round(c, x, i);
        const bool sends = r.to >= 0, receives = r.from >= 0;
        const int bits =
            sends | receives << 1 | (sends && r.send == x->n - 1) << 2 | (receives && r.recv == x->n - 1) << 3;
        if (n % per_int == 0)
            pattern[n / per_int] = 0;
        pattern[n / per_int] |= (int)((unsigned)bits << n % per_int * BITS);
        n++;
    }
    return (n + per_int - 1) / per_int;
}
