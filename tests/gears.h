// Runs one schedule in all gears, and fails unless they agree and explain their times.
//
// Every function here that finds an error ends the program with a line that names the case, by g_error.
#pragma once
#include "reference_measured.h"
#include "reference_sim.h"
#include "replay/replay.h"

typedef struct GearsCase {
    const Schedule *s;
    Hockney model;
    const double *start;             // of each rank; NULL if all start at 0
    char *(*name)(gconstpointer of); // returns the case's name, for errors, of `of`; free with g_free
    gconstpointer of;
    int64_t cut_off; // operations that are kept of each rank; 0 if all are, and then no rank may get stuck
} GearsCase;

// What was done, for the test's message: each function below adds to it.
typedef struct GearsCounts {
    int64_t schedules, replays[GEAR_LOCKSTEP + 1], compared, paths, stuck, mirrored, certificates;
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

// Fails unless the event gear and the second simulator agree on which ranks are stuck, when the others end, and, unless
// messages passed that take no time, what their certificates are. The case's costs and starts are integers.
void gears_reference(const GearsCase *k, const ReferenceProgram *program, const ReferenceMachine *machine,
                     GearsCounts *n);

// The same under measured, with the starts of ranks as integers. Certificates always count.
void gears_reference_measured(const GearsCase *k, const ReferenceProgram *program, const ReferenceMachine *machine,
                              const ReferenceFigures *figures, GearsCounts *n);

// Returns a replay by the gear whose clocks are the values of their certificates and whose path, if asked for, has no
// gap; NULL if the gear does not apply. Free with replay_free.
Replay *gears_replay(const GearsCase *k, Gear gear, bool full, bool path, GearsCounts *n);

// Fails unless r equals the event gear's replay in every respect. Paths are compared if both have one.
void gears_compare(const GearsCase *k, const Replay *oracle, const Replay *r);

// Ends the program: the replay r of the case is wrong, and `what` says how.
void gears_fail(const GearsCase *k, const Replay *r, const char *what) G_GNUC_NORETURN;

bool gears_same_stuck(const Stuck *a, const Stuck *b);

// Returns true if x is an integer. Sums of such costs are exact.
bool gears_is_whole(double x);

// Writes the counts as a message of the test.
void gears_report(const GearsCounts *n);
