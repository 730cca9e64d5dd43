// Writes a platform as the text of an .ini file.
#include "platform/platform.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/limits.h"
#include "base/text.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

// Returns x in units of 1/per, with four significant digits.
static char *number_text(double x, double per, const char *unit)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strconcat(g_ascii_formatd(digits, sizeof digits, "%.4g", x * per), unit, NULL);
}

static char *time_text(double t)
{
    return t == 0          ? g_strdup("0s")
           : t < 0.9999e-6 ? number_text(t, 1e9, "ns")
           : t < 0.9999e-3 ? number_text(t, 1e6, "us")
                           : number_text(t, 1e3, "ms");
}

char *platform_figure_text(PlatformKey key, double value)
{
    switch (platform_keys[key].unit) {
    case PLATFORM_TIME:
        return time_text(value);
    case PLATFORM_PER_BYTE:
        return number_text(value, 1e9, "ns/B");
    case PLATFORM_SIZE:
        return isinf(value) ? g_strdup("unlimited") : units_format_size((size_t)value);
    case PLATFORM_NUMBER:
        break;
    }
    return number_text(value, 1, "");
}

// Sets a key to the text in one line; a blank text is not set.
static void set_text(GKeyFile *ini, const char *section, const char *key, const char *text)
{
    g_autofree char *line = escape_line(text);
    if (*line)
        g_key_file_set_value(ini, section, key, line);
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

// Reads the base's text into `ini`. Returns FALSE and an error unless it is a platform.
static gboolean read_base(GKeyFile *ini, const char *base, GError **error)
{
    size_t length;
    g_autofree char *text = text_read(base, LIMIT_PLATFORM_BYTES, &length, error);
    g_autoptr(Platform) good = text ? platform_parse(base, text, length, error) : NULL;
    g_autoptr(GError) failed = NULL;
    return good && (g_key_file_load_from_data(ini, text, length, G_KEY_FILE_KEEP_COMMENTS, &failed) ||
                    bad_input(error, "%s: %s", base, failed->message));
}

char *platform_text(const Platform *platform, const char *base, GError **error)
{
    g_autoptr(GKeyFile) ini = g_key_file_new();
    if (base && !read_base(ini, base, error))
        return NULL;
    if (platform->title)
        set_text(ini, "machine", "title", platform->title);
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        if (!platform->has[k])
            continue;
        const PlatformKeyInfo *info = &platform_keys[k];
        g_autofree char *figure = platform_figure_text(k, platform->value[k]);
        g_autofree char *source = g_strconcat(info->name, ".source", NULL);
        set_text(ini, info->section, info->name, figure);
        set_text(ini, info->section, source, platform->source[k]);
    }
    if (platform->has[KEY_ALPHA]) // the base's pieces would mislead, because they do not come from alpha's data
        g_key_file_remove_group(ini, "pieces", NULL);
    if (platform->pieces && platform->pieces->len)
        set_pieces(ini, platform);
    g_autofree char *packed = g_key_file_to_data(ini, NULL, NULL), *text = spaced(packed);
    g_autoptr(Platform) again = platform_parse(platform->name, text, strlen(text), error);
    return again ? g_steal_pointer(&text) : NULL;
}
