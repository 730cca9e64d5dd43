// The collectives that the program knows, and their properties.
#pragma once
#include "api/linkage.h"
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
    const char *name;    // as on the command line: "allgatherv"
    const char *message; // the thing whose size is m: "a rank's block"
    bool rooted;         // the operation has a root that the caller chooses
    bool reduces;        // the operation has a reduction
    bool vector;         // m is the size of the whole vector, not of one rank's block
    bool counts;         // blocks may differ in length
    bool in_place;       // coll_in_place supports it
} CollectiveInfo;
extern const CollectiveInfo collectives[N_COLLECTIVES];
