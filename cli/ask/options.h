// Options that several subcommands share, and what is allowed for them.
#pragma once
#include <glib.h>

enum { MAX_RANKS = 1 << 27 };

// Parses the options and leaves the other arguments, at least `least` and at most `most` of them, in *words (free with
// g_strfreev). `usage` names these arguments; `text` is the summary and an example for --help.
gboolean options_parse(int argc, char **argv, const char *usage, const char *text, const GOptionEntry *entries,
                       guint least, guint most, char ***words, GError **error);
// Each of these reads the text of one option. A text of NULL means that the option was not given.
gboolean options_per_node(const char *text, int *per_node, GError **error); // 1 .. MAX_RANKS; 0 if not given
gboolean options_element(const char *text, size_t *elem, GError **error);   // the default is 1 byte
// Lists (of size_t), which must be given: ranks are 1 .. MAX_RANKS, sizes 0 .. 2^50. Free with g_array_unref.
GArray *options_ranks(const char *list, GError **error);
GArray *options_sizes(const char *list, GError **error);
