// The value of a figure: a number, a table over bytes, or a rate that holds above a size.
#pragma once
#include "machine/platform/table.h"

// A value of any unit; the parts that it does not use are 0.
typedef struct FigureValue {
    double number; // of PLATFORM_TAKES: 1 if it is the gap
    uint64_t
        above; // of PLATFORM_WORK: the rate holds for all bytes of a buffer longer than this, and others cost nothing
    Table *table; // of PLATFORM_SHARE, PLATFORM_TIMES, and perhaps PLATFORM_TAKES and PLATFORM_WORK
} FigureValue;

// Reads a value as a file has it: "1.6us", "8:1.31us 64:1.33us", "0.45ns/B above 32M". `out` must be {0}; the caller
// frees its table. This refuses what figure_parse and table_parse refuse. In addition, a table of times needs two
// points, and must not fall by more than 5 % from one point to the next; smaller falls are noise, and are kept. Returns
// FALSE and a bad-input error on bad input.
gboolean value_parse(PlatformUnit unit, const char *text, FigureValue *out, GError **error);
// Returns the value as value_parse reads it. Free with g_free.
char *value_text(PlatformUnit unit, const FigureValue *value);
