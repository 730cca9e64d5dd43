// The profile of an application that a command is given.
#pragma once
#include "advice/app/profile.h"
#include "ask/ask.h"

// Reads a profile and completes it by -p, --element, --map and --per-node; these two count more than its nodes. If -p is
// a `grid`, it counts only where the profile says no ranks. Returns NULL and an error on bad input. Free with
// profile_free.
Profile *ask_profile(const char *path, const RequestOptions *o, gboolean grid, GError **error);
