// The question of a request: which algorithms of a collective, at which points p x m x root and values of parameters.
#pragma once
#include "registry/registry.h"
#include "engine/schedule/counts.h"
#include <glib.h>

// The arrays and the counts are owned (question_clear), the texts are not.
typedef struct Question {
    Collective collective;
    const char *name;   // a name to print instead of the collective's ("pingpong"); NULL for collectives
    GPtrArray *named;   // the algorithms that were named (const CollAlgorithm *), each once; NULL if only `all` was
    gboolean all_too;   // `all` was named beside others: request_model() adds to them what the model can time
    GPtrArray *kept;    // those that `collsim best` ranks even if they are slow (const CollAlgorithm *); NULL for none
    GPtrArray *without; // those that a search passes over, as parts too (const CollAlgorithm *); NULL for none
    const gboolean *asked; // whether it is about each of N_COLLECTIVES; not owned, NULL: about `collective` alone
    gboolean ordered;      // the operation of a reduction is not commutative
    GArray *ranks, *sizes; // size_t, in the order given
    GArray *per_node;      // int: K of each of `ranks` that was given as NxK, 0 for the others; NULL if none was
    int root;              // -1 for every rank in turn
    gboolean one_root;     // .. which is not allowed, as in a search
    int asked_root;        // with `asked`, the root of each collective that has one; `root` is that of `collective`
    char **params;         // NAME=VALUE or NAME=VALUE,VALUE,.. as given; NULL for none
    size_t elem;           // bytes of an element
    gboolean elem_assumed; // .. which nobody gave, although a library decides by their number
    CountsSpec counts;
    GHashTable *blocks;      // CollCounts by p and m; NULL if all blocks are alike, or else made by question_counts
    const char *counts_text; // --counts as given; NULL if all blocks are equal
    const char *displs_text; // --displs as given; NULL if the blocks are consecutive
    gboolean timing, memory; // what the answer has, too
    size_t connection;       // memory per connection, in bytes
    gboolean defaults;       // a search keeps parameters and parts at their defaults, unless `params` sets them
    double enough;           // `collsim best` stops at a time of this many times the lower bound; 0 to find the fastest
} Question;

void question_clear(Question *question);
// Returns the name to print: `name` if there is one, otherwise the collective's.
const char *question_name(const Question *question);
// Adds an algorithm to those that are named, unless it is there already. It need not be in the registry, but it must
// outlive the request.
void question_add(Question *question, const CollAlgorithm *a);
// Makes the algorithms that were named those that are kept, so that the request is about all.
void question_keep(Question *question);
// Returns true if the algorithm is one of these.
gboolean question_keeps(const Question *question, const CollAlgorithm *a);
// Adds each algorithm of a list such as "hybrid,reduce/hybrid" to those that a search passes over; without COLLECTIVE/
// a name is of the question's collective. Errors call the list `what` ("--without"). Returns FALSE and an error if there
// is none of that name, or it is among the algorithms that are named.
gboolean question_without(Question *question, const char *what, const char *list, GError **error);
// Returns true if a search passes over the algorithm.
gboolean question_lacks(const Question *question, const CollAlgorithm *a);
// Returns the algorithm if exactly one was named, otherwise NULL.
const CollAlgorithm *question_only(const Question *question);
// Returns TRUE if the operation may be reordered, also for a collective that has none.
gboolean question_commutes(const Question *question);
// Returns TRUE if a collective that the request is about reduces.
gboolean question_reduces(const Question *question);
// Returns the largest number of ranks that the request asks for.
size_t question_most_ranks(const Question *question);
// Returns the largest m, in bytes, that is accepted on p ranks (see operation_weight): sums over all messages stay
// below 2^62. schedule_check() checks the messages of an algorithm themselves later.
size_t question_most(const Question *question, size_t p);
// Returns FALSE and an error if m bytes on p ranks are above this, or are not a whole number of elements.
gboolean question_check_size(const Question *question, size_t p, size_t m, GError **error);
// Returns those of the request's sizes that are whole numbers of its elements (size_t). Free with g_array_unref.
GArray *question_whole_sizes(const Question *question);
// Returns the bytes of an element where no log says it: `given` if that is not 0, and otherwise 1. But where a library
// decides, which may go by the number of elements, it is LOG_USUAL_ELEMENT in reductions, or the longest half, quarter .. of
// that which divides all sizes (of size_t; NULL for none).
size_t question_element(Collective collective, gboolean decides, const GArray *sizes, size_t given);
// Makes a question about several collectives (`asked`) one about this one of them, with its root. Without `asked`, the
// root stays.
void question_turn(Question *question, Collective collective, size_t elem);
// Sets the root, which must be among all of the question's numbers of ranks: a rank, or `all` unless the question is about
// one root; NULL means rank 0. The collective must have a root, or one of several.
gboolean question_root(Question *question, const char *text, GError **error);
// Returns FALSE and an error if the root is not among p ranks.
gboolean question_check_root(const Question *question, size_t p, int root, GError **error);
// Reads --counts and --displs into the request. NULL means that the option was not given; otherwise the collective must
// be one whose blocks may differ in length (--counts) or have gaps between them (--displs).
gboolean question_counts(Question *question, const char *counts, const char *displs, GError **error);
// Makes the blocks of p ranks at m bytes (counts_make).
gboolean question_make_blocks(const Question *question, int p, size_t m, CollCounts **blocks, GError **error);
// Returns the blocks of p ranks of a search at m bytes, or NULL if all are alike and touch. They must be good ones: a
// Point there has been made. They live as long as the question.
const CollCounts *question_blocks(const Question *question, int p, size_t m);
// Calls for one value of each parameter: returns FALSE and an error if a --param lists several.
gboolean question_no_lists(const Question *question, GError **error);
// Returns true if one algorithm was named and each parameter has one value, so that the points differ in p, m and root
// alone: there is nothing to rank.
gboolean question_single(const Question *question);
// Returns the parameters with which algorithm `a` is to run, an array of CollParams: every combination of the values
// that --param lists for it, in the order written, each once. Parameters that are not given keep their defaults.
// Sets known[i] to TRUE if the algorithm has the parameter of params[i]; `known` may be NULL. Returns NULL and an error on a
// value that is not allowed or above 10,000 combinations. Free with g_array_unref.
GArray *question_variants(const Question *question, const CollAlgorithm *a, gboolean *known, GError **error);
