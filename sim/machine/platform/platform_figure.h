// How a platform gets its figures, one at a time, from a file or from --set; for platform.c and platform_read.c.
#pragma once
#include "machine/platform/platform.h"

// A figure as a user names it: "alpha", "nic.rate", or "alpha.node", which is alpha at one level.
typedef struct FigureName {
    PlatformKey key;
    char *level; // NULL if the name has no level; free with g_free
} FigureName;

// Reads the name of a figure in a section, or in any section if `section` is NULL. Returns FALSE and a bad-input error
// if there is no such figure, or if it cannot be given per level. It does not check that the platform has the level.
gboolean platform_figure_name(const char *text, const char *section, FigureName *out, GError **error);

// Sets a figure at all levels, and copies its source. On error returns FALSE and leaves the platform as it was.
gboolean platform_figure_all(Platform *platform, PlatformKey key, const char *value, const char *source,
                             GError **error);
// Sets a figure at the level called `level` only. The platform has the figure when all levels have a value.
gboolean platform_figure_level(Platform *platform, PlatformKey key, const char *level, const char *value,
                               const char *source, GError **error);
// Derives Platform.measured anew from the figures. The functions above do not, because a file may set many figures.
void platform_update_measured(Platform *platform);
// Takes a figure away.
void platform_figure_none(Platform *platform, PlatformKey key);
// Returns the first level at which the platform has no value of the figure; -1 if there is none. A figure that has not
// been set is missing at level 0.
int platform_figure_missing(const Platform *platform, PlatformKey key);
