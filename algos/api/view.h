// The view: what one rank knows of one operation.
#pragma once
#include "api/slice.h"
#include <stdbool.h>

typedef struct Coll Coll;
typedef struct CollAlgorithm CollAlgorithm; // registry/entry.h
typedef struct CollRun CollRun;             // api/backend.h

typedef enum { PRESTEP_OMPI, PRESTEP_MPICH } CollPrestep;
enum { LEVEL_CONSERVATIVE, LEVEL_AGGRESSIVE }; // values of CollParams.choice, for algorithms with the parameter LEVEL
enum { COLL_MAX_PARTS = 3 };

// The values of an algorithm's parameters. Its registry entry says which of them it has, and their defaults.
typedef struct CollParams {
    size_t segment;                            // bytes; 0 sends the whole message at once
    size_t fragment;                           // bytes of a slot in shared memory, >= 1
    int chains;                                // >= 1
    int radix;                                 // >= 2
    int prestep;                               // CollPrestep
    int max_requests;                          // messages under way at a time; 0 allows any number
    int leaders;                               // of a node, >= 1
    int slots;                                 // of a queue in shared memory, >= 1
    int choice;                                // the entry's own choice among names
    const CollAlgorithm *part[COLL_MAX_PARTS]; // the algorithms that a composition is made of
} CollParams;

// The blocks of a v-collective, one for each rank. All ranks know them. Block i has len[i] bytes and begins at byte
// at[i] of the buffer that holds all blocks; that buffer has at[p] bytes. Blocks do not overlap, and gaps may lie
// between them. In an alltoallv, what rank s has for rank d is block (s + d) mod p of its buffer.
typedef struct CollCounts {
    const size_t *len; // p of them
    const size_t *at;  // p + 1 of them
} CollCounts;

// Rank i of a view is rank map(up, i) of the view above.
typedef int (*CollMap)(const Coll *up, int i);

// The view is visible and small: to compose algorithms, copy it, change fields, and call.
struct Coll {
    int rank, p, root; // of this view
    Slice in, out;     // the operation's buffers; in bcast, and in place, `in` is a part of `out`
    size_t elem;       // bytes of an element, > 0
    bool commutative;  // the reduction may be reordered
    int per_node;      // ranks of a node, which are consecutive; the last node may have fewer; 0 if nodes are unknown
    CollParams par;
    const CollCounts *counts; // of a v-collective or a reduce_scatter; NULL if all blocks are alike
    int counts_shift;         // Blocks.shift of its blocks
    const Coll *up;           // a group's parent, which must outlive it; NULL for the whole
    CollMap map;
    CollRun *run; // the backend
};
