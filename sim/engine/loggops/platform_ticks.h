// A platform's LogGOPS parameters as whole numbers of ticks, for the integer clocks of loggops_run_ticks.
#pragma once
#include "engine/loggops/loggops.h"
#include "machine/platform/platform.h"

typedef struct TickUnit {
    uint64_t per_ns;  // ticks per nanosecond: 1, 1000 (a tick is a ps) or 1000000 (a tick is a fs)
    gboolean rounded; // a tick is a fs, and some parameter is not a whole number of ticks
} TickUnit;

// Sets *ticks to the platform's L, o, g, G, O and S, and *unit to the largest of ns, ps and fs in which all of these
// times are whole numbers; if there is none, they are rounded to the nearest fs. gamma becomes per_ns, so that a calc
// of size d takes d ns. Returns FALSE and a bad-input error if a parameter is missing, or is 2^62 ticks or longer.
gboolean platform_ticks(const Platform *platform, LoggopsTicks *ticks, TickUnit *unit, GError **error);

// Returns a number of ticks in ns, with all digits ("1234.5"). Free with g_free.
char *platform_ticks_to_ns(const TickUnit *unit, uint64_t ticks);
