// Changes of one parameter of a composition: a part is another algorithm, or a number, or a part of a part.
#pragma once
#include "search/search/try_search.h"

enum {
    TRY_PARTS_DEPTH = 2,   // parts of parts have parameters of their own, but no parts
    TRY_PARTS_FEW = 1 << 7 // on at most so many ranks, where a run costs little, more parts are tried
};

// An entry whose parameters are changed: the composition itself, or one that is a part of it.
typedef struct TryWhole {
    const CollAlgorithm *a;
    int depth;       // how many levels of parts are searched below it
    gboolean nodes;  // its ranks are on several nodes
    DecideCall call; // what a library is asked to run it for; unused if the request is not about one library
} TryWhole;

// Return the composition that is searched, and the entry that is a part of one, with `depth` levels of parts below it.
TryWhole try_whole_of(const TrySearch *s);
TryWhole try_part_of(const TrySearch *s, const TryWhole *w, const CollParam *param, const CollAlgorithm *entry,
                     int depth);
// Returns TRUE if the question does not set the parameter.
gboolean try_is_free(const TrySearch *s, const CollParam *param);
// Returns the parameters of a part: those of a variant, or the defaults of an entry. A part that waits for some of its
// requests cannot run where the whole has others under way (coll_throttle).
CollParams try_defaults_of(const CollAlgorithm *part);

// Adds to `to` (CollParams) what differs from `par` in parameter i of an entry. Segments cut a message, or what one of
// a node's ranks has of it, into 2^k pieces, k a multiple of `step` plus 1.
void try_add_changes(const TrySearch *s, const TryWhole *w, const CollParams *par, int i, int step, GArray *to);
// Does the same for a parameter that is a number.
void try_add_numbers(const TrySearch *s, const CollParam *param, const CollParams *par, int step, GArray *to);
// Adds what differs from `par` in a parameter that is a number, with each of n values, and in one that is a part, with
// each of the part's own parameters in `inner` (CollParams).
void try_add_values(const CollParam *param, const CollParams *par, const int64_t *value, int n, GArray *to);
void try_add_variants(const CollParam *param, const CollParams *par, const GArray *inner, GArray *to);
// Adds what differs from `par` in the algorithm of a part; parts have their defaults.
void try_add_algorithms(const TrySearch *s, const TryWhole *w, const CollParam *param, const CollParams *par,
                        GArray *to);

// Returns the parameters that this search gives an algorithm at `to` bytes where it gives `par` at `from` bytes: the
// segments of parts are the same share of the message. Other numbers stay as they are.
CollParams try_parts_at(const Question *question, int per_node, const CollAlgorithm *a, const CollParams *par,
                        size_t from, size_t to);
