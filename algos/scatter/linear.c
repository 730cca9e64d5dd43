// What:   The root sends the blocks to one rank after the other. An empty block is a message in a scatter, and none
//         in a scatterv.
// Cost:   T = (p-1) (alpha + m beta). m is the size of a block, in bytes. A scatterv takes (p-1) alpha + M beta, where
//         M is the number of bytes of all blocks except the root's.
// Source: scatter linear: Open MPI 4.1, scatter basic_linear.
//         scatterv linear: Open MPI 4.1, coll/basic scatterv; MPICH, scatterv linear.
// Needs:  nothing.
//
//   p = 8      0 -> 1   0 -> 2   0 -> 3   0 -> 4   0 -> 5   0 -> 6   0 -> 7
#include "coll.h"
#include "times/times.h"

static void send_blocks(const Coll *c, bool empty_too)
{
    if (c->rank != c->root) {
        if (c->out.len > 0 || empty_too)
            coll_recv(c, c->root, c->out);
        return;
    }
    const Blocks b = coll_in(c);
    for (int r = 0; r < c->p; r++)
        if (r != c->root && (block(&b, r).len > 0 || empty_too))
            coll_send(c, r, block(&b, r));
    coll_copy(c, c->out, block(&b, c->root));
}

static void scatter_linear(const Coll *c)
{
    send_blocks(c, true);
}

static void scatterv_linear(const Coll *c)
{
    send_blocks(c, false);
}

static int64_t formula(const CollPoint *x)
{
    return (x->p - 1) * u(x, x->m);
}

static int64_t formula_v(const CollPoint *x)
{
    return x->m == 0 ? 0 : formula(x);
}

#define COMMON                                                                                                         \
    .name = "linear", .summary = "the root sends the blocks to all ranks in turn", .peers = PEERS_ABSOLUTE,            \
    .same_as = same_linear, .cost = "(p-1) (alpha + m beta)"

const CollAlgorithm scatter_linear_algorithm = {
    COMMON,
    .collective = COLL_SCATTER,
    .run = scatter_linear,
    .formula = formula,
    .aliases = {"ompi:1", "smpi:ompi_basic_linear"},
    .source = "Open MPI 4.1, scatter basic_linear",
};

const CollAlgorithm scatterv_linear_algorithm = {
    COMMON,
    .collective = COLL_SCATTERV,
    .run = scatterv_linear,
    .formula = formula_v,
    .aliases = {"mpich:linear", "smpi:default", "intel:1"},
    .source = "Open MPI 4.1, coll/basic scatterv; MPICH, scatterv linear",
};
