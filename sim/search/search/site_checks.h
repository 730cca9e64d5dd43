// The library's own collectives in a site's logs, held against what its defaults are predicted to take on the machine.
#pragma once
#include "measurements/calibrate/site_logs.h"

// One table of a collective.
typedef struct SiteCheck {
    const SiteTable *table;
    char *library;        // "ompi-5"; NULL if no library is known that decides as the one that ran
    guint n;              // sizes that were predicted
    double median, worst; // of predicted / measured - 1, with its sign: the median, and the one farthest from 0
    size_t worst_bytes;
    char *missing; // why nothing is predicted; NULL if something is
} SiteCheck;

// Predicts some sizes of each table. `mpi` is the library as a log or a machine names it, "Open MPI 5.0.6"; NULL if nobody
// does. Returns an array of SiteCheck; free with g_array_unref.
GArray *site_checks_make(const SiteLogs *site, Platform *platform, const char *mpi);
