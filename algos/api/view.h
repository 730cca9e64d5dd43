// The view: what one rank knows about one operation.
#pragma once
#include "api/nodes.h"
#include "api/slice.h"
#include <stdbool.h>

typedef struct Coll Coll;
typedef struct CollAlgorithm CollAlgorithm; // registry/entry.h
typedef struct CollRun CollRun;             // api/backend.h

typedef enum { PRESTEP_OMPI, PRESTEP_MPICH } CollPrestep;
typedef enum { LENGTHS_FAR, LENGTHS_NEAR, LENGTHS_MPICH } CollLengths; // bcast binomial_far, bcast binomial, by size
enum { LEVEL_CONSERVATIVE, LEVEL_AGGRESSIVE }; // values of CollParams.choice, for algorithms with the parameter LEVEL
enum { COLL_MAX_PARTS = 4 };

// What a table of coll_nodes_table depends on beside the nodes; numbers that do not matter are 0.
typedef struct CollKey {
    size_t first, second;
} CollKey;

// The values of an algorithm's parameters. Its registry entry says which of them it has, and their defaults.
typedef struct CollParams {
    size_t segment;                            // bytes; 0 sends the whole message at once
    size_t fragment;                           // bytes of a slot in shared memory, >= 1
    int chains;                                // >= 1
    int radix;                                 // >= 2
    int prestep;                               // CollPrestep
    int lengths;                               // CollLengths: how the root broadcasts the lengths
    int max_requests;                          // messages under way at a time; 0 allows any number
    int leaders;                               // leaders of a node, >= 1
    int halvings;                              // rounds that halve the vector, or extra rounds, >= 0
    int slots;                                 // slots of a queue in shared memory, >= 1
    int choice;                                // index of the chosen name, for an entry's CHOICE or LEVEL
    const CollAlgorithm *part[COLL_MAX_PARTS]; // the algorithms that a composition is made of
    const CollAlgorithm *of;                   // the algorithm that has these parameters
} CollParams;

// The lengths and positions of the blocks of a v-collective, one block for each rank. All ranks know them. Block i has
// len[i] bytes and begins at byte at[i] of the buffer that holds all blocks; that buffer has at[p] bytes. Blocks do not
// overlap; gaps may lie between them, and they need not lie in the order of ranks. In an alltoallv, the block that rank
// s sends to rank d is block (s + d) mod p of these.
typedef struct CollCounts {
    const size_t *len; // p lengths
    const size_t *at;  // p + 1 positions
} CollCounts;

// Translates the ranks of a group: rank i of the group is rank map(up, i) of the view `up`.
typedef int (*CollMap)(const Coll *up, int i);

// The struct is small and its fields are public: to compose algorithms, copy a view, change fields, and call.
struct Coll {
    int rank, p, root; // in this view; a group has its own numbers
    Slice in, out;     // the operation's buffers; they are equal in a bcast, and overlap if the operation is in place
    size_t elem;       // bytes of an element, > 0
    bool commutative;  // the reduction may be reordered
    // Which ranks share a node; NULL if that is not known. A group gets its nodes when an algorithm that needs them is
    // resolved on it (coll_nodes), and has NULL until then.
    const CollNodes *nodes;
    CollParams par;
    // For a part in shared memory: its ranks' flags begin at this value, and its slots at this byte of the queues,
    // because the calls before it have used what comes before.
    int flags_from;
    size_t slots_from;
    const CollCounts *counts; // of a v-collective or a reduce_scatter; NULL if the blocks are an even cut
    int counts_shift;         // Blocks.shift of the blocks that follow the counts
    // For a group: which nodes of its parent it has (coll_nodes). The groups of a hierarchy go on inwards or outwards.
    enum { COLL_SAME_LEVEL, COLL_INNER_LEVEL, COLL_OUTER_LEVEL } level;
    const Coll *up; // a group's parent, which must outlive the group; NULL for the whole
    CollMap map;    // translates a group's ranks to ranks of `up`
    CollRun *run;   // the run that takes the operations
};
