// What NCCL's own table predicts that it chooses, against what its log says that it chose.
#pragma once
#include "measurements/logs/log.h"

// A size of a collective.
typedef struct NcclCompared {
    const Log *log;
    const NcclTable *table;
    guint line; // of the choice, or else of the measured row
    int function;
    size_t bytes;       // as nccl_estimate counts them
    NcclPair predicted; // -1 if the table has no pair for the collective
    double margin;      // what the table says of the next best pair divided by that of the best; NAN without one
    NcclPair ran;       // -1 if the log does not say it
    double measured_s;  // out of place; NAN if the log has no time of this size
} NcclCompared;

// Returns the sizes that logs (Log *) have choices or times of, with those of their tables, by collective and size
// (NcclCompared). Adds to `notes` (char *) what tables lack. Returns NULL and an error if a log has neither times nor
// choices that can be predicted. Free with g_array_unref.
GArray *nccl_choices(const GPtrArray *logs, GPtrArray *notes, GError **error);
// Counts those whose choice is known, and those that are predicted.
guint nccl_choices_agree(const GArray *compared, guint *known);
