// MPICH's tuning file: one JSON object, a tree of conditions whose leaves are algorithms. It replaces the library's own
// tree, so it must have all collectives.
//
//     rows, the first that fits decides  --selection_tree_build-->  tree of tests  --selection_tree_text-->  JSON
//
// A row asks for several things at once. The tree asks for them one after the other, and never comes back from a
// branch. The order of the tests is fixed. Those of the communicator come first, because the library answers them once
// for each communicator and expects them on top. Then comes MPI_IN_PLACE, because the send type and count of such a
// call mean nothing; then sizes, and at the end the operation and the count. A test whose two branches are equal is
// left out.
#pragma once
#include "libraries/decide/selection_words.h"
#include "libraries/decide/tables.h"

typedef struct SelectionTree SelectionTree;

// Makes the tree of a list of rows (const LibraryRule *). Returns NULL if no row fits some calls. Bounds of bytes above
// 2^31 - 1 count as no limit, because the library reads them into an int. Free with selection_tree_free.
SelectionTree *selection_tree_build(const GPtrArray *rows);
void selection_tree_free(SelectionTree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SelectionTree, selection_tree_free)

// Appends a tree as the value of a key that stands `depth` levels deep: braces with all that is between them. `params`
// of a row are words, each of which becomes a key in the leaf.
void selection_tree_text(GString *s, const SelectionTree *tree, int depth);

// Returns the file of a version of MPICH: for each collective of `defaults`, the rows of the whole tree
// (tables_whole_tree), be it one of algorithms or of compositions, the rows of `tuned` (LibraryRule) go first. Each line of
// `header` (char *) is one of a comment at the beginning, which the library's reader of JSON, json-c, skips. Returns NULL and
// an error if some calls fit no row. Free with g_free.
char *selection_tree_file(const GArray *defaults, const GArray *tuned, const GPtrArray *header, GError **error);

// Returns the number that a tuning file has for the size of a collective's calls; SELECT_N_NUMBERS for none. The sizes
// of gather and scatter count elements, and with those of alltoallv they can differ between the ranks of one call.
SelectNumber selection_tree_number(Collective collective);
// Returns this size of a call; `m` is what the option -m says. What is beyond G_MAXINT64 is G_MAXINT64.
gint64 selection_tree_bytes(Collective collective, int ranks, gint64 m);

// Returns the parameters of an algorithm as words for a leaf, such as "k=4 single_phase_recv=0". A leaf must have all
// of them, because the library does not set the others. Free with g_free.
char *selection_tree_params(const LibraryAlgorithm *algorithm, int radix, int segment);
