// Formulas in the notation of papers: the text of a reading is its own only reading, and has the same value.
#include "engine/formula/notation.h"
#include "fuzz.h"
#include <math.h>

FUZZ_HARNESS(notation)
{
    static const char *const names[] = {"p", "m", "n", "S", "k", "alpha", "beta", "gamma", "segment", NULL};
    static const double values[G_N_ELEMENTS(names) - 1] = {12, 4096, 100, 8, 3, 7, 5, 1, 64};
    g_auto(GStrv) text = fuzz_lines(data, size, 0);
    g_autoptr(GError) error = NULL;
    g_autoptr(Notation) n = notation_read("claim", text[0], names, &error);
    g_autoptr(Expression) strict = expression_new("claim", text[0], names, NULL);
    g_assert_true((strict != NULL) == (n && n->plain));
    if (!fuzz_outcome(n != NULL, &error))
        return 0;
    for (guint i = 0; i < n->readings->len; i++) {
        g_autofree char *reading = expression_text(n->readings->pdata[i]);
        g_autoptr(Notation) again = notation_read("claim", reading, names, NULL);
        if (!again) // the text may be longer, and have more brackets, than a formula may
            continue;
        g_autofree char *same = expression_text(again->readings->pdata[0]);
        const double a = expression_value(n->readings->pdata[i], values),
                     b = expression_value(again->readings->pdata[0], values);
        g_assert_cmpuint(again->readings->len, ==, 1);
        g_assert_cmpstr(same, ==, reading);
        g_assert_true(a == b || (isnan(a) && isnan(b)));
    }
    return 0;
}
