#include "api/make.h"
#include "api/blocks.h"

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
