// Claims that no simulation decides: Open MPI's ids and parameters, and sums of a source's own figures.
#pragma once
#include "audit/audited.h"

typedef struct Facts Facts;

// path: a CSV of Open MPI's parameters, columns name and default; NULL: none. Free with facts_free.
Facts *facts_read(const char *path, GError **error);
void facts_free(Facts *f);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Facts, facts_free)

// Sets the verdict and its texts.
gboolean facts_judge(const Facts *f, const Claim *claim, Audited *result, GError **error);
