// Sizes, times, costs per byte, rates and lists of sizes. A size that is printed reads back as itself.
#include "base/units.h"
#include "fuzz.h"
#include <math.h>

static void parse_list(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) list = units_parse_list(text, "-p", 1, 1 << 27, &error);
    if (!fuzz_outcome(list != NULL, &error))
        return;
    g_assert_true(list->len >= 1 && list->len <= 10000);
    for (guint i = 0; i < list->len; i++)
        g_assert_true(g_array_index(list, size_t, i) >= 1 && g_array_index(list, size_t, i) <= 1 << 27);
    g_ptr_array_unref(units_list_notes(text, "-p"));
}

FUZZ_HARNESS(units)
{
    g_auto(GStrv) text = fuzz_lines(data, size, 0);
    g_autoptr(GError) error = NULL;
    size_t bytes, again;
    double x;
    if (fuzz_outcome(units_parse_size(text[0], &bytes, &error), &error)) {
        g_autofree char *printed = units_format_size(bytes);
        g_assert_true(units_parse_size(printed, &again, NULL) && again == bytes);
        g_free(units_size_note(text[0]));
    }
    if (fuzz_outcome(units_parse_time(text[0], &x, &error), &error)) {
        g_assert_true(x >= 0 && isfinite(x));
        g_free(units_format_time(x));
    }
    if (fuzz_outcome(units_parse_per_byte(text[0], &x, &error), &error))
        g_assert_true(x >= 0 && isfinite(x));
    if (fuzz_outcome(units_parse_per_second(text[0], &x, &error), &error))
        g_assert_true(x > 0 && isfinite(x));
    parse_list(text[0]);
    return 0;
}
