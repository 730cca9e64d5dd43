// The profile of an application that a command is given.
#pragma once
#include "advice/app/profile.h"
#include "ask/ask.h"

// Reads a profile and completes it by -p, --element, --map and --per-node; these two count more than its nodes. If -p is
// a `grid`, it counts only where the profile says no ranks. Returns NULL and an error on bad input. Free with
// profile_free.
Profile *ask_profile(const char *path, const RequestOptions *o, gboolean grid, GError **error);
// Fills a request about a library, or about all algorithms for NULL, with the profile's calls: its ranks and sizes take the
// place of those of the options. `called` gets its collectives; the request points to it. Returns FALSE and an error on
// bad input.
gboolean ask_calls(const char *command, const char *library, const Profile *profile, const RequestOptions *o,
                   gboolean called[N_COLLECTIVES], Request *r, GError **error);
