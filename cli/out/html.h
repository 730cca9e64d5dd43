// Writes a page of HTML that stands alone: style and pictures are in it, it refers to no other file, and it needs no
// script. It follows the reader's choice of light or dark, and prints. Every text is escaped here, so callers give
// plain text.
//
//     h1, lead                      page
//     contents: links               made of the sections
//     section h2 > section h3       html_section
//       p, pre, table, figure       html_text, html_pre, html_table, html_picture
#pragma once
#include <glib.h>

typedef struct Html Html;

// What stands in a cell.
typedef enum HtmlKind {
    HTML_WORDS,
    HTML_FORMULA, // set as code; a line breaks behind an operator, never in a name
    HTML_NUMBER,  // aligned to the right, on one line
} HtmlKind;

// A sign before a cell's text, with a colour of its own.
typedef enum HtmlMark { HTML_PLAIN, HTML_GOOD, HTML_FAIR, HTML_BAD } HtmlMark;

typedef struct HtmlCell {
    const char *text; // NULL: empty
    HtmlKind kind;
    HtmlMark mark;
    const char *to; // the id of what the text links to, in this page; NULL for nothing
} HtmlCell;

// Begins a page. `lead` is the paragraph below the title. Free with html_free.
Html *html_new(const char *title, const char *lead);
void html_free(Html *page); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Html, html_free)
// Returns the page, to which nothing may be added then. Free with g_string_free.
GString *html_end(Html *page);

// Returns an id made of a text that no other place of the page has. Free with g_free.
char *html_id(Html *page, const char *text);
// Begins a section, of level 2 or within one of level 3, and ends the ones before it of this level. The contents list
// it as `title`. `id` is one of html_id, or NULL.
void html_section(Html *page, int level, const char *id, const char *title);
// Adds a heading within a section, which the contents do not list.
void html_heading(Html *page, const char *title);
void html_text(Html *page, const char *text);
// Adds a paragraph "BEFORE link" to a place of this page.
void html_link(Html *page, const char *before, const char *to, const char *text);
// Adds text whose lines stay as they are. If `summary` is not NULL, the reader opens it by that line; print shows it
// open.
void html_pre(Html *page, const char *summary, const char *text);
// Adds command lines that make what stands above them, one a line.
void html_command(Html *page, const char *lines);

// Begins a table of n columns; `caption` says what it shows.
void html_table(Html *page, const char *caption, const HtmlCell *head, guint n);
// Adds a row. `id` is one of html_id, or NULL; `classes` are names of html_filter, or NULL.
void html_row(Html *page, const char *id, const char *classes, const HtmlCell *cell, guint n);
void html_table_end(Html *page);

// Adds a choice among the rows of all tables that follow in sections of level 2. Choice i, called names[i], shows only
// the rows of class GROUP-i; before them stands a choice that shows all, and a name
// that is NULL is left out. It must be outside of sections of level 2.
void html_filter(Html *page, const char *group, const char *legend, const char *const *names, guint n);

// Adds a picture, a whole SVG. `caption` says what it shows, and its marks get ids of their own.
void html_picture(Html *page, const GString *svg, const char *caption);
