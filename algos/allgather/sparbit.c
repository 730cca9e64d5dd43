// What:   In rounds d = 2^(c-1) .. 2, 1, with c = ceil(log2 p), rank r sends to rank r+d the blocks that r+d does not
//         have yet: the blocks r, r-2d, r-4d and so on. The nearest ranks thus exchange the most blocks. The blocks of
//         a round are one message, or each block is a message of its own.
// Cost:   aggregated: ceil(log2 p) alpha + (p-1) m beta; separate: (p-1) (alpha + m beta). m is the size of a block, in
//         bytes.
// Source: allgather sparbit: Loch, Koslovski 2021; Open MPI main, allgather sparbit.
//         allgatherv sparbit: Loch, Koslovski 2021; Open MPI main, allgatherv sparbit.
//         The paper aggregates; Open MPI sends separately.
// Needs:  nothing.
//
//   p = 8      from r-4: block r-4   from r-2: blocks r-2, r-6   from r-1: blocks r-1, r-3, r-5, r-7
#include "coll.h"
#include "times/times.h"

enum { AGGREGATED, SEPARATE };
static const char *const ways[] = {"aggregated", "separate", NULL};

static void allgather_sparbit(const Coll *c)
{
    const int p = c->p;
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->rank), c->in);
    for (int d = (1 << log2_ceil(p)) / 2; d >= 1; d /= 2) {
        const int n = ((p - 1) / d + 1) / 2, step = (2 * p - 2 * d) % p; // blocks r, r-2d ..
        const int to = (c->rank + d) % p, from = (c->rank - d + p) % p;
        if (c->par.choice == AGGREGATED) {
            exchange_blocks(c, &b, n, step, to, c->rank, from, from);
            continue;
        }
        const int *out = blocks_numbers(c, c->rank, step, n, p), *in = blocks_numbers(c, from, step, n, p);
        for (int i = 0; i < n; i++) {
            coll_isend(c, to, block(&b, out[i]));
            coll_irecv(c, from, block(&b, in[i]));
        }
        coll_waitall(c, 0);
    }
}

static int64_t formula(const CollPoint *x)
{
    const int messages = x->par.choice == AGGREGATED ? log2_ceil(x->p) : x->p - 1;
    return messages * x->alpha + (x->p - 1) * x->m * x->beta;
}

#define COMMON                                                                                                         \
    .name = "sparbit", .summary = "like recursive doubling, but with the farthest ranks first, and for any p",         \
    .run = allgather_sparbit,                                                                                          \
    .params = {CHOICE("blocks", ways, "one message for all blocks of a round, or one for each")},                      \
    .peers = PEERS_SHIFT, .same_as = same_always,                                                                      \
    .cost = "aggregated: ceil(log2 p) alpha + (p-1) m beta; separate: (p-1) (alpha + m beta)", .formula = formula

const CollAlgorithm allgather_sparbit_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .aliases = {"ompi-main:7", "ucc:sparbit"},
    .presets = {{"ucc:sparbit", "blocks", SEPARATE}},
    .source = "Loch, Koslovski 2021; Open MPI main, allgather sparbit",
};

const CollAlgorithm allgatherv_sparbit_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .aliases = {"ompi-main:6"},
    .source = "Loch, Koslovski 2021; Open MPI main, allgatherv sparbit",
};
