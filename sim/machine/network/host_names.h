// Names of hosts as schedulers write them: `lrdn[0001-0064,0100]` stands for 65 names, and several such lists may be
// joined by commas or spaces.
#pragma once
#include <glib.h>

enum { HOST_NAMES_MOST = 1 << 20 }; // names in a list or a file

// Appends the names of a list to `names` (of char *, to be freed with g_free), which may then have at most
// HOST_NAMES_MOST. Numbers in brackets have as many digits as the first one of their range is written with. Returns
// FALSE and a bad-input error, which does not name a file, if the list is malformed or has too many names.
gboolean host_names_add(GPtrArray *names, const char *list, GError **error);
