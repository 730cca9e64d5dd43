// What:   Parallel aggregated trees, as in NCCL since version 2.23: every block travels down a binomial tree whose ranks
//         send to the farthest child first, and up to `aggregate` blocks of different trees are one message. As long as
//         the blocks of a round fit into one message, the rounds are those of sparbit. After that, one group of trees
//         goes on after the other, and each takes its edges depth-first: then few blocks are under way at a time, and a
//         rank needs buffers for about aggregate log2 p blocks. See shapes/pat.c.
// Cost:   T = N alpha + (p-1) m beta; p = 2^d, aggregate A = 2^a < p/2: N = a-1 + p/A; A >= p/2: N = ceil(log2 p); else
//         by counting messages. m is the size of a block, in bytes.
// Source: Jeaugey 2025, PAT; NCCL 2.23. See arXiv 2506.20252. The order of the groups and of the edges of a tree is
//         this page's.
// Needs:  nothing.
//
//   p = 8, aggregate 2      to r+4: r   to r+2: r, r-4   then blocks r, r-2 to r+1, blocks r-4, r-6 to r+1
#include "coll.h"
#include "times/times.h"

static void allgather_pat(const Coll *c)
{
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->rank), c->in);
    pat_allgather(c, &b);
}

static int64_t formula(const CollPoint *x)
{
    return pat_messages(x->p, x->par.chains) * x->alpha + (x->p - 1) * x->m * x->beta;
}

#define COMMON                                                                                                         \
    .name = "pat", .summary = "a binomial tree for each block, with limited numbers of blocks in a message",           \
    .run = allgather_pat, .params = {AGGREGATE}, .peers = PEERS_SHIFT, .same_as = same_always,                         \
    .cost = "N alpha + (p-1) m beta; p = 2^d, aggregate A = 2^a < p/2: N = a-1 + p/A; A >= p/2: N = ceil(log2 p); "    \
            "else by counting messages",                                                                               \
    .formula = formula, .source = "Jeaugey 2025, PAT; NCCL 2.23"

const CollAlgorithm allgather_pat_algorithm = {COMMON, .collective = COLL_ALLGATHER};
const CollAlgorithm allgatherv_pat_algorithm = {COMMON, .collective = COLL_ALLGATHERV};
