// Escapes: whatever the text is, the result is one of its format.
#include "base/escape.h"
#include "base/nearest.h"
#include "fuzz.h"
#include <string.h>

// Asserts that a text is UTF-8 without control characters other than those `allowed`.
static void assert_plain(const char *text, const char *allowed)
{
    g_assert_true(g_utf8_validate(text, -1, NULL));
    for (const char *c = text; *c; c = g_utf8_next_char(c))
        g_assert_true(!g_unichar_iscntrl(g_utf8_get_char(c)) || strchr(allowed, *c));
}

// Asserts that each `quote` in the text has an odd number of `escape` before it.
static void assert_quoted(const char *text, char quote, char escape)
{
    int before = 0;
    for (; *text; text++) {
        g_assert_true(*text != quote || before % 2 == 1);
        before = *text == escape ? before + 1 : 0;
    }
    g_assert_cmpint(before % 2, ==, 0);
}

FUZZ_HARNESS(escape)
{
    g_auto(GStrv) text = fuzz_lines(data, size, 1);
    g_autofree char *all = g_strjoin("\n", text[0], text[1], NULL);
    g_autofree char *terminal = escape_terminal(all), *xml = escape_xml(all), *dot = escape_dot(all),
                    *gnuplot = escape_gnuplot(all), *markdown = escape_markdown(all), *code = escape_markdown_code(all);
    assert_plain(terminal, "");
    assert_plain(xml, "\t\r\n");
    g_assert_null(strpbrk(xml, "<>\"'"));
    assert_plain(dot, "");
    assert_quoted(dot, '"', '\\');
    assert_plain(gnuplot, "");
    g_assert_true(strlen(gnuplot) >= 2 && *gnuplot == '\'' && gnuplot[strlen(gnuplot) - 1] == '\'');
    gnuplot[strlen(gnuplot) - 1] = '\0';
    g_auto(GStrv) strings = g_strsplit(gnuplot + 1, "'.\"\\047\".'", -1);
    for (char **string = strings; *string; string++)
        g_assert_null(strchr(*string, '\''));
    assert_plain(markdown, "");
    assert_plain(code, "");
    g_assert_null(strpbrk(markdown, "<"));
    g_autoptr(GHashTable) used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree char *file = escape_file_name(text[0], used), *second = escape_file_name(text[0], used);
    g_assert_true(*file && strlen(file) <= 100 && *file != '.' && !strchr(file, '/') && strcmp(file, second) != 0);
    const char *const names[] = {text[0], "recursive_doubling", "ring", NULL};
    int index;
    g_autoptr(GError) error = NULL;
    fuzz_outcome(nearest_find("name", text[1], names, &index, &error), &error);
    return 0;
}
