// The terms of certificates: what is written is read back as the same term, and nothing else is taken for a term.
#include "engine/replay/term.h"
#include "tap.h"

// Every kind, with and without a level and a length. Two kinds may have one name, and are then read as the first; they
// must stand for the same resource, so that a picture agrees with what a run says.
static void test_read_back(void)
{
    static const char *const levels[] = {NULL, "node", "far", "half_node-2"};
    static const int64_t lengths[] = {-1, 0, 1, 8192, 8193, (int64_t)1 << 40};
    for (TermKind kind = 0; kind < N_TERM_KINDS; kind++)
        for (size_t i = 0; i < G_N_ELEMENTS(levels); i++)
            for (size_t k = 0; k < G_N_ELEMENTS(lengths); k++) {
                CostTerm x = term_of(kind, levels[i], 1), y;
                x.bytes = lengths[k];
                g_autofree char *text = term_text(&x), *level = NULL;
                g_assert_true(term_read(text, &y, &level));
                g_assert_cmpstr(term_kinds[y.kind].name, ==, term_kinds[kind].name);
                g_assert_cmpint(term_kinds[y.kind].resource, ==, term_kinds[kind].resource);
                g_assert_true(y.level == level);
                y.kind = kind;
                g_assert_true(term_equal(&x, &y));
                g_assert_cmpuint(term_hash(&x), ==, term_hash(&y));
            }
}

static void test_texts(void)
{
    static const struct {
        CostTerm term;
        const char *text;
    } cases[] = {
        {{TERM_ALPHA, .bytes = -1}, "alpha"},
        {{TERM_BETA, .level = "node", .bytes = -1}, "beta.node"},
        {{TERM_ONE, .level = "far", .bytes = 8192}, "one(far, 8K)"},
        {{TERM_GAP, .bytes = 100}, "gap(100)"},
        {{TERM_CROWD, .bytes = -1}, "read/lanes"},
        {{TERM_NIC_MESSAGES, .bytes = -1}, "nic.messages"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = term_text(&cases[i].term);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
    g_autofree char *level = NULL;
    CostTerm x;
    g_assert_true(term_read("gap(far,64)", &x, &level)); // as other programs may write it
    g_assert_cmpstr(level, ==, "far");
    g_assert_cmpint(x.bytes, ==, 64);
    g_autofree char *column = term_column(TERM_CROWD);
    g_assert_cmpstr(column, ==, "read_per_lanes_count");
}

static void test_others(void)
{
    static const char *const texts[] = {
        "",        "alph",       "alphas",      "nic",      "read/",        "other terms", "one(",
        "one(far", "one(far, )", "one(far, 8K", "one(8K)x", "one(far, 8Q)", "ALPHA.",      "memory_steps"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *level = NULL;
        CostTerm x;
        if (term_read(texts[i], &x, &level))
            g_error("%s is read as a term", texts[i]);
        g_assert_null(level);
    }
}

static void add_tests(void)
{
    g_test_add_func("/term/read-back", test_read_back);
    g_test_add_func("/term/texts", test_texts);
    g_test_add_func("/term/others", test_others);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
