#include "engine/model/model_columns.h"
#include <math.h>
#include <string.h>

char *model_figure_column(PlatformKey key)
{
    static const char *const units[] = {[PLATFORM_TIME] = "_s",
                                        [PLATFORM_PER_BYTE] = "_s_per_byte",
                                        [PLATFORM_SIZE] = "_bytes",
                                        [PLATFORM_NUMBER] = ""};
    const PlatformKeyInfo *info = &platform_keys[key];
    if (strcmp(info->section, "measured") == 0 || strcmp(info->section, "node") == 0)
        return NULL;
    return g_strconcat(info->name, units[info->unit], NULL);
}

bool model_has_figure(const Platform *platform, PlatformKey key)
{
    g_autofree char *name = model_figure_column(key);
    return name && (platform->has[key] || !platform_keys[key].optional);
}

bool model_knows_figure(const Platform *platform, PlatformKey key)
{
    // No gamma is needed without a reduction.
    return platform->has[key] && !(platform_keys[key].unit == PLATFORM_SIZE && isinf(platform->value[key]));
}

bool model_pays_term(const Platform *platform, TermKind kind)
{
    const PlatformKey key = term_kinds[kind].key;
    return !platform_keys[key].optional || (platform && platform->has[key]);
}
