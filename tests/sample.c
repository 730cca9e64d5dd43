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

guint32 sample_seed(guint32 usual)
{
    return sample_all() ? usual : mixed(mixed(seed()) + usual) >> 1; // a test may count on from it
}
