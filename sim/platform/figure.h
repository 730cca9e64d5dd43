// A figure of a machine: its unit, and the range that keeps times finite.
#pragma once
#include <glib.h>

// How a figure is written: 1.6us, 0.0848ns/B or 12.5GB/s, 64K or unlimited, 4.
typedef enum { PLATFORM_TIME, PLATFORM_PER_BYTE, PLATFORM_SIZE, PLATFORM_NUMBER } PlatformUnit;

// Returns false and an error unless the figure is in range: times and times per byte are 0 or between 1e-100 and 1e9 s,
// numbers at most 2^27. Counts are below 2^62, so that no time can be infinite, and no ratio of two times either; a
// machine's figures are far from both ends.
gboolean figure_check(PlatformUnit unit, double value, GError **error);
