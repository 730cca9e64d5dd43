// Spreads: how far the measured time of an algorithm lies from the predicted one, by family. The spread is the standard
// deviation of ln(measured / predicted) without the noise of a measurement, so 0.24 means that about two of three times
// would be within a factor of 1.27 if there were no noise.
//
// A family is an algorithm's name, whatever the collective. The table is from 2,448 measured points of eight machines
// (docs/TUNING.md); a machine's file can have its own (platform.h, [spread]).
#pragma once
#include "registry/entry.h"

typedef struct SpreadFamily {
    const char *name;
    double sd;
} SpreadFamily;

enum { N_SPREADS = 19 };
// The least and the largest spread that a machine's file may give.
#define SPREAD_LEAST 0.01
#define SPREAD_MOST  2.0
// The noise of a measured time, as the standard deviation of its logarithm, and what a model cannot know: the place of a
// job, other jobs, the day.
#define SPREAD_NOISE 0.24
// The last family has the algorithms that none of the others has.
extern const SpreadFamily spread_families[N_SPREADS];

// Returns the number of the family with this name, or with the name of an algorithm; the last one if there is none, as
// for NULL.
int spread_family(const char *name);
