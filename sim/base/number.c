#include "base/number.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

gboolean number_size(const char *text, size_t least, size_t most, size_t *out)
{
    guint64 value;
    // GLib complains of a range that has no number in it.
    if (least > most || !g_ascii_isdigit(*text) || !g_ascii_string_to_unsigned(text, 10, least, most, &value, NULL))
        return FALSE;
    *out = (size_t)value;
    return TRUE;
}

gboolean number_int(const char *text, int least, int most, int *out)
{
    size_t value;
    if (most < least || !number_size(text, (size_t)least, (size_t)most, &value))
        return FALSE;
    *out = (int)value;
    return TRUE;
}

gboolean number_real(const char *text, double *out)
{
    char *end;
    const double value = g_ascii_strtod(text, &end);
    // strtod would also take blanks, a sign, hexadecimal digits, inf and nan.
    if (!g_ascii_isdigit(*text) || text[strspn(text, "0123456789.eE+-")] || *end || !isfinite(value))
        return FALSE;
    *out = value;
    return TRUE;
}

gboolean number_percent(const char *what, const char *text, const char *example, double *out, GError **error)
{
    double percent;
    g_autofree char *number = text && g_str_has_suffix(text, "%") ? g_strndup(text, strlen(text) - 1) : NULL;
    if (!text)
        return TRUE;
    if (!number || !number_real(number, &percent) || percent >= 100) {
        g_autofree char *quoted = error_quote(text);
        return bad_input(error, "%s %s; allowed: at least 0%% and below 100%%, such as %s", what, quoted, example);
    }
    *out = percent / 100;
    return TRUE;
}

char *number_range(size_t least, size_t most)
{
    if (most == G_MAXSIZE)
        return g_strdup_printf("an integer, %zu or above", least);
    if (most >= 1 << 20 && (most & (most - 1)) == 0)
        return g_strdup_printf("an integer from %zu to 2^%d", least, __builtin_ctzll(most));
    return g_strdup_printf("an integer from %zu to %zu", least, most);
}
