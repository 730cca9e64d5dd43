// A second reader of MPICH's tuning files, for tests: it follows one call through the JSON, key by key.
#pragma once
#include "base/json.h"
#include <glib.h>

// A call. Flags that a collective does not have are not looked at.
typedef struct WalkCall {
    const char *collective, *hierarchy; // "bcast"; "flat", "parent", "node", "node_roots"
    gboolean inter, consecutive, in_place, regular, commutative, built_in;
    int p;
    gint64 average, total, count;
} WalkCall;

// Reads a file's text as json-c does. Free with json_free.
JsonNode *walk_read(const char *text);
// Returns the algorithm with its parameters, "MPIR_Barrier_intra_k_dissemination k=2"; NULL if the call is in no leaf.
// Free with g_free.
char *walk_find(const JsonNode *tree, const WalkCall *call);
