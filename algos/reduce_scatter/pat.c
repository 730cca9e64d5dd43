// What:   The messages of allgather pat backwards: every block travels up a binomial tree, and a rank adds its own to
//         those of its children. Up to `aggregate` blocks of different trees are one message. Where more would have to
//         travel together, one group of trees follows the other, and each takes its edges depth-first, the nearest
//         first. See shapes/pat.c.
// Cost:   T = N alpha + (p-1)/p m (beta + gamma); p = 2^d, aggregate A = 2^a < p/2: N = a-1 + p/A; A >= p/2: N =
//         ceil(log2 p); else by counting messages. m is the size of the whole vector, in bytes.
// Source: Jeaugey 2025, PAT; NCCL 2.23. See arXiv 2506.20252. NCCL reads a rank's own blocks from the send buffer; here
//         they are in a copy of it.
// Needs:  a commutative operation.
//
//   p = 8, aggregate 2      blocks r-5, r-7 to r-1   blocks r-1, r-3 to r-1   to r-2: r-2, r-6   to r-4: r-4
#include "coll.h"
#include "times/times.h"

static void reduce_scatter_pat(const Coll *c)
{
    const Blocks in = coll_in(c), acc = blocks_of(coll_scratch(c, c->in.len), &in);
    coll_copy(c, acc.all, c->in);
    pat_reduce_scatter(c, &acc);
    coll_copy(c, c->out, block(&acc, c->rank));
}

static int64_t formula(const CollPoint *x)
{
    return pat_messages(x->p, x->par.chains) * x->alpha + (x->m - x->m / x->p) * (x->beta + x->gamma);
}

#define COMMON                                                                                                         \
    .name = "pat", .summary = "a binomial tree for each block, with limited numbers of blocks in a message",           \
    .run = reduce_scatter_pat, .needs = {&need_commutative}, .params = {AGGREGATE}, .peers = PEERS_SHIFT,              \
    .same_as = same_divided,                                                                                           \
    .cost = "N alpha + (p-1)/p m (beta + gamma); p = 2^d, aggregate A = 2^a < p/2: N = a-1 + p/A; A >= p/2: "          \
            "N = ceil(log2 p); else by counting messages",                                                             \
    .formula = formula, .source = "Jeaugey 2025, PAT; NCCL 2.23"

const CollAlgorithm reduce_scatter_pat_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_pat_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};
