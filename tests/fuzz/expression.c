// Formulas: one that compiles has the same value each time, whatever its variables are.
#include "engine/formula/expression.h"
#include "fuzz.h"
#include <math.h>

FUZZ_HARNESS(expression)
{
    static const char *const names[] = {"p", "m", "k", "alpha", "beta", NULL};
    static const double points[][G_N_ELEMENTS(names) - 1] = {
        {2, 8, 2, 1, 0}, {0, 0, 0, 0, 0}, {1024, 0x1p40, 4, 1e-6, 1e-9}, {-1, NAN, INFINITY, -0.5, 1e300}};
    g_auto(GStrv) text = fuzz_lines(data, size, 0);
    g_autoptr(GError) error = NULL;
    g_autoptr(Expression) e = expression_new("claim", text[0], names, &error);
    if (!fuzz_outcome(e != NULL, &error))
        return 0;
    for (size_t i = 0; i < G_N_ELEMENTS(points); i++) {
        const double first = expression_value(e, points[i]), second = expression_value(e, points[i]);
        g_assert_true(first == second || (isnan(first) && isnan(second)));
    }
    expression_uses(e, "p");
    return 0;
}
