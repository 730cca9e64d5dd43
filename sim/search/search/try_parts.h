// The parts of compositions that a contest tries.
#pragma once
#include "search/search/known.h"
#include "search/search/try_changes.h"

// The composition whose parts are searched, and what the new groups are added to.
typedef struct TryParts {
    const Request *request;
    int p, per_node;
    size_t m;
    int algorithm;          // its place in the registry
    const CollParams *base; // the parameters that the search starts from
    double limit_s;         // groups that take as long are of no use
    gboolean deep;          // see TrySearch
    gboolean fastest;       // try_parts_refine(): no other algorithm is faster
    GArray *groups;         // of TryGroup
    KnownTimes *known;      // keeps the bounds of compositions, because each round meets most of them again
    int *excluded;          // counts those that take limit_s or longer
} TryParts;

// Returns TRUE if the algorithm is a composition whose parts are searched.
gboolean try_has_parts(const CollAlgorithm *a);

// Return TRUE if they have added groups. They leave out groups that are there already, and parts that cannot be.
//
// Adds groups that differ from the base in the parameter number `param`: a part is another algorithm, one of its
// parameters has another value, or one of its own parts, or a parameter of such a part.
gboolean try_parts_change(const TryParts *x, int param);
// Adds groups that differ from the base in any number of parameters. A value is among those that are combined if it has
// one of the least bounds when it alone differs from the base.
gboolean try_parts_combine(const TryParts *x);
// Adds groups that differ from the base in one number, its own or that of a part at any depth, among more numbers than
// the others try. The algorithm need not have parts. On few ranks, groups with another algorithm in a part of a part,
// and one of that algorithm's numbers, are added too, for one that is not the fastest only if they are few: of a part that
// has parts, the usual ones seldom are the fastest.
gboolean try_parts_refine(const TryParts *x);
