// Runs one schedule in all gears, and finds out whether they agree and explain their times.
//
// Every function here that finds an error says so by gears_fail, with a line that names the case.
#pragma once
#include "engine/replay/replay.h"

typedef struct GearsCase {
    const Schedule *s;
    Hockney model;
    const double *start;             // of each rank; NULL if all start at 0
    char *(*name)(gconstpointer of); // returns the case's name, for errors, of `of`; free with g_free
    gconstpointer of;
    char **wrong;    // where the first error is kept, to be freed with g_free; NULL if an error ends the program
    int64_t cut_off; // operations that are kept of each rank; 0 if all are, and then no rank may get stuck
} GearsCase;

// What was done, for a message: each function below adds to it.
typedef struct GearsCounts {
    int64_t schedules, replays[GEAR_LOCKSTEP + 1], convoys, compared, paths, stuck, mirrored, certificates;
} GearsCounts;

enum { GEARS_TERMS = 256 }; // the most terms of a certificate here

// Writes what the stamp has paid to count[], by term (Site), or on a flat machine alpha, beta and gamma. A term that
// the replay's clocks do not count is -1: if not all terms fit into a tally, clocks have only some. Returns the number
// of terms.
int gears_terms(const GearsCase *k, const Replay *r, const Stamp *x, int64_t *count);

// Replays the case in the event gear, every rank by itself, and compares every other way of replaying with it: each
// gear that applies, for all ranks and with few ranks that stand for all. The lowest two bits of `dice` choose whether
// paths are kept and compared, and in which of the two lockstep runs.
void gears_agree(const GearsCase *k, uint32_t dice, GearsCounts *n);

// Returns a replay by the gear whose clocks are the values of their certificates and whose path, if asked for, has no
// gap; NULL if the gear does not apply. `full` replays every rank; the gear chain always does, and `full` lets it form
// convoys, also where that does not pay. Free with replay_free.
Replay *gears_replay(const GearsCase *k, Gear gear, bool full, bool path, GearsCounts *n);

// Returns whether ranks formed convoys.
bool gears_convoys(const Replay *r);

// Fails unless r equals the event gear's replay in every respect. Paths are compared if both have one.
void gears_compare(const GearsCase *k, const Replay *oracle, const Replay *r);

// The replay r of the case is wrong, and `what` says how: keeps the line in k->wrong if it is the first one, or ends
// the program.
void gears_fail(const GearsCase *k, const Replay *r, const char *what);
// Returns true if two certificates of n terms agree in all terms that both know.
bool gears_same_terms(const int64_t *a, const int64_t *b, int n);
// Returns the n counts as text; free with g_free.
char *gears_terms_text(const int64_t *count, int n);

bool gears_same_stuck(const Stuck *a, const Stuck *b);

// Returns true if x is an integer. Sums of such costs are exact.
bool gears_is_whole(double x);
