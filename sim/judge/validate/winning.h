// Winners: what it takes to run what predictions say, in place of a library's default, against measured times.
//
// A point counts if the default (a row of LIB:auto) and at least two algorithms that did not calibrate were measured and
// predicted there. A rule sees the predicted times of both, and names an algorithm or leaves the default. Its score is the
// measured time of what it leaves to run, divided by that of the default.
//
// Rules are found as `tune` finds them (intervals.h): the fewest ranges of ranks and intervals of sizes, within a set's
// rows of one collective and one group.
#pragma once
#include "judge/validate/validate_rows.h"
#include "machine/platform/platform.h"

typedef enum WinnerRule {
    WINNER_ARGMIN,  // what is predicted to be the fastest of the algorithms, whatever the default takes
    WINNER_GAIN,    // .. where it is predicted to gain WINNER_LEAST_GAIN
    WINNER_SURE,    // as `tune` chooses: what is surely faster (sure.h)
    WINNER_PERFECT, // what was measured to be the fastest
    N_WINNER_RULES
} WinnerRule;
extern const char *const winner_rule_names[]; // by WinnerRule

#define WINNER_LEAST_GAIN 0.03
#define WINNER_SLOWER     0.05 // a call that takes so much longer than the default is a bad one

// What a rule gives in a set.
typedef struct Winner {
    const char *set; // WINNER_ALL: the points of all sets; WINNER_ALIKE: the same, but each set counts as much
    WinnerRule rule;
    guint points;
    double time;   // measured, divided by the default's: the geometric mean
    double slower; // the share of points that take WINNER_SLOWER more time than the default
    double worst;  // the largest of the ratios
    guint rules;
} Winner;

#define WINNER_ALL   "all points"
#define WINNER_ALIKE "all sets alike"

// Returns what the rules give (of Winner): set by set in the order of the rows, and over all if there are several; empty
// without points. The platform has the spreads. Free with g_array_unref.
GArray *winners(const ValidateRows *rows, const Platform *platform);
