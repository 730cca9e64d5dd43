// What:   The binary digits of p cut the ranks into blocks of 2^e ranks, the largest block first. Every block reduces
//         by recursive halving. Then, from the smallest block on, the parts of each block travel to the next larger
//         block and are reduced there. The results return in the opposite direction, and every block gathers them by
//         recursive doubling. See shapes/butterfly.c for the halving and doubling.
// Cost:   p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else a recurrence over the blocks, held against the
//         simulation for p = 2 .. 300. The recurrence follows the last place of every block.
// Source: Rabenseifner, Träff 2004.
// Needs:  a commutative operation, count >= 2^floor(log2 p); else recursive_doubling runs.
//
//   p = 7 = 4 + 2 + 1      halving     0-2  1-3 (m/2)   0-1  2-3 (m/4)      4-5 (m/2)
//                          up          6 -> 4  6 -> 5 (m/2)    4 -> 0  4 -> 1  5 -> 2  5 -> 3 (m/4)
//                          down        0 -> 4  1 -> 4  2 -> 5  3 -> 5 (m/4)    4 -> 6  5 -> 6 (m/2)
//                          doubling    0-1  2-3 (m/4)   0-2  1-3 (m/2)      4-5 (m/2)
#include "coll.h"
#include "times/times.h"

// A block of 2^e ranks. The next larger block ends right before it, and the next smaller one begins right after it.
typedef struct BinaryBlock {
    int first;           // the block's first rank
    int size;            // the number of its ranks, 2^e
    int larger, smaller; // the sizes of the next larger and of the next smaller block; 0 if there is none
} BinaryBlock;

static BinaryBlock block_of(int rank, int p)
{
    BinaryBlock b = {.size = pow2_floor(p)};
    while (rank >= b.first + b.size) {
        b.first += b.size;
        b.larger = b.size;
        b.size = pow2_floor(p - b.first);
    }
    if (b.first + b.size < p)
        b.smaller = pow2_floor(p - b.first - b.size);
    return b;
}

static int in_block(const Coll *up, int v)
{
    return block_of(up->rank, up->p).first + v;
}

static void allreduce_binary_blocks(const Coll *c)
{
    const BinaryBlock b = block_of(c->rank, c->p);
    const Coll group = coll_sub(c, b.size, c->rank - b.first, in_block);
    const Blocks pieces = blocks_even(c, c->out, pow2_floor(c->p));
    const Parts part = {.blocks = pieces, .n = b.size, .k = 2}, larger = {.blocks = pieces, .n = b.larger, .k = 2};
    const Slice own = parts_left(&part, group.rank, 1);
    coll_copy(c, c->out, c->in);
    coll_phase(c, "reduce-scatter");
    parts_halve(&group, &part);
    coll_phase(c, "between blocks");
    // A place of the smaller block exchanges messages with several places of the larger one.
    const int above = b.smaller ? b.first + b.size + group.rank / (b.size / b.smaller) : -1;
    if (b.smaller) {
        const Slice inbox = slice_like(coll_scratch(c, own.len), own);
        coll_recv(c, above, inbox);
        coll_reduce(c, own, own, inbox);
    }
    const int below = b.larger ? b.larger / b.size : 0, place = group.rank * below;
    for (int i = 0; i < below; i++)
        coll_send(c, b.first - b.larger + place + i, parts_left(&larger, place + i, 1));
    for (int i = 0; i < below; i++)
        coll_recv(c, b.first - b.larger + place + i, parts_left(&larger, place + i, 1));
    if (b.smaller)
        coll_send(c, above, own);
    coll_phase(c, "allgather");
    parts_halve_back(&group, &part);
}

// Returns when a block of 2^e ranks has reduced by halving.
static int64_t halved(const CollPoint *x, int e)
{
    return e * x->alpha + (x->m - (x->m >> e)) * (x->beta + x->gamma);
}

// Returns how long a block of 2^e ranks takes to gather by doubling.
static int64_t gathered(const CollPoint *x, int e)
{
    return e * x->alpha + (x->m - (x->m >> e)) * x->beta;
}

// Returns when a place of block i gets the last piece of its result, if it has reduced its part at time t. It sends the
// n pieces of its part to the larger block i-1, one after the other, and gets them back in this order. Block i has
// 2^e[i] ranks.
static int64_t result(const CollPoint *x, const int *e, int i, int64_t t)
{
    const int n = 1 << (e[i - 1] - e[i]);
    const int64_t piece = x->m >> e[i - 1], there = halved(x, e[i - 1]);
    const int64_t begin = x->eager ? t : later(t, there);
    int64_t end = begin + n * u(x, piece);
    for (int j = 1; j <= n; j++) {
        int64_t back = later(begin + j * u(x, piece), there) + g(x, piece);
        if (i > 1)
            back = result(x, e, i - 1, back);
        end = x->eager ? later(end, back + u(x, piece)) : later(end, back) + u(x, piece);
    }
    return end;
}

// Follows the last place of every block, which is the last to be done.
static int64_t formula(const CollPoint *x)
{
    int e[32] = {0}, i = 0;
    for (int left = x->p; left; left -= 1 << e[i++])
        e[i] = log2_floor(left);
    i--;
    int64_t t = halved(x, e[i]), T = (i ? result(x, e, i, t) : t) + gathered(x, e[i]);
    for (; i > 0; i--) {
        const int64_t piece = x->m >> e[i - 1], n = 1 << (e[i - 1] - e[i]), there = halved(x, e[i - 1]);
        int64_t end = result(x, e, i, t); // when block i-1 has sent its last message, to block i
        t = later((x->eager ? t : later(t, there)) + n * u(x, piece), there) + g(x, piece);
        if (x->eager)
            end = (i > 1 ? result(x, e, i - 1, t) : t) + u(x, piece);
        T = later(T, end + gathered(x, e[i - 1]));
    }
    return T;
}

const CollAlgorithm allreduce_binary_blocks_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "binary_blocks",
    .summary = "Rabenseifner's algorithm in blocks of 2^e ranks; the parts travel from block to block",
    .run = allreduce_binary_blocks,
    .needs = {&need_commutative, &need_count_pow2},
    .otherwise = "recursive_doubling",
    .peers = PEERS_XOR,
    .same_as = same_pow2_even,
    .cost = "p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else a recurrence over the blocks, held against the "
            "simulation for p = 2 .. 300",
    .formula = formula,
    .source = "Rabenseifner, Träff 2004",
};
