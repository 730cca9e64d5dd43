// Makes a Meter from the options of a subcommand that measures.
#pragma once
#include "ask/options.h"
#include "run/launch/meter.h"

// The options as texts, as they were given; NULL for those that were not.
typedef struct MeterOptions {
    char *mpi, *launcher, *sync, *budget, *precision, *repetitions, *warmup, *patience;
} MeterOptions;
void meter_options_clear(MeterOptions *options);

#define ENTRY_MPI(to)      ENTRY_STRING("mpi", 0, to, "openmpi (default) or mpich", "NAME")
#define ENTRY_LAUNCHER(to) ENTRY_STRING("launcher", 0, to, "replaces mpirun, as in \"srun -n {p}\"", "WORDS")
#define ENTRY_PATIENCE(to)                                                                                             \
    ENTRY_STRING("patience", 0, to, "kill a silent run after TIME (default budget + 60s)", "TIME")
#define METER_ENTRIES(o)                                                                                               \
    ENTRY_MPI((o).mpi), ENTRY_LAUNCHER((o).launcher),                                                                  \
        ENTRY_STRING("sync", 0, (o).sync, "start after a barrier (default) or at a set time", "barrier|window"),       \
        ENTRY_STRING("budget", 0, (o).budget, "time to repeat each point for (default 1s)", "TIME"),                   \
        ENTRY_STRING("precision", 0, (o).precision, "stop when the median is known to this (default 1%)", "PERCENT"),  \
        ENTRY_STRING("repetitions", 0, (o).repetitions, "repeat this often, whatever the budget", "N"),                \
        ENTRY_STRING("warmup", 0, (o).warmup, "first repetitions that do not count (default 3)", "N"),                 \
        ENTRY_PATIENCE((o).patience)

// Initialises the meter from the options, which must outlive it. Returns FALSE and an error on bad input. Clear the
// meter with meter_clear in either case.
gboolean ask_meter(const MeterOptions *options, Meter *meter, GError **error);
