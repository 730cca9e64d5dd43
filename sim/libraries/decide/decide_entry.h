// What decide.h's files share: how the entry of a decision is found, and how a decision takes those on its parts.
#pragma once
#include "libraries/decide/decide.h"

// Returns an empty decision on a call. Free with decision_free.
Decision *decide_new(const Tables *tables, const DecideCall *call);
// Adds a remark about what is not known, unless the decision has it.
void decide_missing(Decision *d, const char *format, ...) G_GNUC_PRINTF(2, 3);
// Returns the bytes of all blocks together, or of the vector.
size_t decide_total(const DecideCall *call);
// Returns the need of an algorithm that is not met, or NULL.
const char *decide_unmet(const LibraryAlgorithm *algorithm, const DecideCall *call, size_t segment);

// ---- Entries --------------------------------------------------------------------------------------------------------

// Returns the entry with the alias PREFIX:NAME, and sets *par to the parameters that go with this name.
const CollAlgorithm *decide_alias(Collective collective, const char *prefix, const char *name, CollParams *par);
// Returns TRUE if the entry itself runs, and not its fallback; *why then is NULL.
gboolean decide_runs(const CollAlgorithm *entry, const CollParams *par, const DecideCall *call, const char **why);
// Sets a parameter of the entry. Returns FALSE if the entry lacks it or does not allow the value.
gboolean decide_set(Decision *d, const char *name, int64_t value);
// Keeps the entry of a decision if it can run on this call, and says why if it cannot.
void decide_check(Decision *d, const DecideCall *call);

// ---- Parts ----------------------------------------------------------------------------------------------------------

// Returns the call of a part: the same data, as another collective means its size.
DecideCall decide_part_call(const DecideCall *call, Collective of, int p, DecideGroup group);
// Takes the decision on a part into the entry's parameters and into d->parts. `decided` may be NULL.
void decide_take_part(Decision *d, const CollParam *param, Decision *decided);
// Returns parameter i of the entry if it is a part, otherwise NULL.
const CollParam *decide_part_param(const CollAlgorithm *entry, int i);
