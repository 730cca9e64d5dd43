// Expressions: their values to the last bit, the errors with the column of the mistake, and random and mutated texts,
// none of which may crash.
#include "engine/formula/expression.h"
#include "engine/formula/functions.h"
#include "tap.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"p", "m", "S", "k", "alpha", "beta", "gamma", "L", "o", "g", "G", NULL};
static const double values[] = {12, 4096, 8, 3, 7, 3, 1, 7, 1, 3, 2};

static void test_values(void)
{
    const struct {
        const char *text;
        double value;
    } rows[] = {
        {"ceil(log2(p))*(alpha + m*beta)", 4 * (7 + 4096 * 3.0)},
        {"(p-1)*alpha + (p-1)/p*m*(beta + gamma)", 11 * 7 + 11. / 12 * 4096 * 4},
        {" floor ( log2 (p) ) ", 3},
        {"2^-k", 0.125},
        {"-2^2", -4},
        {"p<0 ? +3 : -2*-k^-1", 2. / 3},
        {"2^3^2", 512},
        {"p<m", 1},
        {"p>=12 && m!=4096 || k==3", 1},
        {"p==12 ? L+2*o : never", 9},
        {"p>12 ? 1 : p>11 ? 2 : 3", 2},
        {"1 ? 2 ? 3 : 4 : 5", 3},
        {"0 ? 1 : 0 ? 2 : 3 + 1", 4},
        {"max(1 ? 2 : 3, (0 ? 4 : 5)) - 1 - 1", 3},
        {"8/2/2 + 2*3^2", 20},
        {"2^-1^2", 0.5},
        {"-2*3 - -1", -5},
        {"1 == 0 < 2", 1},
        {"0 && 0 || 1", 1},
        {"1 || 1 && 0", 1},
        {"g+G", 5},
        {"max(o, g)", 3},
        {"min(k, p, S, 2.5e0)", 2.5},
        {"never", INFINITY},
        {"1/0", INFINITY},
        {"0*never", NAN},
        {"log2(-p)", NAN},
        {"sqrt(16)+abs(-1)+ln(exp(1))+log10(100)", 8},
        {"ceil(3+1e-10)", 3},
        {"ceil(3+1e-8)", 4},
        {"floor(3-1e-10)", 3},
        {"floor(-0.5)", -1},
        {"max(1, 0/0)", NAN},
        {"max(0/0, 1)", NAN},
        {"min(1, 0/0)", NAN},
        {"min(0/0, 1)", NAN},
        {"popcount(255)", 8},
        {"popcount(2^53)", 1},
        {"popcount(2^53+2)", NAN},
        {"popcounts(2^53+2)", NAN},
        {"delta(2^53+2)", NAN},
        {"knomial(2^30, 2^30)", 0x1p30 - 1},
        {"knomial(2^30+1, 2)", NAN},
        {"knomial(4, 2^30+1)", NAN},
        {"bintree(2^30+1)", NAN},
        {"popcount(0)", 0},
        {"popcount(2.5)", NAN},
        {"popcount(-1)", NAN},
        {"knomial(p, 2)", 4},
        {"knomial(1, 2)", 0},
        {"knomial(p, 3)", 5},
        {"knomial(p, 1)", NAN},
        {"knomial(p, 2.5)", NAN},
        {"bintree(2)", 1},
        {"bintree(7)", 4},
        {"bintree(1)", NAN},
        {"bintree(1/0)", NAN},
        {"popcounts(8)", 12},
        {"popcounts(1)", 0},
        {"delta(8)", 0},
        {"delta(7)", 1},
        {"delta(2^20+2^12+1)", 12},
        {"delta(0)", NAN},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        GError *error = NULL;
        g_autoptr(Expression) e = expression_new("claim", rows[i].text, names, &error);
        g_assert_no_error(error);
        const double value = expression_value(e, values);
        if (isnan(rows[i].value) ? !isnan(value) : value != rows[i].value)
            g_error("%s is %.17g, not %.17g", rows[i].text, value, rows[i].value);
    }
}

// At powers, log(x, k) is an exact integer. The sums of popcounts are those found by counting.
static void test_exact(void)
{
    for (int k = 2; k <= 40; k++)
        for (gint64 d = 0, x = 1; x < G_GINT64_CONSTANT(1) << 40; d++, x *= k) {
            g_assert_cmpfloat(functions_log((double)x, k), ==, d);
            g_assert_cmpfloat(functions_log((double)x + 1, k), >, d);
        }
    double sum = 0;
    for (int p = 0; p < 3000; sum += functions_popcount(p++))
        g_assert_cmpfloat(functions_popcounts(p), ==, sum);
    g_assert_cmpfloat(functions_popcounts(0x1p40), ==, 20 * 0x1p40);
}

static void test_uses(void)
{
    g_autoptr(Expression) e = expression_new("claim", "gamma*log2(p) + max(G, 3)*0*k", names, NULL);
    g_autoptr(GString) used = g_string_new(NULL);
    for (int i = 0; names[i]; i++)
        if (expression_uses(e, names[i]))
            g_string_append_printf(used, "%s ", names[i]);
    g_assert_cmpstr(used->str, ==, "p k gamma G ");
    g_assert_false(expression_uses(e, "log2"));
}

static void test_errors(void)
{
    g_autofree char *deep = g_strnfill(101, '('), *longer = g_strnfill(4001, '1'), *minus = g_strnfill(4000, '-');
    const struct {
        const char *text, *error;
    } rows[] = {
        {"", "1: the formula is empty"},
        {"   ", "1: the formula is empty"},
        {"p*q",
         "3: 'q' is not known; allowed: p, m, S, k, alpha, beta, gamma, L, o, g, G, never, and the functions ceil, "},
        {"log2(n)", "6: 'n' is not known; allowed: "},
        {"alph", "1: 'alph' is not known, did you mean alpha? allowed: "},
        {"alphas", "1: 'alphas' is not known, did you mean alpha? allowed: "},
        {"rint(p)", "1: 'rint' is not known; allowed: "},
        {"_pi", "1: '_pi' is not known; allowed: "},
        {"P*m", "1: 'P' is not known, did you mean p? allowed: p, "},
        {"sqr(p)", "1: 'sqr' is not known, did you mean sqrt? allowed: "},
        {"nevr", "1: 'nevr' is not known, did you mean never? allowed: "},
        {"2+log(p)", "3: log takes (x, k), not 1 argument"},
        {"log(p, 2, m)", "1: log takes (x, k), not 3 arguments"},
        {"1+log2 ()", "3: log2 takes (x), not 0 arguments"},
        {"max( )", "1: max takes (x, ..), not 0 arguments"},
        {"log(max(p,2))", "1: log takes (x, k), not 1 argument"},
        {"p+log", "3: log is a function: log(x, k)"},
        {"log2 p", "1: log2 is a function: log2(x)"},
        {"p=3", "2: '=' is not an operator; allowed: == to compare"},
        {"min(p=3, 2)", "6: '=' is not an operator; allowed: == to compare"},
        {"p, m", "2: ',' is allowed only between a function's arguments; a formula has one value"},
        {"log((p,m),2)", "7: ',' is allowed only between a function's arguments; a formula has one value"},
        {"p + \"text\"", "5: a formula cannot contain text in quotes"},
        {"1e999*p", "1: 1e999 is too large; allowed: at most 1.79e308, the largest double"},
        {"p\tm", "2: a character has no meaning in a formula; allowed: printable ASCII characters"},
        {"p*\xce\xb1", "3: a character has no meaning in a formula; allowed: printable ASCII characters"},
        {"p;m", "2: ';' has no meaning in a formula; allowed: + - * / ^ ( ) , < <= > >= == != && || ? :"},
        {"!p", "1: '!' has no meaning in a formula; allowed: + - * / ^ ( ) , < <= > >= == != && || ? :"},
        {".", "1: '.' has no meaning in a formula; allowed: + - * / ^ ( ) , < <= > >= == != && || ? :"},
        {"(p", "1: '(' without ')'"},
        {"p+(m*(k-1)", "3: '(' without ')'"},
        {"p)", "2: ')' without '('"},
        {"p ? m", "3: '?' needs ':' and a value for the other case"},
        {"max(p?1, 2:3)", "6: '?' needs ':' and a value for the other case"},
        {"(p?1):3", "3: '?' needs ':' and a value for the other case"},
        {"p:m", "2: ':' without '?'"},
        {"p?1:2:3", "6: ':' without '?'"},
        {"p*", "3: a value is missing at the end"},
        {"p+*2", "3: '*' cannot stand here; allowed: a value"},
        {"2p", "2: 'p' cannot stand here; allowed: an operator"},
        {"p  m", "4: 'm' cannot stand here; allowed: an operator"},
        {"1.5.25", "4: '.25' cannot stand here; allowed: an operator"},
        {"--p", "2: '-' cannot stand here; allowed: a value"},
        {"3 alpha", "3: 'alpha' cannot stand here; allowed: an operator"},
        {"p(2)", "2: '(' cannot stand here; allowed: an operator"},
        {"()", "2: ')' cannot stand here; allowed: a value"},
        {"max(p,,2)", "7: ',' cannot stand here; allowed: a value"},
        {"log(,2)", "5: ',' cannot stand here; allowed: a value"},
        {"log(2,)", "7: ')' cannot stand here; allowed: a value"},
        {"p<==2", "4: '=' is not an operator; allowed: == to compare"},
        {"p garbage", "3: 'garbage' is not known; allowed: "},
        {deep, "101: the brackets are nested too deeply; allowed: at most 100 levels"},
        {longer, "4001: the formula is too long; allowed: at most 4000 characters"},
        {minus, "2: '-' cannot stand here; allowed: a value"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(expression_new("claim", rows[i].text, names, &error));
        g_assert_nonnull(error);
        g_autofree char *expected = g_strconcat("claim: column ", rows[i].error, NULL);
        const bool begins = g_str_has_suffix(expected, " "); // the table omits the long list of names that follows
        if (begins ? !g_str_has_prefix(error->message, expected) : strcmp(error->message, expected) != 0)
            g_error("%.40s: %s", rows[i].text, error->message);
    }
}

static void test_names(void)
{
    g_autofree char *longest = g_strnfill(100, 'a'), *longer = g_strnfill(101, 'a');
    const char *const good[] = {"p", "_", "e", "E2", "x_1", "never_", "Never", "ceil", "log", "and", longest};
    const struct {
        const char *name, *error;
    } bad[] = {
        {"", "'' is not a name; allowed: letters, digits and _, not beginning with a digit"},
        {"2x", "'2x' is not a name; allowed: letters, digits and _, not beginning with a digit"},
        {"a b", "'a b' is not a name; allowed: letters, digits and _, not beginning with a digit"},
        {"a-b", "'a-b' is not a name; allowed: letters, digits and _, not beginning with a digit"},
        {"a\xce\xb1", "'a\xce\xb1' is not a name; allowed: letters, digits and _, not beginning with a digit"},
        {"never", "'never' is infinity; allowed: another name"},
        {longer, "'aaaaaaaaaaaaaaaaaaaa..' has 101 characters; allowed: a name of at most 100"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_true(expression_check_name("let", good[i], &error));
        g_autofree char *text = g_strdup_printf("2*%s", good[i]);
        g_autoptr(Expression) e = expression_new("claim", text, (const char *const[]){good[i], NULL}, &error);
        g_assert_no_error(error);
        g_assert_cmpfloat(expression_value(e, (const double[]){7}), ==, 14);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_false(expression_check_name("let", bad[i].name, &error));
        g_autofree char *expected = g_strconcat("let: ", bad[i].error, NULL);
        g_assert_cmpstr(error->message, ==, expected);
    }
}

// Formulas as deep and as long as allowed have a value, found at once and without much of a stack.
static void test_deep(void)
{
    static const char *const pieces[][3] = {{"(", "p", ")"},      {"max(", "p", ")"}, {"-(", "p", ")"},
                                            {"", "p", "^p"},      {"p?", "p", ":1"},  {"p<1?1:", "p", ""},
                                            {"log(p,", "2", ")"}, {"p&&", "p", ""},   {"0.5+", "1e-320", ""}};
    for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++) {
        const char *const *x = pieces[i];
        const size_t most = strchr(x[0], '(') ? 100 : 3990 / (strlen(x[0]) + strlen(x[2]));
        g_autoptr(GString) text = g_string_new(x[1]);
        for (size_t n = 0; n < most; n++) {
            g_string_prepend(text, x[0]);
            g_string_append(text, x[2]);
        }
        g_autoptr(GError) error = NULL;
        g_autoptr(Expression) e = expression_new("claim", text->str, names, &error);
        g_assert_no_error(error);
        expression_value(e, values);
    }
}

// Appends a random formula to `text` and returns its value, which is computed independently.
static double grown(GRand *rand, int depth, GString *text)
{
    const int i = g_rand_int_range(rand, 0, 11);
    if (depth == 0) {
        g_string_append(text, i < 8 ? names[i] : i == 8 ? "1" : i == 9 ? "2" : "5");
        return i < 8 ? values[i] : i == 8 ? 1 : i == 9 ? 2 : 5;
    }
    const int kind = g_rand_int_range(rand, 0, 9);
    static const char *const before[] = {"(", "(", "(", "(", "-(", "max(", "(", "(", "ceil (("};
    static const char *const between[] = {"+", "-", "*", "/", "*", ", ", "<=", "==-1*", ")/3+"};
    g_string_append(text, before[kind]);
    const double a = grown(rand, depth - 1, text);
    g_string_append(text, between[kind]);
    const double b = grown(rand, g_rand_int_range(rand, 0, depth), text);
    g_string_append_c(text, ')');
    switch (kind) {
    case 0:
        return a + b;
    case 1:
        return a - b;
    case 2:
        return a * b;
    case 3:
        return a / b;
    case 4:
        return -(a * b);
    case 5:
        return isnan(a) || isnan(b) ? NAN : fmax(a, b);
    case 6:
        return a <= b;
    case 7:
        return a == -b;
    default:
        return functions_ceil(a / 3 + b);
    }
}

static void test_grown(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (int i = 0; i < 4000; i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        const double expected = grown(rand, 1 + i % 4, text);
        GError *error = NULL;
        g_autoptr(Expression) e = expression_new(text->str, text->str, names, &error);
        g_assert_no_error(error);
        const double value = expression_value(e, values);
        if (!(value == expected || fabs(value - expected) <= 1e-12 * fabs(expected) ||
              (isnan(value) && isnan(expected))))
            g_error("%s is %.17g, not %.17g", text->str, value, expected);
    }
}

// A mutated text gives a value, the same each time, or an error at one of its columns.
static void test_mutated(void)
{
    static const char *const seeds[] = {"(p-1)*alpha + (p-1)/p*m*(beta + gamma)", "log(p,k)*max(o, g, 2*G) + L",
                                        "p>3 && k!=2 ? ceil(log2(p)) : popcounts(p)/p^2",
                                        "knomial(p,k) + bintree(p)-never"};
    static const char signs[] = "()+-*/^,?:<>=&|!.;\"'#%_e0123456789pmSk \x01\xff{}[]~@";
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    int right = 0;
    for (int i = 0; i < 20000; i++) {
        g_autoptr(GString) text = g_string_new(seeds[i % G_N_ELEMENTS(seeds)]);
        for (int changes = 1 + i % 2; changes > 0; changes--) {
            const int at = g_rand_int_range(rand, 0, (int)text->len), n = MIN((int)text->len - at, 1 + i % 5);
            const int kind = g_rand_int_range(rand, 0, 4);
            g_autofree char *piece = g_strndup(text->str + at, (gsize)n);
            if (kind == 0 && (int)text->len > n)
                g_string_erase(text, at, n);
            else if (kind == 1)
                g_string_insert(text, g_rand_int_range(rand, 0, (int)text->len + 1), piece);
            else if (kind == 2)
                text->str[at] = signs[g_rand_int_range(rand, 0, (int)sizeof signs - 1)];
            else
                g_string_insert_c(text, at, signs[g_rand_int_range(rand, 0, (int)sizeof signs - 1)]);
        }
        g_autoptr(GError) error = NULL;
        g_autoptr(Expression) e = expression_new("claim", text->str, names, &error);
        g_assert_true((e == NULL) == (error != NULL));
        int column = 1;
        if (error &&
            (sscanf(error->message, "claim: column %d: ", &column) != 1 || column < 1 || column > (int)text->len + 1))
            g_error("%s: %s", text->str, error->message);
        if (e) {
            right++;
            const double first = expression_value(e, values), again = expression_value(e, values);
            g_assert_cmpmem(&first, sizeof first, &again, sizeof again);
        }
    }
    g_assert_cmpint(right, >, 500);
    g_assert_cmpint(right, <, 10000);
}

static void add(void)
{
    g_test_add_func("/expression/values", test_values);
    g_test_add_func("/expression/exact-functions", test_exact);
    g_test_add_func("/expression/names-used", test_uses);
    g_test_add_func("/expression/errors", test_errors);
    g_test_add_func("/expression/variables", test_names);
    g_test_add_func("/expression/deep", test_deep);
    g_test_add_func("/expression/random", test_grown);
    g_test_add_func("/expression/mutated", test_mutated);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
