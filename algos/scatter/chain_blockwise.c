// What:   chains of consecutive ranks hang below the root, which sends single blocks down them, each chain's farthest block
//         first; a rank passes all but the last one on, its own. pipeline: one chain, blocks in S segments. No library has
//         them: built from the words of the report on Open MPI's collectives, whose names Open MPI's source lacks.
// Cost:   T = (p-1) (alpha + m beta) for any number of chains; pipeline: (p-1) S (alpha + m/S beta): as nothing that a scatter
//         sends is wanted twice, segments save nothing.
// Source: the report's words; the shape of the chains is that of Open MPI 4.1 bcast chain.
// Needs:  nothing; chains beyond p-1 are cut.
//
//   p = 5, 1 chain      0 -> 1 (4's)
//                       0 -> 1 (3's)   1 -> 2 (4's)
//                       0 -> 1 (2's)   1 -> 2 (3's)   2 -> 3 (4's)
//                       0 -> 1         1 -> 2         2 -> 3         3 -> 4
#include "coll.h"

static void send_chains(const Coll *c, const Tree *t, int chains)
{
    const Blocks b = coll_in(c);
    for (int far = chain_span(1, c->p, chains) - 1; far >= 0; far--)
        for (int j = 0, head = 1; j < t->n; head += chain_span(head, c->p, chains), j++) {
            if (far >= chain_span(head, c->p, chains))
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
    const int64_t passed = (int64_t)(chain_span(coll_v(c), c->p, chains) - 1) * own.n;
    // One message arrives while the one before leaves.
    Slice in = block(&own, 0), inbox[2] = {in, in};
    for (int i = 0; passed && i < 2; i++)
        inbox[i] = coll_scratch(c, in.len);
    coll_recv(c, t.parent, passed ? in = inbox[0] : in);
    for (int64_t k = 1; k < passed + own.n; k++) {
        const Slice out = in, segment = block(&own, (int)(k % own.n));
        in = k < passed ? slice_like(inbox[k % 2], segment) : segment;
        if (k <= passed)
            coll_sendrecv(c, t.child[0], out, t.parent, in);
        else
            coll_recv(c, t.parent, in);
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

#define SHARED                                                                                                         \
    .collective = COLL_SCATTER, .peers = PEERS_SHIFT, .formula = formula,                                              \
    .source = "named by the report on Open MPI's collectives; in no library"

const CollAlgorithm scatter_chain_blockwise_algorithm = {
    SHARED,
    .name = "chain_blockwise",
    .summary = "single blocks run down several chains of ranks, the farthest one's first",
    .run = scatter_chain_blockwise,
    .params = {CHAINS},
    .same_as = same_chain_run,
    .cost = "(p-1) (alpha + m beta)",
};

const CollAlgorithm scatter_pipeline_algorithm = {
    SHARED,
    .name = "pipeline",
    .summary = "single blocks, in segments, run down one chain of all ranks, the farthest one's first",
    .run = scatter_pipeline,
    .params = {SEGMENT},
    .cost = "(p-1) S (alpha + m/S beta)",
};
