// Tries: the values of the parameters that a contest may simulate for each algorithm. Each try has an estimate of the
// least time that it takes, so that the contest begins with the most promising tries and can skip hopeless ones.
#pragma once
#include "search/search/try_search.h"

// Returns the groups of all tries (TryGroup) on p ranks with m bytes, in the order of from_s: of what `only` can be
// told to run, or of the algorithms that the request names, or else of all. Some bounds are cut, because they are far
// above the least one. Returns NULL and an error on bad input. Free with g_array_unref.
GArray *tries_groups(const Request *request, int p, int per_node, size_t m, GError **error);
// If the bound of the group at index i is cut and below limit_s, finds it up to limit_s, and moves the group behind
// those that now come before it. Returns TRUE if it did so: another group may then be at index i. A caller must ask
// before it uses more of a group than its parameters.
gboolean tries_deepen(const Request *request, int p, int per_node, size_t m, double limit_s, GArray *groups, guint i);
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
// Returns a fingerprint of what some ranks of an operation do. It is 0, which says nothing, on few ranks, for long texts,
// and in shared memory.
TextPrint tries_print(const Operation *op);
// Returns the number of the group that a try comes from.
int tries_group_number(const Try *x);
// Puts a refined try in the place of the one at index i, and then where it belongs among those behind it. A long text
// that waited before stays where it is, unless its run costs several seconds.
void tries_replace(GArray *tries, guint i, const Try *refined);
// Moves another try to index i, before the one that is there, if it is of the same algorithm, has a lesser bound, and
// does not cost many times as much: it would run in any case, and may show that the one at index i need not.
void tries_prefer(GArray *tries, guint i);
// Adds tries to those of other groups, in order.
void tries_add(GArray *tries, const GArray *more);
// Returns the tries of all groups, ordered in the same way. Returns NULL and an error on bad input. Free with
// g_array_unref.
GArray *tries_make(const Request *request, int p, int per_node, size_t m, GError **error);
