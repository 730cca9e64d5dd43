#include "platform/platform_figure.h"
#include "base/error.h"
#include "base/nearest.h"
#include <math.h>
#include <string.h>

// ---- Names ----------------------------------------------------------------------------------------------------------

// Returns the names of the figures in a section, or in all sections; a list that ends in NULL. Free with g_free.
static const char **names_of(const char *section, gboolean by_level)
{
    const char **names = g_new0(const char *, N_PLATFORM_KEYS + 1);
    for (int k = 0, n = 0; k < N_PLATFORM_KEYS; k++)
        if ((!section || strcmp(section, platform_keys[k].section) == 0) && (!by_level || platform_keys[k].by_level))
            names[n++] = platform_keys[k].name;
    return names;
}

static int find_key(const char *name, const char *section)
{
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        if ((!section || strcmp(section, platform_keys[k].section) == 0) && strcmp(name, platform_keys[k].name) == 0)
            return k;
    return -1;
}

gboolean platform_figure_name(const char *text, const char *section, FigureName *out, GError **error)
{
    const char *dot = strrchr(text, '.');
    g_autofree char *head = dot ? g_strndup(text, (gsize)(dot - text)) : NULL;
    const int whole = find_key(text, section), key = whole < 0 && head ? find_key(head, section) : whole;
    if (key >= 0 && (key == whole || platform_keys[key].by_level)) {
        *out = (FigureName){(PlatformKey)key, key == whole ? NULL : g_strdup(dot + 1)};
        return TRUE;
    }
    if (key >= 0) {
        g_autofree const char **names = names_of(NULL, TRUE);
        g_autofree char *allowed = g_strjoinv(", ", (char **)names);
        return bad_input(error, "%s cannot be given per level; allowed: %s", head, allowed);
    }
    g_autofree const char **names = names_of(section, FALSE);
    g_autofree char *kind = section ? g_strdup_printf("key in [%s]", section) : g_strdup("parameter");
    return nearest_unknown(kind, head && nearest_name(head, names) ? head : text, names, error);
}

// ---- Values ---------------------------------------------------------------------------------------------------------

// Reads the value of a figure: a number, or the table of the memory.
static gboolean read_value(PlatformKey key, const char *text, double *value, Table **table, GError **error)
{
    const PlatformUnit unit = platform_keys[key].unit;
    if (key == KEY_MEMORY ? (*table = table_parse(unit, text, error)) != NULL : figure_parse(unit, text, value, error))
        return TRUE;
    g_prefix_error(error, "%s: ", platform_keys[key].name);
    return FALSE;
}

static void clear_levels(Platform *platform, PlatformKey key)
{
    for (int i = 0; platform->level_source[key] && i < platform->levels.n; i++)
        g_free(platform->level_source[key][i]);
    g_clear_pointer(&platform->level_source[key], g_free);
    g_clear_pointer(&platform->by_level[key], g_free);
}

void platform_figure_none(Platform *platform, PlatformKey key)
{
    clear_levels(platform, key);
    platform->has[key] = FALSE;
    platform->value[key] = platform_keys[key].otherwise;
    g_clear_pointer(&platform->source[key], g_free);
    if (key == KEY_MEMORY)
        g_clear_pointer(&platform->memory, table_free);
}

gboolean platform_figure_all(Platform *platform, PlatformKey key, const char *value, const char *source, GError **error)
{
    double number = platform_keys[key].otherwise;
    Table *table = NULL;
    if (!read_value(key, value, &number, &table, error))
        return FALSE;
    platform_figure_none(platform, key);
    platform->has[key] = TRUE;
    platform->value[key] = number;
    platform->source[key] = g_strdup(source);
    if (key == KEY_MEMORY)
        platform->memory = table;
    return TRUE;
}

int platform_figure_missing(const Platform *platform, PlatformKey key)
{
    for (int i = 0; platform->by_level[key] && i < platform->levels.n; i++)
        if (isnan(platform->by_level[key][i]))
            return i;
    return platform->by_level[key] || platform->has[key] ? -1 : 0;
}

// Makes the figure that holds for one machine as a whole agree with those of its levels.
static void summarize(Platform *platform, PlatformKey key)
{
    const int far = platform->levels.n - 1;
    const double *values = platform->by_level[key];
    char **sources = platform->level_source[key];
    gboolean own = TRUE;
    platform->has[key] = platform_figure_missing(platform, key) < 0;
    platform->value[key] = platform->has[key] ? values[far] : platform_keys[key].otherwise;
    for (int i = 0; i <= far; i++)
        own &= sources[i] != NULL;
    if (own) { // no level depends on the figure without a level any more
        g_free(platform->source[key]);
        platform->source[key] = g_strdup(sources[far]);
    }
}

gboolean platform_figure_level(Platform *platform, PlatformKey key, const char *level, const char *value,
                               const char *source, GError **error)
{
    const int n = platform->levels.n;
    g_autofree char *name = g_strdup_printf("%s.%s", platform_keys[key].name, level);
    double number = 0;
    int i = 0;
    if (!levels_find(&platform->levels, level, &i, error)) {
        g_prefix_error(error, "%s: ", name);
        return FALSE;
    }
    if (n == 1)
        return platform_figure_all(platform, key, value, source, error);
    if (!figure_parse(platform_keys[key].unit, value, &number, error)) {
        g_prefix_error(error, "%s: ", name);
        return FALSE;
    }
    if (!platform->by_level[key]) {
        platform->by_level[key] = g_new(double, n);
        platform->level_source[key] = g_new0(char *, n);
        for (int k = 0; k < n; k++)
            platform->by_level[key][k] = platform->has[key] ? platform->value[key] : NAN;
    }
    platform->by_level[key][i] = number;
    g_free(platform->level_source[key][i]);
    platform->level_source[key][i] = g_strdup(source);
    summarize(platform, key);
    return TRUE;
}

// ---- Platforms ------------------------------------------------------------------------------------------------------

Platform *platform_new(const char *name)
{
    Platform *platform = g_new0(Platform, 1);
    platform->name = g_strdup(name);
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        platform->value[k] = platform_keys[k].otherwise;
    levels_init(&platform->levels);
    return platform;
}

void platform_free(Platform *platform)
{
    if (!platform)
        return;
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        platform_figure_none(platform, k);
    g_free(platform->levels_source);
    levels_clear(&platform->levels);
    measured_free(platform->measured);
    g_free(platform->topology.shape);
    if (platform->pieces)
        g_array_unref(platform->pieces);
    g_free(platform->pieces_source);
    g_free(platform->title);
    g_free(platform->name);
    g_free(platform);
}

gboolean platform_flatten(Platform *platform)
{
    gboolean taken = platform->levels.n > 1;
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        const gboolean shared = k >= KEY_NICS && k <= KEY_MEMORY;
        taken |= shared && platform->has[k];
        if (shared)
            platform_figure_none(platform, k);
        else
            clear_levels(platform, k);
    }
    levels_clear(&platform->levels);
    measured_free(platform->measured);
    levels_init(&platform->levels);
    g_clear_pointer(&platform->levels_source, g_free);
    return taken;
}

// Sets a figure, or takes one away that is optional. `source` is the text of --set.
static gboolean set_figure(Platform *platform, const FigureName *name, const char *value, const char *source,
                           GError **error)
{
    if (name->level)
        return platform_figure_level(platform, name->key, name->level, value, source, error);
    if (!platform_keys[name->key].optional || strcmp(value, "none") != 0)
        return platform_figure_all(platform, name->key, value, source, error);
    platform_figure_none(platform, name->key);
    return TRUE;
}

gboolean platform_set(Platform *platform, const char *assignment, GError **error)
{
    g_autofree char *key = g_strndup(assignment, strcspn(assignment, "="));
    g_autofree char *source = g_strdup_printf("--set %s", assignment);
    if (strlen(key) == strlen(assignment)) {
        g_autofree char *shown = error_quote(assignment);
        return bad_input(error, "--set %s has no '='; allowed: KEY=VALUE, such as alpha=1us", shown);
    }
    FigureName name = {.level = NULL};
    const gboolean set = platform_figure_name(key, NULL, &name, error) &&
                         set_figure(platform, &name, assignment + strlen(key) + 1, source, error);
    g_free(name.level);
    if (!set)
        g_prefix_error(error, "--set: ");
    return set;
}

// Adds the name of a figure that the platform lacks, and the first level without it if others have it.
static void add_missing(GString *text, const Platform *platform, PlatformKey key)
{
    g_string_append_printf(text, "%s%s", text->len ? ", " : "", platform_keys[key].name);
    if (platform->by_level[key])
        g_string_append_printf(text, ".%s", platform->levels.at[platform_figure_missing(platform, key)].name);
}

gboolean platform_need(const Platform *platform, const PlatformKey *keys, size_t n, const char *model, GError **error)
{
    g_autoptr(GString) missing = g_string_new(NULL);
    for (size_t i = 0; i < n; i++)
        if (!platform->has[keys[i]] && !platform_keys[keys[i]].optional)
            add_missing(missing, platform, keys[i]);
    return missing->len == 0 ||
           bad_input(error, "platform %s lacks %s, which model %s needs; allowed: another platform, or --set KEY=VALUE",
                     platform->name, missing->str, model);
}
