// The values of a parameter that a search tries.
#pragma once
#include "engine/model/model.h"
#include "registry/registry.h"
#include "search/search/try_search.h"

enum { TRY_MOST_VALUES = 32 };

// Returns TRUE if the question sets this parameter, or one of the part that it is, or keeps all at their defaults, so
// that no other value is tried.
gboolean try_is_given(const Question *question, const CollParam *param);
// Returns TRUE if the parameter limits how many messages a rank may have under way at a time.
gboolean try_limits_requests(const CollParam *param);
// Returns TRUE if more than the least few values of a number take long to plan on p ranks: those of extra rounds, whose
// formula says which are of use.
gboolean try_plans_long(const CollParam *param, int p);
// Fills `value` with the values to try on p ranks, the default first, and returns how many: all choices, all numbers of
// rounds, and a few of other numbers; of the ranks in a group also those that divide a node's `per_node` ranks, which
// is 0 if nothing says it. Returns 0 for a size and for a part, whose values are found in other ways.
int try_values(const CollParam *param, int p, int per_node, int64_t value[TRY_MOST_VALUES]);
// Adds promising values to the n values of a parameter, and returns their number. A radix, a number of extra rounds and
// one of direct messages get those with the least times by the operation's formula: direct messages with the figures of
// `platform`, the others with those of `flat`, the same machine without levels. A share gets what the NICs leave. Adds
// none to other parameters, or if no formula is known.
int try_add_promising(const Operation *op, const CollParam *param, const Platform *platform, const Platform *flat,
                      int64_t value[TRY_MOST_VALUES], int n);
// Does the same for a radix under a model without formulas, on up to TRY_FEW_RANKS ranks: adds those with the least
// bounds, where `par` has the other parameters.
int try_add_bounded(TrySearch *search, const CollParams *par, const CollParam *param, int64_t value[TRY_MOST_VALUES],
                    int n);
