// A rank's run, which owns what a text takes, and the views that texts run on.
#include "api/backend.h"
#include <glib.h>

CollOp coll_keep(const CollIssue *op)
{
    return (CollOp){.kind = op->kind,
                    .to = op->to,
                    .from = op->from,
                    .out = *op->out,
                    .in = *op->in,
                    .right = *op->right,
                    .n = op->n,
                    .blocks = op->blocks,
                    .which = op->which};
}

struct CollChunk {
    struct CollChunk *next;
    size_t used, size;
    int at[];
};

int *coll_ints(const Coll *c, size_t n)
{
    struct CollChunk *chunk = c->run->chunks;
    if (!chunk || chunk->size - chunk->used < n) {
        const size_t size = MAX(n, 1024);
        chunk = g_malloc(sizeof *chunk + size * sizeof(int));
        *chunk = (struct CollChunk){.next = c->run->chunks, .size = size};
        c->run->chunks = chunk;
    }
    int *ints = chunk->at + chunk->used;
    chunk->used += n;
    return ints;
}

static void free_chunks(struct CollChunk *chunk)
{
    while (chunk) {
        struct CollChunk *next = chunk->next;
        g_free(chunk);
        chunk = next;
    }
}

void coll_run_init(CollRun *run, void (*emit_op)(CollRun *run, const CollIssue *op))
{
    *run = (CollRun){.emit = emit_op, .next_scratch = COLL_FIRST_SCRATCH};
}

void coll_run_reset(CollRun *run)
{
    run->next_request = run->n_pending = 0;
    run->next_scratch = COLL_FIRST_SCRATCH;
    run->scratch = 0;
    if (run->chunks) { // keeps one chunk for the next rank
        free_chunks(run->chunks->next);
        run->chunks->next = NULL;
        run->chunks->used = 0;
    }
}

void coll_run_clear(CollRun *run)
{
    free_chunks(run->chunks);
    g_free(run->pending);
    run->chunks = NULL;
    run->pending = NULL;
}

Coll coll_make(Collective collective, const Coll *of, int rank, size_t m, CollRun *run)
{
    Coll c = *of;
    const size_t all = c.counts ? c.counts->at[c.p] : m * (size_t)c.p, mine = c.counts ? c.counts->len[rank] : m;
    c.rank = rank;
    c.run = run;
    c.up = NULL;
    c.in = (Slice){.buf = COLL_IN, .len = m};
    c.out = (Slice){.buf = COLL_OUT, .len = m};
    switch (collective) {
    case COLL_BARRIER:
        c.out.len = 0;
        // fall through
    case COLL_BCAST:
        c.in = c.out;
        break;
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
    case COLL_GATHER:
    case COLL_GATHERV:
        c.in.len = mine;
        c.out.len = all;
        break;
    case COLL_SCATTER:
    case COLL_SCATTERV:
        c.in.len = all;
        c.out.len = mine;
        break;
    case COLL_ALLTOALLV:
        c.counts_shift = rank;
        // fall through
    case COLL_ALLTOALL:
        c.in.len = c.out.len = all;
        break;
    case COLL_REDUCE_SCATTER_BLOCK:
        c.in.len = all;
        break;
    case COLL_REDUCE_SCATTER: {
        c.in.len = c.counts ? all : m;
        const Blocks b = coll_in(&c);
        c.out.len = block(&b, rank).len;
        break;
    }
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
    case COLL_SCAN:
    case COLL_EXSCAN:
    case N_COLLECTIVES:
        break;
    }
    return c;
}

void coll_in_place(Coll *c, Collective collective)
{
    const bool at_root = c->rank == c->root, gather = collective == COLL_GATHER || collective == COLL_GATHERV;
    const bool scatter = collective == COLL_SCATTER || collective == COLL_SCATTERV;
    const Blocks in = coll_in(c), out = coll_out(c);
    if (collective == COLL_ALLGATHER || collective == COLL_ALLGATHERV || (gather && at_root))
        c->in = slice_like(block(&out, c->rank), c->in);
    else if (scatter && at_root)
        c->out = slice_like(block(&in, c->rank), c->out);
    else if (collectives[collective].reduces && (collective != COLL_REDUCE || at_root))
        c->in = c->out;
}
