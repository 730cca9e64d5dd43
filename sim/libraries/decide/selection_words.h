// The words of MPICH's tuning files: the conditions, the collectives and the algorithms that a version knows, and what
// each algorithm needs. What a file makes of them is in selection.h.
#pragma once
#include "libraries/decide/rule.h"

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
