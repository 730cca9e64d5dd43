// Parses the command line of a subcommand, and the options that several subcommands share.
#pragma once
#include "base/limits.h"
#include <glib.h>

// The options that several subcommands have, so that --help describes them in the same words everywhere. Each is a
// GOptionEntry that stores the text of the option in `to`. With GLib's column of options, a description of at most 52
// characters fits a line of 80.
#define ENTRY_STRING(name, short, to, text, value)                                                                     \
    {                                                                                                                  \
        name, short, 0, G_OPTION_ARG_STRING, &(to), text, value                                                        \
    }
#define ENTRY_STRINGS(name, to, text, value)                                                                           \
    {                                                                                                                  \
        name, 0, 0, G_OPTION_ARG_STRING_ARRAY, &(to), text, value                                                      \
    }
#define ENTRY_RANKS(to)    ENTRY_STRING("ranks", 'p', to, "ranks, such as 8 or 2..33; 96x48 is 96 nodes of 48", "LIST")
#define ENTRY_BYTES(to)    ENTRY_STRING("bytes", 'm', to, "sizes in bytes, such as 8,64K or 1K..1M:x4", "LIST")
#define ENTRY_ROOT(to)     ENTRY_STRING("root", 0, to, "root rank (default 0), or every rank in turn", "R|all")
#define ENTRY_ONE_ROOT(to) ENTRY_STRING("root", 0, to, "root rank (default 0)", "R")
#define ENTRY_PARAM(to)    ENTRY_STRINGS("param", to, "set a parameter, such as segment=64K", "NAME=VALUE")
#define ENTRY_ELEMENT(to)  ENTRY_STRING("element", 0, to, "bytes of an element (1; a library's reductions 8)", "BYTES")
#define ENTRY_COUNTS(to)   ENTRY_STRING("counts", 0, to, "lengths of the blocks (default equal)", "NAME|FILE")
#define ENTRY_DISPLS(to)   ENTRY_STRING("displs", 0, to, "consecutive (default), gaps, or a file", "NAME|FILE")
#define ENTRY_PER_NODE(to) ENTRY_STRING("per-node", 0, to, "ranks per node; the same as --map block:K", "K")
#define ENTRY_MAP(to)      ENTRY_STRING("map", 0, to, "ranks to nodes: block:K, cyclic:K or a file", "MAP")
#define ENTRY_PLATFORM(to)                                                                                             \
    ENTRY_STRING("platform", 0, to, "machine, or an .ini file (default generic-100g)", "NAME|FILE")
#define ENTRY_MODEL(to)    ENTRY_STRING("model", 0, to, "hockney, measured, loggops, loggp, logp or shared", "NAME")
#define ENTRY_TRANSFER(to) ENTRY_STRING("transfer", 0, to, "rendezvous (default), eager or eager-port", "NAME")
#define ENTRY_ONLY(to)     ENTRY_STRING("only", 0, to, "what a library has, such as ompi-4.1 (default any)", "LIB")
#define ENTRY_NON_COMMUTATIVE(to)                                                                                      \
    {                                                                                                                  \
        "non-commutative", 0, 0, G_OPTION_ARG_NONE, &(to), "the operation must not be reordered", NULL                 \
    }
#define ENTRY_OF_ALL(to)                                                                                               \
    {                                                                                                                  \
        "of-all", 0, 0, G_OPTION_ARG_NONE, &(to), "also find the best of all algorithms (slower)", NULL                \
    }
#define ENTRY_SET(to) ENTRY_STRINGS("set", to, "change a figure of the machine, as in alpha=1us", "KEY=VALUE")

// Options of commands that show machines side by side.
#define ENTRY_PLATFORMS(to) ENTRY_STRING("platform", 0, to, "machines, or .ini files (default generic-100g)", "LIST")
#define ENTRY_SETS(to)      ENTRY_STRINGS("set", to, "change figures, as in alpha=1us or beta=x1,x0.5", "KEY=LIST")

// What -m means, for the summaries of subcommands.
#define HELP_BYTES                                                                                                     \
    "-m is the whole vector of bcast, reduce, allreduce, reduce_scatter, scan and\n"                                   \
    "exscan, and the block of one rank for all other collectives.\n"
#define HELP_LISTS                                                                                                     \
    "Lists: 8,64K has two values, 2..33 counts by 1, 0..64:+8 by 8, and 1K..1M:x4\n"                                   \
    "multiplies by 4. K, M, G and T are powers of 1024.\n"
#define HELP_NODES                                                                                                     \
    "-p 96x48 and --map block:48 put 48 consecutive ranks on each node. cyclic:48\n"                                   \
    "deals them out one by one. Line i of a file has the node of rank i, from 0 on;\n"                                 \
    "3.1 is socket 1 of node 3. Without a map every rank has a node of its own.\n"
#define HELP_COUNTS                                                                                                    \
    "--counts: equal; linear (rank i has 2 m (i+1)/(p+1) bytes); one-big (the last\n"                                  \
    "rank has everything); zero-holes (odd ranks have nothing); random:SEED; or a\n"                                   \
    "file with a number of bytes per line. The mean is m, except with a file.\n"                                       \
    "--displs FILE has the byte at which each rank's block begins, one per line, in\n"                                 \
    "any order; blocks must not overlap. gaps has an unused element before each.\n"

// Parses the options. The other arguments go to *words, which ends in NULL (free with g_strfreev); there must be at
// least `least` and at most `most` of them. argv[0] is the subcommand, `usage` names its arguments ("COLLECTIVE
// ALGORITHM|all"), and `text` is what --help says above the options. If `entries` has an option -p, `-n`, `-np` and
// `--np` mean the same, as for mpirun. Returns FALSE with an error on bad input, and with COLLSIM_ERROR_HELP if --help
// is given.
gboolean options_parse(int argc, char **argv, const char *usage, const char *text, const GOptionEntry *entries,
                       guint least, guint most, char ***words, GError **error);
// Checks the number of arguments as options_parse does, for a subcommand where it depends on the options.
gboolean options_check_words(const char *command, const char *usage, char **words, guint least, guint most,
                             GError **error);
// Checks them for a subcommand that takes a collective and an algorithm, or neither if there is a GOAL schedule.
gboolean options_check_goal(const char *command, const char *usage, char **words, gboolean goal, GError **error);

// Each of these parses the text of one option, which is NULL if the option was not given, and notes on stderr what it
// took the text for if that may surprise (note_size, note_list).

// A size or a number of things, from `least` to `most`. *out keeps its value if the option was not given. `option`
// names it in errors ("--top").
gboolean options_number(const char *option, const char *text, size_t least, size_t most, size_t *out, GError **error);
// Parses --per-node, a number of ranks from 1 to LIMIT_RANKS. *per_node becomes 0 if the option was not given.
gboolean options_per_node(const char *text, int *per_node, GError **error);
// Parses the size of an element, from 1 byte to 1G. *elem becomes 0 if the option was not given.
gboolean options_element(const char *text, size_t *elem, GError **error);
// Parse lists of ranks (1 .. LIMIT_RANKS) and of sizes (0 .. LIMIT_BYTES), as arrays of size_t. The option must be
// given: NULL is an error. Free with g_array_unref.
// *per_node is what ranks_parse_list makes of it.
GArray *options_ranks(const char *list, GArray **per_node, GError **error);
GArray *options_sizes(const char *list, GError **error);
