// Writes a platform as the text of an .ini file.
#include "machine/platform/platform.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/units.h"
#include "machine/platform/value.h"
#include <math.h>
#include <string.h>

char *platform_figure_text(PlatformKey key, double value)
{
    return figure_text(platform_keys[key].unit, value);
}

char *platform_value_text(const Platform *x, PlatformKey key, int level)
{
    const FigureValue value = {level < 0 ? x->value[key] : platform_at(x, key, level), x->above[key],
                               key == KEY_MEMORY                   ? x->memory
                               : level < 0 || !x->level_table[key] ? x->table[key]
                                                                   : x->level_table[key][level]};
    return value_text(platform_keys[key].unit, &value);
}

// Sets a key to the text in one line; a blank text is not set.
static void set_text(GKeyFile *ini, const char *section, const char *key, const char *text)
{
    g_autofree char *line = escape_line(text);
    if (*line)
        g_key_file_set_value(ini, section, key, line);
}

// Returns TRUE if the file has this figure already, however it is spelled: "12.5GB/s" is "0.08ns/B".
static gboolean has_value(GKeyFile *ini, const PlatformKeyInfo *info, const char *name, const char *figure)
{
    g_autofree char *now = g_key_file_get_value(ini, info->section, name, NULL);
    FigureValue value = {0};
    if (!now || !value_parse(info->unit, now, &value, NULL))
        return FALSE;
    g_autofree char *text = value_text(info->unit, &value);
    table_free(value.table);
    return strcmp(text, figure) == 0;
}

// Sets a figure and its source; `level` is NULL for a figure without a level.
static void set_entry(GKeyFile *ini, PlatformKey key, const char *level, const char *figure, const char *source)
{
    const PlatformKeyInfo *info = &platform_keys[key];
    g_autofree char *name = g_strconcat(info->name, level ? "." : "", level, NULL),
                    *source_key = g_strconcat(name, ".source", NULL);
    if (!has_value(ini, info, name, figure))
        set_text(ini, info->section, name, figure);
    set_text(ini, info->section, source_key, source);
}

// Sets a figure that has no levels. It replaces the base's figure for far if there is one: what holds inside a node or
// a group stays.
static void set_figure(GKeyFile *ini, const Platform *platform, PlatformKey key)
{
    const PlatformKeyInfo *info = &platform_keys[key];
    g_autofree char *far = g_strconcat(info->name, ".far", NULL), *figure = platform_value_text(platform, key, -1);
    set_entry(ini, key, g_key_file_has_key(ini, info->section, far, NULL) ? "far" : NULL, figure,
              platform->source[key]);
}

// Removes a figure at the levels whose keys, such as "alpha.node", are not in `kept`.
static void remove_others(GKeyFile *ini, const PlatformKeyInfo *info, const GPtrArray *kept)
{
    g_auto(GStrv) names = g_key_file_get_keys(ini, info->section, NULL, NULL);
    g_autofree char *dotted = g_strconcat(info->name, ".", NULL);
    for (char **name = names; name && *name; name++) {
        g_autofree char *figure = g_strdup(*name);
        if (g_str_has_suffix(figure, ".source"))
            figure[strlen(figure) - strlen(".source")] = '\0';
        if ((strcmp(figure, info->name) == 0 || g_str_has_prefix(figure, dotted)) &&
            !g_ptr_array_find_with_equal_func((GPtrArray *)(uintptr_t)kept, figure, g_str_equal, NULL))
            g_key_file_remove_key(ini, info->section, *name, NULL);
    }
}

// Sets a figure that is given per level. Levels without a source of their own share one value, or have none.
static void set_by_level(GKeyFile *ini, const Platform *platform, PlatformKey key)
{
    gboolean shared = FALSE;
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < platform->levels.n; i++) {
        const char *source = platform->level_source[key][i];
        if (isnan(platform->by_level[key][i]) || (!source && shared))
            continue;
        shared |= !source;
        g_autofree char *figure = platform_value_text(platform, key, i);
        const char *level = source ? platform->levels.at[i].name : NULL;
        set_entry(ini, key, level, figure, source ? source : platform->source[key]);
        g_ptr_array_add(kept, g_strconcat(platform_keys[key].name, level ? "." : "", level, NULL));
    }
    remove_others(ini, &platform_keys[key],
                  kept); // after the others are set, so that these keep their place and comments
}

static void set_levels(GKeyFile *ini, const Platform *platform)
{
    g_key_file_remove_group(ini, "levels", NULL);
    for (int i = 0; i + 1 < platform->levels.n; i++) {
        g_autofree char *size = levels_size_text(&platform->levels, i);
        set_text(ini, "levels", platform->levels.at[i].name, size);
    }
    if (platform->levels_source)
        set_text(ini, "levels", "source", platform->levels_source);
}

static void set_pieces(GKeyFile *ini, const Platform *platform)
{
    g_autoptr(GString) from = g_string_new(NULL), alpha = g_string_new(NULL), beta = g_string_new(NULL);
    for (guint i = 0; i < platform->pieces->len; i++) {
        const PlatformPiece *piece = &g_array_index(platform->pieces, PlatformPiece, i);
        g_autofree char *a = units_format_size(piece->from), *b = platform_figure_text(KEY_ALPHA, piece->alpha),
                        *c = platform_figure_text(KEY_BETA, piece->beta);
        const char *comma = i ? ", " : "";
        g_string_append_printf(from, "%s%s", comma, a);
        g_string_append_printf(alpha, "%s%s", comma, b);
        g_string_append_printf(beta, "%s%s", comma, c);
    }
    set_text(ini, "pieces", "from", from->str);
    set_text(ini, "pieces", "alpha", alpha->str);
    set_text(ini, "pieces", "beta", beta->str);
    set_text(ini, "pieces", "source", platform->pieces_source);
}

static void set_spread(GKeyFile *ini, const Platform *platform)
{
    g_key_file_remove_group(ini, "spread", NULL); // the base's are of other rows
    for (int i = 0; i < N_SPREADS; i++) {
        g_autofree char *sd = g_strdup_printf("%.3g", platform->spread[i]);
        if (platform->spread[i] > 0)
            set_text(ini, "spread", spread_families[i].name, sd);
    }
    set_text(ini, "spread", "source", platform->spread_source);
}

// GKeyFile writes "key=value"; this returns the text with blanks around each '=', as our platform files have them.
static char *spaced(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        char *equals = strchr(*line, '=');
        if (!equals || **line == '#' || **line == '[')
            continue;
        *equals = '\0';
        char *both = g_strconcat(g_strchomp(*line), " = ", g_strchug(equals + 1), NULL);
        g_free(*line);
        *line = both;
    }
    return g_strjoinv("\n", lines);
}

// Reads the base, and its text into `ini`. Returns NULL and an error unless it is a platform. Free with platform_free.
static Platform *read_base(GKeyFile *ini, const char *base, GError **error)
{
    size_t length;
    g_autofree char *text = text_read(base, LIMIT_PLATFORM_BYTES, &length, error);
    g_autoptr(Platform) good = text ? platform_parse(base, text, length, error) : NULL;
    g_autoptr(GError) failed = NULL;
    if (good && g_key_file_load_from_data(ini, text, length, G_KEY_FILE_KEEP_COMMENTS, &failed))
        return g_steal_pointer(&good);
    if (good)
        bad_input(error, "%s: %s", base, failed->message);
    return NULL;
}

static gboolean same_levels(const Levels *a, const Levels *b)
{
    gboolean same = a->n == b->n;
    for (int i = 0; same && i < a->n; i++)
        same = a->at[i].ranks == b->at[i].ranks && strcmp(a->at[i].name, b->at[i].name) == 0;
    return same;
}

char *platform_text(const Platform *platform, const char *base, GError **error)
{
    g_autoptr(GKeyFile) ini = g_key_file_new();
    g_autoptr(Platform) before = base ? read_base(ini, base, error) : platform_new("");
    if (!before)
        return NULL;
    if (platform->title)
        set_text(ini, "machine", "title", platform->title);
    if (platform->mpi)
        set_text(ini, "machine", "mpi", platform->mpi);
    if (platform->model)
        set_text(ini, "machine", "model", platform->model);
    if (platform->levels.n > 1 && !same_levels(&platform->levels, &before->levels))
        set_levels(ini, platform);
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        if (platform->has[k] && platform->by_level[k])
            set_by_level(ini, platform, k);
        else if (platform->has[k])
            set_figure(ini, platform, k);
    if (platform->has[KEY_ALPHA]) // the base's pieces would mislead, because they do not come from alpha's data
        g_key_file_remove_group(ini, "pieces", NULL);
    if (platform->pieces && platform->pieces->len)
        set_pieces(ini, platform);
    if (platform->spread_source)
        set_spread(ini, platform);
    g_autofree char *packed = g_key_file_to_data(ini, NULL, NULL), *text = spaced(packed);
    g_autoptr(Platform) again = platform_parse(platform->name, text, strlen(text), error);
    return again ? g_steal_pointer(&text) : NULL;
}
