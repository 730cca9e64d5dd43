// Writes the answers of `collsim rules`.
#pragma once
#include "answer/libraries/rules_tree.h"
#include "ask/ask.h"
#include "libraries/decide/rules_call.h"
#include "out/answer.h"

// Points at which calls are decided. Zero it before use.
typedef struct RulesPoints {
    GArray *ranks, *sizes; // of size_t; NULL if there are no points
    GArray *per_node;      // of int, for each of `ranks` the ranks on each node, 0 for one; NULL if none has more
    size_t elem;
    Tables *tables; // of the library
} RulesPoints;
void rules_points_clear(RulesPoints *points);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RulesPoints, rules_points_clear)

// Writes what the file makes the library run, at points too if there are any, and its traps; those of the kind `order`
// only if `ordered`.
void rules_report(const Answer *answer, const RulesFile *file, const RulesPoints *points, gboolean ordered);
// Writes the rules, and in a table also a map of the ids for each collective.
void rules_show(const Answer *answer, const RulesFile *file);

// The differences of two files that are read for one library. Zero it before use.
typedef struct RulesDifference {
    const RulesFile *files[2];
    RequestOptions *options;
    GArray *parts;     // of DifferencePart
    GPtrArray *places; // for each collective a GArray of DifferencePlace, or NULL
} RulesDifference;
void rules_difference_clear(RulesDifference *x);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RulesDifference, rules_difference_clear)

// Finds the differences, and times them by the request, which is one about their library (ask_about_library). Returns
// FALSE and an error on bad input.
gboolean rules_difference_find(RulesDifference *x, Request *request, GError **error);
// Writes the differences, and in a table the `top` points that cost most. Returns TRUE if there is a difference.
gboolean rules_difference_report(const Answer *answer, const RulesDifference *x, const Request *request, guint top);
