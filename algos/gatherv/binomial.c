// What:   The blocks travel up a binomial tree, as in gather binomial. On the conservative level the root first
//         broadcasts all lengths and displacements, 8 bytes for each rank, and 8 bytes that name the algorithm. They
//         travel down the same tree, down that of bcast binomial, or as MPICH broadcasts so many bytes (the parameter
//         lengths). On the aggressive level all ranks know them. The two algorithms differ in the messages that the
//         root receives straight into place:
//           binomial         a subtree's blocks are one message, which goes straight into place only if it is a single
//                            block; longer messages go through scratch and are copied.
//           binomial_chains  a chain is a sequence of blocks that are contiguous at the root. Each chain is one message
//                            straight into place; the blocks between two chains are one message through scratch, even
//                            if there is only one. The block of a subtree of one rank goes straight into place.
//         See shapes/runs.c.
// Cost:   T = ceil(log2 p) alpha + (p-1) m beta; eager: the longest chain of subtrees; conservative, p = 2^d: + d
//         (alpha + (8p+8) beta), as long as the lengths go down a tree. m is the size of a block, in bytes. The
//         conservative level then adds at most ceil(log2 p) (alpha + (8p+8) beta). Every message of a subtree after the
//         first adds alpha.
// Source: Sun et al., gatherv over a binomial tree. The paper's equation (4) omits the displacement of the block
//         before, and its size of an inner rank's scratch omits the rank's own block.
// Needs:  nothing.
//
//   p = 8      0 -> 4      0 -> 2   4 -> 6      0 -> 1   2 -> 3   4 -> 5   6 -> 7 (lengths)
//              1 -> 0   3 -> 2   5 -> 4   7 -> 6
//              2 -> 0   6 -> 4 (2 blocks)
//              4 -> 0 (4 blocks, one message for each chain)
#include "coll.h"
#include "times/times.h"

static void gatherv(const Coll *c, MessageChainRule chain)
{
    const Runs r = runs_binomial(c);
    lengths_bcast(c);
    coll_phase(c, "gather");
    runs_gather(c, &r, chain);
}

// The rule of binomial: a run is one message, which may stay in place if it is a single block.
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

// Returns true if the block of v + 1 begins where the block of v ends.
static bool touches(const Coll *c, const Blocks *b, int v)
{
    return blocks_touch(b, coll_rank(c, v), coll_rank(c, v + 1));
}

// The rule of binomial_chains: the message that begins with v = i is a chain, or the blocks up to the next chain.
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
    return (MessageChain){.end = end, .stays = is_pow2(i) && j == i + 1}; // a subtree begins at a power of two
}

static void gatherv_binomial_chains(const Coll *c)
{
    gatherv(c, message_chain);
}

static int64_t formula(const CollPoint *x)
{
    return lengths_over_tree(&x->par, x->p) ? runs_gather_binomial_time(x, true) : -1;
}

// With another root than rank 0, a run that goes from rank p-1 on to rank 0 is received as several messages, which
// breaks the symmetry.
static int same_as_chains(const Coll *c)
{
    return c->root ? coll_v(c) : same_after_counts(c);
}

#define COMMON                                                                                                         \
    .collective = COLL_GATHERV, .params = {LEVEL, LENGTHS}, .peers = PEERS_SHIFT,                                      \
    .cost = "ceil(log2 p) alpha + (p-1) m beta; eager: the longest chain of subtrees; "                                \
            "conservative, p = 2^d: + d (alpha + (8p+8) beta), as long as the lengths go down a tree",                 \
    .formula = formula, .unknown = LENGTHS_UNKNOWN, .source = "Sun et al., gatherv over a binomial tree"

const CollAlgorithm gatherv_binomial_algorithm = {
    COMMON,
    .name = "binomial",
    .summary = "gather binomial after a broadcast of the lengths; the root copies all messages except single blocks",
    .run = gatherv_binomial,
    .same_as = same_after_counts,
};

const CollAlgorithm gatherv_binomial_chains_algorithm = {
    COMMON,
    .name = "binomial_chains",
    .summary = "gatherv binomial, but blocks that are contiguous at the root arrive straight in place, as one message",
    .run = gatherv_binomial_chains,
    .same_as = same_as_chains,
};
