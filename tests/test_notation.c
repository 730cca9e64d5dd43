// Formulas in the notation of papers are read as an engineer reads them; where there are two ways, both are found. A
// reading is its own only reading.
#include "engine/formula/notation.h"
#include "tap.h"
#include <math.h>
#include <string.h>

static const char *const names[] = {"p", "m", "n", "S", "k", "alpha", "beta", "gamma", "G", "segment", NULL};

static const struct {
    const char *paper, *reading, *second; // `second` is another reading, or NULL
} formulas[] = {
    {"log p", "log2(p)", NULL},
    {"lg(p)", "log2(p)", NULL},
    {"\\log_2 p", "log2(p)", NULL},
    {"\\log_{k} p", "log(p, k)", NULL},
    {"log_10(p)", "log(p, 10)", NULL},
    {"log(p, k)", "log(p, k)", NULL},
    {"ln p", "ln(p)", NULL},
    {"log^2 p", "log2(p)^2", NULL},
    {"\\log_2^2 p", "log2(p)^2", NULL},
    {"\\log p - 1", "log2(p) - 1", NULL},
    {"log p log m", "log2(p)*log2(m)", NULL},
    {"log p * m", "log2(p)*m", NULL},
    {"log p^2", "log2(p)^2", "log2(p^2)"},
    {"log p/k", "log2(p)/k", "log2(p/k)"},
    {"log 2p", "log2(2)*p", "log2(2*p)"},
    {"\\lceil \\log_2 p \\rceil (\\alpha + n \\beta)", "ceil(log2(p))*(alpha + n*beta)", NULL},
    {"\u2308lg p\u2309(\u03b1+m\u03b2)", "ceil(log2(p))*(alpha + m*beta)", NULL},
    {"\u230ap/2\u230b \u00b7 \u03b3 \u2212 1 \u00d7 2", "floor(p/2)*gamma - 1*2", NULL},
    {"\\frac{p-1}{p} n \\beta", "(p - 1)/p*n*beta", NULL},
    {"\\frac{1}{p-1}", "1/(p - 1)", NULL},
    {"\\dfrac{p}{2k}", "p/(2*k)", NULL},
    {"2(p-1)\\alpha", "2*(p - 1)*alpha", NULL},
    {"p(p-1)", "p*(p - 1)", NULL},
    {"[p-1]m", "(p - 1)*m", NULL},
    {"pm", "p*m", NULL},
    {"2pm log p", "2*p*m*log2(p)", NULL},
    {"plogp", "p*log2(p)", NULL},
    {"p/2", "p/2", NULL},
    {"1/2p", "1/2*p", "1/(2*p)"},
    {"2^{k-1} p", "2^(k - 1)*p", NULL},
    {"2^-k", "2^(-k)", NULL},
    {"2^-k^2", "2^(-k^2)", NULL},
    {"2^k^2", "2^(k^2)", NULL},
    {"2^-k^-m^p", "2^(-k^(-m^p))", NULL},
    {"\u2212p^\u2212m^\u2212plog{ k}t_w", "-p^(-m^(-p))*log2(k)*beta", NULL},
    {"log^2^k p", "log2(p)^(2^k)", NULL},
    {"\\sqrt p^{-k^2}", "sqrt(p)^(-k^2)", "sqrt(p^(-k^2))"},
    {"p ? m : n ? k : S", "p ? m : (n ? k : S)", NULL},
    {"p ? m ? 1 : 2 : n", "p ? (m ? 1 : 2) : n", NULL},
    {"p/-m", "p/-m", NULL},
    {"p*-m^2", "p*-m^2", NULL},
    {"(-p)^2", "(-p)^2", NULL},
    {"-(p + m)", "-(p + m)", NULL},
    {"p/(m/n)", "p/(m/n)", NULL},
    {"p < (m < n)", "p < (m < n)", NULL},
    {"-p^2", "-p^2", NULL},
    {"p - (m - n)", "p - (m - n)", NULL},
    {"p/(m n)", "p/(m*n)", NULL},
    {"\\max\\{\\alpha, n\\beta\\}", "max(alpha, n*beta)", NULL},
    {"\\sqrt{p}", "sqrt(p)", NULL},
    {"$\\left( p \\right)\\, m$", "p*m", NULL},
    {"\\operatorname{lg} p", "log2(p)", NULL},
    {"p \\le 2 ? m : n", "p <= 2 ? m : n", NULL},
    {"segment/2", "segment/2", NULL},
    {"1.5e3p", "1.5e3*p", NULL},
    {"lg lg p m", "log2(log2(p))*m", "log2(log2(p*m))"},
    {"\\log\\lceil\\log p\\rceil", "log2(ceil(log2(p)))", NULL},
    {"t_s + t_w m", "alpha + beta*m", NULL},
    {"t_{s} + mt_{w}k", "alpha + m*beta*k", NULL},
    {"\\frac n2 p", "n/2*p", NULL},
    {"\\frac12", "1/2", NULL},
    {"\\frac{p - 1}p", "(p - 1)/p", NULL},
    {"T = p", "p", NULL},
    {"$T_{bcast}(p, n) = 2p$", "2*p", NULL},
};

static void assert_reading(const Notation *n, guint i, const char *expected)
{
    g_autofree char *text = expression_text(n->readings->pdata[i]);
    g_assert_cmpstr(text, ==, expected);
}

static void assert_same_value(const Expression *x, const Expression *y)
{
    static const double values[G_N_ELEMENTS(names) - 1] = {12, 4096, 100, 8, 3, 7, 5, 1, 2, 64};
    const double a = expression_value(x, values), b = expression_value(y, values);
    g_assert_true(a == b || (isnan(a) && isnan(b)));
}

static void test_readings(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(formulas); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(Notation) n = notation_read("it", formulas[i].paper, names, &error);
        g_assert_no_error(error);
        g_test_message("%s", formulas[i].paper);
        assert_reading(n, 0, formulas[i].reading);
        g_assert_cmpuint(n->readings->len, ==, formulas[i].second ? 2 : 1);
        if (formulas[i].second)
            assert_reading(n, 1, formulas[i].second);
        for (guint k = 0; k < n->readings->len; k++) {
            g_autofree char *text = expression_text(n->readings->pdata[k]);
            g_autoptr(Notation) again = notation_read("it", text, names, &error);
            g_assert_no_error(error);
            g_assert_true(again->plain);
            g_assert_cmpuint(again->readings->len, ==, 1);
            assert_reading(again, 0, text);
            assert_same_value(n->readings->pdata[k], again->readings->pdata[0]);
        }
        g_autoptr(Expression) strict = expression_new("it", formulas[i].paper, names, NULL);
        g_assert_true((strict != NULL) == n->plain);
    }
}

// Each factor after a division may be the first one that is not in the divisor.
static void test_many(void)
{
    static const char *const readings[] = {"p/m*n*k", "p/(m*n)*k", "p/(m*n*k)"};
    g_autoptr(Notation) n = notation_read("it", "p/m n k", names, NULL);
    g_assert_cmpuint(n->readings->len, ==, G_N_ELEMENTS(readings));
    for (guint i = 0; i < G_N_ELEMENTS(readings); i++)
        assert_reading(n, i, readings[i]);
}

static void test_order(void)
{
    static const char *const orders[] = {"O(log p)", " O (log p)", "\\mathcal{O}(\\log p)", "\\Theta(log p)",
                                         "\u0398(log p)"};
    for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
        g_autoptr(Notation) n = notation_read("it", orders[i], names, NULL);
        g_assert_nonnull(n);
        g_assert_true(n->order);
        assert_reading(n, 0, "log2(p)");
    }
    g_autoptr(Notation) n = notation_read("it", "log p", names, NULL);
    g_assert_false(n->order);
}

static const struct {
    const char *paper, *error;
} bad[] = {
    {"", "it: column 1: the formula is empty"},
    {"p +", "it: column 4: a value is missing at the end"},
    {"(p", "it: column 1: '(' without ')'"},
    {"\\lceil p \\rfloor", "it: column 10: the bracket of column 1 is not closed here"},
    {"p)", "it: column 2: ')' without '('"},
    {"p\\}", "it: column 2: '\\}' without its other bracket"},
    {"\\lfloor p", "it: column 10: the bracket of column 1 is not closed here"},
    {"q", "it: column 1: 'q' is not known; allowed: p, m, n, S, k, alpha, beta, gamma, G, segment, never, and the "
          "functions ceil, "},
    {"p_2", "it: column 1: 'p_2' is not known"},
    {"m2", "it: column 1: 'm2' is not known"},
    {"\\sigma", "it: column 2: 'sigma' is not known"},
    {"p # m", "it: column 3: '#' has no meaning in a formula"},
    {"\u2208", "it: column 1: '\u2208' has no meaning in a formula"},
    {"\xff", "it: column 1: the text is not UTF-8"},
    {"O(p) + 1", "it: column 6: O(..) is allowed only around the whole formula"},
    {"2 O(p)", "it: column 3: O(..) is allowed only around the whole formula"},
    {"O p", "it: column 3: O must have its formula in brackets"},
    {"sqrt_2 p", "it: column 8: sqrt has no base; allowed: log"},
    {"p ? 1", "it: column 3: '?' needs ':' and a value for the other case"},
    {"1/p m n k S p m", "it: column 1: 6 places can be read in two ways; allowed: at most 5, others with brackets"},
    {"log", "it: column 4: a value is missing at the end"},
    {"p (m,n)", "it: column 5: ',' is allowed only between a function's arguments; a formula has one value"},
    {"p : 2m", "it: column 3: ':' without '?'"},
    {"2 knomial p", "it: column 3: knomial takes (p, k), not 1 argument"},
    {"log_2(p, k)", "it: column 1: log takes (x, k), not 3 arguments"},
    {"\\frac x2", "it: column 7: 'x' is not known; allowed: a letter that is, a digit, or braces"},
    {"\\Omega(log p)", "it: column 1: Omega(..) is a lower bound, which is not judged here"},
    {"\u03a9(log p)", "it: column 1: Omega(..) is a lower bound"},
    {"T = ", "it: column 5: a value is missing at the end"},
    {"T == p", "it: column 1: 'T' is not known"},
};

static void test_bad(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(Notation) n = notation_read("it", bad[i].paper, names, &error);
        g_assert_null(n);
        g_test_message("%s: %s", bad[i].paper, error->message);
        g_assert_true(g_str_has_prefix(error->message, bad[i].error));
    }
    g_autofree char *deep = g_strnfill(101, '[');
    g_autoptr(GError) error = NULL;
    g_assert_null(notation_read("it", deep, names, &error));
    g_assert_nonnull(strstr(error->message, "nested too deeply"));
}

static void add_tests(void)
{
    g_test_add_func("/notation/readings", test_readings);
    g_test_add_func("/notation/many", test_many);
    g_test_add_func("/notation/order", test_order);
    g_test_add_func("/notation/bad", test_bad);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
