// The figures of a machine: their units, how they are written, and the range that keeps every time finite.
#pragma once
#include <glib.h>

// A figure's unit. In the order of the enum, figures are written 1.6us; 0.0848ns/B or 12.5GB/s; 64K or unlimited; 4;
// 2; 25GB/s; 10M/s; 0.5; 0.75; 8K, none or unlimited. A bandwidth is kept in seconds per byte, a frequency in seconds,
// and `none` as -1. The last three units are those of figures that are more than a number (value.h); the functions
// below take their times and their rates.
typedef enum {
    PLATFORM_TIME,
    PLATFORM_PER_BYTE,
    PLATFORM_SIZE,
    PLATFORM_NUMBER,    // a number from 1 on, which may have a fraction
    PLATFORM_COUNT,     // a whole number from 1 on
    PLATFORM_BANDWIDTH, // bytes per second, above 0
    PLATFORM_FREQUENCY, // how often per second, above 0
    PLATFORM_SHARE,     // a factor of a time
    PLATFORM_PART,      // from 0 to 1
    PLATFORM_LIMIT,     // the largest size for which something holds; none if it holds for no size, not even 0
    PLATFORM_TIMES,     // a table of times over bytes
    PLATFORM_TAKES,     // likewise, or the word gap
    PLATFORM_WORK,      // a time per byte, perhaps only above a size, or a table of times over bytes
} PlatformUnit;

// Returns FALSE and a bad-input error unless the figure is in range. A time, or a time per byte, is 0 or between 1e-100
// and 1e9 s; a number is at most 2^27; a count is at most 1024; a bandwidth or a frequency is from 1 to 1e18 per
// second; a share is at most 1024; a part is at most 1; a size or a limit may be anything. Counts are below 2^62, so in
// this range no time and no ratio of two times is infinite. Figures of real machines are far from both ends.
gboolean figure_check(PlatformUnit unit, double value, GError **error);

// Reads a figure that is in range. Returns FALSE and a bad-input error for any other text, and leaves *out as it was.
gboolean figure_parse(PlatformUnit unit, const char *text, double *out, GError **error);

// Returns a figure as a file has it, with four significant digits (sizes and counts are whole): "1.6us", "0.0848ns/B",
// "64K", "unlimited". Free with g_free.
char *figure_text(PlatformUnit unit, double value);
