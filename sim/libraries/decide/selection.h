// A tuning file of MPICH: a tree of conditions whose leaves name algorithms. The library tries the keys of an object in
// order and goes into the first that holds, first as far as the conditions ask about the communicator (when it is
// made), then at each call.
//
//     JSON  --selection_read-->  tree  --(every way through it)-->  rows  --rule_find-->  what a call runs
//
// A way through the tree is a set of conditions, and each condition and its opposite are a range of a number, an answer
// yes or no, or a set of hierarchies. So a tree is a list of rows of such ranges, and every call fits exactly one of
// them.
//
// MPICH's device ch4 reads another such file, if MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE names one: its leaves
// are compositions, which divide a call into parts, and it may leave calls to the tree of algorithms. So does the file
// of MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE, whose leaves are algorithms in the shared memory of a node. A
// file is taken for what its first leaf is.
#pragma once
#include "libraries/decide/decide.h"
#include "libraries/decide/rules.h"
#include "libraries/decide/selection_keys.h"

// Reads a text, which a \0 follows, as file->library does. Appends traps to the file. Sets file->ignored if MPI_Init
// ends the program, or does something that the standard of C leaves open; there are no rows then. Free with
// selection_free.
Selection *selection_read(RulesFile *file, const char *text, size_t length);
// Returns the rows, of LibraryRule, in the order of the collectives and of the file.
const GArray *selection_rows(const Selection *selection);
// Returns TRUE if the file is one of compositions.
gboolean selection_composes(const Selection *selection);

// Returns the call as the conditions see it. It counts as one on a communicator whose ranks are on nodes of their own,
// if it does not say where they are.
RuleCall selection_call(const DecideCall *call);

// What happens at a call.
typedef struct SelectionRun {
    const LibraryRule *row;
    const char *ends;               // why the call ends the program; NULL if it does not
    gboolean wrong;                 // it returns wrong data
    const LibraryRule *nonblocking; // where the row's algorithm waits for the nonblocking collective: the row of that
} SelectionRun;
SelectionRun selection_run(const Selection *selection, const RuleCall *call);

// Returns TRUE if two rows, each of a version of the library, do the same.
gboolean selection_same(const LibraryRule *a, const Library *of_a, const LibraryRule *b, const Library *of_b);
// Returns the first row of a whose calls run something else under b, or NULL if all run the same.
const LibraryRule *selection_differs(const RulesFile *a, const RulesFile *b);
// Returns the file, of algorithms or of compositions, that says what the library does without one; `name` is what answers
// call it. Returns NULL and an error if the library's tables cannot be read. Free with rules_free.
RulesFile *selection_default(const char *name, const Library *library, gboolean compositions, GError **error);
// Returns the file for another version, in which it runs the same. Free with g_free. Returns NULL and an error of
// FILE:LINE if that version cannot.
char *selection_convert(const RulesFile *file, const Library *target, GError **error);

// Returns the number of a collective's rows that stands for its bytes: SELECT_AVERAGE or SELECT_TOTAL.
SelectNumber selection_bytes(const Selection *selection, int collective);
// Follows all ways through the tree: adds its rows, and the traps of keys that no call gets into.
void selection_walk(Selection *selection);
