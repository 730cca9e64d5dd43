// The collectives: their names, and what each of them is like.
#pragma once
#include <stdbool.h>

typedef enum {
    COLL_ALLGATHER,
    COLL_ALLGATHERV,
    COLL_ALLREDUCE,
    COLL_ALLTOALL,
    COLL_ALLTOALLV,
    COLL_BARRIER,
    COLL_BCAST,
    COLL_EXSCAN,
    COLL_GATHER,
    COLL_GATHERV,
    COLL_REDUCE,
    COLL_REDUCE_SCATTER,
    COLL_REDUCE_SCATTER_BLOCK,
    COLL_SCAN,
    COLL_SCATTER,
    COLL_SCATTERV,
    N_COLLECTIVES
} Collective;

typedef struct CollectiveInfo {
    const char *name;
    const char *message; // what the size m counts
    bool rooted;
    bool reduces;
    bool vector;   // m is the whole vector, not one block for each rank
    bool counts;   // blocks may differ in length
    bool in_place; // MPI defines a form in place, and we have it
} CollectiveInfo;
extern const CollectiveInfo collectives[N_COLLECTIVES];
