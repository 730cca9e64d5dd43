// How long a command will take, which it says before it begins: "collsim: note: this page takes about 100 s". The work is
// foreseen in seconds of a processor, from a part of it that is done for this, or from how many parts there are.
#pragma once
#include "ask/ask.h"

typedef struct Foresee {
    double all_s;   // of a processor
    double begun_s; // when it began, and how much of processors was used then
    double begun_used_s;
} Foresee;

// Begins to foresee. To add a regret, runs a part of it, which costs little again if r->known is set; an error counts as no
// time, since the command has it too.
Foresee foresee_begin(void);
void foresee_regret(Foresee *x, Request *r, Collective collective, size_t element, int top);
void foresee_claims(Foresee *x, guint n); // of papers, to judge
// Notes the time, called "WHAT takes about ..", unless it is a few seconds.
void foresee_say(const Foresee *x, const char *what);

// Does all this for the regrets of the chosen collectives (of N_COLLECTIVES), unless their grid is small.
void foresee_library(Request *r, const RequestOptions *o, const gboolean *chosen, const char *what);
