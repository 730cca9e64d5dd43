// How much there is to do if the text of every rank is run, one after the other.
#pragma once
#include "engine/schedule/operation.h"
#include <glib.h>

// Returns FALSE and an error of what is "too much" if this takes too long: if it has more than 2^34 steps, where a
// number of a block is one step, a copy eight, and any other operation two. The texts of a few ranks, most of them not
// the root's, say what the others have at least.
gboolean effort_admit(const Operation *op, GError **error);
