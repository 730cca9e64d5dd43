// A platform as the text of its .ini file.
#include "platform.h"
#include "units.h"
#include <math.h>

// `x` in units of 1/per, four significant digits.
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

// A text on one line that GKeyFile reads back as it is.
static void add_line(GString *out, const char *key, const char *text)
{
    g_autofree char *line = g_strstrip(g_strdup(text));
    for (char *c = line; *c; c++)
        if (g_ascii_iscntrl(*c))
            *c = ' ';
    if (*line)
        g_string_append_printf(out, "%s = %s\n", key, line);
}

static void add_pieces(GString *out, const Platform *platform)
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
    g_string_append(out, "\n[pieces]\n");
    add_line(out, "from", from->str);
    add_line(out, "alpha", alpha->str);
    add_line(out, "beta", beta->str);
    add_line(out, "source", platform->pieces_source);
}

char *platform_text(const Platform *platform)
{
    GString *out = g_string_new("[machine]\n");
    const char *section = NULL;
    add_line(out, "title", platform->title);
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        if (!platform->has[k])
            continue;
        const char *name = platform_keys[k].name;
        g_autofree char *figure = platform_figure_text(k, platform->value[k]),
                        *key = g_strconcat(name, ".source", NULL);
        if (g_strcmp0(section, platform_keys[k].section) != 0)
            g_string_append_printf(out, "\n[%s]\n", platform_keys[k].section);
        section = platform_keys[k].section;
        add_line(out, name, figure);
        add_line(out, key, platform->source[k]);
    }
    if (platform->pieces && platform->pieces->len)
        add_pieces(out, platform);
    return g_string_free(out, FALSE);
}
