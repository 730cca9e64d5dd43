// What:   Rank by rank, the root asks for the block with an empty message and waits for the first part of the block.
//         The second part, which is sent even if it is empty, may arrive while the root asks the next rank.
// Cost:   T = (2p-1) alpha + (p-1) m beta, p >= 2; eager: (p-1) (2 alpha + b beta) + alpha + (m-b) beta, b =
//         first_segment. m is the size of a block, in bytes; b = m if first_segment is 0 or above m.
// Source: Open MPI 4.1, gather linear_sync. There, the first part is coll_tuned_gather_algorithm_segmentsize; the
//         default of 0 bytes means the whole block, and so does a value above the size of a block.
// Needs:  nothing.
//
//   p = 5      0 -> 1 (asks)
//              1 -> 0 (first part)
//              0 -> 2 (asks)          1 -> 0 (second part)
//              2 -> 0 (first part)    .. and so for 3 and 4
#include "coll.h"
#include "times/times.h"

static void gather_linear_sync(const Coll *c)
{
    const size_t first = blocks_first(c, c->in, c->par.segment), second = c->in.len - first;
    const Slice empty = {.buf = COLL_IN};
    if (c->rank != c->root) {
        coll_recv(c, c->root, coll_scratch(c, 0));
        coll_send(c, c->root, slice_at(c->in, 0, first));
        coll_send(c, c->root, slice_at(c->in, first, second));
        return;
    }
    const Blocks b = coll_out(c);
    const CollReq seconds = coll_mark(c);
    for (int r = 0; r < c->p; r++) {
        if (r == c->root)
            continue;
        const CollReq arriving = coll_irecv(c, r, slice_at(block(&b, r), 0, first));
        coll_send(c, r, empty);
        coll_irecv(c, r, slice_at(block(&b, r), first, second));
        coll_wait(c, arriving);
    }
    coll_copy(c, block(&b, c->root), c->in);
    coll_waitall(c, seconds);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t segment = (int64_t)x->par.segment, first = segment == 0 || segment > x->m ? x->m : segment;
    if (x->p == 1)
        return 0;
    if (x->eager)
        return (x->p - 1) * (x->alpha + u(x, first)) + u(x, x->m - first);
    return (2 * x->p - 1) * x->alpha + (x->p - 1) * x->m * x->beta;
}

const CollAlgorithm gather_linear_sync_algorithm = {
    .collective = COLL_GATHER,
    .name = "linear_sync",
    .aliases = {"ompi:3", "smpi:ompi_linear_sync"},
    .summary = "the root asks rank by rank for the first part of the block; the second part follows unasked",
    .run = gather_linear_sync,
    .params = {{"first_segment", PARAM_SIZE, offsetof(CollParams, segment), 0, 0, INT64_MAX, NULL,
                "size of the first part, in bytes; 0 means the whole block", CUT_NOT}},
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "(2p-1) alpha + (p-1) m beta, p >= 2; eager: (p-1) (2 alpha + b beta) + alpha + (m-b) beta, "
            "b = first_segment",
    .formula = formula,
    .source = "Open MPI 4.1, gather linear_sync",
};
