#include "machine/platform/platform_figure.h"
#include <string.h>

static Levels copy_levels(const Levels *of)
{
    Levels x = {of->n, g_memdup2(of->at, (gsize)of->n * sizeof *of->at)};
    for (int i = 0; i < x.n; i++)
        x.at[i].name = g_strdup(of->at[i].name);
    return x;
}

// Copies what the platform has of a figure per level.
static void copy_by_level(Platform *x, const Platform *of, PlatformKey key)
{
    const gsize n = (gsize)of->levels.n;
    if (!of->by_level[key])
        return;
    x->by_level[key] = g_memdup2(of->by_level[key], n * sizeof(double));
    x->level_source[key] = g_new(char *, n);
    x->level_table[key] = g_new(Table *, n);
    for (gsize i = 0; i < n; i++) {
        x->level_source[key][i] = g_strdup(of->level_source[key][i]);
        x->level_table[key][i] = table_copy(of->level_table[key][i]);
    }
}

// Copies all that a platform has of a figure over what x has, which it does not free.
static void copy_figure(Platform *x, const Platform *of, PlatformKey key)
{
    x->has[key] = of->has[key];
    x->value[key] = of->value[key];
    x->above[key] = of->above[key];
    x->source[key] = g_strdup(of->source[key]);
    x->table[key] = table_copy(of->table[key]);
    if (key == KEY_MEMORY)
        x->memory = table_copy(of->memory);
    copy_by_level(x, of, key);
}

void platform_take_figure(Platform *x, const Platform *from, PlatformKey key)
{
    platform_figure_none(x, key);
    copy_figure(x, from, key);
    platform_update_measured(x);
}

Platform *platform_new_like(const char *name, const Platform *of)
{
    Platform *x = platform_new(name);
    levels_clear(&x->levels);
    x->levels = copy_levels(&of->levels);
    x->levels_source = g_strdup(of->levels_source);
    return x;
}

Platform *platform_copy(const Platform *of)
{
    Platform *x = g_memdup2(of, sizeof *of);
    x->name = g_strdup(of->name);
    x->title = g_strdup(of->title);
    x->mpi = g_strdup(of->mpi);
    x->model = g_strdup(of->model);
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        copy_figure(x, of, k);
    x->measured = measured_copy(of->measured);
    x->pieces = of->pieces ? g_array_copy(of->pieces) : NULL;
    x->pieces_source = g_strdup(of->pieces_source);
    x->spread_source = g_strdup(of->spread_source);
    x->topology = topology_copy(&of->topology);
    x->levels = copy_levels(&of->levels);
    x->levels_source = g_strdup(of->levels_source);
    return x;
}
