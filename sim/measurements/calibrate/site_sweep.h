// The rows of tables that measured one thing, as one sweep: without spikes, and as a table of a machine.
#pragma once
#include "measurements/calibrate/fit_curves.h"
#include "measurements/calibrate/site_logs.h"

// A row of a sweep: a point, and the sample that it comes from.
typedef struct SiteRow {
    FitPoint point;
    const LogSample *sample;
    gboolean spike;
} SiteRow;

typedef struct SiteSweep {
    GArray *rows;   // of SiteRow, by size
    GString *from;  // the files and what they have: "a.out, b.out (OSU)"
    GString *names; // the files alone
    const char *format;
} SiteSweep;

SiteSweep *site_sweep_new(void);
void site_sweep_free(SiteSweep *sweep); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SiteSweep, site_sweep_free)
// Adds the rows of a table whose times are above 0, each multiplied by `factor`; a factor of 0 adds its name alone.
void site_sweep_add(SiteSweep *sweep, const SiteTable *table, double factor);
// Sorts rows that were added otherwise.
void site_sweep_sort(SiteSweep *sweep);
// Fit a curve to the rows that are not spikes, which they mark. Return FALSE if the rows have too few sizes.
gboolean site_sweep_step(SiteSweep *sweep, FitStep *step);
gboolean site_sweep_ladder(SiteSweep *sweep, FitLadder *ladder);
// Adds a line to `notes` for each file that has spikes.
void site_sweep_note(const SiteSweep *sweep, GPtrArray *notes);
// Returns points of a table (MeasuredPoint): for each size the median of the rows that are not spikes, or else what the curve
// says there. Where a size took longer than a larger one, both have their mean. Free with g_array_unref.
GArray *site_sweep_table(const SiteSweep *sweep, FitAt *curve, const void *fit);
