#include "engine/model/logp_figures.h"
#include <math.h>

// Returns the L and G of the platform's levels, or NULL if all messages are far. Free with g_free.
static LoggopsLevel *levels_of(const Platform *platform, const Mapping *map, bool bytes)
{
    const int n = platform->levels.n;
    if (!map || n == 1)
        return NULL;
    LoggopsLevel *level = g_new(LoggopsLevel, n);
    for (int k = 0; k < n; k++)
        level[k] = (LoggopsLevel){platform_at(platform, KEY_L, k), bytes ? platform_at(platform, KEY_G_BYTE, k) : 0};
    return level;
}

LoggopsParams logp_figures(const Model *model, const Platform *platform, const Mapping *map)
{
    const double *v = platform->value;
    const bool bytes = model != &logp_model, all = model == &loggops_model;
    const LoggopsLevel *const level = levels_of(platform, map, bytes);
    return (LoggopsParams){.L = v[KEY_L],
                           .o = v[KEY_O_CPU],
                           .g = v[KEY_G_GAP],
                           .G = bytes ? v[KEY_G_BYTE] : 0,
                           .O = all ? v[KEY_O_BYTE] : 0,
                           .S = all ? v[KEY_S] : INFINITY,
                           .gamma = v[KEY_GAMMA],
                           .n_levels = level ? platform->levels.n : 0,
                           .level = level};
}
