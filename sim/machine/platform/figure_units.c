#include "machine/platform/figure_units.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

static const double longest_s = 1e9, shortest_s = 1e-100;
static const double fastest_s = 1e-18, slowest_s = 1; // the time per byte or event of the largest and smallest rates
enum { MOST_COUNT = 1024, MOST_SHARE = 1024 };

// ---- Ranges ---------------------------------------------------------------------------------------------------------

static gboolean check_time(const char *per, double value, GError **error)
{
    return value == 0 || (value >= shortest_s && value <= longest_s) ||
           bad_input(error, "%g s%s is too %s; allowed: 0, or %g s%s to %g s%s", value, per,
                     value > longest_s ? "large" : "small", shortest_s, per, longest_s, per);
}

static gboolean check_rate(const char *unit, double value, GError **error)
{
    return (value >= fastest_s && value <= slowest_s) ||
           bad_input(error, "%g%s is too %s; allowed: 1%s to %g%s", 1 / value, unit,
                     value > slowest_s ? "small" : "large", unit, 1 / fastest_s, unit);
}

gboolean figure_check(PlatformUnit unit, double value, GError **error)
{
    switch (unit) {
    case PLATFORM_TIME:
    case PLATFORM_TIMES:
    case PLATFORM_TAKES:
        return check_time("", value, error);
    case PLATFORM_PER_BYTE:
    case PLATFORM_WORK:
        return check_time("/B", value, error);
    case PLATFORM_SIZE:
    case PLATFORM_LIMIT:
        return TRUE;
    case PLATFORM_NUMBER:
        return value <= LIMIT_RANKS || bad_input(error, "%g is too large; allowed: 1 to 2^27", value);
    case PLATFORM_COUNT:
        return value <= MOST_COUNT || bad_input(error, "%g is too large; allowed: 1 to %d", value, MOST_COUNT);
    case PLATFORM_BANDWIDTH:
        return check_rate("B/s", value, error);
    case PLATFORM_FREQUENCY:
        return check_rate("/s", value, error);
    case PLATFORM_PART:
        return value <= 1 || bad_input(error, "%g is too large; allowed: 0 to 1", value);
    case PLATFORM_SHARE:
        break;
    }
    return value <= MOST_SHARE || bad_input(error, "%g is too large; allowed: 0 to %d", value, MOST_SHARE);
}

// ---- Reading --------------------------------------------------------------------------------------------------------

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

static gboolean read_limit(const char *text, double *out, GError **error)
{
    if (strcmp(text, "none") == 0) {
        *out = -1;
        return TRUE;
    }
    if (read_threshold(text, out, NULL))
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s is not a size; allowed: a size such as 64K, none or unlimited", shown);
}

static gboolean read_number(const char *text, double *out, GError **error)
{
    if (number_real(text, out) && *out >= 1)
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s is not a valid number; allowed: 1 or more", shown);
}

static gboolean read_count(const char *text, double *out, GError **error)
{
    int count;
    if (number_int(text, 1, MOST_COUNT, &count)) {
        *out = count;
        return TRUE;
    }
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s is not a valid number; allowed: an integer from 1 to %d", shown, MOST_COUNT);
}

static gboolean read_bandwidth(const char *text, double *out, GError **error)
{
    if (units_parse_per_byte(text, out, NULL) && *out > 0)
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s is not a bandwidth; allowed: a bandwidth above 0 such as 12.5GB/s or 100Gb/s", shown);
}

static gboolean read_share(const char *text, double *out, GError **error)
{
    if (number_real(text, out))
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s is not a valid number; allowed: 0 to %d, such as 0.5", shown, MOST_SHARE);
}

static gboolean read_part(const char *text, double *out, GError **error)
{
    if (number_real(text, out))
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s is not a valid number; allowed: 0 to 1, such as 0.75", shown);
}

gboolean figure_parse(PlatformUnit unit, const char *text, double *out, GError **error)
{
    static gboolean (*const readers[])(const char *, double *, GError **) = {
        [PLATFORM_TIME] = units_parse_time,
        [PLATFORM_PER_BYTE] = units_parse_per_byte,
        [PLATFORM_SIZE] = read_threshold,
        [PLATFORM_NUMBER] = read_number,
        [PLATFORM_COUNT] = read_count,
        [PLATFORM_BANDWIDTH] = read_bandwidth,
        [PLATFORM_FREQUENCY] = units_parse_per_second,
        [PLATFORM_SHARE] = read_share,
        [PLATFORM_PART] = read_part,
        [PLATFORM_LIMIT] = read_limit,
        [PLATFORM_TIMES] = units_parse_time,
        [PLATFORM_TAKES] = units_parse_time,
        [PLATFORM_WORK] = units_parse_per_byte,
    };
    double value;
    if (!readers[unit](text, &value, error) || !figure_check(unit, value, error))
        return FALSE;
    *out = value;
    return TRUE;
}

// ---- Writing --------------------------------------------------------------------------------------------------------

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

char *figure_text(PlatformUnit unit, double value)
{
    switch (unit) {
    case PLATFORM_TIME:
    case PLATFORM_TIMES:
    case PLATFORM_TAKES:
        return time_text(value);
    case PLATFORM_PER_BYTE:
    case PLATFORM_WORK:
        return number_text(value, 1e9, "ns/B");
    case PLATFORM_SIZE:
    case PLATFORM_LIMIT:
        return value < 0 ? g_strdup("none") : isinf(value) ? g_strdup("unlimited") : units_format_size((size_t)value);
    case PLATFORM_BANDWIDTH:
        return number_text(1 / value, 1e-9, "GB/s");
    case PLATFORM_FREQUENCY:
        return number_text(1 / value, 1e-6, "M/s");
    case PLATFORM_NUMBER:
    case PLATFORM_COUNT:
    case PLATFORM_SHARE:
    case PLATFORM_PART:
        break;
    }
    return number_text(value, 1, "");
}
