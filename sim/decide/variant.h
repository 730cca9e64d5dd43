// Variants of registry entries: the same algorithm with other defaults, so that it can be a part of a composition.
#pragma once
#include "decide/tables.h"

// Returns the entry itself if the parameters are its defaults, and otherwise a variant of it. Equal parameters give the
// same variant, which lives as long as the tables. Threads may call this at the same time.
const CollAlgorithm *variant_find(Tables *tables, const CollAlgorithm *entry, const CollParams *par);
