// The words of MPICH's tuning files: the conditions, the collectives and the algorithms that a version knows, and what
// each algorithm needs. What a file makes of them is in selection.h.
#pragma once
#include "decide/library.h"

// ---- What a call is asked about -------------------------------------------------------------------------------------

// The numbers that conditions compare.
typedef enum {
    SELECT_RANKS,    // comm_size
    SELECT_PER_NODE, // comm_avg_ppn, rounded up
    SELECT_AVERAGE,  // avg_msg_size
    SELECT_TOTAL,    // total_msg_size
    SELECT_COUNT,    // count
    SELECT_N_NUMBERS,
} SelectNumber;

// The questions that have the answer yes or no.
typedef enum {
    SELECT_INTER,       // comm_type=inter
    SELECT_POW2,        // comm_size=pow2
    SELECT_ONE_NODE,    // comm_size=node_comm_size
    SELECT_CONSECUTIVE, // is_node_consecutive
    SELECT_THREADED,    // is_multi_threaded
    SELECT_BELOW_POW2,  // count<pow2
    SELECT_COMMUTATIVE, // is_commutative
    SELECT_BUILT_IN,    // is_op_built_in
    SELECT_REGULAR,     // is_block_regular
    SELECT_IN_PLACE,    // is_sendbuf_inplace
    SELECT_N_FLAGS,
} SelectFlag;

// What a communicator is to the nodes, as bits.
typedef enum {
    SELECT_FLAT = 1,       // no two ranks share a node
    SELECT_PARENT = 2,     // some ranks share a node
    SELECT_NODE = 4,       // the library's own communicator of the ranks of one node
    SELECT_NODE_ROOTS = 8, // the library's own communicator of one rank of each node
    SELECT_ANY_HIERARCHY = 15
} SelectHierarchy;

// ---- Conditions -----------------------------------------------------------------------------------------------------

typedef enum { WORD_NUMBER, WORD_FLAG, WORD_HIERARCHY, WORD_ANY, WORD_COLLECTIVE, WORD_LEAF } SelectionWordKind;

typedef struct SelectionWord {
    const char *text; // "comm_size<=", which a number follows; "is_commutative=yes"
    SelectionWordKind kind;
    int field; // a SelectNumber or SelectFlag
    int value; // of a flag: 0 or 1; of a hierarchy: bits; of a number: 1 if the limit itself is below the condition
    gboolean prefix;  // something follows
    gboolean of_comm; // it is decided when a communicator is made, if nothing about messages stands above it
    gboolean chained; // it must have a successor in its object
    guint libraries;  // a bit 1 << LibraryId for each version that knows it
} SelectionWord;

// Returns what a key, whose spaces have been dropped, is to this version, or NULL if the version does not know it. Sets
// *rest to what follows a prefix.
const SelectionWord *selection_word(const Library *library, const char *key, const char **rest);

// ---- Collectives ----------------------------------------------------------------------------------------------------

enum { SELECTION_COLLECTIVES = 44 };
typedef struct SelectionCollective {
    const char *name;
    guint numbers, flags; // bits of the SelectNumbers and SelectFlags about messages that may be asked about it
} SelectionCollective;
extern const SelectionCollective selection_collectives[SELECTION_COLLECTIVES];
// Returns the collective with this name, or -1.
int selection_collective(const char *name);

// ---- Algorithms -----------------------------------------------------------------------------------------------------

// What an algorithm may need, as bits.
typedef enum {
    NEED_POW2 = 1,          // ranks: a power of two
    NEED_COUNT_POW2 = 2,    // elements: as many as the greatest power of two that is not above the ranks
    NEED_BUILT_IN = 4,      // an operation of MPI's own
    NEED_COMMUTATIVE = 8,   // an operation that is commutative
    NEED_REGULAR = 16,      // equal blocks
    NEED_IN_PLACE = 32,     // MPI_IN_PLACE as the send buffer
    NEED_NOT_IN_PLACE = 64, // another send buffer
    NEED_PARENT = 128,      // some ranks share a node
    NEED_CONSECUTIVE = 256, // the ranks of a node follow each other
    NEED_LAST = NEED_CONSECUTIVE
} SelectionNeed;
extern const struct SelectionNeedText {
    SelectionNeed need;
    const char *text;
} selection_needs[]; // ends with a need of 0

typedef struct SelectionAlgorithm {
    const char *name;       // "MPIR_Bcast_intra_binomial"
    const char *collective; // "bcast"
    guint libraries;        // as in SelectionWord
    int dies;               // needs without which the call ends the program
    int wrong;              // needs without which it returns wrong data
    const char *params;     // names of the parameters that it reads, and does not set itself: "tree_type k"; or NULL
} SelectionAlgorithm;
extern const SelectionAlgorithm selection_algorithms[];
extern const int selection_n_algorithms;
// Returns the algorithm with this name in this version, or NULL.
const SelectionAlgorithm *selection_algorithm(const Library *library, const char *name);
// Returns the composition of the device ch4 with this name in this version, or NULL.
const SelectionAlgorithm *selection_composition(const Library *library, const char *name);
// Returns the part of its name that says how: "binomial", "nb", "alpha".
const char *selection_short_name(const SelectionAlgorithm *algorithm);
