// The documents whose claims are in experiments/claims, and who wrote them, as decisions/sources.csv has it.
#pragma once
#include "judge/audit/claim.h"

// Returns a document with its title, "001, The past and present of MPI_Allreduce", or the source itself if it is not one
// of these. The text lives as long as the claim's.
const char *source_title(const char *source);

// Returns true if `words` name the source of the claim: they are all of its name, or a part of its title, of its other
// names, of one of its authors, or of what the registry says about where the claim's algorithm comes from ("thakur").
// Case does not count.
bool source_matches(const Claim *claim, const char *words);
// Returns the titles and authors of all documents, for an error. Free with g_free.
char *source_list(void);
