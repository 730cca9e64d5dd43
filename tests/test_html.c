// The writer of HTML pages: hostile texts come back from a strict parser as they were given, elements nest and end,
// attributes are quoted, ids are unique, and links lead to an id of the page.
#include "out/html.h"
#include "tap.h"
#include <string.h>

static const char hostile[] = "</td></p>&amp;<script>\"'\302\240\344\270\255 a<b>c&d]]>--";

// ---- A strict reader ------------------------------------------------------------------------------------------------

typedef struct Page {
    GPtrArray *open;    // of char *: the names of open elements
    GHashTable *ids;    // of char *
    GPtrArray *links;   // of char *: the ids that links and references name
    GString *text;      // all text of the body; each element ends in a line
    GString *outline;   // "section h2 section h3 .." with what they are in, as "h3@3": depth of sections
    guint depth, twice; // open sections; ids that occur again
} Page;

static void begin_element(GMarkupParseContext *context, const char *name, const char **names, const char **values,
                          gpointer user, GError **error)
{
    Page *page = user;
    (void)context;
    (void)error;
    g_ptr_array_add(page->open, g_strdup(name));
    page->depth += strcmp(name, "section") == 0;
    if (name[0] == 'h' && g_ascii_isdigit(name[1]))
        g_string_append_printf(page->outline, "%s@%u ", name, page->depth);
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], "id") == 0)
            page->twice += !g_hash_table_add(page->ids, g_strdup(values[i]));
        if (strcmp(names[i], "href") == 0 || strcmp(names[i], "xlink:href") == 0 || strcmp(names[i], "for") == 0)
            g_ptr_array_add(page->links, g_strdup(values[i] + (values[i][0] == '#')));
        if (g_str_has_prefix(values[i], "url(#"))
            g_ptr_array_add(page->links, g_strndup(values[i] + 5, strlen(values[i]) - 6));
    }
}

static void end_element(GMarkupParseContext *context, const char *name, gpointer user, GError **error)
{
    Page *page = user;
    (void)context;
    (void)error;
    page->depth -= strcmp(name, "section") == 0;
    if (strcmp(name, "wbr") != 0 && strcmp(name, "code") != 0)
        g_string_append_c(page->text, '\n');
    g_ptr_array_set_size(page->open, (int)page->open->len - 1);
}

static void add_text(GMarkupParseContext *context, const char *text, gsize length, gpointer user, GError **error)
{
    Page *page = user;
    (void)context;
    (void)error;
    if (strcmp(g_ptr_array_index(page->open, page->open->len - 1), "style") != 0)
        g_string_append_len(page->text, text, (gssize)length);
}

// Returns the page as XML: elements that HTML never closes are closed, and attributes have values. Free with g_free.
static char *as_xml(const char *html)
{
    g_autoptr(GRegex) empty = g_regex_new("<(meta|wbr|input)([^>]*)>", 0, 0, NULL),
                      bare = g_regex_new("(<[^>]*) (open|checked)(?=[ />])", 0, 0, NULL);
    g_autofree char *closed = g_regex_replace(empty, html, -1, 0, "<\\1\\2/>", 0, NULL);
    return g_regex_replace(bare, closed, -1, 0, "\\1 \\2=\"\"", 0, NULL);
}

// Reads a page; returns FALSE if it is not well-formed.
static gboolean page_read(Page *page, const char *html)
{
    static const GMarkupParser parser = {begin_element, end_element, add_text, NULL, NULL};
    g_autofree char *xml = as_xml(html);
    *page = (Page){.open = g_ptr_array_new_with_free_func(g_free),
                   .ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                   .links = g_ptr_array_new_with_free_func(g_free),
                   .text = g_string_new(NULL),
                   .outline = g_string_new(NULL)};
    g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, page, NULL);
    return g_str_has_prefix(html, "<!DOCTYPE html>\n") &&
           g_markup_parse_context_parse(context, xml, (gssize)strlen(xml), NULL) &&
           g_markup_parse_context_end_parse(context, NULL);
}

static void page_clear(Page *page)
{
    g_ptr_array_unref(page->open);
    g_hash_table_unref(page->ids);
    g_ptr_array_unref(page->links);
    g_string_free(page->text, TRUE);
    g_string_free(page->outline, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Page, page_clear)

static guint count_text(const char *text, const char *what)
{
    guint n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

// Ends and reads a page, whose ids and links must be right.
static void read_good(Page *page, Html *html)
{
    g_autoptr(GString) text = html_end(html);
    g_assert_true(page_read(page, text->str));
    g_assert_cmpuint(page->open->len, ==, 0);
    g_assert_cmpuint(page->twice, ==, 0);
    for (guint i = 0; i < page->links->len; i++)
        g_assert_true(g_hash_table_contains(page->ids, page->links->pdata[i]));
}

// ---- Tests ----------------------------------------------------------------------------------------------------------

static void test_escaping(void)
{
    g_autoptr(Html) html = html_new(hostile, hostile); // the title stands in the head too
    const char *const names[] = {hostile, NULL};
    const HtmlCell cell[] = {{hostile}, {hostile, HTML_FORMULA, HTML_BAD}, {hostile, HTML_NUMBER, HTML_GOOD, "here"}};
    g_autofree char *here = html_id(html, "here");
    g_autoptr(GString) svg = g_string_new("<?xml version=\"1.0\"?>\n<svg><text>x</text></svg>\n");
    html_filter(html, "group", hostile, names, 2);
    html_section(html, 2, here, hostile); // and in the contents
    html_heading(html, hostile);
    html_text(html, hostile);
    html_link(html, hostile, here, hostile);
    html_pre(html, hostile, hostile);
    html_command(html, hostile);
    html_table(html, hostile, cell, 3);
    html_row(html, NULL, "group-0", cell, 3);
    html_row(html, NULL, NULL, cell, 3);
    html_table_end(html);
    html_picture(html, svg, hostile);
    g_auto(Page) page = {0};
    read_good(&page, html);
    g_assert_cmpuint(count_text(page.text->str, hostile), ==, 3 + 2 + 2 + 2 + 2 + 3 + 1 + 3 * 3 + 1);
}

static void test_nesting(void)
{
    g_autoptr(Html) html = html_new("title", "lead");
    const HtmlCell cell[] = {{"a"}};
    html_section(html, 2, NULL, "one");
    html_section(html, 3, NULL, "one a");
    html_heading(html, "deep");
    html_section(html, 3, NULL, "one b");
    html_table(html, "caption", cell, 1);
    html_table_end(html);
    html_section(html, 2, NULL, "two");
    html_section(html, 2, NULL, "one"); // the same title again
    html_section(html, 3, NULL, "one a");
    g_auto(Page) page = {0};
    read_good(&page, html);
    g_assert_cmpstr(page.outline->str, ==, "h1@0 h2@1 h3@2 h4@2 h3@2 h2@1 h2@1 h3@2 ");
    g_assert_cmpuint(page.links->len, ==, 6); // the contents
    for (guint i = 0; i < page.links->len; i++)
        for (guint k = 0; k < i; k++)
            g_assert_cmpstr(page.links->pdata[i], !=, page.links->pdata[k]);
}

static void test_empty(void)
{
    g_autoptr(Html) html = html_new("", "");
    g_auto(Page) page = {0};
    read_good(&page, html);
    g_assert_cmpstr(page.outline->str, ==, "h1@0 ");
}

static void test_formula(void)
{
    static const char formula[] = "(p-1)*(alpha + m/S*beta), p >= 3, bine_rd";
    g_autoptr(Html) html = html_new("title", "lead");
    const HtmlCell cell[] = {{formula, HTML_FORMULA}};
    html_section(html, 2, NULL, "one");
    html_table(html, "caption", cell, 1);
    html_row(html, NULL, NULL, cell, 1);
    html_table_end(html);
    g_autoptr(GString) text = html_end(html);
    g_assert_nonnull(strstr(text->str,
                            "<td><code>(p-1)*<wbr>(alpha +<wbr> m/<wbr>S*<wbr>beta),<wbr> p &gt;=<wbr> 3,<wbr> "
                            "bine_rd</code></td>"));
}

// A table of five columns is one that a narrow screen shows as a list, whose cells have their heads before them.
static void test_wide(void)
{
    for (guint n = 3; n <= 6; n++) {
        g_autoptr(Html) html = html_new("title", "lead");
        const HtmlCell cell[] = {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}};
        html_section(html, 2, NULL, "one");
        html_table(html, "caption", cell, n);
        html_row(html, NULL, NULL, cell, n);
        html_table_end(html);
        g_autoptr(GString) text = html_end(html);
        g_assert_cmpint(strstr(text->str, "<table class=\"wide\">") != NULL, ==, n >= 5);
        g_assert_cmpint(strstr(text->str, "data-head=\"c\"") != NULL, ==, n >= 5);
    }
}

static void test_pictures(void)
{
    g_autoptr(Html) html = html_new("title", "lead");
    g_autoptr(GString) svg = g_string_new("<svg id=\"a\"><g id='b' fill=\"url(#a)\"/><use xlink:href=\"#b\"/>"
                                          "<use href='#a'/></svg>");
    html_section(html, 2, NULL, "a");
    html_picture(html, svg, "one");
    html_picture(html, svg, "two");
    g_auto(Page) page = {0};
    read_good(&page, html);
    g_assert_cmpuint(page.links->len, ==, 1 + 2 * 3);
}

// The reader refuses what is wrong.
static void test_reader(void)
{
    static const char *const wrong[] = {"<!DOCTYPE html>\n<html><p></html>", "<!DOCTYPE html>\n<html>",
                                        "<!DOCTYPE html>\n<b><i></b></i>",   "<!DOCTYPE html>\n<p id=a></p>",
                                        "<!DOCTYPE html>\n<p>a & b</p>",     "<p></p>"};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_auto(Page) page = {0};
        g_assert_false(page_read(&page, wrong[i]));
    }
}

static void add_tests(void)
{
    g_test_add_func("/html/escaping", test_escaping);
    g_test_add_func("/html/nesting", test_nesting);
    g_test_add_func("/html/empty", test_empty);
    g_test_add_func("/html/formula", test_formula);
    g_test_add_func("/html/wide", test_wide);
    g_test_add_func("/html/pictures", test_pictures);
    g_test_add_func("/html/reader", test_reader);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
