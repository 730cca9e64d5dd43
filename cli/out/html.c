#include "out/html.h"
#include "base/escape.h"
#include "out/html_style.h"
#include <string.h>

enum { MANY_CHAPTERS = 8 };

struct Html {
    char *title, *lead;
    GString *style, *contents, *body; // `style`: rules of filters
    char **heads;                     // of the columns of the table, if it is too wide for a narrow screen; or NULL
    GHashTable *ids;                  // see escape_file_name()
    int level;                        // of the innermost open section; 1 for none
    guint pictures, chapters;         // chapters: sections of level 2
};

Html *html_new(const char *title, const char *lead)
{
    Html *page = g_new0(Html, 1);
    page->title = g_strdup(title);
    page->lead = g_strdup(lead);
    page->style = g_string_new(NULL);
    page->contents = g_string_new(NULL);
    page->body = g_string_new(NULL);
    page->ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    page->level = 1;
    g_free(html_id(page, "contents"));
    return page;
}

void html_free(Html *page)
{
    if (!page)
        return;
    g_free(page->title);
    g_free(page->lead);
    g_string_free(page->style, TRUE);
    g_strfreev(page->heads);
    g_string_free(page->contents, TRUE);
    g_string_free(page->body, TRUE);
    g_hash_table_unref(page->ids);
    g_free(page);
}

// Appends text with tags around it.
static void put(GString *to, const char *before, const char *text, const char *after)
{
    g_autofree char *plain = escape_xml(text);
    g_string_append_printf(to, "%s%s%s", before, plain, after);
}

char *html_id(Html *page, const char *text)
{
    return escape_file_name(text, page->ids);
}

// ---- Sections -------------------------------------------------------------------------------------------------------

// Ends the open sections of this level and of those within.
static void end_sections(Html *page, int level)
{
    for (; page->level >= level; page->level--) {
        g_string_append(page->body, "</section>\n");
        g_string_append(page->contents, page->level == 3 ? "</li>" : "</li>\n");
        if (page->level == 3 && level == 2)
            g_string_append(page->contents, "</ul>");
    }
}

void html_section(Html *page, int level, const char *id, const char *title)
{
    g_assert(level == 2 || (level == 3 && page->level > 1));
    const int before = page->level;
    g_autofree char *own = id ? g_strdup(id) : html_id(page, title);
    end_sections(page, level);
    g_string_append_printf(page->body, "<section id=\"%s\">\n", own);
    g_autofree char *open = g_strdup_printf("<h%d>", level), *end = g_strdup_printf("</h%d>\n", level);
    put(page->body, open, title, end);
    g_autofree char *item = g_strdup_printf("%s<li><a href=\"#%s\">", level == 3 && before == 2 ? "<ul>" : "", own);
    put(page->contents, item, title, "</a>");
    page->level = level;
    page->chapters += level == 2 ? 1 : 0;
}

void html_heading(Html *page, const char *title)
{
    put(page->body, "<h4>", title, "</h4>\n");
}

// ---- Text -----------------------------------------------------------------------------------------------------------

void html_text(Html *page, const char *text)
{
    put(page->body, "<p>", text, "</p>\n");
}

void html_link(Html *page, const char *before, const char *to, const char *text)
{
    put(page->body, "<p>", before, " ");
    g_autofree char *open = g_strdup_printf("<a href=\"#%s\">", to);
    put(page->body, open, text, "</a></p>\n");
}

void html_pre(Html *page, const char *summary, const char *text)
{
    if (summary)
        put(page->body, "<details open><summary>", summary, "</summary>\n");
    put(page->body, "<pre tabindex=\"0\">", text, "</pre>\n");
    if (summary)
        g_string_append(page->body, "</details>\n");
}

void html_command(Html *page, const char *lines)
{
    put(page->body, "<pre class=\"command\"><code>", lines, "</code></pre>\n");
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

// Appends a formula with a place where the line may break behind each operator.
static void put_formula(GString *to, const char *text)
{
    g_string_append(to, "<code>");
    for (const char *at = text; *at;) {
        const size_t word = strcspn(at, "+*/,;)="), operators = strspn(at + word, "+*/,;)=");
        g_autofree char *part = g_strndup(at, word + operators);
        put(to, "", part, at[word + operators] && operators ? "<wbr>" : "");
        at += word + operators;
    }
    g_string_append(to, "</code>");
}

// `label`, unless it is NULL, is the head of the cell's column, which a narrow screen shows before the cell.
static void put_cell(GString *to, const HtmlCell *cell, const char *tag, const char *label)
{
    static const char *const marks[] = {
        [HTML_PLAIN] = "",
        [HTML_GOOD] = "<span class=\"mark good\">\342\234\223</span> ", // a tick
        [HTML_FAIR] = "<span class=\"mark fair\">\342\211\210</span> ", // almost equal
        [HTML_BAD] = "<span class=\"mark bad\">\342\234\227</span> ",   // a cross
    };
    const gboolean head = strcmp(tag, "th") == 0, number = cell->kind == HTML_NUMBER;
    const char *const text = cell->text ? cell->text : "";
    g_string_append_printf(to, "<%s%s%s", tag, head ? " scope=\"col\"" : "", number ? " class=\"number\"" : "");
    if (label && *text)
        put(to, " data-head=\"", label, "\"");
    g_string_append_printf(to, ">%s", marks[cell->mark]);
    if (cell->to)
        g_string_append_printf(to, "<a href=\"#%s\">", cell->to);
    if (cell->kind == HTML_FORMULA && !head && *text)
        put_formula(to, text);
    else
        put(to, "", text, "");
    g_string_append_printf(to, "%s</%s>", cell->to ? "</a>" : "", tag);
}

static void put_row(GString *to, const char *id, const char *classes, const HtmlCell *cell, guint n, const char *tag,
                    char *const *heads)
{
    g_string_append(to, "<tr");
    if (id)
        g_string_append_printf(to, " id=\"%s\"", id);
    if (classes)
        g_string_append_printf(to, " class=\"%s\"", classes);
    g_string_append_c(to, '>');
    for (guint i = 0; i < n; i++)
        put_cell(to, &cell[i], tag, heads ? heads[i] : NULL);
    g_string_append(to, "</tr>\n");
}

void html_table(Html *page, const char *caption, const HtmlCell *head, guint n)
{
    enum { NARROW = 4 }; // columns of a table that a narrow screen has room for
    g_string_append_printf(page->body, "<div class=\"scroll\" tabindex=\"0\"><table%s>",
                           n > NARROW ? " class=\"wide\"" : "");
    put(page->body, "<caption>", caption, "</caption>\n<thead>\n");
    put_row(page->body, NULL, NULL, head, n, "th", NULL);
    g_clear_pointer(&page->heads, g_strfreev);
    page->heads = n > NARROW ? g_new0(char *, n + 1) : NULL;
    for (guint i = 0; page->heads && i < n; i++)
        page->heads[i] = g_strdup(head[i].text ? head[i].text : "");
    g_string_append(page->body, "</thead>\n<tbody>\n");
}

void html_row(Html *page, const char *id, const char *classes, const HtmlCell *cell, guint n)
{
    put_row(page->body, id, classes, cell, n, "td", page->heads);
}

void html_table_end(Html *page)
{
    g_string_append(page->body, "</tbody>\n</table></div>\n");
}

// Adds one choice of a filter. A style's rule knows that it is chosen, because the choices and the sections are
// siblings.
static void add_choice(Html *page, const char *group, int i, const char *name)
{
    g_autofree char *label = g_strdup_printf("%s-%d", group, i), *id = html_id(page, i < 0 ? group : label);
    g_autofree char *input = g_strdup_printf("<input type=\"radio\" name=\"%s\" id=\"%s\"%s><label for=\"%s\">", group,
                                             id, i < 0 ? " checked" : "", id);
    put(page->body, input, name, "</label>\n");
    if (i >= 0)
        g_string_append_printf(page->style, "#%s:checked~section tr[class]:not(.%s){display:none}\n", id, label);
}

void html_filter(Html *page, const char *group, const char *legend, const char *const *names, guint n)
{
    end_sections(page, 2);
    put(page->body, "<p class=\"filter\">", legend, "</p>\n");
    add_choice(page, group, -1, "all");
    for (guint i = 0; i < n; i++)
        if (names[i])
            add_choice(page, group, (int)i, names[i]);
}

// ---- Pictures -------------------------------------------------------------------------------------------------------

// Appends a picture in which each id, and each reference to one, begins with `prefix`: ids of one page must differ.
static void put_svg(GString *to, const char *svg, const char *prefix)
{
    static const char *const before[] = {" id=\"", " id='", "href=\"#", "href='#", "url(#"};
    for (const char *at = svg; *at;) {
        size_t length = 0;
        for (size_t i = 0; i < G_N_ELEMENTS(before) && !length; i++)
            if (g_str_has_prefix(at, before[i]))
                length = strlen(before[i]);
        g_string_append_len(to, at, length ? (gssize)length : 1);
        if (length)
            g_string_append(to, prefix);
        at += length ? length : 1;
    }
}

void html_picture(Html *page, const GString *svg, const char *caption)
{
    const char *const start = strstr(svg->str, "<svg"); // after the declaration of XML, which a page may not have
    g_assert(start);
    g_autofree char *wish = g_strdup_printf("picture-%u", ++page->pictures), *id = html_id(page, wish),
                    *prefix = g_strconcat(id, "-", NULL);
    g_string_append_printf(page->body, "<figure id=\"%s\"><div class=\"picture\" tabindex=\"0\">\n", id);
    put_svg(page->body, start, prefix);
    put(page->body, "</div>\n<figcaption>", caption, "</figcaption></figure>\n");
}

// ---- The page -------------------------------------------------------------------------------------------------------

GString *html_end(Html *page)
{
    end_sections(page, 2);
    g_autofree char *title = escape_xml(page->title), *lead = escape_xml(page->lead);
    GString *text = g_string_new("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                                 "<meta name=\"color-scheme\" content=\"light dark\">\n");
    g_string_append_printf(text, "<title>%s</title>\n<style>\n%s%s</style>\n</head>\n<body>\n", title, html_style,
                           page->style->str);
    g_string_append_printf(text, "<header><h1>%s</h1>\n<p>%s</p></header>\n", title, lead);
    // A long page lists only its sections of level 2, side by side.
    g_string_append_printf(text, "<nav id=\"contents\" aria-label=\"contents\"%s><ul>\n%s</ul></nav>\n<main>\n",
                           page->chapters > MANY_CHAPTERS ? " class=\"many\"" : "", page->contents->str);
    g_string_append_printf(text, "%s</main>\n</body>\n</html>\n", page->body->str);
    return text;
}
