// Formulas in the notation of papers: a reading compiles as an Expression, and is its own only reading.
#include "judge/audit/notation.h"
#include "base/expression.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"p", "m", "n", "S", "k", "alpha", "beta", "gamma", "segment", NULL};
    g_auto(GStrv) text = fuzz_lines(data, size, 0);
    g_autoptr(GError) error = NULL;
    g_autoptr(Notation) n = notation_read("claim", text[0], names, &error);
    notation_is(text[0]);
    if (!fuzz_outcome(n != NULL, &error))
        return 0;
    for (guint i = 0; i < n->readings->len; i++) {
        const char *reading = n->readings->pdata[i];
        // A function may have got too few arguments, or the reading may be longer than an Expression can be.
        g_autoptr(Expression) e = expression_new("claim", reading, names, NULL);
        g_autoptr(Notation) again = e ? notation_read("claim", reading, names, &error) : NULL;
        g_assert_no_error(error);
        if (again) {
            g_assert_cmpuint(again->readings->len, ==, 1);
            g_assert_cmpstr(again->readings->pdata[0], ==, reading);
        }
    }
    return 0;
}
