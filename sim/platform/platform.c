#include "platform/platform.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

const PlatformKeyInfo platform_keys[N_PLATFORM_KEYS] = {
    [KEY_ALPHA] = {"alpha", PLATFORM_TIME, "start-up time of a message", "hockney"},
    [KEY_BETA] = {"beta", PLATFORM_PER_BYTE, "transfer time of a byte", "hockney"},
    [KEY_GAMMA] = {"gamma", PLATFORM_PER_BYTE, "time to reduce a byte", "hockney"},
    [KEY_L] = {"L", PLATFORM_TIME, "latency of the network", "loggops"},
    [KEY_O_CPU] = {"o", PLATFORM_TIME, "CPU time to send or receive a message", "loggops"},
    [KEY_G_GAP] = {"g", PLATFORM_TIME, "gap between messages of a NIC", "loggops"},
    [KEY_G_BYTE] = {"G", PLATFORM_PER_BYTE, "NIC time of a byte", "loggops"},
    [KEY_O_BYTE] = {"O", PLATFORM_PER_BYTE, "CPU time of a byte", "loggops"},
    [KEY_S] = {"S", PLATFORM_SIZE, "largest eager message", "loggops"},
    [KEY_WRITE] = {"write", PLATFORM_PER_BYTE, "time to copy a byte into shared memory", "shared"},
    [KEY_READ] = {"read", PLATFORM_PER_BYTE, "time to copy a byte out of shared memory", "shared"},
    [KEY_FLAG] = {"flag", PLATFORM_TIME, "time until another rank sees a flag", "shared"},
    [KEY_LANES] = {"lanes", PLATFORM_NUMBER, "ranks that read one fragment at full speed", "shared"},
};
static const char *const sections[] = {"machine", "hockney", "loggops", "shared", "pieces", "topology", NULL};
static const char *const texts[] = {"title", "network", "mpi", "note", NULL};
static const char source_suffix[] = ".source";

// The state of reading one file.
typedef struct {
    Platform *platform;
    GKeyFile *ini;
    const char *section; // one of `sections`; NULL before the first
    guint line;
    guint key_line[N_PLATFORM_KEYS], source_line[N_PLATFORM_KEYS]; // the line of each; 0 if it has not been read
    TopologyText topology;
    guint piece_line[4]; // the line of each of piece_keys; 0 if it has not been read
    gboolean section_seen[G_N_ELEMENTS(sections)], text_seen[G_N_ELEMENTS(texts)];
} PlatformReader;

// Returns the index of `name` in a NULL-terminated list, or -1.
static int index_of(const char *name, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

// Returns the key of the figure called `name` in this section, or in any section if `section` is NULL. Returns -1 and a
// bad-input error if there is none.
static int find_key(const char *name, const char *section, GError **error)
{
    const char *names[N_PLATFORM_KEYS + 1] = {NULL};
    for (int k = 0, n = 0; k < N_PLATFORM_KEYS; k++) {
        if (section && strcmp(section, platform_keys[k].section) != 0)
            continue;
        if (strcmp(name, platform_keys[k].name) == 0)
            return k;
        names[n++] = platform_keys[k].name;
    }
    g_autofree char *kind = section ? g_strdup_printf("key in [%s]", section) : g_strdup("parameter");
    nearest_unknown(kind, name, names, error);
    return -1;
}

static gboolean read_threshold(const char *text, double *out, GError **error)
{
    size_t size;
    if (strcmp(text, "unlimited") == 0) {
        *out = INFINITY;
        return TRUE;
    }
    if (units_parse_size(text, &size, NULL)) {
        *out = (double)size;
        return TRUE;
    }
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s is not a size; allowed: a size such as 64K, or unlimited", shown);
}

static gboolean read_number(const char *text, double *out, GError **error)
{
    double number;
    if (number_real(text, &number) && number >= 1) {
        *out = number;
        return TRUE;
    }
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s is not a valid number; allowed: 1 or more", shown);
}

static gboolean read_figure(PlatformKey key, const char *text, double *out, GError **error)
{
    static gboolean (*const readers[])(const char *, double *, GError **) = {
        [PLATFORM_TIME] = units_parse_time,
        [PLATFORM_PER_BYTE] = units_parse_per_byte,
        [PLATFORM_SIZE] = read_threshold,
        [PLATFORM_NUMBER] = read_number,
    };
    double value;
    if (readers[platform_keys[key].unit](text, &value, error) && figure_check(platform_keys[key].unit, value, error)) {
        *out = value;
        return TRUE;
    }
    g_prefix_error(error, "%s: ", platform_keys[key].name);
    return FALSE;
}

static gboolean read_section(PlatformReader *reader, const char *line, GError **error)
{
    g_autofree char *name = g_strndup(line + 1, strcspn(line, "]") - 1);
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
    return TRUE;
}

static gboolean read_piece(PlatformReader *reader, const char *name, const char *value, GError **error)
{
    const int k = index_of(name, piece_keys);
    if (k < 0)
        return nearest_unknown("key in [pieces]", name, piece_keys, error);
    if (reader->piece_line[k])
        return bad_input(error, "%s is set twice, first in line %u; allowed: once", name, reader->piece_line[k]);
    reader->piece_line[k] = reader->line;
    return pieces_read(&reader->platform->pieces, &reader->platform->pieces_source, k, value, error);
}

// Reads a figure or its source.
static gboolean read_key(PlatformReader *reader, const char *name, const char *value, GError **error)
{
    Platform *platform = reader->platform;
    const gboolean is_source = g_str_has_suffix(name, source_suffix);
    g_autofree char *figure = g_strndup(name, strlen(name) - (is_source ? strlen(source_suffix) : 0));
    const int k = find_key(figure, reader->section, error);
    if (k < 0)
        return FALSE;
    guint *line = is_source ? &reader->source_line[k] : &reader->key_line[k];
    if (*line)
        return bad_input(error, "%s is set twice, first in line %u; allowed: once", name, *line);
    *line = reader->line;
    if (is_source) {
        platform->source[k] = escape_line(value);
        return *value || bad_input(error, "%s is empty; allowed: a text that says where %s comes from", name, figure);
    }
    platform->has[k] = TRUE;
    return read_figure(k, value, &platform->value[k], error);
}

// Reads one line of a file that GKeyFile has accepted. The line only gives the key; its value comes from GKeyFile.
static gboolean read_line(PlatformReader *reader, const char *line, GError **error)
{
    while (g_ascii_isspace(*line))
        line++;
    if (*line == '\0' || *line == '#')
        return TRUE;
    if (*line == '[')
        return read_section(reader, line, error);
    g_assert(reader->section); // GKeyFile refuses a key before the first section
    g_autofree char *key = g_strchomp(g_strndup(line, strcspn(line, "=")));
    g_autofree char *value = g_key_file_get_value(reader->ini, reader->section, key, NULL);
    if (!value) {
        g_autofree char *shown = error_quote(key);
        return bad_input(error, "%s is not a valid key; allowed: key = value", shown);
    }
    g_strstrip(value);
    if (strcmp(reader->section, "machine") == 0)
        return read_text(reader, key, value, error);
    if (strcmp(reader->section, "topology") == 0)
        return topology_read(&reader->topology, reader->line, key, value, error);
    if (strcmp(reader->section, "pieces") == 0)
        return read_piece(reader, key, value, error);
    return read_key(reader, key, value, error);
}

static gboolean check_sources(PlatformReader *reader, GError **error)
{
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        const char *name = platform_keys[k].name;
        if (!reader->key_line[k] == !reader->source_line[k])
            continue;
        reader->line = MAX(reader->key_line[k], reader->source_line[k]);
        if (reader->key_line[k])
            return bad_input(error, "%s has no source; allowed: with %s.source = where it comes from", name, name);
        return bad_input(error, "%s.source has no figure; allowed: with %s = value", name, name);
    }
    reader->line = 0;
    return pieces_check(reader->piece_line, &reader->line, error);
}

// Returns the first line that GKeyFile refuses. GKeyFile does not say which one it is, but it accepts the lines before
// it, so we bisect.
static guint refused_line(char *const *lines)
{
    guint good = 0, bad = g_strv_length((char **)lines);
    while (bad - good > 1) {
        const guint middle = good + (bad - good) / 2;
        g_autoptr(GString) head = g_string_new(NULL);
        g_autoptr(GKeyFile) ini = g_key_file_new();
        for (guint i = 0; i < middle; i++)
            g_string_append_printf(head, "%s\n", lines[i]);
        if (g_key_file_load_from_data(ini, head->str, head->len, G_KEY_FILE_NONE, NULL))
            good = middle;
        else
            bad = middle;
    }
    return bad;
}

static gboolean read_file(PlatformReader *reader, const char *text, size_t length, GError **error)
{
    g_autofree char *all = g_strndup(text, length);
    g_auto(GStrv) lines = g_strsplit(all, "\n", -1);
    if (!g_key_file_load_from_data(reader->ini, all, length, G_KEY_FILE_NONE, NULL)) {
        reader->line = refused_line(lines);
        g_autofree char *shown = error_quote(lines[reader->line - 1]);
        return bad_input(error, "%s is not a valid line; allowed: key = value within a section, [section], # comment",
                         shown);
    }
    for (char **line = lines; *line; line++) {
        reader->line++;
        if (!read_line(reader, *line, error))
            return FALSE;
    }
    return check_sources(reader, error) &&
           topology_finish(&reader->topology, &reader->line, &reader->platform->topology, error);
}

Platform *platform_parse(const char *path, const char *text, size_t length, GError **error)
{
    g_autoptr(Platform) platform = g_new0(Platform, 1);
    g_autoptr(GKeyFile) ini = g_key_file_new();
    PlatformReader reader = {.platform = platform, .ini = ini};

    if (!text_check(text, length, LIMIT_PLATFORM_BYTES, path, error))
        return NULL;
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        platform->value[k] = platform_keys[k].otherwise;
    levels_init(&platform->levels);
    g_autofree char *file = g_path_get_basename(path);
    if (g_str_has_suffix(file, ".ini"))
        file[strlen(file) - strlen(".ini")] = '\0';
    platform->name = escape_terminal(file);
    const gboolean read = read_file(&reader, text, length, error);
    topology_text_clear(&reader.topology);
    if (!read) {
        g_prefix_error(error, "%s:%u: ", path, MAX(1, reader.line));
        return NULL;
    }
    if (!platform->title)
        platform->title = g_strdup(platform->name);
    return g_steal_pointer(&platform);
}

static const char *directory(void)
{
    const char *given = g_getenv("COLLSIM_PLATFORMS");
    return given && *given ? given : COLLSIM_PLATFORMS;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **platform_names(void)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autoptr(GDir) dir = g_dir_open(directory(), 0, NULL);
    const char *file;
    while (dir && (file = g_dir_read_name(dir)))
        if (g_str_has_suffix(file, ".ini"))
            g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(".ini")));
    g_ptr_array_sort(names, compare_names);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}

Platform *platform_load(const char *name_or_file, GError **error)
{
    g_autofree char *path = g_strdup(name_or_file);
    if (!strchr(path, '/') && !g_str_has_suffix(path, ".ini")) {
        g_auto(GStrv) names = platform_names();
        if (index_of(name_or_file, (const char *const *)names) < 0) {
            g_autoptr(GStrvBuilder) allowed = g_strv_builder_new();
            g_strv_builder_addv(allowed, (const char **)names);
            g_strv_builder_add(allowed, *names ? "or a path to an .ini file" : "a path to an .ini file");
            g_auto(GStrv) all = g_strv_builder_end(allowed);
            nearest_unknown("platform", name_or_file, (const char *const *)all, error);
            return NULL;
        }
        g_free(path);
        path = g_strdup_printf("%s/%s.ini", directory(), name_or_file);
    }
    size_t length;
    g_autofree char *text = text_read(path, LIMIT_PLATFORM_BYTES, &length, error);
    return text ? platform_parse(path, text, length, error) : NULL;
}

gboolean platform_set(Platform *platform, const char *assignment, GError **error)
{
    g_autofree char *name = g_strndup(assignment, strcspn(assignment, "="));
    g_autofree char *shown = error_quote(assignment);
    if (strlen(name) == strlen(assignment))
        return bad_input(error, "--set %s has no '='; allowed: KEY=VALUE, such as alpha=1us", shown);
    const int k = find_key(name, NULL, error);
    if (k < 0 || !read_figure(k, assignment + strlen(name) + 1, &platform->value[k], error)) {
        g_prefix_error(error, "--set: ");
        return FALSE;
    }
    platform->has[k] = TRUE;
    g_free(platform->source[k]);
    platform->source[k] = g_strdup_printf("--set %s", assignment);
    return TRUE;
}

gboolean platform_need(const Platform *platform, const PlatformKey *keys, size_t n, const char *model, GError **error)
{
    g_autoptr(GString) missing = g_string_new(NULL);
    for (size_t i = 0; i < n; i++)
        if (!platform->has[keys[i]] && !platform_keys[keys[i]].optional)
            g_string_append_printf(missing, "%s%s", missing->len ? ", " : "", platform_keys[keys[i]].name);
    return missing->len == 0 ||
           bad_input(error, "platform %s lacks %s, which model %s needs; allowed: another platform, or --set KEY=VALUE",
                     platform->name, missing->str, model);
}

void platform_free(Platform *platform)
{
    if (!platform)
        return;
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        g_free(platform->source[k]);
        g_free(platform->by_level[k]);
    }
    levels_clear(&platform->levels);
    g_free(platform->topology.shape);
    if (platform->pieces)
        g_array_unref(platform->pieces);
    g_free(platform->pieces_source);
    g_free(platform->title);
    g_free(platform->name);
    g_free(platform);
}
