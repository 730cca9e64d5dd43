// Judges the claims that no simulation can decide: Open MPI's ids and parameters, and figures that a source computes
// from its own numbers.
#pragma once
#include "judge/audit/audited.h"

typedef struct Facts Facts;

// Reads Open MPI's parameters from a CSV with the columns name and default. If path is NULL, no parameter is known and
// facts_judge refuses claims about parameters. Returns NULL and an error on bad input. Free with facts_free.
Facts *facts_read(const char *path, GError **error);
void facts_free(Facts *f);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Facts, facts_free)

// Judges a claim whose quantity is id, ids, mca or figure: sets the verdict of the result, its texts and what is right.
// Returns FALSE and an error on bad input.
gboolean facts_judge(const Facts *f, const Claim *claim, Audited *result, GError **error);
