// Tries: the values of the parameters that a contest may simulate for each algorithm. Each try has an estimate of the
// least time that it takes, so that the contest begins with the most promising tries and can skip hopeless ones.
#pragma once
#include "search/form/size_form.h"
#include "search/search/points.h"

// An algorithm with values of its parameters. Its needs are met, so that no fallback runs in its place.
typedef struct Try {
    int algorithm; // its place in the registry
    CollParams par;
    double least_s; // the least time to expect, in seconds: from its form, or from its text if it has no form
    gboolean rough; // TRUE if the text has not been run yet, so that least_s is less than what try_refine() makes of it
    double messages;    // about how many a simulation has, under a model without forms; otherwise 0
    gboolean by_form;   // TRUE if least_s is from a form, and exact if all blocks and segments are of equal length
    gboolean long_text; // TRUE if the text is so long that the try waits for the others before it is run for its bound
    // For uneven segments, the range of lengths to try, in elements. Both are 0 for a try of `par` alone.
    size_t shortest, longest;
    SegmentForm form;   // of the algorithm with its other parameters
    int oddity, number; // break ties: the try with the smaller oddity comes first, then the one with the lower number
} Try;
// Returns 0 for a try whose turn comes by least_s; otherwise it waits until these have run: 1 for a long text, 2 for
// uneven segments.
int try_waits(const Try *x);

// The tries of an algorithm that differ in segments alone. To find them takes the algorithm's form, which can take
// longer than a simulation, so the contest asks only for the tries of groups that may win.
typedef struct TryGroup {
    int algorithm;
    CollParams par; // the other parameters
    double bound_s; // none of the tries takes less time, in seconds; 0 where tries cost little: on few ranks, and of
                    // segments under a model without forms
    double from_s;  // below bound_s, and where the tries' estimates are expected to begin
    int number;     // its place among all groups
    gboolean alone; // the segment of `par` is the only one, because the library cannot be set to another
} TryGroup;

// Returns the groups of all tries (TryGroup) on p ranks with m bytes, in the order of from_s: of what `only` can be
// told to run, or of the algorithms that the request names, or else of all. Returns NULL and an error
// on bad input. Free with g_array_unref.
GArray *tries_groups(const Request *request, int p, int per_node, size_t m, GError **error);
// Adds groups of a composition that differ from `base` in the part `param`: it is another algorithm, or one of its
// parameters has another value. Leaves out groups that are there already, those that take at least limit_s seconds, and
// parts that group ranks by nodes. Returns TRUE if it has added any.
gboolean tries_other_parts(const Request *request, int p, int per_node, size_t m, int algorithm, const CollParams *base,
                           const CollParam *param, double limit_s, GArray *groups);
// Puts the groups from number `from` on into the order of from_s.
void tries_sort_groups(GArray *groups, guint from);
// Returns TRUE if an algorithm is one of a request that is not about one library.
gboolean tries_has(const Request *request, const CollAlgorithm *a);
// Returns why a library cannot be told to run one of its algorithms of the request's collective at a call, in the way
// that the request asks for; NULL if it can. The text is static.
const char *tries_cannot_tell(const Request *request, const LibraryAlgorithm *a, const DecideCall *call);
// Adds the tries of a group to `tries` (Try), and orders all of them: the most promising first, and those of uneven
// segments last. Some are rough, because to run a text takes long. A try that takes `limit_s` or longer, in seconds, is
// of no use to the caller: its least_s is then only known to be limit_s or longer, because an exact one would take
// longer to find. With INFINITY all are exact.
void tries_of_group(const Request *request, int p, int per_node, size_t m, const TryGroup *group, double limit_s,
                    GArray *tries);
// Refines the least_s of a try of these tries that is rough, by its text. Only whether it is below limit_s matters: it
// may then be limit_s, or longer, instead of the text's bound. Other tries stay as they are.
void try_refine(const Request *request, int p, int per_node, size_t m, double limit_s, Try *try);
// Puts a refined try in the place of the one at index i, and then where it belongs among those behind it. A long text
// stays where it is.
void tries_replace(GArray *tries, guint i, const Try *refined);
// Adds tries to those of other groups, in order.
void tries_add(GArray *tries, const GArray *more);
// Returns the tries of all groups, ordered in the same way. Returns NULL and an error on bad input. Free with
// g_array_unref.
GArray *tries_make(const Request *request, int p, int per_node, size_t m, GError **error);
// Returns the platform with only one level, far, and nothing that a node's ranks share. It borrows what it points to
// from `platform`.
Platform tries_plain(const Platform *platform);
// Returns the parameter that cuts messages into segments; NULL if the algorithm has none.
const CollParam *tries_segment_param(const CollAlgorithm *a);
