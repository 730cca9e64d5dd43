#include "bounds.h"
#include <math.h>

// ceil(log_k p): in a round with k-1 ports as many ranks can have a message as had it before, and k-1 times as many more;
// as much can a rank have heard of.
static int log_ceil(int p, int k)
{
    int rounds = 0;
    for (double reached = 1; reached < p; reached *= k)
        rounds++;
    return rounds;
}

// Where one message has to reach all ranks, or one rank hears of all. Bytes and work by collective:
static Bounds one_port(Collective collective, double p, double m)
{
    const double others = p - 1, share = others * m / p;
    switch (collective) {
    case COLL_BCAST: // the root sends, or every other rank receives, the whole vector
        return (Bounds){.bytes = m};
    case COLL_REDUCE: // every other rank sends it; p-1 reductions of each byte, at best p ranks do as many each
        return (Bounds){.bytes = m, .work = share};
    case COLL_SCATTER: // the root's port; an allgather's or alltoall's every port
    case COLL_SCATTERV:
    case COLL_GATHER:
    case COLL_GATHERV:
    case COLL_ALLGATHER:
    case COLL_ALLGATHERV:
    case COLL_ALLTOALL:
    case COLL_ALLTOALLV:
        return (Bounds){.bytes = others * m};
    case COLL_REDUCE_SCATTER: // a rank sends all but its own block
        return (Bounds){.bytes = share, .work = share};
    case COLL_REDUCE_SCATTER_BLOCK:
        return (Bounds){.bytes = others * m, .work = others * m};
    case COLL_ALLREDUCE: // that p ranks hear of all others takes 2(p-1) messages, so each byte is sent as often
        return (Bounds){.bytes = 2 * share, .work = share};
    case COLL_SCAN: // the last rank receives a vector; p-1 results that are no rank's own take a reduction each
        return (Bounds){.bytes = m, .work = share};
    case COLL_EXSCAN: // and rank 1's takes none
        return (Bounds){.bytes = m, .work = (others - 1) * m / p};
    case COLL_BARRIER:
    case N_COLLECTIVES:
        break;
    }
    return (Bounds){0};
}

Bounds port_bounds(Collective collective, int p, double m, int ports, bool eager)
{
    if (p == 1 || (m == 0 && collective != COLL_BARRIER))
        return (Bounds){0};
    Bounds b = one_port(collective, p, m);
    b.rounds = log_ceil(p, ports + 1);
    if (eager && (collective == COLL_GATHER || collective == COLL_GATHERV || collective == COLL_REDUCE)) {
        b.rounds = 1;
        b.bytes = m;
    }
    b.bytes /= ports;
    return b;
}

Bounds lower_bounds(Collective collective, int p, double m)
{
    return port_bounds(collective, p, m, 1, false);
}

double bounds_time(const Bounds *b, const Platform *platform)
{
    const double *value = platform->value;
    return MAX(b->rounds * value[KEY_ALPHA], MAX(b->bytes * value[KEY_BETA], b->work * value[KEY_GAMMA]));
}

double bcast_blocks_bound(int p, double m, const Platform *platform)
{
    const double start = (log2_ceil(p) - 1) * platform->value[KEY_ALPHA], stream = m * platform->value[KEY_BETA];
    return start + stream + 2 * sqrt(start * stream);
}
