// Variants of registry entries: the same algorithm with other defaults, so that it can be a part of a composition.
#pragma once
#include "registry/registry.h"

// Returns the entry itself if the parameters are its defaults, and otherwise a variant of it. If `entry` is a variant,
// its own entry counts. Equal parameters give the same variant, which lives as long as the program. Threads may call
// this at the same time.
const CollAlgorithm *variant_find(const CollAlgorithm *entry, const CollParams *par);
