// Writes the audit as a report in Markdown and HTML, both from one text, with a picture of each wrong cost.
#include "answer/audit_picture.h"
#include "answer/audit_report.h"
#include "audit/source.h"
#include "base/escape.h"
#include <string.h>

typedef struct Pages {
    GString *md, *html;
    GHashTable *names; // of the pictures' files; see escape_file_name()
} Pages;

static void heading(const Pages *p, int level, const char *text)
{
    g_autofree char *html = escape_xml(text), *md = escape_markdown(text);
    g_string_append_printf(p->md, "%.*s %s\n\n", level, "####", md);
    g_string_append_printf(p->html, "<h%d>%s</h%d>\n", level, html, level);
}

static void paragraph(const Pages *p, const char *text)
{
    g_autofree char *html = escape_xml(text), *md = escape_markdown(text);
    g_string_append_printf(p->md, "%s\n\n", md);
    g_string_append_printf(p->html, "<p>%s</p>\n", html);
}

// Adds a row of n cells; code[i] says that cell i is a formula, `head` that this is the first row.
static void row(const Pages *p, const char *const *cell, const bool *code, int n, bool head)
{
    g_string_append(p->md, "|");
    g_string_append(p->html, "<tr>");
    for (int i = 0; i < n; i++) {
        const bool formula = !head && code && code[i] && cell[i] && *cell[i];
        g_autofree char *html = escape_xml(cell[i]);
        g_autofree char *md = formula ? escape_markdown_code(cell[i]) : escape_markdown(cell[i]);
        const char *tag = head ? "th" : "td";
        g_string_append_printf(p->md, " %s |", md);
        g_string_append_printf(p->html, "<%s>%s%s%s</%s>", tag, formula ? "<code>" : "", html, formula ? "</code>" : "",
                               tag);
    }
    g_string_append(p->md, "\n");
    g_string_append(p->html, "</tr>\n");
    for (int i = 0; head && i < n; i++)
        g_string_append_printf(p->md, "%s---%s", i ? " " : "| ", i + 1 < n ? " |" : " |\n");
}

static void table_begin(const Pages *p, const char *const *head, int n)
{
    g_string_append(p->html, "<table>\n");
    row(p, head, NULL, n, true);
}

static void table_end(const Pages *p)
{
    g_string_append(p->md, "\n");
    g_string_append(p->html, "</table>\n");
}

static void picture(const Pages *p, const char *file, const char *title)
{
    g_autofree char *html = escape_xml(title), *md = escape_markdown(title);
    g_string_append_printf(p->md, "![%s](%s)\n\n", md, file);
    g_string_append_printf(p->html, "<img src=\"%s\" alt=\"%s\">\n", file, html);
}

// ---- What stands there ----------------------------------------------------------------------------------------------

static void counts_table(const Pages *p, const Audit *a)
{
    static const char *const head[COUNTS_COLUMNS] = {
        "source",      "claims",      "exact",    "exact for a class", "loose",
        "right order", "wrong",       "measured", "not by this model", "in part",
        "no claim",    "right as O()"};
    g_autoptr(GArray) counts = audit_counts(a);
    table_begin(p, head, COUNTS_COLUMNS);
    for (guint i = 0; i < counts->len; i++) {
        g_auto(GStrv) cell = audit_counts_row(&g_array_index(counts, VerdictCounts, i));
        row(p, (const char *const *)cell, NULL, COUNTS_COLUMNS, false);
    }
    table_end(p);
}

static void claim_row(const Pages *p, const Audited *r)
{
    static const bool code[] = {false, true, false, false, false, true};
    const Claim *c = r->claim;
    g_autofree char *what = audit_subject(c);
    g_autofree char *where = g_strdup_printf("%s%s%s%s%s%s", c->place, *what ? ": " : "", what, *c->note ? " (" : "",
                                             c->note, *c->note ? ")" : "");
    g_autofree char *claim = audit_claim_text(c);
    g_autofree char *counterexample = audit_counterexample(r);
    g_autofree char *at = g_strjoin("; ", counterexample ? counterexample : "", counterexample ? r->note : NULL, NULL);
    const char *const cell[] = {where, claim, r->order_text, r->verdict_text, at, r->right.text};
    row(p, cell, code, G_N_ELEMENTS(cell), false);
}

// Returns true if the claim is a time that is wrong in a way that a picture over p can show.
static bool is_drawn(const Audited *r)
{
    const Verdict *v = audited_verdict(r);
    return r->claim->quantity == QUANTITY_TIME && v->kind == VERDICT_WRONG && v->why != WRONG_VALUE &&
           v->part < cost_models[r->claim->costs].n;
}

static gboolean source_section(const Pages *p, const Audit *a, const char *source, OutputSet *set, GError **error)
{
    static const char *const head[] = {"where",     "claim", "as O()", "as an equality", "smallest counterexample",
                                       "what holds"};
    heading(p, 2, source_title(source));
    table_begin(p, head, G_N_ELEMENTS(head));
    int drawn = 0;
    for (guint i = 0; i < a->results->len; i++) {
        const Audited *r = &g_array_index(a->results, Audited, i);
        if (strcmp(r->claim->source, source) == 0)
            claim_row(p, r);
    }
    table_end(p);
    for (guint i = 0; i < a->results->len; i++) {
        const Audited *r = &g_array_index(a->results, Audited, i);
        if (strcmp(r->claim->source, source) != 0 || !is_drawn(r))
            continue;
        if (drawn++ == 0)
            heading(p, 3, "The wrong costs, claim (line) against simulation (points)");
        g_autofree char *name = escape_file_name(r->claim->id, p->names), *file = g_strconcat(name, ".svg", NULL);
        g_autofree char *path = g_build_filename(set->folder, file, NULL), *title = NULL;
        if (!audit_picture(r, path, set, &title, error))
            return FALSE;
        picture(p, file, title);
    }
    return TRUE;
}

static const char style[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Is the textbook "
    "right?</title>\n<style>\n"
    "body { font: 16px/1.45 'DejaVu Sans', Verdana, sans-serif; max-width: 88em; margin: 2em auto; padding: 0 1em; "
    "color: "
    "#222 }\n"
    "table { border-collapse: collapse; margin: 1em 0; font-size: 14px }\n"
    "th, td { text-align: left; vertical-align: top; padding: 4px 10px; border-bottom: 1px solid #ddd }\n"
    "th { border-bottom: 2px solid #222 }\n"
    "code { font: 13px 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere }\n"
    "img { width: 42em; max-width: 100%; margin: 0.5em }\n"
    "</style>\n</head>\n<body>\n";

static const char method[] =
    "Each claim is held against the simulation of its algorithm, message by message, with one port each way and both "
    "sides ready (rendezvous): p = 2 to 33, 64, 100, 127, 128, 1000, 1024 and what is next to the powers of two, "
    "messages "
    "that p divides, 1, 2, 4, ceil(log2 p) and p segments, radices and numbers of chains up to p where the claim names "
    "them. The "
    "coefficients of alpha, beta and gamma are judged apart, as integers. Points at which an algorithm hands over to "
    "another are left out.";
static const char words[] =
    "Exact: equal everywhere, or for the class that is named. Loose: never below the truth, never equal. Right order: "
    "within the constant that is given, too low where the truth is above. Wrong: claimed/true grows without bound or "
    "tends "
    "to 0 as p grows, or what is claimed is below what any algorithm can do. What stands under O() in its source is "
    "judged as an order, and as the equality that readers take it for.";

static gboolean write_page(OutputSet *set, const char *name, const GString *text, GError **error)
{
    g_autofree char *path = g_build_filename(set->folder, name, NULL);
    return output_set_write(set, path, text->str, text->len, error);
}

gboolean audit_pages(const Audit *a, OutputSet *set, GError **error)
{
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const Pages p = {g_string_new(NULL), g_string_new(style), names};
    heading(&p, 1, "Is the textbook right?");
    paragraph(&p, method);
    paragraph(&p, words);
    counts_table(&p, a);
    g_autoptr(GArray) counts = audit_counts(a);
    gboolean good = TRUE;
    for (guint i = 0; good && i + 1 < counts->len; i++)
        good = source_section(&p, a, g_array_index(counts, VerdictCounts, i).source, set, error);
    g_string_append(p.html, "</body>\n</html>\n");
    good = good && write_page(set, "report.md", p.md, error) && write_page(set, "report.html", p.html, error);
    g_string_free(p.md, TRUE);
    g_string_free(p.html, TRUE);
    return good;
}
