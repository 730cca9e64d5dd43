#include "engine/loggops/platform_ticks.h"
#include "base/error.h"
#include <math.h>

enum { N_TIMES = 5 };
static const PlatformKey keys[N_TIMES + 1] = {KEY_L, KEY_O_CPU, KEY_G_GAP, KEY_G_BYTE, KEY_O_BYTE, KEY_S};

// Returns TRUE if all times are whole numbers of ticks of 1/per_second s. It tolerates two roundings: a figure is the
// double nearest to what was written, and the product is rounded as well.
static gboolean all_whole(const Platform *platform, double per_second)
{
    for (int i = 0; i < N_TIMES; i++) {
        const double ticks = platform->value[keys[i]] * per_second;
        if (fabs(ticks - round(ticks)) > ticks * 1e-15)
            return FALSE;
    }
    return TRUE;
}

gboolean platform_ticks(const Platform *platform, LoggopsTicks *ticks, TickUnit *unit, GError **error)
{
    if (!platform_need(platform, keys, G_N_ELEMENTS(keys), "loggops", error))
        return FALSE;
    double per_second = 1e9;
    for (unit->per_ns = 1; unit->per_ns < 1000000 && !all_whole(platform, per_second); unit->per_ns *= 1000)
        per_second *= 1000;
    unit->rounded = !all_whole(platform, per_second);
    uint64_t whole[N_TIMES];
    for (int i = 0; i < N_TIMES; i++) {
        const double value = round(platform->value[keys[i]] * per_second);
        if (value >= 0x1p62)
            return bad_input(error, "%s of %g ns is too long for 64 bits; allowed: less than %g ns",
                             platform_keys[keys[i]].name, platform->value[keys[i]] * 1e9,
                             0x1p62 / (double)unit->per_ns);
        whole[i] = (uint64_t)value;
    }
    const double S = platform->value[KEY_S];
    *ticks = (LoggopsTicks){.L = whole[0],
                            .o = whole[1],
                            .g = whole[2],
                            .G = whole[3],
                            .O = whole[4],
                            .S = S < 0x1p63 ? (uint64_t)S : UINT64_MAX,
                            .gamma = unit->per_ns};
    return TRUE;
}

char *platform_ticks_to_ns(const TickUnit *unit, uint64_t ticks)
{
    char *text = g_strdup_printf("%" G_GUINT64_FORMAT ".%06" G_GUINT64_FORMAT, ticks / unit->per_ns,
                                 ticks % unit->per_ns * (1000000 / unit->per_ns));
    char *end = text + strlen(text);
    while (end[-1] == '0')
        end--;
    if (end[-1] == '.')
        end--;
    *end = '\0';
    return text;
}
