// What:   gather binomial, but first the root broadcasts all lengths and displacements, 8 bytes a rank, down a binomial
//         tree (level conservative), or all ranks know them (aggressive). What goes straight into place at the root is
//           binomial         a single block; longer runs come through scratch and are copied;
//           binomial_chains  a chain: of a run, blocks that touch at the root, as one message; what lies between two
//                            such chains is one message through scratch.
// Cost:   T = ceil(log2 p) alpha + (p-1) m beta; eager: the longest chain of subtrees; conservative, p = 2^d: + d
//         (alpha + 8p beta). m is the size of a block, in bytes. On the conservative level at most ceil(log2 p) (alpha
//         + 8p beta) is added. Every chain of a run beyond the first costs alpha more.
// Source: Sun et al., gatherv over a binomial tree. The paper's equation (4) leaves out the displacement of the block
//         before, and its scratch of an inner rank leaves out that rank's own block.
// Needs:  nothing.
//
//   p = 8      0 -> 1      0 -> 2   1 -> 3      0 -> 4   1 -> 5   2 -> 6   3 -> 7 (lengths)
//              1 -> 0   3 -> 2   5 -> 4   7 -> 6
//              2 -> 0   6 -> 4 (2 blocks)
//              4 -> 0 (4 blocks, one message for each chain)
#include "coll.h"
#include "times/times.h"

static void gatherv(const Coll *c, MessageChainRule chain)
{
    const Runs r = runs_binomial(c);
    runs_tell_counts(c);
    runs_gather(c, &r, chain);
}

static MessageChain single_block(const Coll *c, const Blocks *b, int i, int j)
{
    (void)c;
    (void)b;
    return (MessageChain){.end = j, .stays = j == i + 1};
}

static void gatherv_binomial(const Coll *c)
{
    gatherv(c, single_block);
}

// Does the block of v + 1 lie right behind that of v?
static bool touches(const Coll *c, const Blocks *b, int v)
{
    return blocks_touch(b, coll_rank(c, v), coll_rank(c, v + 1));
}

static MessageChain message_chain(const Coll *c, const Blocks *b, int i, int j)
{
    int end = i + 1;
    if (end < j && touches(c, b, i)) {
        while (end < j && touches(c, b, end - 1))
            end++;
        return (MessageChain){.end = end, .stays = true};
    }
    while (end < j && (end + 1 == j || !touches(c, b, end)))
        end++;
    return (MessageChain){.end = end, .stays = end == i + 1};
}

static void gatherv_binomial_chains(const Coll *c)
{
    gatherv(c, message_chain);
}

static int64_t formula(const CollPoint *x)
{
    return runs_gather_binomial_time(x, true);
}

// A run in several chains is one that passes rank p-1.
static int same_as_chains(const Coll *c)
{
    return c->root ? coll_v(c) : same_told(c);
}

#define COMMON                                                                                                         \
    .collective = COLL_GATHERV, .params = {LEVEL}, .peers = PEERS_SHIFT,                                               \
    .cost = "ceil(log2 p) alpha + (p-1) m beta; eager: the longest chain of subtrees; "                                \
            "conservative, p = 2^d: + d (alpha + 8p beta)",                                                            \
    .formula = formula, .source = "Sun et al., gatherv over a binomial tree"

const CollAlgorithm gatherv_binomial_algorithm = {
    COMMON,
    .name = "binomial",
    .summary = "gather binomial, after all ranks are told the lengths; the root copies all but single blocks",
    .run = gatherv_binomial,
    .same_as = same_told,
};

const CollAlgorithm gatherv_binomial_chains_algorithm = {
    COMMON,
    .name = "binomial_chains",
    .summary = "gatherv binomial, but blocks that touch at the root come as one message straight into place",
    .run = gatherv_binomial_chains,
    .same_as = same_as_chains,
};
