#include "sample.h"
#include "only.h"
#include <stdlib.h>

bool sample_all(void)
{
#ifdef __SANITIZE_ADDRESS__
    return only_one() != NULL;
#else
    const char *all = g_getenv("CHECK_ALL");
    return (all && *all) || only_one();
#endif
}

static guint32 seed(void)
{
    const char *given = g_getenv("CHECK_SEED");
    return given && *given ? (guint32)strtoul(given, NULL, 10) : 1;
}

// Returns a number that has nothing to do with those of a similar x, as the finalizer of MurmurHash3 makes it.
static guint32 mixed(guint32 x)
{
    x = (x ^ x >> 16) * 0x85ebca6b;
    x = (x ^ x >> 13) * 0xc2b2ae35;
    return x ^ x >> 16;
}

bool sample_takes(guint i, guint apart)
{
    return sample_all() || mixed(mixed(seed()) + i / apart) % apart == i % apart;
}

int sample_of(int all, int few)
{
    return sample_all() ? all : few;
}

guint64 sample_points(int all, int few, guint64 *first)
{
    const char *points = g_getenv("COLLSIM_POINTS"), *begin = g_getenv("COLLSIM_SEED"),
               *seed_given = begin ? begin : g_getenv("CHECK_SEED");
    g_autoptr(GDateTime) today = g_date_time_new_now_utc();
    g_autofree char *day = g_date_time_format(today, "%Y%m%d");
    *first = g_ascii_strtoull(seed_given ? seed_given : day, NULL, 10);
    return points ? g_ascii_strtoull(points, NULL, 10) : (guint64)sample_of(all, few);
}

guint32 sample_seed(guint32 usual)
{
    return sample_all() ? usual : mixed(mixed(seed()) + usual) >> 1; // a test may count on from it
}
