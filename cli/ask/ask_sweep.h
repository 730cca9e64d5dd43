// Makes the grid of a sweep from its specification.
#pragma once
#include "search/sweep/sweep_grid.h"
#include "search/sweep/spec.h"

typedef struct AskedSweep {
    GPtrArray *blocks; // what the blocks of the grid point into
    SweepGrid *grid;
    char *hash; // of what the specification means, with the machines' figures and the files that it names
} AskedSweep;

// Returns FALSE and an error on bad input. Clear with asked_sweep_clear in any case.
gboolean ask_sweep(const SweepSpec *spec, AskedSweep *sweep, GError **error);
void asked_sweep_clear(AskedSweep *sweep);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AskedSweep, asked_sweep_clear)
