// What:   In rounds d = 1, k, k^2 .., rank r collects the blocks of the ranks r, r+1, r+2 .. (mod p). In round d it has
//         the first d of these blocks, and it sends them to the ranks r-d, r-2d .. r-(k-1)d. In the last round it sends
//         only the blocks that its peers still miss.
// Cost:   T = N alpha + (p-1) m beta, N = (k-1)(h-1) + floor((p-1)/k^(h-1)), h = ceil(log_k p); k = 2: ceil(log2 p). N
//         is the number of messages that a rank sends; m is the size of a block, in bytes.
// Source: allgather bruck: Bruck et al. 1997; Open MPI 4.1, allgather bruck; MPICH, allgather brucks.
//         allgather k_bruck: Bruck et al. 1997; Open MPI main, allgather k_bruck; MPICH, allgather k_brucks.
//         allgatherv bruck: Bruck et al. 1997; Open MPI 4.1, allgatherv bruck; MPICH, allgatherv brucks.
//         allgatherv k_bruck: Bruck et al. 1997; Open MPI main, allgather k_bruck.
// Needs:  nothing.
//
//   p = 8      from r+1 (1 block)   from r+2 (2 blocks)   from r+4 (4 blocks)
#include "coll.h"
#include "times/times.h"

static void allgather_bruck(const Coll *c)
{
    const int p = c->p, k = c->par.radix;
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->rank), c->in);
    for (int64_t d = 1; d < p; d *= k)
        for (int j = 1; j < k && j * d < p; j++) {
            const int far = (int)(j * d), n = d < p - far ? (int)d : p - far;
            const int to = (c->rank - far + p) % p, from = (c->rank + far) % p;
            exchange_blocks(c, &b, n, 1, to, c->rank, from, from);
        }
}

// The messages of a round are under way together. Between the rounds the blocks are in the order r, r+1, r+2 ..
static void allgather_k_bruck(const Coll *c)
{
    const int p = c->p, k = c->par.radix;
    const Blocks out = coll_out(c), places = blocks_turned(c, &out, c->rank);
    coll_copy(c, block(&places, 0), c->in);
    for (int64_t d = 1; d < p; d *= k) {
        const CollReq round = coll_mark(c);
        for (int j = 1; j < k && j * d < p; j++) {
            const int far = (int)(j * d), n = d < p - far ? (int)d : p - far;
            coll_irecv(c, (c->rank + far) % p, blocks(&places, far, far + n));
            coll_isend(c, (c->rank - far + p) % p, blocks(&places, 0, n));
        }
        coll_waitall(c, round);
    }
    exchange_unpack(c, &out, c->rank, 1, places.all);
}

static int64_t formula(const CollPoint *x)
{
    return times_knomial_rounds(x->p, x->par.radix) * x->alpha + (x->p - 1) * x->m * x->beta;
}

#define COMMON                                                                                                         \
    .peers = PEERS_SHIFT, .same_as = same_always,                                                                      \
    .cost = "N alpha + (p-1) m beta, N = (k-1)(h-1) + floor((p-1)/k^(h-1)), h = ceil(log_k p); k = 2: ceil(log2 p)",   \
    .formula = formula

const CollAlgorithm allgather_bruck_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .name = "bruck",
    .run = allgather_bruck,
    .aliases = {"ompi:2", "mpich:brucks", "smpi:bruck", "ucc:bruck", "intel:2"},
    .summary = "the number of blocks that a rank has grows k-fold in every round, for any p",
    .params = {RADIX(2, "k, the growth factor of a round")},
    .source = "Bruck et al. 1997; Open MPI 4.1, allgather bruck; MPICH, allgather brucks",
};

const CollAlgorithm allgather_k_bruck_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .name = "k_bruck",
    .run = allgather_k_bruck,
    .aliases = {"ompi-main:2", "mpich:k_brucks"},
    .presets = {{"mpich:k_brucks", "radix", 2}},
    .summary = "Bruck's algorithm with more messages in fewer rounds",
    .params = {RADIX(4, "k, the growth factor of a round")},
    .source = "Bruck et al. 1997; Open MPI main, allgather k_bruck; MPICH, allgather k_brucks",
};

const CollAlgorithm allgatherv_bruck_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .name = "bruck",
    .run = allgather_bruck,
    .aliases = {"ompi:2", "mpich:brucks", "smpi:ompi_bruck", "intel:2"},
    .summary = "the number of blocks that a rank has grows k-fold in every round, for any p",
    .params = {RADIX(2, "k, the growth factor of a round")},
    .source = "Bruck et al. 1997; Open MPI 4.1, allgatherv bruck; MPICH, allgatherv brucks",
};

const CollAlgorithm allgatherv_k_bruck_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .name = "k_bruck",
    .run = allgather_k_bruck,
    .summary = "Bruck's algorithm with more messages in fewer rounds",
    .params = {RADIX(4, "k, the growth factor of a round")},
    .source = "Bruck et al. 1997; Open MPI main, allgather k_bruck",
};
