// Makes a Meter from the options of a subcommand that measures.
#pragma once
#include "launch/meter.h"

// The texts of the options as they were given; NULL if they were not.
typedef struct MeterOptions {
    char *mpi, *launcher, *sync, *budget, *precision, *repetitions, *warmup, *patience;
} MeterOptions;
void meter_options_clear(MeterOptions *options);

#define METER_ENTRIES(o)                                                                                               \
    {"mpi", 0, 0, G_OPTION_ARG_STRING, &(o).mpi, "openmpi (default) or mpich", "NAME"},                                \
        {"launcher", 0, 0, G_OPTION_ARG_STRING, &(o).launcher, "in place of mpirun, as \"srun -n {p}\"", "WORDS"},     \
        {"sync",                                                                                                       \
         0,                                                                                                            \
         0,                                                                                                            \
         G_OPTION_ARG_STRING,                                                                                          \
         &(o).sync,                                                                                                    \
         "ranks begin after a barrier (default), or at an agreed time",                                                \
         "barrier|window"},                                                                                            \
        {"budget", 0, 0, G_OPTION_ARG_STRING, &(o).budget, "time for a point's repetitions (1s)", "TIME"},             \
        {"precision", 0, 0, G_OPTION_ARG_STRING, &(o).precision, "that the median must have to stop earlier (1%)",     \
         "PERCENT"},                                                                                                   \
        {"repetitions", 0, 0, G_OPTION_ARG_STRING, &(o).repetitions, "this number of them, whatever they take", "N"},  \
        {"warmup", 0, 0, G_OPTION_ARG_STRING, &(o).warmup, "repetitions before, that do not count (3)", "N"},          \
    {                                                                                                                  \
        "patience", 0, 0, G_OPTION_ARG_STRING, &(o).patience,                                                          \
            "without an answer for so long it is ended (60s more "                                                     \
            "than the budget)",                                                                                        \
            "TIME"                                                                                                     \
    }

// Initialises the meter with the options, which must outlive it; it is to be cleared with meter_clear. Returns FALSE and an
// error on bad input.
gboolean ask_meter(const MeterOptions *options, Meter *meter, GError **error);
