// What:   The root has k children, each the head of a chain of consecutive ranks. It sends blocks one by one down each
//         chain, the block of the farthest rank first. A rank sends all blocks on except the last one, which is its
//         own. In pipeline there is one chain, and each block travels in S segments. See shapes/tree.c for the chains.
// Cost:   scatter chain_blockwise: T = (p-1) (alpha + m beta).
//         scatter pipeline: T = (p-1) S (alpha + m/S beta).
//         m is the size of a block, in bytes. Segments save no time, because the root sends all blocks itself.
// Source: named by the report on Open MPI's collectives; in no library. The chains are those of Open MPI 4.1, bcast
//         chain.
// Needs:  nothing. If the parameter chains is above p-1, there are p-1 chains.
//
//   p = 5, 1 chain      0 -> 1 (4's)
//                       0 -> 1 (3's)   1 -> 2 (4's)
//                       0 -> 1 (2's)   1 -> 2 (3's)   2 -> 3 (4's)
//                       0 -> 1         1 -> 2         2 -> 3         3 -> 4
#include "coll.h"
#include "times/times.h"

// Sends, at the root, the blocks of the farthest rank of each chain, then those of the next nearer rank, and so on.
static void send_chains(const Coll *c, const Tree *t, int chains)
{
    const Blocks b = coll_in(c);
    for (int far = tree_chain_span(1, c->p, chains) - 1; far >= 0; far--)
        for (int j = 0, head = 1; j < t->n; head += tree_chain_span(head, c->p, chains), j++) {
            if (far >= tree_chain_span(head, c->p, chains))
                continue;
            const Blocks segments = blocks_size(c, block(&b, coll_rank(c, head + far)), c->par.segment);
            for (int s = 0; s < segments.n; s++)
                coll_send(c, t->child[j], block(&segments, s));
        }
    coll_copy(c, c->out, block(&b, c->root));
}

static void scatter_blockwise(const Coll *c, int chains)
{
    const Tree t = tree_chain(c, c->root, chains);
    if (t.parent < 0) {
        send_chains(c, &t, chains);
        return;
    }
    const Blocks own = blocks_size(c, c->out, c->par.segment);
    const int passed = tree_chain_span(coll_v(c), c->p, chains) - 1;
    // One block arrives in one buffer while the block before it leaves from the other; the last one is the rank's own.
    const Slice inbox[2] = {coll_scratch(c, passed > 0 ? c->out.len : 0), coll_scratch(c, passed > 1 ? c->out.len : 0)};
    const Blocks buffer[2] = {blocks_size(c, inbox[0], c->par.segment), blocks_size(c, inbox[1], c->par.segment)};
    const Blocks *in = passed ? &buffer[0] : &own;
    coll_recv(c, t.parent, block(in, 0));
    for (int i = 0; i <= passed; i++) {
        const Blocks *out = in;
        in = i + 1 < passed ? &buffer[(i + 1) % 2] : &own;
        for (int s = 0; s < own.n; s++) {
            const bool more = s + 1 < own.n;
            if (i < passed)
                coll_sendrecv(c, t.child[0], block(out, s), t.parent, block(more ? out : in, more ? s + 1 : 0));
            else if (more)
                coll_recv(c, t.parent, block(&own, s + 1));
        }
    }
}

static void scatter_chain_blockwise(const Coll *c)
{
    scatter_blockwise(c, c->par.chains);
}

static void scatter_pipeline(const Coll *c)
{
    scatter_blockwise(c, 1);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    return (x->p - 1) * S * u(x, x->m / S);
}

#define COMMON                                                                                                         \
    .collective = COLL_SCATTER, .peers = PEERS_SHIFT, .formula = formula,                                              \
    .source = "named by the report on Open MPI's collectives; in no library"

const CollAlgorithm scatter_chain_blockwise_algorithm = {
    COMMON,
    .name = "chain_blockwise",
    .summary = "blocks travel one by one down several chains of ranks, the farthest rank's block first",
    .run = scatter_chain_blockwise,
    .params = {CHAINS},
    .same_as = same_chain_run,
    .row_of = symmetry_chain_row,
    .cost = "(p-1) (alpha + m beta)",
};

const CollAlgorithm scatter_pipeline_algorithm = {
    COMMON,
    .name = "pipeline",
    .summary = "blocks travel one by one, in segments, down one chain of all ranks, the farthest rank's block first",
    .run = scatter_pipeline,
    .params = {SEGMENT},
    .row_of = symmetry_pipeline_row,
    .cost = "(p-1) S (alpha + m/S beta)",
};
