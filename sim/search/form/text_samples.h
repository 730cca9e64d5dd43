// What a few ranks' texts say of all: at the root, beside it, half way round, and before it.
#pragma once
#include "engine/model/model.h"

// Returns true if these ranks send and receive as many messages in both operations.
bool text_samples_alike(const Operation *a, const Operation *b);
// Returns true if one of these ranks sends bytes. In an operation whose vectors are empty (m = 0), the texts of the
// registry send bytes on one of them if they do on any rank, as where all exchange lengths.
bool text_samples_send(const Operation *op);
