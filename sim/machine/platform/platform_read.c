// Finds a platform's .ini file and reads it.
#include "base/error.h"
#include "base/escape.h"
#include "base/ini.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/share.h"
#include "base/text.h"
#include "machine/platform/platform_figure.h"
#include <string.h>

static const char *const sections[] = {"machine", "levels", "hockney", "measured", "loggops", "shared",
                                       "node",    "pieces", "spread",  "topology", NULL};
static const char *const texts[] = {"title", "network", "mpi", "note", "model", NULL};
static const char *const default_models[] = {"hockney", "measured", NULL};
static const char source_suffix[] = ".source";

// A figure, or its source, as lines of the file give them.
typedef struct FigureLines {
    char *name; // "alpha", "alpha.node"
    FigureName figure;
    char *value, *source;          // NULL if they have not been read
    guint value_line, source_line; // 0 if they have not been read
} FigureLines;

// The state of reading one file.
typedef struct {
    Platform *platform;
    const char *path; // of the file
    Ini ini;
    const char *section; // one of `sections`; NULL before the first
    GPtrArray *figures;  // of FigureLines, in the order of the file
    TopologyText topology;
    guint piece_line[4]; // the line of each of piece_keys; 0 if it has not been read
    gboolean section_seen[G_N_ELEMENTS(sections)], text_seen[G_N_ELEMENTS(texts)];
    guint model_line; // of the key model in [machine]
} PlatformReader;

static void figure_lines_free(gpointer data)
{
    FigureLines *x = data;
    g_free(x->name);
    g_free(x->figure.level);
    g_free(x->value);
    g_free(x->source);
    g_free(x);
}

// Returns the index of `name` in a NULL-terminated list, or -1.
static int index_of(const char *name, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

static gboolean read_section(PlatformReader *reader, const char *name, GError **error)
{
    const int i = index_of(name, sections);
    if (i < 0)
        return nearest_unknown("section", name, sections, error);
    if (reader->section_seen[i])
        return bad_input(error, "section [%s] appears twice; allowed: once", name);
    reader->section_seen[i] = TRUE;
    reader->section = sections[i];
    return TRUE;
}

static gboolean read_text(PlatformReader *reader, const char *name, const char *value, GError **error)
{
    const int i = index_of(name, texts);
    if (i < 0)
        return nearest_unknown("key in [machine]", name, texts, error);
    if (reader->text_seen[i])
        return bad_input(error, "%s is set twice; allowed: once", name);
    reader->text_seen[i] = TRUE;
    if (*value && strcmp(name, "title") == 0)
        reader->platform->title = escape_terminal(value); // every answer prints it
    if (*value && strcmp(name, "mpi") == 0)
        reader->platform->mpi = escape_line(value);
    if (strcmp(name, "model") != 0)
        return TRUE;
    reader->model_line = reader->ini.line;
    reader->platform->model = g_strdup(value);
    return index_of(value, default_models) >= 0 || nearest_unknown("model of a platform", value, default_models, error);
}

static gboolean read_piece(PlatformReader *reader, const char *name, const char *value, GError **error)
{
    const int k = index_of(name, piece_keys);
    if (k < 0)
        return nearest_unknown("key in [pieces]", name, piece_keys, error);
    if (reader->piece_line[k])
        return bad_input(error, "%s is set twice, first in line %u; allowed: once", name, reader->piece_line[k]);
    reader->piece_line[k] = reader->ini.line;
    return pieces_read(&reader->platform->pieces, &reader->platform->pieces_source, k, value, error);
}

static gboolean read_levels(PlatformReader *reader, const char *name, const char *value, GError **error)
{
    Platform *platform = reader->platform;
    if (strcmp(name, "source") != 0)
        return levels_read(&platform->levels, name, value, error);
    if (platform->levels_source)
        return bad_input(error, "source is set twice; allowed: once");
    platform->levels_source = escape_line(value);
    return *value || bad_input(error, "source is empty; allowed: a text that says where the levels come from");
}

static gboolean read_spread(PlatformReader *reader, const char *name, const char *value, GError **error)
{
    const char *names[N_SPREADS + 2] = {[N_SPREADS] = "source"};
    Platform *platform = reader->platform;
    for (int i = 0; i < N_SPREADS; i++)
        names[i] = spread_families[i].name;
    const int i = index_of(name, names);
    if (i < 0)
        return nearest_unknown("family in [spread]", name, names, error);
    if (i < N_SPREADS ? platform->spread[i] > 0 : platform->spread_source != NULL)
        return bad_input(error, "%s is set twice; allowed: once", name);
    if (i == N_SPREADS) {
        platform->spread_source = escape_line(value);
        return *value || bad_input(error, "source is empty; allowed: a text that says where the spreads come from");
    }
    return (number_real(value, &platform->spread[i]) && platform->spread[i] >= SPREAD_LEAST &&
            platform->spread[i] <= SPREAD_MOST) ||
           bad_input(error, "%s = %s is not a spread; allowed: %g to %g", name, value, SPREAD_LEAST, SPREAD_MOST);
}

// Returns an error if there are spreads without a source, or a source without spreads.
static gboolean check_spread(PlatformReader *reader, GError **error)
{
    gboolean any = FALSE;
    for (int i = 0; i < N_SPREADS; i++)
        any |= reader->platform->spread[i] > 0;
    return any == (reader->platform->spread_source != NULL) ||
           bad_input(error, "[spread] has %s; allowed: spreads and source together",
                     any ? "no source" : "only a source");
}

// Returns the lines of the figure of this name, which may be its first. Returns NULL and a bad-input error if there is
// no such figure.
static FigureLines *figure_lines(PlatformReader *reader, const char *name, GError **error)
{
    for (guint i = 0; i < reader->figures->len; i++) {
        FigureLines *x = g_ptr_array_index(reader->figures, i);
        if (strcmp(x->name, name) == 0 && strcmp(platform_keys[x->figure.key].section, reader->section) == 0)
            return x;
    }
    FigureName figure;
    if (!platform_figure_name(name, reader->section, &figure, error))
        return NULL;
    FigureLines *x = g_new0(FigureLines, 1);
    x->name = g_strdup(name);
    x->figure = figure;
    g_ptr_array_add(reader->figures, x);
    return x;
}

// Reads a figure or its source. A figure without a level is set at once; the others wait until all levels are known.
static gboolean read_key(PlatformReader *reader, const char *name, const char *value, GError **error)
{
    const gboolean is_source = g_str_has_suffix(name, source_suffix);
    g_autofree char *figure = g_strndup(name, strlen(name) - (is_source ? strlen(source_suffix) : 0));
    FigureLines *x = figure_lines(reader, figure, error);
    if (!x)
        return FALSE;
    guint *line = is_source ? &x->source_line : &x->value_line;
    if (*line)
        return bad_input(error, "%s is set twice, first in line %u; allowed: once", name, *line);
    *line = reader->ini.line;
    if (is_source) {
        x->source = escape_line(value);
        return *value || bad_input(error, "%s is empty; allowed: a text that says where %s comes from", name, figure);
    }
    x->value = g_strdup(value);
    return x->figure.level || platform_figure_all(reader->platform, x->figure.key, value, "", error);
}

// Reads the line on which the reader is.
static gboolean read_line(PlatformReader *reader, GError **error)
{
    const char *key = reader->ini.key, *value = reader->ini.value;
    if (!key)
        return read_section(reader, reader->ini.section, error);
    if (strcmp(reader->section, "machine") == 0)
        return read_text(reader, key, value, error);
    if (strcmp(reader->section, "levels") == 0)
        return read_levels(reader, key, value, error);
    if (strcmp(reader->section, "topology") == 0)
        return topology_read(&reader->topology, reader->ini.line, key, value, error);
    if (strcmp(reader->section, "pieces") == 0)
        return read_piece(reader, key, value, error);
    if (strcmp(reader->section, "spread") == 0)
        return read_spread(reader, key, value, error);
    return read_key(reader, key, value, error);
}

// Returns an error if a figure has no source, or a source no figure.
static gboolean check_sources(PlatformReader *reader, GError **error)
{
    for (guint i = 0; i < reader->figures->len; i++) {
        const FigureLines *x = g_ptr_array_index(reader->figures, i);
        reader->ini.line = MAX(x->value_line, x->source_line);
        if (!x->source)
            return bad_input(error, "%s has no source; allowed: with %s.source = where it comes from", x->name,
                             x->name);
        if (!x->value)
            return bad_input(error, "%s.source has no figure; allowed: with %s = value", x->name, x->name);
    }
    return TRUE;
}

// Gives the platform the figures, in two passes: those without a level, and then those that hold at one level.
static gboolean take_figures(PlatformReader *reader, gboolean by_level, GError **error)
{
    for (guint i = 0; i < reader->figures->len; i++) {
        const FigureLines *x = g_ptr_array_index(reader->figures, i);
        reader->ini.line = x->value_line;
        if (!by_level && !x->figure.level &&
            !platform_figure_all(reader->platform, x->figure.key, x->value, x->source, error))
            return FALSE;
        if (by_level && x->figure.level &&
            !platform_figure_level(reader->platform, x->figure.key, x->figure.level, x->value, x->source, error))
            return FALSE;
    }
    return TRUE;
}

// Returns how many levels have a figure of their own for this key.
static int levels_with(const PlatformReader *reader, PlatformKey key)
{
    int n = 0;
    for (guint i = 0; i < reader->figures->len; i++) {
        const FigureLines *x = g_ptr_array_index(reader->figures, i);
        n += x->figure.key == key && x->figure.level;
    }
    return n;
}

// Returns an error if a level has no value of a figure that others have, or if no level needs the figure without one.
static gboolean check_levels(PlatformReader *reader, GError **error)
{
    const Platform *platform = reader->platform;
    for (guint i = 0; i < reader->figures->len; i++) {
        const FigureLines *x = g_ptr_array_index(reader->figures, i);
        const char *name = platform_keys[x->figure.key].name;
        const int missing = platform_figure_missing(platform, x->figure.key);
        reader->ini.line = x->value_line;
        if (!x->figure.level && levels_with(reader, x->figure.key) == platform->levels.n)
            return bad_input(error, "%s holds for no level, because each has its own; allowed: %s, if a level has none",
                             name, name);
        if (missing >= 0 && !platform_keys[x->figure.key].optional)
            return bad_input(error,
                             "%s has no value at level %s; allowed: with %s.%s = value, or %s = value for all "
                             "other levels",
                             name, platform->levels.at[missing].name, name, platform->levels.at[missing].name, name);
    }
    return TRUE;
}

// Returns an error if [measured] has figures, but not `one`, which the model cannot do without.
static gboolean check_measured(PlatformReader *reader, GError **error)
{
    for (guint i = 0; i < reader->figures->len && !reader->platform->has[KEY_ONE]; i++) {
        const FigureLines *x = g_ptr_array_index(reader->figures, i);
        reader->ini.line = x->value_line;
        if (strcmp(platform_keys[x->figure.key].section, platform_keys[KEY_ONE].section) == 0)
            return bad_input(error,
                             "[measured] has %s, but not one, the time of a message; allowed: with one = a list "
                             "of SIZE:TIME such as 8:1.31us 4K:2.9us",
                             x->name);
    }
    return TRUE;
}

// Returns an error if the platform's runs have a model whose section is missing.
static gboolean check_model(PlatformReader *reader, GError **error)
{
    if (g_strcmp0(reader->platform->model, "measured") != 0 || reader->platform->has[KEY_ONE])
        return TRUE;
    reader->ini.line = reader->model_line;
    return bad_input(error, "model is measured, but [measured] has no one; allowed: hockney, or a section [measured]");
}

static gboolean read_file(PlatformReader *reader, const char *text, size_t length, GError **error)
{
    gboolean more = TRUE;
    if (!ini_open(&reader->ini, text, length, error))
        return FALSE;
    while (ini_next(&reader->ini, &more, error) && more)
        if (!read_line(reader, error))
            return FALSE;
    if (more)
        return FALSE;
    if (!check_sources(reader, error) || !take_figures(reader, FALSE, error) || !take_figures(reader, TRUE, error) ||
        !check_levels(reader, error) || !check_measured(reader, error) || !check_model(reader, error) ||
        !check_spread(reader, error))
        return FALSE;
    platform_update_measured(reader->platform);
    reader->ini.line = 0;
    return pieces_check(reader->piece_line, &reader->ini.line, error) &&
           topology_finish(&reader->topology, reader->path, &reader->ini.line, &reader->platform->topology, error);
}

Platform *platform_parse(const char *path, const char *text, size_t length, GError **error)
{
    if (!text_check(text, length, LIMIT_PLATFORM_BYTES, path, error))
        return NULL;
    g_autofree char *file = g_path_get_basename(path);
    if (g_str_has_suffix(file, ".ini"))
        file[strlen(file) - strlen(".ini")] = '\0';
    g_autofree char *name = escape_terminal(file);
    g_autoptr(Platform) platform = platform_new(name);
    g_autoptr(GPtrArray) figures = g_ptr_array_new_with_free_func(figure_lines_free);
    PlatformReader reader = {.platform = platform, .path = path, .figures = figures};
    const gboolean read = read_file(&reader, text, length, error);
    topology_text_clear(&reader.topology);
    ini_clear(&reader.ini);
    if (!read) {
        g_prefix_error(error, "%s:%u: ", path, MAX(1, reader.ini.line));
        return NULL;
    }
    if (!platform->title)
        platform->title = g_strdup(platform->name);
    return g_steal_pointer(&platform);
}

// ---- Files ----------------------------------------------------------------------------------------------------------

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **platform_names(void)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *folder = share_path(SHARE_PLATFORMS, NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *file;
    while (dir && (file = g_dir_read_name(dir)))
        if (g_str_has_suffix(file, ".ini"))
            g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(".ini")));
    g_ptr_array_sort(names, compare_names);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}

// Returns the path of a machine's file. Returns NULL and an error if no machine has the name. Free with g_free.
static char *path_of(const char *name, GError **error)
{
    g_auto(GStrv) names = platform_names();
    g_autofree char *file = g_strdup_printf("%s.ini", name), *folder = share_path(SHARE_PLATFORMS, NULL);
    g_autofree char *path = share_path(SHARE_PLATFORMS, file);
    // The default machine is not called unknown, because the user may not have named it.
    if (!share_check(SHARE_PLATFORMS, strcmp(name, PLATFORM_DEFAULT) == 0 ? path : folder, error))
        return NULL;
    if (g_strv_contains((const char *const *)names, name))
        return g_steal_pointer(&path);
    g_autoptr(GStrvBuilder) allowed = g_strv_builder_new();
    g_strv_builder_addv(allowed, (const char **)names);
    g_strv_builder_add(allowed, *names ? "or a path to an .ini file" : "a path to an .ini file");
    g_auto(GStrv) all = g_strv_builder_end(allowed);
    nearest_unknown("platform", name, (const char *const *)all, error);
    return NULL;
}

char *platform_path(const char *name_or_file, GError **error)
{
    const gboolean is_path = strchr(name_or_file, '/') || g_str_has_suffix(name_or_file, ".ini");
    return is_path ? g_strdup(name_or_file) : path_of(name_or_file, error);
}

Platform *platform_load(const char *name_or_file, GError **error)
{
    g_autofree char *path = platform_path(name_or_file, error);
    size_t length;
    g_autofree char *text = path ? text_read(path, LIMIT_PLATFORM_BYTES, &length, error) : NULL;
    return text ? platform_parse(path, text, length, error) : NULL;
}
