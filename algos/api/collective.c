#include "api/collective.h"

#define BLOCK  .message = "a rank's block"
#define VECTOR .message = "the vector", .vector = true

const CollectiveInfo collectives[N_COLLECTIVES] = {
    [COLL_ALLGATHER] = {"allgather", BLOCK, .in_place = true},
    [COLL_ALLGATHERV] = {"allgatherv", BLOCK, .counts = true, .in_place = true},
    [COLL_ALLREDUCE] = {"allreduce", VECTOR, .reduces = true, .in_place = true},
    [COLL_ALLTOALL] = {"alltoall", .message = "what a rank has for another one"},
    [COLL_ALLTOALLV] = {"alltoallv", .message = "what a rank has for another one", .counts = true},
    [COLL_BARRIER] = {"barrier", .message = "nothing", .vector = true},
    [COLL_BCAST] = {"bcast", .message = "the message", .vector = true, .rooted = true},
    [COLL_EXSCAN] = {"exscan", VECTOR, .reduces = true, .in_place = true},
    [COLL_GATHER] = {"gather", BLOCK, .rooted = true, .in_place = true},
    [COLL_GATHERV] = {"gatherv", BLOCK, .rooted = true, .counts = true, .in_place = true},
    [COLL_REDUCE] = {"reduce", VECTOR, .rooted = true, .reduces = true, .in_place = true},
    [COLL_REDUCE_SCATTER] = {"reduce_scatter", VECTOR, .reduces = true, .counts = true},
    [COLL_REDUCE_SCATTER_BLOCK] = {"reduce_scatter_block", BLOCK, .reduces = true},
    [COLL_SCAN] = {"scan", VECTOR, .reduces = true, .in_place = true},
    [COLL_SCATTER] = {"scatter", BLOCK, .rooted = true, .in_place = true},
    [COLL_SCATTERV] = {"scatterv", BLOCK, .rooted = true, .counts = true, .in_place = true},
};
