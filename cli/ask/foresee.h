// Says how long a command will take before it begins: "collsim: note: this page takes about 100 s". This adds up the
// seconds of a processor that the work needs, either from a part of it that is run as a sample, or from a number of
// parts that are known to take equally long. From foresee_begin() on, the loops inside no longer say how long they take
// (progress.h).
#pragma once
#include "ask/ask.h"

typedef struct Foresee {
    double all_s;                 // of a processor
    double begun_s, begun_used_s; // when it began, and the CPU time that the program had used then
} Foresee;

// Begins with no work, at this time.
Foresee foresee_begin(void);
// Adds the time that a regret will take. To find it, a few points of the regret's grid are run; r->known keeps them, if it
// is set, so the command does not run them again. An error counts as no time, because the command will report it.
void foresee_regret(Foresee *x, Request *r, Collective collective, size_t element, int top);
// Adds the time to judge n claims.
void foresee_claims(Foresee *x, guint n);
// Notes that "WHAT takes about ..", unless it is a few seconds of a processor.
void foresee_say(const Foresee *x, const char *what);

// Does all of this for the regrets of the chosen collectives (of N_COLLECTIVES), unless their grid is small.
void foresee_library(Request *r, const RequestOptions *o, const gboolean *chosen, const char *what);
