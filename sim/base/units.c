#include "base/units.h"
#include "base/error.h"
#include "base/nearest.h"
#include <errno.h>
#include <math.h>
#include <string.h>

enum { MAX_POINTS = 10000, MAX_EXPONENT_DIGITS = 4, MAX_FRACTION_DIGITS = 18 };
static const size_t max_size = (size_t)1 << 62;
static const char digits[] = "0123456789", suffixes[] = "KMGT";

// The text of a unit, which stands for factor * 10^power. The factor is a power of two, so multiplying by it is exact.
typedef struct {
    const char *text;
    int power;
    double factor;
} Unit;
static const Unit times[] = {{"s", 0, 1}, {"ms", -3, 1}, {"us", -6, 1}, {"ns", -9, 1}, {"ps", -12, 1}};
static const Unit times_per_byte[] = {
    {"s/B", 0, 1}, {"ms/B", -3, 1}, {"us/B", -6, 1}, {"ns/B", -9, 1}, {"ps/B", -12, 1}};
// In bytes per second, or in bits: 100Gb/s is 12.5GB/s.
static const Unit bandwidths[] = {
    {"B/s", 0, 1},       {"KB/s", 3, 1},       {"kB/s", 3, 1},       {"MB/s", 6, 1},        {"GB/s", 9, 1},
    {"TB/s", 12, 1},     {"KiB/s", 0, 0x1p10}, {"MiB/s", 0, 0x1p20}, {"GiB/s", 0, 0x1p30},  {"TiB/s", 0, 0x1p40},
    {"Mb/s", 6, 0x1p-3}, {"Gb/s", 9, 0x1p-3},  {"Tb/s", 12, 0x1p-3}, {"Mbit/s", 6, 0x1p-3}, {"Gbit/s", 9, 0x1p-3},
    {"Mbps", 6, 0x1p-3}, {"Gbps", 9, 0x1p-3},
};
static const Unit frequencies[] = {{"/s", 0, 1}, {"K/s", 3, 1}, {"k/s", 3, 1}, {"M/s", 6, 1}, {"G/s", 9, 1}};

// How a size was written.
typedef struct {
    unsigned shift;   // the suffix stands for 2^shift
    gboolean decimal; // the suffix is KB, MB, .., which elsewhere often is a power of ten
} SizeSpelling;

// Reads what follows the digits of a size: nothing or B, or one of K M G T alone, with B or with iB.
static gboolean read_suffix(const char *c, SizeSpelling *spelling)
{
    *spelling = (SizeSpelling){0};
    if (strcmp(c, "") == 0 || strcmp(c, "B") == 0)
        return TRUE;
    const char *suffix = strchr(suffixes, g_ascii_toupper(*c));
    if (!suffix)
        return FALSE;
    spelling->shift = 10 * (unsigned)(suffix - suffixes + 1);
    spelling->decimal = strcmp(c + 1, "B") == 0;
    return spelling->decimal || strcmp(c + 1, "") == 0 || strcmp(c + 1, "iB") == 0;
}

// Computes 0.DIGITS * 2^shift. Returns FALSE if it is not an integer, or has more than MAX_FRACTION_DIGITS digits
// without the zeros at its end.
static gboolean scale_fraction(const char *fraction, size_t n, unsigned shift, size_t *out)
{
    guint64 rest = 0, one = 1;
    while (n > 0 && fraction[n - 1] == '0')
        n--;
    if (n > MAX_FRACTION_DIGITS)
        return FALSE;
    for (size_t i = 0; i < n; i++) {
        rest = 10 * rest + (guint64)(fraction[i] - '0');
        one *= 10;
    }
    *out = 0;
    for (; shift > 0; shift--) {
        rest *= 2;
        *out = 2 * *out + (rest >= one);
        rest -= rest >= one ? one : 0;
    }
    return rest == 0;
}

static gboolean read_size(const char *text, size_t *out, SizeSpelling *spelling)
{
    size_t whole = 0, part = 0;
    const char *c = text;
    for (; g_ascii_isdigit(*c); c++) {
        const size_t digit = (size_t)(*c - '0');
        if (whole > (max_size - digit) / 10)
            return FALSE;
        whole = 10 * whole + digit;
    }
    if (c == text)
        return FALSE;
    const char *fraction = *c == '.' ? c + 1 : c;
    const size_t n = strspn(fraction, digits);
    if ((*c == '.' && n == 0) || !read_suffix(fraction + n, spelling) ||
        !scale_fraction(fraction, n, spelling->shift, &part) || whole > max_size >> spelling->shift ||
        (whole << spelling->shift) > max_size - part)
        return FALSE;
    *out = (whole << spelling->shift) + part;
    return TRUE;
}

gboolean units_parse_size(const char *text, size_t *out, GError **error)
{
    SizeSpelling spelling;
    if (read_size(text, out, &spelling))
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(error,
                     "%s is not a size; allowed: a whole number of bytes from 0 to 2^62, such as 65536, 64K, 64KiB or "
                     "1.5M (K M G T are powers of 1024)",
                     shown);
}

char *units_size_note(const char *text)
{
    SizeSpelling spelling;
    size_t size;
    if (!read_size(text, &size, &spelling) || !spelling.decimal)
        return NULL;
    const size_t digits_end = strspn(text, "0123456789.");
    return g_strdup_printf("%s is taken as %.*s %ciB, %" G_GSIZE_FORMAT " bytes", text, (int)digits_end, text,
                           g_ascii_toupper(text[digits_end]), size);
}

size_t units_multiply_sizes(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? G_MAXSIZE : product;
}

// Reads a decimal number and one of the units; 0 needs no unit. The unit's power of ten is added to the number's own
// exponent before the single conversion, so the result is the nearest double. Also returns FALSE beyond the range of a
// double.
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
        const double value = g_ascii_strtod(number, NULL) * units[i].factor;
        if (errno == ERANGE || !isfinite(value))
            return FALSE;
        *out = value;
        return TRUE;
    }
    if (*c || strspn(text, "0.") != (size_t)mantissa)
        return FALSE;
    *out = 0;
    return TRUE;
}

gboolean units_parse_time(const char *text, double *out, GError **error)
{
    if (read_quantity(text, times, G_N_ELEMENTS(times), out))
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(
        error, "%s is not a time; allowed: a decimal number from 0 with s, ms, us, ns or ps, such as 1.6us", shown);
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
                     "%s is not a cost per byte; allowed: a time per byte (s/B ms/B us/B ns/B ps/B) such as 0.085ns/B, "
                     "or a bandwidth above 0 such as 12.5GB/s, 11.6GiB/s or 100Gb/s",
                     shown);
}

gboolean units_parse_per_second(const char *text, double *out, GError **error)
{
    double frequency = 0;
    if (read_quantity(text, frequencies, G_N_ELEMENTS(frequencies), &frequency) && frequency > 0 &&
        isfinite(1 / frequency)) {
        *out = 1 / frequency;
        return TRUE;
    }
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s is not a number per second; allowed: a number above 0 with /s, such as 10M/s", shown);
}

// One item of a list: `first`, and from there on in steps up to `last`.
typedef struct {
    size_t first, last, step;
    gboolean multiply; // each value is `step` times the one before, instead of `step` more
} Range;

// Reads an item. Returns NULL, or a text that says what is wrong with it.
static const char *read_range(const char *item, Range *range)
{
    static const char *const malformed = "is neither a number nor a range";
    SizeSpelling spelling;
    g_auto(GStrv) ends = g_strsplit(item, "..", 2);
    *range = (Range){.step = 1};
    if (item[0] == '0' && g_ascii_isdigit(item[1])) // as in 1,000
        return "begins with 0, and commas separate numbers";
    if (!ends[0] || !read_size(ends[0], &range->first, &spelling))
        return malformed;
    range->last = range->first;
    if (!ends[1])
        return NULL;

    char *stride = strchr(ends[1], ':');
    if (stride) {
        *stride++ = '\0';
        range->multiply = *stride == 'x';
        if ((*stride != 'x' && *stride != '+') || !read_size(stride + 1, &range->step, &spelling))
            return malformed;
    }
    if (!read_size(ends[1], &range->last, &spelling))
        return malformed;
    if (range->first > range->last)
        return "falls";
    if (range->multiply && range->step < 2)
        return "multiplies by less than 2";
    if (range->multiply && range->first == 0)
        return "multiplies 0 and never ends";
    return range->step == 0 ? "steps by 0" : NULL;
}

// Returns true if the range has a value after v. v * step and v + step could overflow, so we compare with what is left.
static gboolean has_next(const Range *range, size_t v)
{
    return range->multiply ? v <= range->last / range->step : range->step <= range->last - v;
}

static size_t next_value(const Range *range, size_t v)
{
    return range->multiply ? v * range->step : v + range->step;
}

// Appends the item's values to the list. Returns NULL, or a text that says what is wrong with the item.
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
        if (!has_next(&range, v))
            return NULL;
        v = next_value(&range, v);
    }
}

// Returns the items of a list without the spaces around them, at least one. Free with g_strfreev.
static char **split_list(const char *text)
{
    // g_strsplit would return no item at all for an empty text.
    char **items = *text ? g_strsplit(text, ",", -1) : g_strsplit(" ", ",", -1);
    for (char **item = items; *item; item++)
        g_strstrip(*item);
    return items;
}

GArray *units_parse_list(const char *text, const char *what, size_t min, size_t max, GError **error)
{
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(size_t));
    g_auto(GStrv) items = split_list(text);
    for (char **item = items; *item; item++) {
        const char *wrong = append_item(list, *item, min, max);
        if (wrong) {
            g_autofree char *shown = error_quote(*item);
            g_autofree char *low = units_format_size(min);
            g_autofree char *high = units_format_size(MIN(max, max_size));
            bad_input(error,
                      "%s: %s %s; allowed: numbers such as 8 or 64K, A..B, A..B:xF (F from 2) or A..B:+S, rising, "
                      "joined by commas, "
                      "values %s to %s, at most 10,000 in all",
                      what, shown, wrong, low, high);
            return NULL;
        }
    }
    return g_steal_pointer(&list);
}

// Returns a note on a range whose last value is not its end; NULL otherwise, or if the item is wrong.
static char *end_note(const char *what, const char *item)
{
    Range range;
    if (read_range(item, &range) != NULL)
        return NULL;
    size_t v = range.first;
    while (has_next(&range, v) && range.multiply)
        v = next_value(&range, v);
    if (!range.multiply)
        v = range.last - (range.last - range.first) % range.step;
    if (v == range.last)
        return NULL;
    const size_t next = range.multiply ? units_multiply_sizes(v, range.step) : v + range.step;
    g_autofree char *end = units_format_size(v), *last = units_format_size(range.last);
    g_autofree char *beyond = units_format_size(next);
    return next == G_MAXSIZE ? g_strdup_printf("%s %s ends at %s", what, item, end)
                             : g_strdup_printf("%s %s ends at %s: %s is beyond %s", what, item, end, beyond, last);
}

// Returns a note on the first size in the item that is spelled like a decimal one; NULL if there is none.
static char *item_size_note(const char *item)
{
    g_auto(GStrv) ends = g_strsplit(item, "..", 2);
    if (!ends[0])
        return NULL;
    char *stride = ends[1] ? strchr(ends[1], ':') : NULL;
    if (stride)
        *stride++ = '\0';
    const char *const sizes[] = {ends[0], ends[1], stride && *stride ? stride + 1 : NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        char *note = sizes[i] ? units_size_note(sizes[i]) : NULL;
        if (note)
            return note;
    }
    return NULL;
}

GPtrArray *units_list_notes(const char *text, const char *what)
{
    GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) items = split_list(text);
    gboolean decimal = FALSE;
    for (char **item = items; *item; item++) {
        char *size = decimal ? NULL : item_size_note(*item), *end = end_note(what, *item);
        decimal |= size != NULL;
        if (size)
            g_ptr_array_add(notes, size);
        if (end)
            g_ptr_array_add(notes, end);
    }
    return notes;
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

char *units_format_ranks(int p, int per_node)
{
    return per_node > 0 && p % per_node == 0 ? g_strdup_printf("%dx%d", p / per_node, per_node)
                                             : g_strdup_printf("%d", p);
}

char *units_format_time(double seconds)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    double value = seconds;
    size_t unit = 0;
    // 0.99995 of a unit prints as 1.000, so the smaller unit is only for less than that.
    while (value > 0 && value < 0.99995 && unit + 1 < G_N_ELEMENTS(times))
        value = seconds * pow(10, -times[++unit].power);
    g_ascii_formatd(number, sizeof number, value >= 1000 && value < 1e15 ? "%.0f" : "%.4g", value);
    return g_strdup_printf("%s %s", number, times[unit].text);
}

char *units_format_about(double seconds)
{
    return seconds < 115 ? g_strdup_printf("%.0f s", fmax(10, 10 * round(seconds / 10)))
                         : g_strdup_printf("%.0f minutes", round(seconds / 60));
}
