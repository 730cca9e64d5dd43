// What the logs of a site say that no figure comes from, held against predictions on the machine: the library's own collectives
// against what its defaults take, and messages of many ranks at a time against the same messages.
#pragma once
#include "measurements/calibrate/site_logs.h"
#include "measurements/calibrate/spreads.h"

// One table.
typedef struct SiteCheck {
    const SiteTable *table;
    char *library;        // "ompi-5"; NULL if none decides, or none is known that decides as the one that ran
    char *decided;        // what the library runs: "3 modified_bruck, from 1K 4 linear_sync"; NULL if none decides
    int ranks;            // 0 if nothing says it
    guint n;              // sizes that were predicted
    double median, worst; // of predicted / measured - 1, with its sign: the median, and the one farthest from 0
    size_t worst_bytes;
    char *missing; // why nothing is predicted; NULL if something is
} SiteCheck;

// Predicts some sizes of each table. `mpi` is the library as a log or a machine names it, "Open MPI 5.0.6"; NULL if nobody
// does. Adds to `spreads` (of SpreadRow) what is predicted, by the algorithm that the library ran. Returns an array of
// SiteCheck; free with g_array_unref.
GArray *site_checks_make(const SiteLogs *site, Platform *platform, const char *mpi, GArray *spreads);
