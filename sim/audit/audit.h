// Claims judged: each with its verdict, the smallest counterexample and what it should have said.
#pragma once
#include "audit/audited.h"

typedef struct Audit {
    GArray *results;    // Audited, in the order of the claims
    GHashTable *truths; // by truth_key
    TruthOptions options;
} Audit;

// Judges claims (of const Claim *), which must outlive the audit, on all cores. parameters: a CSV with the columns name
// and default, Open MPI's real ones; NULL where no claim is of these. NULL and bad input. Free with audit_free.
Audit *audit_run(const GPtrArray *claims, const TruthOptions *options, const char *parameters, GError **error);
void audit_free(Audit *a);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Audit, audit_free)
