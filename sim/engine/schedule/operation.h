// One collective operation, ready to run. It is the input of the recorder, the models and the bounds.
#pragma once
#include "registry/registry.h"

// The needs of the algorithm are met, and c.par holds the parameters that it gets.
typedef struct Operation {
    const CollAlgorithm *algorithm; // the one that runs, after any fallback
    Coll c;                         // p, root, elem, par, counts and nodes; rank and run are ignored
    size_t m;                       // bytes, as -m gives them
} Operation;

// Returns a factor: an operation is admitted if m times this factor is below 2^62. Then no buffer of an algorithm
// reaches 2^62 bytes, and every collective has algorithms that move less than 2^62 bytes, all ranks together. Some
// algorithms move more: allgather_reduce sends p^2 vectors, and alltoall's bruck sends each block log2(p) / 2 times.
// schedule_check refuses them if that is too much.
static inline double operation_weight(Collective collective, double p)
{
    return p * (collectives[collective].vector ? 64 : p);
}
