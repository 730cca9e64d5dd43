// The tries of a group: its algorithm with different segments.
#pragma once
#include "search/search/try_search.h"

// Adds the tries of a group to s->tries, with only one length of segments if `alone`.
void try_segments_add(TrySearch *s, const CollParams *par, gboolean alone);
