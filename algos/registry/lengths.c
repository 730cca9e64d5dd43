#include "registry/lengths.h"
#include "api/communicate.h"
#include "api/integers.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "shapes/runs.h"

// The defaults of MPICH 4: BCAST_SHORT_MSG_SIZE and BCAST_LONG_MSG_SIZE, in bytes, and BCAST_MIN_PROCS.
enum { MEDIUM_FROM = 12288, LONG_FROM = 524288, MANY_RANKS = 8 };

bool lengths_over_tree(const CollParams *par, int p)
{
    return par->choice != LEVEL_CONSERVATIVE || par->lengths != LENGTHS_MPICH || p < MANY_RANKS ||
           runs_counts_bytes(p) < MEDIUM_FROM;
}

void lengths_bcast(const Coll *c)
{
    if (lengths_over_tree(&c->par, c->p)) {
        runs_bcast_counts(c);
        return;
    }
    const size_t bytes = runs_counts_bytes(c->p);
    Coll lengths = *c;
    lengths.counts = NULL;
    lengths.elem = 1;
    lengths.in = lengths.out = coll_scratch(c, bytes);
    coll_phase(c, "lengths");
    coll_call(&lengths, bytes < LONG_FROM && is_pow2(c->p) ? &bcast_scatter_rd_allgather_algorithm
                                                           : &bcast_scatter_ring_allgather_algorithm);
    coll_phase(c, NULL);
}
