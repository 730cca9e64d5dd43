// Random tuning files of MPICH, and calls that try them: what rules_mpich, which asks the library, and test_rules_trees,
// which replays what the library did, share.
#pragma once
#include "libraries/decide/selection.h"
#include <stdio.h>

enum { TREES_RANKS = 4 }; // of the world

typedef enum { TREES_MPI, TREES_OWN, TREES_ORDERED } TreesOperation; // MPI's own; a commutative one; one that is not

// Where the ranks of the world are: each on a node of its own, or on two nodes.
typedef enum { TREES_ALONE, TREES_BLOCKS, TREES_CYCLIC } TreesPlaces;

// A call of a collective.
typedef struct TreesPoint {
    Collective collective;
    int p, count, elem; // elements of the vector or of one block, as -m has it, and the bytes of each
    TreesOperation operation;
    gboolean in_place;
    const CollNodes *nodes; // of the p ranks; NULL if no two share one
} TreesPoint;

// Returns a random file. Most are well-formed; the others have one or several of the mistakes that people make. Free
// with g_free.
char *trees_random(guint32 seed);
// Returns some digits that tell one text from another, so that a record need not have the text. Free with g_free.
char *trees_sum(const char *text);
// Returns calls that try the file: sizes at and beside its numbers, on 2 to TREES_RANKS ranks. Free with g_array_unref.
GArray *trees_points(guint32 seed, TreesPlaces places);
// Returns the call as the conditions see it.
RuleCall trees_call(const TreesPoint *point);

// What a file does when a program starts: makes a communicator of all ranks and one of each rank alone.
typedef enum { TREES_STARTS, TREES_DIES, TREES_UNKNOWN } TreesStart; // UNKNOWN: it depends on what is in memory
TreesStart trees_start(const RulesFile *file, TreesPlaces places);
// Predicts a call, and what comes before it: to make a communicator, the library broadcasts an int on it.
SelectionRun trees_run(const RulesFile *file, const TreesPoint *point);
// Returns TRUE if it is not known what runs: it depends on what is in memory, a parameter that the file does not set; or
// it consists of calls on a node and between nodes.
gboolean trees_unknown(const RulesFile *file, const TreesPoint *point, const SelectionRun *run);

// Prints and reads "COLLECTIVE P COUNT ELEM OPERATION IN_PLACE". Reading returns FALSE if the line is another one.
void trees_print_point(FILE *to, const TreesPoint *point);
gboolean trees_read_point(const char *line, TreesPoint *point);
