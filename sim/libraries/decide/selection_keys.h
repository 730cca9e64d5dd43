// The tree of a tuning file of MPICH, and the conditions of its ways.
#pragma once
#include "libraries/decide/selection_words.h"
#include "libraries/decide/tables.h"

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

// What the leaves of a file are. Each kind of file has a variable of its own.
typedef enum {
    SELECTION_ALGORITHMS,
    SELECTION_COMPOSITIONS, // of the device ch4, for all ranks
    SELECTION_SHARED,       // of its module posix: algorithms in the shared memory of a node
    SELECTION_KINDS
} SelectionKind;

typedef struct Selection {
    struct RulesFile *file; // while it is read
    GArray *keys;           // of SelectionKey
    GArray *rows;           // of LibraryRule
    int root;               // of keys; -1 for an empty file
    SelectionKind kind;
} Selection;

void selection_free(Selection *selection);

static inline SelectionKey *selection_key(const Selection *s, int i)
{
    return &g_array_index(s->keys, SelectionKey, i);
}

// Returns the greatest power of two that is not above n; 0 below 1.
gint64 selection_pow2(gint64 n);
// Narrows `when` to the calls for which the key holds, or does not hold. Returns FALSE if there are none.
gboolean selection_narrow(RuleWhen *when, const SelectionKey *key, int collective, gboolean at_call, gboolean holds);
// Returns the needs of `needs` (LibraryNeeds) that a call does not meet.
int selection_unmet(int needs, const RuleCall *call);
// Returns the needs of `needs` that some call of a row does not meet.
int selection_unsure(int needs, const RuleWhen *when);
// Returns TRUE and the calls that fit both if there are any.
gboolean selection_meet(const RuleWhen *a, const RuleWhen *b, RuleWhen *both);
// Returns what a row asks beyond ranks, bytes and intracommunicators: "commutative, total <= 4096"; "" for nothing.
// `bytes` is the number that is shown as bytes. Free with g_free.
char *selection_text(const RuleWhen *when, SelectNumber bytes);
