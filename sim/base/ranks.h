// Lists of numbers of ranks as a user writes them: "8,64", "2..33", "1K..1M:x4", "96x48".
#pragma once
#include <glib.h>

// Parses a list of numbers of ranks (1 .. LIMIT_RANKS), with the syntax of units_parse_list, as an array of size_t;
// free with g_array_unref. `what` names the list in errors ("-p"). Returns NULL on error.
//
// A number may be NxK, N nodes of K ranks. *per_node becomes an array of int, K for each number that is NxK and 0 for
// the others, or NULL if none is; free it with g_array_unref. If `per_node` is NULL, NxK is an error.
GArray *ranks_parse_list(const char *list, const char *what, GArray **per_node, GError **error);
