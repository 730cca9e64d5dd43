// What:   The root has k children, each the head of a chain of consecutive ranks. A rank sends its own block to the
//         rank before it, and then the blocks of the ranks behind it, one by one. In pipeline there is one chain, and
//         each block travels in S segments. See shapes/tree.c for the chains.
// Cost:   gather chain_blockwise: T = (p-1) (alpha + m beta); eager: ceil((p-1)/k) (alpha + m beta), k = min(chains,
//         p-1).
//         gather pipeline: T = (p-1) S (alpha + m/S beta).
//         m is the size of a block, in bytes. Segments save no time.
// Source: named by the report on Open MPI's collectives; in no library. It mirrors scatter chain_blockwise. A comment
//         in Open MPI's source lists it as still to be written; the chains are those of Open MPI 4.1, bcast chain.
// Needs:  nothing. If the parameter chains is above p-1, there are p-1 chains.
//
//   p = 5, 1 chain      1 -> 0         2 -> 1         3 -> 2         4 -> 3
//                       1 -> 0 (2's)   2 -> 1 (3's)   3 -> 2 (4's)
//                       1 -> 0 (3's)   2 -> 1 (4's)
//                       1 -> 0 (4's)
#include "coll.h"
#include "times/times.h"

// Receives, at the root, the blocks of the heads of all chains, then those of the next rank in each chain, and so on.
static void receive_chains(const Coll *c, const Tree *t, int chains)
{
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->root), c->in);
    for (int far = 0; far < tree_chain_span(1, c->p, chains); far++)
        for (int j = 0, head = 1; j < t->n; head += tree_chain_span(head, c->p, chains), j++) {
            if (far >= tree_chain_span(head, c->p, chains))
                continue;
            const Blocks segments = blocks_size(c, block(&b, coll_rank(c, head + far)), c->par.segment);
            for (int s = 0; s < segments.n; s++)
                coll_recv(c, t->child[j], block(&segments, s));
        }
}

static void gather_blockwise(const Coll *c, int chains)
{
    const Tree t = tree_chain(c, c->root, chains);
    if (t.parent < 0) {
        receive_chains(c, &t, chains);
        return;
    }
    const Blocks own = blocks_size(c, c->in, c->par.segment), *out = &own;
    const int n = tree_chain_span(coll_v(c), c->p, chains);
    // One block arrives in one buffer while the block before it leaves from the other.
    const Slice inbox[2] = {coll_scratch(c, n > 1 ? c->in.len : 0), coll_scratch(c, n > 2 ? c->in.len : 0)};
    const Blocks buffer[2] = {blocks_size(c, inbox[0], c->par.segment), blocks_size(c, inbox[1], c->par.segment)};
    for (int i = 0; i < n; i++) {
        const Blocks *in = &buffer[i % 2];
        for (int s = 0; s < own.n; s++) {
            const bool more = s + 1 < own.n;
            if (more ? i == 0 : i + 1 == n)
                coll_send(c, t.parent, block(out, s));
            else
                coll_sendrecv(c, t.parent, block(out, s), t.child[0], block(more ? out : in, more ? s + 1 : 0));
        }
        out = in;
    }
}

static void gather_chain_blockwise(const Coll *c)
{
    gather_blockwise(c, c->par.chains);
}

static void gather_pipeline(const Coll *c)
{
    gather_blockwise(c, 1);
}

static int64_t formula_blockwise(const CollPoint *x)
{
    const int k = tree_chain_count(x->p, x->par.chains);
    return x->p == 1 ? 0 : (x->eager ? (x->p - 2) / k + 1 : x->p - 1) * u(x, x->m);
}

static int64_t formula_pipeline(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    return (x->p - 1) * S * u(x, x->m / S);
}

#define COMMON                                                                                                         \
    .collective = COLL_GATHER, .peers = PEERS_SHIFT,                                                                   \
    .source = "named by the report on Open MPI's collectives; in no library"

const CollAlgorithm gather_chain_blockwise_algorithm = {
    COMMON,
    .name = "chain_blockwise",
    .summary = "blocks travel one by one up several chains of ranks, the nearest rank's block first",
    .run = gather_chain_blockwise,
    .params = {CHAINS},
    .same_as = same_chain_run,
    .row_of = symmetry_chain_row,
    .cost = "(p-1) (alpha + m beta); eager: ceil((p-1)/k) (alpha + m beta), k = min(chains, p-1)",
    .formula = formula_blockwise,
};

const CollAlgorithm gather_pipeline_algorithm = {
    COMMON,
    .name = "pipeline",
    .summary = "blocks travel one by one, in segments, up one chain of all ranks, the nearest rank's block first",
    .run = gather_pipeline,
    .params = {SEGMENT},
    .row_of = symmetry_pipeline_row,
    .cost = "(p-1) S (alpha + m/S beta)",
    .formula = formula_pipeline,
};
