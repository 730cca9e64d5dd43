// A platform's LogGOPS parameters as whole numbers of a tick, for the integer clocks of loggops_run_ticks.
#pragma once
#include "loggops/loggops.h"
#include "platform/platform.h"

typedef struct TickUnit {
    uint64_t per_ns;  // ticks of a nanosecond: 1, 1000 (ps) or 1000000 (fs)
    gboolean rounded; // some parameter is no whole number of ticks, not even of 1 fs
} TickUnit;

// L, o, g, G, O and S of a platform in the largest tick of ns, ps and fs that makes all whole; where none does they are
// rounded to the next fs. gamma becomes per_ns: a calc of size d takes d ns. FALSE and bad input where one is missing or
// as long as 2^62 ticks.
gboolean platform_ticks(const Platform *platform, LoggopsTicks *ticks, TickUnit *unit, GError **error);

// "1234.5": a number of ticks in ns, all its digits; free with g_free.
char *platform_ticks_to_ns(const TickUnit *unit, uint64_t ticks);
