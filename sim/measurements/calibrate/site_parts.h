// What the files that fit a site share.
#pragma once
#include "measurements/calibrate/site_sweep.h"

#define SITE_SURE 3.5 // standard errors on each side of a value

// What was found of a level.
typedef struct SiteLevel {
    gboolean known;   // by one-way times
    gboolean windows; // only the slope of `one` is known
    FitStep one;
    GArray *table;    // of MeasuredPoint: one; NULL if neither is so
    double alpha_low; // the least that it may be
    double gap;       // NAN if it is not known
} SiteLevel;

typedef struct SiteFit {
    SiteLogs *site;
    Platform *assumed;
    const Levels *levels;
    SiteLevel *level; // by level
} SiteFit;

// Adds a figure, at a level if it is not NULL, whose interval ends `off` below and above its value.
SiteFigure *site_parts_figure(SiteFit *f, PlatformKey key, const char *level, double value, double off,
                              const char *source);
// Adds a figure that no log measures, and what would.
SiteFigure *site_parts_missing(SiteFit *f, PlatformKey key, const char *level, const char *missing);
// Sets a figure of the machine, at a level or without one (-1).
gboolean site_parts_set(SiteFit *f, PlatformKey key, int level, double value, const char *source, GError **error);
// Returns the standard error of a median of `rows` values with this spread.
double site_parts_median_error(double spread, guint rows);

// Finds what the ranks of a node share: its NICs and its memory. Returns FALSE and an error if the machine cannot have it.
gboolean site_shared_fit(SiteFit *f, GError **error);
