// Winning: how long calls take, by measured times, if what predictions say runs in place of a library's default.
//
// A point counts if the default (validate_row_default) and at least two algorithms that did not calibrate were measured and
// predicted there. A rule sees the predicted times of both, and names an algorithm or leaves the default. Its score is the
// measured time of what it leaves to run, divided by that of the default.
//
// Rules are found as `tune` finds them (intervals.h): the fewest ranges of ranks and intervals of sizes, within a set's
// rows of one collective and one group.
#pragma once
#include "judge/validate/validate_rows.h"
#include "machine/platform/platform.h"

typedef enum WinningRule {
    WINNING_ARGMIN,  // what is predicted to be the fastest of the algorithms, whatever the default takes
    WINNING_GAIN,    // .. where it is predicted to gain WINNING_LEAST_GAIN
    WINNING_SURE,    // as `tune` chooses: what is surely faster (sure.h)
    WINNING_PERFECT, // what was measured to be the fastest
    N_WINNING_RULES
} WinningRule;
extern const char *const winning_rule_names[]; // by WinningRule

#define WINNING_LEAST_GAIN 0.03
#define WINNING_SLOWER     0.05 // a call that takes so much longer than the default is a bad one

// What a rule gives in a set.
typedef struct Winning {
    const char *set; // WINNING_ALL: the points of all sets; WINNING_ALIKE: the same, but each set counts as much
    WinningRule rule;
    guint points;
    double time;   // measured, divided by the default's: the geometric mean
    double slower; // the share of points that take WINNING_SLOWER more time than the default
    double worst;  // the largest of the ratios
    guint rules;
} Winning;

#define WINNING_ALL   "all points"
#define WINNING_ALIKE "all sets alike"

// Returns what the rules give (of Winning): set by set in the order of the rows, and over all if there are several; empty
// without points. The platform has the spreads. Free with g_array_unref.
GArray *winning_find(const ValidateRows *rows, const Platform *platform);
