// Parses the command line of a subcommand, and the options that several subcommands share.
#pragma once
#include <glib.h>

enum { MAX_RANKS = 1 << 27 };

// Parses the options. The other arguments go to *words, which ends in NULL (free with g_strfreev); there must be at least
// `least` and at most `most` of them. argv[0] is the subcommand, `usage` names its arguments ("COLLECTIVE ALGORITHM|all"),
// and `text` is what --help says above the options. If `entries` has an option -p, `-n`, `-np` and `--np` mean the same,
// as for mpirun. Returns FALSE with an error on bad input, and with COLLSIM_ERROR_HELP if --help is given.
gboolean options_parse(int argc, char **argv, const char *usage, const char *text, const GOptionEntry *entries,
                       guint least, guint most, char ***words, GError **error);
// Checks the number of arguments as options_parse does, for a subcommand where it depends on the options.
gboolean options_check_words(const char *command, const char *usage, char **words, guint least, guint most,
                             GError **error);

// Each of these parses the text of one option, which is NULL if the option was not given, and notes on stderr what it
// took the text for if that may surprise (note_size, note_list).

// A size or a number of things, from `least` to `most`. *out keeps its value if the option was not given. `option` names
// it in errors ("--top").
gboolean options_number(const char *option, const char *text, size_t least, size_t most, size_t *out, GError **error);
// From 1 to MAX_RANKS ranks; the default is 0.
gboolean options_per_node(const char *text, int *per_node, GError **error);
// From 1 byte, the default, to 1G.
gboolean options_element(const char *text, size_t *elem, GError **error);
// Lists (of size_t), which must be given: ranks are 1 .. MAX_RANKS, sizes 0 .. 2^50 bytes. Free with g_array_unref.
GArray *options_ranks(const char *list, GError **error);
GArray *options_sizes(const char *list, GError **error);
