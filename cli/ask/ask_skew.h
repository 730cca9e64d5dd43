// The options about how a run is disturbed: when ranks arrive, noise, and several seeds.
#pragma once
#include "search/search/request_machine.h"

// The options as texts; NULL for those that were not given.
typedef struct SkewOptions {
    char *arrival, *noise, *seeds, *by;
} SkewOptions;
void skew_options_clear(SkewOptions *options);

#define SKEW_ENTRIES(o)                                                                                                \
    ENTRY_STRING("arrival", 0, (o).arrival, "when ranks arrive (default all at 0)", "PATTERN|FILE"),                   \
        ENTRY_STRING("noise", 0, (o).noise, "make messages longer at random", "DRAWS"),                                \
        ENTRY_STRING("seeds", 0, (o).seeds, "run so often, each time with other seeds", "N"),                          \
        ENTRY_STRING("by", 0, (o).by, "the time of N runs: median (default) or p99", "NAME")

#define HELP_SKEW                                                                                                      \
    "--arrival one-late:T has the last rank arrive at T and all others at 0,\n"                                        \
    "ascending:T rank r at T r/(p-1), random:T:SEED each rank at a random time up to\n"                                \
    "T, and a file has a time for each rank, one per line. --noise message:exp:200ns\n"                                \
    "makes each message longer by a random time, 200 ns in the mean; rank:exp:1us\n"                                   \
    "draws once for each rank, and its messages are so much longer. Other draws are\n"                                 \
    "uniform:T, from 0 to T, and spike:T:N, T once in N. A comma joins several, and\n"                                 \
    "seed:S is their seed. --seeds 100 makes 100 runs; their median, or with --by p99\n"                               \
    "their 99th percentile, is the time (docs/NOISE.md). --nodes random:1..20 makes\n"                                 \
    "20 in the same way, one with each placement.\n"

// Reads the options. Returns FALSE and an error on bad input. The model must be set.
gboolean ask_skew(const SkewOptions *options, RequestMachine *machine, GError **error);
