#include "libraries/decide/ucc.h"
#include "libraries/decide/decide_entry.h"
#include "libraries/decide/tuned.h"
#include <limits.h>
#include <string.h>

const UccCollective ucc_collectives[UCC_COLLECTIVES] = {{"allgather", "allgather", TRUE},
                                                        {"allgatherv", "allgatherv", TRUE},
                                                        {"allreduce", "allreduce", TRUE},
                                                        {"alltoall", "alltoall", TRUE},
                                                        {"alltoallv", "alltoallv", TRUE},
                                                        {"barrier", "barrier", FALSE},
                                                        {"bcast", "bcast", TRUE},
                                                        {"fanin", NULL, FALSE},
                                                        {"fanout", NULL, FALSE},
                                                        {"gather", "gather", FALSE},
                                                        {"gatherv", "gatherv", FALSE},
                                                        {"reduce", "reduce", TRUE},
                                                        {"reduce_scatter", "reduce_scatter_block", TRUE},
                                                        {"reduce_scatterv", "reduce_scatter", TRUE},
                                                        {"scatter", "scatter", FALSE},
                                                        {"scatterv", "scatterv", FALSE}};

int ucc_collective(const char *name)
{
    for (int i = 0; i < UCC_COLLECTIVES; i++)
        if (g_ascii_strcasecmp(ucc_collectives[i].name, name) == 0)
            return i;
    return -1;
}

int ucc_of_tuned(int number)
{
    for (int i = 0; i < UCC_COLLECTIVES; i++)
        if (ucc_collectives[i].mpi && tuned_collective(ucc_collectives[i].mpi) == number)
            return i;
    return -1;
}

size_t ucc_bytes(const DecideCall *c)
{
    switch (c->collective) {
    case COLL_BARRIER:
    case COLL_ALLTOALLV:
        return 0;
    case COLL_ALLTOALL: // the threshold of the whole is proportional to p
    case COLL_REDUCE_SCATTER_BLOCK:
        return c->m;
    default:
        return decide_total(c);
    }
}

int ucc_radix(int p, int most_on_a_node)
{
    const int least = most_on_a_node > 1 ? 2 : MIN(p, 3),
              most = MAX(most_on_a_node > 1 ? MIN(p, most_on_a_node) : p, least);
    int best = least, fewest = p;
    for (int k = least; k <= most; k++) {
        int64_t power = k;
        while (power * k <= p)
            power *= k;
        const int left = power > p ? p : (int)(p % power);
        if (left < fewest) {
            fewest = left;
            best = k;
        }
        if (fewest == 0)
            break;
    }
    return best;
}

// Returns the most ranks that share a node. Where nobody says, all do.
static int most_on_a_node(const DecideCall *c)
{
    return c->nodes ? coll_nodes_largest(c->nodes) : c->p;
}

// Returns TRUE if the algorithm cuts the vector into as many parts as the radix says, which needs enough elements.
static gboolean cuts(const LibraryAlgorithm *a)
{
    return strcmp(a->name, "sra_knomial") == 0 || strcmp(a->name, "sag_knomial") == 0 || strcmp(a->name, "srg") == 0 ||
           a->collective == COLL_REDUCE_SCATTER_BLOCK;
}

void ucc_usual(const LibraryAlgorithm *a, const DecideCall *c, DecidePassed *passed)
{
    enum { POSTS_BYTES = 66000, POSTS_RANKS = 32 }; // up to which all messages are posted at once
    if (a->takes & TAKES_MAX_REQUESTS && !passed->max_requests)
        passed->max_requests = decide_total(c) > POSTS_BYTES && c->p > POSTS_RANKS;
    if (!(a->takes & TAKES_RADIX))
        return;
    int64_t radix = passed->fanout ? passed->fanout : a->usual ? a->usual : ucc_radix(c->p, most_on_a_node(c));
    const int64_t count = (int64_t)(decide_total(c) / c->elem);
    radix = MIN(radix, MAX(c->p, 2));
    if (cuts(a) && ((count + radix - 1) / radix * (radix - 1) > count || radix - 1 > count))
        radix = 2;
    passed->fanout = (int)MAX(radix, 2);
}
