// Files in the place of names of algorithms: `run bcast all,./mine.c`.
#pragma once
#include "api/collective.h"
#include <glib.h>

// Loads the plugins that a word names, alone or among names joined by commas, and returns the word with each file
// replaced by the names of its algorithms of the collective; "all" then stands for all of them. A word without a file
// is returned as it is, and NULL as NULL. Free with g_free. Returns NULL and an error if a file is not a plugin, or has
// no algorithm of the collective.
char *ask_plugins(const char *word, Collective collective, GError **error);
// The same in each NAME=VALUE of --param, whose values may be algorithms of any collective: `params` is a list that ends
// in NULL, or NULL. An element that has a file is freed and replaced. A file must have one algorithm. Returns FALSE and
// an error if that fails.
gboolean ask_plugin_params(char **params, GError **error);
