// What:   Each rank first copies its blocks to the places that their numbers have with the bits reversed. In log2 p
//         rounds, pairs of ranks at distance 1, 2, 4 .. then exchange halves of what they have left and reduce the half
//         that they keep. This keeps the order of the ranks, and each rank ends with its own block. In butterfly the
//         blocks stay where they are, and an exchange at the end brings them to their ranks. See shapes/butterfly.c.
// Cost:   T = d alpha + (p-1)/p m (beta + gamma), p = 2^d. m is the size of the whole vector, in bytes.
// Source: MPICH, reduce_scatter noncommutative.
// Needs:  p a power of two, blocks of equal length; else recursive_doubling runs.
//
//   p = 8      copy      0 1 2 3 4 5 6 7 -> 0 4 2 6 1 5 3 7
//              rounds    r xor 1 (4 blocks)   r xor 2 (2 blocks)   r xor 4 (1 block)
#include "coll.h"
#include "times/times.h"

static void reduce_scatter_mirrored(const Coll *c)
{
    const int p = c->p;
    const Blocks in = coll_in(c);
    const Slice acc = coll_scratch(c, c->in.len);
    const Parts part = {.blocks = blocks_even(c, acc, p), .n = p, .k = 2, .nearest = true};
    int *which = coll_ints(c, (size_t)p); // which[i] is i with its log2 p bits reversed
    which[0] = 0;
    for (int m = 1; m < p; m *= 2)
        for (int i = 0; i < m; i++)
            which[m + i] = which[i] + p / m / 2;
    coll_pack(c, acc, &in, p, which);
    parts_halve(c, &part);
    coll_copy(c, c->out, parts_left(&part, c->rank, p / 2));
}

static bool equal_holds(const Coll *c)
{
    const Blocks in = coll_in(c);
    for (int i = 1; i < c->p; i++)
        if (block(&in, i).len != block(&in, 0).len)
            return false;
    return true;
}
static const CollNeed need_equal = {equal_holds, "the blocks are not of equal length", "blocks of equal length"};

static int64_t formula(const CollPoint *x)
{
    return log2_floor(x->p) * x->alpha + (x->m - x->m / x->p) * (x->beta + x->gamma);
}

#define COMMON                                                                                                         \
    .name = "mirrored",                                                                                                \
    .summary = "each rank permutes its blocks; then pairs exchange halves of them, the nearest pairs first",           \
    .run = reduce_scatter_mirrored, .needs = {&need_pow2, &need_equal}, .otherwise = "recursive_doubling",             \
    .ordered = true, .peers = PEERS_XOR, .same_as = same_pow2_even,                                                    \
    .cost = "d alpha + (p-1)/p m (beta + gamma), p = 2^d", .formula = formula,                                         \
    .source = "MPICH, reduce_scatter noncommutative"

const CollAlgorithm reduce_scatter_mirrored_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER,
    .aliases = {"mpich:noncommutative", "smpi:mpich_noncomm"},
};

const CollAlgorithm reduce_scatter_block_mirrored_algorithm = {
    COMMON,
    .collective = COLL_REDUCE_SCATTER_BLOCK,
    .aliases = {"mpich:noncommutative", "smpi:mpich_noncomm"},
};
