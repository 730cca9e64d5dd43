// What:   allgather k_bruck backwards: rank r orders the blocks as r, r+1, r+2 .. (mod p). In rounds d = .., k^2, k, 1
//         it has partial results for the first k d of them. It sends the runs of d blocks from d, 2d .. (k-1)d on to
//         the ranks r+d, r+2d .. r+(k-1)d. The messages of a round are under way together, and each is added to the
//         first d blocks as soon as it is there, while others travel.
// Cost:   T = sum over d of max(J u + g, u + J g), u = alpha + d m/p beta, g = d m/p gamma, J = min(k-1, ceil(p/d)-1)
//         messages of d blocks; the last message of the first round may be shorter. k >= p: max(u, g) (p-2) + u + g.
// Source: Bruck et al. 1997, the allgather backwards; Träff 2024 for k = 2.
// Needs:  a commutative operation.
//
//   p = 8      to r+4 (4 blocks)   to r+2 (2 blocks)   to r+1 (1 block)
//   p = 9      k = 3      to r+3, to r+6 (3 blocks)   to r+1, to r+2 (1 block)
#include "coll.h"
#include "times/times.h"

// Takes the round at distance d: adds what the others have of the first d blocks to them.
static void round_at(const Coll *c, const Blocks *acc, int d)
{
    const int p = c->p, n = (int)k_bruck_runs(p, c->par.radix, d);
    const Blocks inbox = blocks_even(c, coll_scratch(c, (size_t)n * blocks(acc, 0, d).len), n);
    const CollReq round = coll_mark(c);
    for (int j = 1; j <= n; j++) {
        const int far = j * d, end = far + d < p ? far + d : p;
        coll_irecv(c, (c->rank + p - far) % p, slice_like(block(&inbox, j - 1), blocks(acc, 0, end - far)));
        coll_isend(c, (c->rank + far) % p, blocks(acc, far, end));
    }
    for (int j = 1; j <= n; j++) {
        const Slice keep = blocks(acc, 0, j * d + d < p ? d : p - j * d);
        coll_wait(c, round + 2 * (j - 1));
        coll_reduce(c, keep, keep, slice_like(block(&inbox, j - 1), keep));
    }
    coll_waitall(c, round);
}

static void reduce_scatter_k_bruck(const Coll *c)
{
    const Blocks in = coll_in(c), acc = blocks_turned(c, &in, c->rank);
    exchange_pack(c, acc.all, &in, c->rank, 1);
    for (int64_t d = k_bruck_first(c->p, c->par.radix); c->p > 1 && d >= 1; d /= c->par.radix)
        round_at(c, &acc, (int)d);
    coll_copy(c, c->out, block(&acc, 0));
}

static int64_t formula(const CollPoint *x)
{
    const int p = x->p, k = x->par.radix;
    int64_t t = 0;
    for (int64_t d = k_bruck_first(p, k); p > 1 && d >= 1; d /= k) {
        const int64_t n = k_bruck_runs(p, k, d), last = p - n * d < d ? p - n * d : d, full = d * (x->m / p);
        const int64_t before = n > 1 ? later((n - 1) * u(x, full) + g(x, full), u(x, full) + (n - 1) * g(x, full)) : 0;
        t += later(before, (n - 1) * u(x, full) + u(x, last * (x->m / p))) + g(x, last * (x->m / p));
    }
    return t;
}

#define COMMON                                                                                                         \
    .name = "k_bruck", .summary = "the k-ary Bruck allgather backwards, with reductions while other messages travel",  \
    .run = reduce_scatter_k_bruck, .needs = {&need_commutative},                                                       \
    .params = {RADIX(4, "k, the factor by which a round divides the blocks")}, .peers = PEERS_SHIFT,                   \
    .same_as = same_always,                                                                                            \
    .cost = "sum over d of max(J u + g, u + J g), u = alpha + d m/p beta, g = d m/p gamma, J = min(k-1, ceil(p/d)-1) " \
            "messages of d blocks; the last message of the first round may be shorter",                                \
    .formula = formula, .source = "Bruck et al. 1997, the allgather backwards; Träff 2024 for k = 2"

const CollAlgorithm reduce_scatter_k_bruck_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_k_bruck_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
