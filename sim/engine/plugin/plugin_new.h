// Writes the first text of a plugin: one that is right as it is, for its author to change.
#pragma once
#include "registry/registry.h"
#include <glib.h>

// Returns the C file of a plugin with one algorithm of the collective, as one text; free with g_free. It passes
// `collsim check`, and its comments say what to change. Returns NULL and an error if an algorithm cannot have this name,
// or if one of the collective has it.
char *plugin_new_text(Collective collective, const char *name, GError **error);
