#include "registry/meaning.h"
#include "api/backend.h"
#include "api/make.h"
#include "api/blocks.h"

bool meaning_has_data(Collective collective, const Coll *view)
{
    const bool from_root = collective == COLL_BCAST || collective == COLL_SCATTER || collective == COLL_SCATTERV;
    return !from_root || view->rank == view->root;
}

// Returns the offset, in bytes, of the block for rank r in the `in` of rank `owner`, which has a block for every rank.
static size_t block_at(Collective collective, const Coll *view, int owner, int r, size_t m)
{
    const Coll other = coll_make(collective, view, owner, m, NULL);
    const Blocks in = coll_in(&other);
    return block(&in, r).off;
}

void meaning_of(Collective collective, const Coll *view, size_t m, DueFunc due, void *user)
{
    const int r = view->rank, root = view->root;
    const Slice out = view->out;
    switch (collective) {
    case COLL_BCAST:
        due(&(Due){out, root, root + 1, 0}, user);
        break;
    case COLL_SCATTER:
    case COLL_SCATTERV:
        due(&(Due){out, root, root + 1, block_at(collective, view, root, r, m)}, user);
        break;
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        due(&(Due){out, 0, view->p, block_at(collective, view, r, r, m)}, user);
        break;
    case COLL_GATHER:
    case COLL_GATHERV:
        if (r != root)
            break;
        // fall through
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
    case COLL_ALLTOALL:
    case COLL_ALLTOALLV: {
        const bool all_to_all = collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV;
        const Blocks blocks_out = coll_out(view);
        for (int s = 0; s < view->p; s++)
            due(&(Due){block(&blocks_out, s), s, s + 1, all_to_all ? block_at(collective, view, s, r, m) : 0}, user);
        break;
    }
    case COLL_REDUCE:
        if (r != root)
            break;
        // fall through
    case COLL_ALLREDUCE:
        due(&(Due){out, 0, view->p, 0}, user);
        break;
    case COLL_SCAN:
        due(&(Due){out, 0, r + 1, 0}, user);
        break;
    case COLL_EXSCAN:
        if (r > 0)
            due(&(Due){out, 0, r, 0}, user);
        break;
    case COLL_BARRIER:
    case N_COLLECTIVES:
        break;
    }
}
