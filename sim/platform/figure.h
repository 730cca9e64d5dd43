// The figures of a machine: their units, and the range that keeps every time finite.
#pragma once
#include <glib.h>

// A figure's unit. In the order of the enum, figures are written 1.6us; 0.0848ns/B or 12.5GB/s; 64K or unlimited; 4.
typedef enum { PLATFORM_TIME, PLATFORM_PER_BYTE, PLATFORM_SIZE, PLATFORM_NUMBER } PlatformUnit;

// Returns FALSE and a bad-input error unless the figure is in range. A time, or a time per byte, is 0 or between 1e-100
// and 1e9 s; a number is at most 2^27; a size may be anything. Counts are below 2^62, so in this range no time and no
// ratio of two times is infinite. Figures of real machines are far from both ends.
gboolean figure_check(PlatformUnit unit, double value, GError **error);
