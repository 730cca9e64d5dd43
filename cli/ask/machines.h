// What-if: machines side by side, from lists in --platform and --set.
#pragma once
#include <glib.h>

// One machine: a platform, and figures that are set.
typedef struct AskedMachine {
    char *platform; // NULL if --platform was not given
    char **sets;    // --set, each with one value; NULL for none
} AskedMachine;

// Returns the variants (AskedMachine *) of `--platform a,b` with each combination of the values in `--set
// KEY=VALUE,VALUE`, in the order written; a single one if there are no lists. Both may be NULL. Returns NULL and an
// error on bad input. Free with g_ptr_array_unref.
GPtrArray *machines_make(const char *platforms, char **sets, GError **error);
// Returns the texts between commas, without the spaces around them; at least one. Free with g_strfreev.
char **machines_split(const char *list);
