// Escaping: hostile texts for each format, and that the formats' own readers get the text back: GLib's for XML, and the
// program's for CSV.
#include "base/csv.h"
#include "base/escape.h"
#include "tap.h"
#include <string.h>

typedef char *(*Escape)(const char *text);

typedef struct Case {
    const char *text, *expected;
} Case;

static void check(Escape escape, const Case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g_autofree char *escaped = escape(cases[i].text);
        g_assert_cmpstr(escaped, ==, cases[i].expected);
        g_assert_true(escape == escape_csv || g_utf8_validate(escaped, -1, NULL));
    }
}

static void test_terminal(void)
{
    static const Case CASES[] = {
        {NULL, ""},
        {"plain, µs", "plain, µs"},
        {"\033[31mred\033[0m", "?[31mred?[0m"},
        {"a\nb\tc\rd\a\177", "a?b?c?d??"},
        {"\xc2\x9b"
         "31m",
         "?31m"},                            // CSI in one character
        {"\xc2\x9f \xc2\xa0", "? \xc2\xa0"}, // the last control character, and the first that is none
        {"\x9b"
         "31m \xff \xc3",
         "?31m ? ?"}, // not UTF-8
        {"\xe2\x80\xae"
         "txt.exe",
         "?txt.exe"}, // right-to-left override
        {"a?\\x1b", "a?\\x1b"},
    };
    check(escape_terminal, CASES, G_N_ELEMENTS(CASES));
}

static void test_xml(void)
{
    static const Case CASES[] = {
        {NULL, ""},
        {"a < b & c > 'd' \"e\"", "a &lt; b &amp; c &gt; &#39;d&#39; &quot;e&quot;"},
        {"</title><script>alert(1)</script>", "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"},
        {"\033[1m\a\b", "\xef\xbf\xbd[1m\xef\xbf\xbd\xef\xbf\xbd"},
        {"tab\tline\nend", "tab\tline\nend"},
        {"\xff\xc2\x85\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    };
    check(escape_xml, CASES, G_N_ELEMENTS(CASES));
    g_autofree char *escaped = escape_xml("<a href=\"x\" b='y'>&amp;\033</a>");
    g_autofree char *page = g_strdup_printf("<t a=\"%s\" b='%s'>%s</t>", escaped, escaped, escaped);
    g_autoptr(GError) error = NULL;
    const GMarkupParser parser = {NULL};
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, NULL, NULL);
    g_markup_parse_context_parse(context, page, -1, &error);
    g_assert_no_error(error);
    g_assert_true(g_markup_parse_context_end_parse(context, NULL));
    g_markup_parse_context_free(context);
}

static void test_dot(void)
{
    static const Case CASES[] = {
        {NULL, ""},
        {"\"]; evil [label=\"", "\\\"]; evil [label=\\\""},
        {"\\N \\", "\\\\N \\\\"},
        {"a\nb\033c\xff", "a\\nb c "},
    };
    check(escape_dot, CASES, G_N_ELEMENTS(CASES));
}

static void test_gnuplot(void)
{
    static const Case CASES[] = {
        {NULL, "''"},
        {"it's", "'it'.\"\\047\".'s'"},
        {"'", "''.\"\\047\".''"},
        {"''a", "''.\"\\047\".''.\"\\047\".'a'"},
        {"'; system('touch x') #", "''.\"\\047\".'; system('.\"\\047\".'touch x'.\"\\047\".') #'"},
        {"it's @x", "'it'.\"\\047\".'s @x'"},
        {"\"`date`\" \\n @x", "'\"`date`\" \\n @x'"},
        {"a\nb\033c\xff", "'a b c '"},
    };
    check(escape_gnuplot, CASES, G_N_ELEMENTS(CASES));
}

static void test_shell(void)
{
    static const Case CASES[] = {
        {"", "''"},
        {"a/b-c_1.ini", "a/b-c_1.ini"},
        {"x=1,2:3+4@5%", "x=1,2:3+4@5%"},
        {"a b", "'a b'"},
        {"it's", "'it'\\''s'"},
        {"$HOME", "'$HOME'"},
        {"a{b,c}", "'a{b,c}'"},
        {"~root", "'~root'"},
        {"a*", "'a*'"},
        {"a?[b]", "'a?[b]'"},
        {"#a", "'#a'"},
        {"!a", "'!a'"},
        {"^a", "'^a'"},
        {"a\nb", "'a\nb'"},
    };
    check(escape_shell, CASES, G_N_ELEMENTS(CASES));
}

static void test_json(void)
{
    static const Case CASES[] = {
        {NULL, ""},
        {"µs / \177", "µs / \177"},
        {"\"a\\b\"", "\\\"a\\\\b\\\""},
        {"a\nb\tc\001\037 ", "a\\u000ab\\u0009c\\u0001\\u001f "},
        {"a\xff", "a\xef\xbf\xbd"}, // not UTF-8
    };
    check(escape_json, CASES, G_N_ELEMENTS(CASES));
}

static void test_csv(void)
{
    static const Case CASES[] = {
        {NULL, ""},           {"plain text", "plain text"}, {"a,b", "\"a,b\""},     {"\"", "\"\"\"\""},
        {"a\nb", "\"a\nb\""}, {"a\r", "\"a\r\""},           {"\033[1m", "\033[1m"}, {" x ", " x "},
    };
    check(escape_csv, CASES, G_N_ELEMENTS(CASES));
    for (size_t i = 1; i < G_N_ELEMENTS(CASES); i++) {
        g_autofree char *field = escape_csv(CASES[i].text), *table = g_strdup_printf("a,b\n%s,2\n", field);
        g_autoptr(GError) error = NULL;
        g_autoptr(Csv) csv = csv_parse(table, strlen(table), "f.csv", &error);
        g_assert_no_error(error);
        g_assert_cmpstr(csv_field(csv, 0, 0), ==, CASES[i].text);
        g_assert_cmpstr(csv_field(csv, 0, 1), ==, "2");
    }
}

static void test_markdown(void)
{
    static const Case TEXT[] = {
        {NULL, ""},
        {"bcast reduce_scatter_2 _x_ 3_", "bcast reduce_scatter_2 \\_x\\_ 3\\_"},
        {"a | b *c* `d` <b> [x](y) ~~z~~ \\", "a \\| b \\*c\\* \\`d\\` &lt;b> \\[x\\](y) \\~\\~z\\~\\~ \\\\"},
        {"&lt;", "&amp;lt;"},
        {"a\nb\033c\xff", "a b c "},
    };
    static const Case CODE[] = {
        {"alpha + m*beta", "`alpha + m*beta`"},
        {"a|b", "`a\\|b`"},
        {"`", "`` ` ``"},
        {"a``b", "``` a``b ```"},
        {"a\nb\033", "`a b `"},
    };
    check(escape_markdown, TEXT, G_N_ELEMENTS(TEXT));
    check(escape_markdown_code, CODE, G_N_ELEMENTS(CODE));
}

static void test_file_name(void)
{
    g_autoptr(GHashTable) used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    static const Case CASES[] = {
        {"001-3.1-ring_2", "001-3.1-ring_2"},
        {"../../pwned", "_._.._pwned"},
        {"/etc/passwd", "_etc_passwd"},
        {"..", "_."},
        {".", "_"},
        {"", "_-2"},
        {NULL, "_-3"},
        {"a b\n\033<>\"'&é", "a_b_________"},
        {"a/b", "a_b"},
        {"a\\b", "a_b-2"},
        {"A_B", "A_B-3"},
        {"a_b-2", "a_b-2-2"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autofree char *name = escape_file_name(CASES[i].text, used);
        g_assert_cmpstr(name, ==, CASES[i].expected);
    }
    g_autofree char *long_text = g_strnfill(5000, 'x'), *name = escape_file_name(long_text, used);
    g_assert_cmpuint(strlen(name), ==, 100);
}

// The characters that Unicode lists as Bidi_Control.
static const gunichar TURNS[] = {0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c,
                                 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069};

static gboolean turns(gunichar c)
{
    gboolean found = FALSE;
    for (size_t i = 0; i < G_N_ELEMENTS(TURNS); i++)
        found |= TURNS[i] == c;
    return found;
}

// Every character of the first two planes, between two letters: what a format keeps, and what stands in its place, by the
// definitions of Unicode and of XML 1.0 (production 2).
static void test_each_character(void)
{
    for (gunichar c = 1; c < 0x20000; c++) {
        if (!g_unichar_validate(c))
            continue;
        const gboolean control = g_unichar_type(c) == G_UNICODE_CONTROL, noncharacter = c == 0xfffe || c == 0xffff;
        char text[16] = "a", line[16] = "a", svg[16] = "a", xml[16] = "a";
        text[1 + g_unichar_to_utf8(c, text + 1)] = 'b';
        line[1 + g_unichar_to_utf8(control || turns(c) ? '?' : c, line + 1)] = 'b';
        svg[1 + g_unichar_to_utf8(control || noncharacter ? ' ' : c, svg + 1)] = 'b';
        const gboolean space = c == '\t' || c == '\n' || c == '\r';
        xml[1 + g_unichar_to_utf8((control && !space) || noncharacter ? 0xfffd : c, xml + 1)] = 'b';
        g_autofree char *terminal = escape_terminal(text), *one = escape_line(text), *drawn = escape_gnuplot(text),
                        *marked = escape_xml(text), *quoted = g_strdup_printf("'%s'", svg);
        g_assert_cmpstr(terminal, ==, line);
        g_assert_cmpstr(one, ==, g_ascii_isspace((char)c) && c < 0x80 ? "a b" : line);
        if (c != '\'')
            g_assert_cmpstr(drawn, ==, quoted);
        if (c >= 0x80 || !strchr("&<>\"'", (int)c))
            g_assert_cmpstr(marked, ==, xml);
    }
}

static void add_tests(void)
{
    g_test_add_func("/escape/each character", test_each_character);
    g_test_add_func("/escape/terminal", test_terminal);
    g_test_add_func("/escape/xml", test_xml);
    g_test_add_func("/escape/dot", test_dot);
    g_test_add_func("/escape/gnuplot", test_gnuplot);
    g_test_add_func("/escape/shell", test_shell);
    g_test_add_func("/escape/json", test_json);
    g_test_add_func("/escape/csv", test_csv);
    g_test_add_func("/escape/markdown", test_markdown);
    g_test_add_func("/escape/file name", test_file_name);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
