// Writes the answers of `collsim rules`.
#pragma once
#include "decide/rules_call.h"
#include "out/answer.h"

// Points at which calls are decided. Zero it before use.
typedef struct RulesPoints {
    GArray *ranks, *sizes; // of size_t; NULL if there are no points
    size_t elem;
    Tables *tables; // of the library
} RulesPoints;
void rules_points_clear(RulesPoints *points);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RulesPoints, rules_points_clear)

// Writes what the file makes the library run, at points too if there are any, and its traps.
void rules_report(const Answer *answer, const RulesFile *file, const RulesPoints *points);
// Writes the rules, and in a table also a map of the ids for each collective.
void rules_show(const Answer *answer, const RulesFile *file);
// Writes where the two files, read for one library, make it run something else. Returns TRUE if that is so anywhere.
gboolean rules_difference(const Answer *answer, const RulesFile *first, const RulesFile *second);
