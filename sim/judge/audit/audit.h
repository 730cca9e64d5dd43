// Judges a list of claims: each gets a verdict, the smallest counterexample and the formula that holds instead.
#pragma once
#include "judge/audit/audited.h"

typedef struct Audit {
    GArray *results;    // Audited, one for each claim, in the order of the claims; fewer if it was stopped
    GHashTable *truths; // Truth by truth_key(): claims about the same thing share one
    TruthOptions options;
} Audit;

// Judges the claims (of const Claim *) on all cores. The claims must outlive the audit. `parameters` is the path of a
// CSV that has Open MPI's real parameters in the columns name and default; it may be NULL if no claim has the quantity
// mca. Returns NULL and an error on bad input. If the thread is stopped (parallel_stoppable), the audit has only the
// claims that can be judged by what was simulated before. Free with audit_free.
Audit *audit_run(const GPtrArray *claims, const TruthOptions *options, const char *parameters, GError **error);
void audit_free(Audit *a);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Audit, audit_free)
