#include "bounds.h"

double lower_bound(Collective collective, int p, size_t m, const Platform *platform)
{
    const double n = (double)m, others = p - 1, share = others / p * n; // (p-1)/p m
    double bytes = 0, reduced = 0;
    switch (collective) {
    case COLL_BCAST:
        bytes = p > 1 ? n : 0;
        break;
    case COLL_REDUCE:
        bytes = p > 1 ? n : 0;
        reduced = share;
        break;
    case COLL_SCATTER:
    case COLL_SCATTERV:
    case COLL_GATHER:
    case COLL_GATHERV:
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
    case COLL_ALLTOALL:
    case COLL_ALLTOALLV:
        bytes = others * n;
        break;
    case COLL_REDUCE_SCATTER:
        bytes = reduced = share;
        break;
    case COLL_REDUCE_SCATTER_BLOCK:
        bytes = reduced = others * n;
        break;
    case COLL_SCAN:
    case COLL_EXSCAN:
        bytes = p > 1 ? n : 0;
        reduced = p > (collective == COLL_SCAN ? 1 : 2) ? n : 0;
        break;
    case COLL_ALLREDUCE:
        bytes = 2 * share;
        reduced = share;
        break;
    case COLL_BARRIER:
    case N_COLLECTIVES:
        break;
    }
    const double latency = log2_ceil(p) * platform->value[KEY_ALPHA];
    return MAX(latency, MAX(bytes * platform->value[KEY_BETA], reduced * platform->value[KEY_GAMMA]));
}
