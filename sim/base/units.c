#include "base/units.h"
#include "base/error.h"
#include "base/nearest.h"
#include <errno.h>
#include <math.h>
#include <string.h>

enum { MAX_POINTS = 10000, MAX_EXPONENT_DIGITS = 4 };
static const size_t max_size = (size_t)1 << 62;
static const char digits[] = "0123456789", suffixes[] = "KMGT";

// A unit's text and the power of ten that it stands for.
typedef struct {
    const char *text;
    int power;
} Unit;
static const Unit times[] = {{"s", 0}, {"ms", -3}, {"us", -6}, {"ns", -9}, {"ps", -12}};
static const Unit times_per_byte[] = {{"s/B", 0}, {"ms/B", -3}, {"us/B", -6}, {"ns/B", -9}, {"ps/B", -12}};
static const Unit bandwidths[] = {{"B/s", 0}, {"KB/s", 3}, {"MB/s", 6}, {"GB/s", 9}};

static gboolean read_size(const char *text, size_t *out)
{
    size_t size = 0;
    const char *c = text;
    for (; g_ascii_isdigit(*c); c++) {
        const size_t digit = (size_t)(*c - '0');
        if (size > (max_size - digit) / 10)
            return FALSE;
        size = 10 * size + digit;
    }
    if (c == text)
        return FALSE;
    if (*c) {
        const char *suffix = strchr(suffixes, *c);
        if (!suffix || c[1])
            return FALSE;
        const unsigned shift = 10 * (unsigned)(suffix - suffixes + 1);
        if (size > max_size >> shift)
            return FALSE;
        size <<= shift;
    }
    *out = size;
    return TRUE;
}

gboolean units_parse_size(const char *text, size_t *out, GError **error)
{
    if (read_size(text, out))
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(
        error, "%s is no size; allowed: digits with at most one of K M G T (powers of 1024), 0 to 2^62, such as 64K",
        shown);
}

size_t units_multiply_sizes(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? G_MAXSIZE : product;
}

// Reads a decimal number and one of the units. The unit's power joins the number's own exponent before the one
// conversion, so the result is the nearest double. FALSE also beyond what a double holds.
static gboolean read_quantity(const char *text, const Unit *units, size_t n_units, double *out)
{
    const char *c = text + strspn(text, digits);
    if (c == text)
        return FALSE;
    if (*c == '.') {
        if (!g_ascii_isdigit(c[1]))
            return FALSE;
        c += 1 + strspn(c + 1, digits);
    }
    const int mantissa = (int)(c - text);
    gint64 exponent = 0;
    if (*c == 'e' || *c == 'E') {
        const char *start = c + 1;
        const char *first = start + (*start == '-' || *start == '+');
        const size_t length = strspn(first, digits);
        if (length == 0 || length > MAX_EXPONENT_DIGITS)
            return FALSE;
        exponent = g_ascii_strtoll(start, NULL, 10);
        c = first + length;
    }
    for (size_t i = 0; i < n_units; i++) {
        if (strcmp(c, units[i].text) != 0)
            continue;
        g_autofree char *number = g_strdup_printf("%.*se%d", mantissa, text, (int)exponent + units[i].power);
        errno = 0;
        const double value = g_ascii_strtod(number, NULL);
        if (errno == ERANGE)
            return FALSE;
        *out = value;
        return TRUE;
    }
    return FALSE;
}

gboolean units_parse_time(const char *text, double *out, GError **error)
{
    if (read_quantity(text, times, G_N_ELEMENTS(times), out))
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s is no time; allowed: a decimal number from 0 with s, ms, us, ns or ps, such as 1.6us",
                     shown);
}

gboolean units_parse_per_byte(const char *text, double *out, GError **error)
{
    double bandwidth = 0;
    if (read_quantity(text, times_per_byte, G_N_ELEMENTS(times_per_byte), out))
        return TRUE;
    if (read_quantity(text, bandwidths, G_N_ELEMENTS(bandwidths), &bandwidth) && bandwidth > 0) {
        *out = 1 / bandwidth;
        return TRUE;
    }
    g_autofree char *shown = error_quote(text);
    return bad_input(error,
                     "%s is no cost per byte; allowed: a time per byte (s/B ms/B us/B ns/B ps/B) such as 0.085ns/B, or "
                     "a bandwidth above 0 (GB/s MB/s KB/s B/s) such as 12.5GB/s",
                     shown);
}

// One item of a list: first, then times or plus `step`, up to last.
typedef struct {
    size_t first, last, step;
    gboolean multiply;
} Range;

// Reads an item. Returns NULL, or what is wrong with it.
static const char *read_range(const char *item, Range *range)
{
    static const char *const malformed = "is neither a size nor a range";
    g_auto(GStrv) ends = g_strsplit(item, "..", 2);
    *range = (Range){.step = 1};
    if (!ends[0] || !read_size(ends[0], &range->first))
        return malformed;
    range->last = range->first;
    if (!ends[1])
        return NULL;

    char *stride = strchr(ends[1], ':');
    if (stride) {
        *stride++ = '\0';
        range->multiply = *stride == 'x';
        if ((*stride != 'x' && *stride != '+') || !read_size(stride + 1, &range->step))
            return malformed;
    }
    if (!read_size(ends[1], &range->last))
        return malformed;
    if (range->first > range->last)
        return "falls";
    if (range->multiply && range->step < 2)
        return "multiplies by less than 2";
    if (range->multiply && range->first == 0)
        return "multiplies 0 and never ends";
    return range->step == 0 ? "steps by 0" : NULL;
}

// Appends the item's values to the list. Returns NULL, or what is wrong.
static const char *append_item(GArray *list, const char *item, size_t min, size_t max)
{
    Range range;
    const char *wrong = read_range(item, &range);
    if (wrong)
        return wrong;
    if (range.first < min || range.last > max)
        return "is out of range";
    for (size_t v = range.first;;) {
        if (list->len == MAX_POINTS)
            return "makes it more than 10,000 values";
        g_array_append_val(list, v);
        // The end is tested before the step, which could overflow.
        if (range.multiply ? v > range.last / range.step : range.step > range.last - v)
            return NULL;
        v = range.multiply ? v * range.step : v + range.step;
    }
}

GArray *units_parse_list(const char *text, const char *what, size_t min, size_t max, GError **error)
{
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (const char *c = text;; c++) {
        const size_t length = strcspn(c, ",");
        g_autofree char *item = g_strndup(c, length);
        const char *wrong = append_item(list, item, min, max);
        if (wrong) {
            g_autofree char *shown = error_quote(item);
            g_autofree char *low = units_format_size(min);
            g_autofree char *high = units_format_size(MIN(max, max_size));
            bad_input(error,
                      "%s: %s %s; allowed: sizes, A..B, A..B:xF (F from 2) or A..B:+S, rising, joined by commas, "
                      "values %s to %s, at most 10,000 in all",
                      what, shown, wrong, low, high);
            return NULL;
        }
        c += length;
        if (!*c)
            return g_steal_pointer(&list);
    }
}

char *units_format_size(size_t size)
{
    unsigned n = 0;
    while (size && size % 1024 == 0 && n < sizeof suffixes - 1) {
        size /= 1024;
        n++;
    }
    return g_strdup_printf("%zu%.*s", size, n > 0, n ? &suffixes[n - 1] : "");
}

char *units_format_time(double seconds)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    double value = seconds;
    size_t unit = 0;
    // 0.99995 would print as 1.000 of this unit, so it belongs to it.
    while (value > 0 && value < 0.99995 && unit + 1 < G_N_ELEMENTS(times))
        value = seconds * pow(10, -times[++unit].power);
    g_ascii_formatd(number, sizeof number, value >= 1000 && value < 1e15 ? "%.0f" : "%.4g", value);
    return g_strdup_printf("%s %s", number, times[unit].text);
}
