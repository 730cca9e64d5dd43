// The tree of a tuning file of MPICH, for the files that read it and follow its ways.
#pragma once
#include "libraries/decide/selection.h"

// A key of an object. Nodes of one object follow each other by `next`.
typedef struct SelectionKey {
    const SelectionWord *word;
    int collective;                    // of WORD_COLLECTIVE
    gint64 number;                     // of WORD_NUMBER
    const LibraryAlgorithm *algorithm; // of WORD_LEAF
    char *params;
    size_t line;
    char *text;
    int inside, next; // the first key of its object, and the key that is tried if it does not hold; -1 for none
    gboolean reached, at_call; // of at_call: it is decided at a call, where comm_size<N is <=
} SelectionKey;

struct Selection {
    RulesFile *file;   // while it is read
    GArray *keys;      // of SelectionKey
    GArray *rows;      // of LibraryRule
    int root;          // of keys; -1 for an empty file
    gboolean composes; // its leaves are compositions
};

static inline SelectionKey *key_at(const Selection *s, int i)
{
    return &g_array_index(s->keys, SelectionKey, i);
}

// Returns the greatest power of two that is not above n; 0 below 1.
gint64 selection_pow2(gint64 n);
// Narrows `when` to the calls for which the key holds, or does not hold. Returns FALSE if there are none.
gboolean selection_narrow(RuleWhen *when, const SelectionKey *key, int collective, gboolean at_call, gboolean holds);
// Follows all ways through the tree: adds its rows, and the traps of keys that no call gets into.
void selection_walk(Selection *selection);
