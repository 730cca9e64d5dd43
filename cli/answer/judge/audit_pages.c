// Writes the audit as a report in Markdown and HTML, with a picture of each wrong cost.
#include "answer/judge/audit_picture.h"
#include "answer/judge/audit_report.h"
#include "answer/judge/html_claims.h"
#include "judge/audit/source.h"
#include "base/escape.h"
#include <string.h>

typedef struct Pages {
    GString *md;
    Html *html;
    GHashTable *names;    // of the pictures' files; see escape_file_name()
    GHashTable *sections; // a document -> the id of its section (char *)
    HtmlClaims claims;
} Pages;

static void heading(const Pages *p, int level, const char *text)
{
    g_autofree char *md = escape_markdown(text);
    g_string_append_printf(p->md, "%.*s %s\n\n", level, "####", md);
}

static void paragraph(const Pages *p, const char *text)
{
    g_autofree char *md = escape_markdown(text);
    g_string_append_printf(p->md, "%s\n\n", md);
    html_text(p->html, text);
}

// Adds a row of n cells to the Markdown; code[i] says that cell i is a formula, `head` that this is the first row.
static void row(const Pages *p, const char *const *cell, const bool *code, int n, bool head)
{
    g_string_append(p->md, "|");
    for (int i = 0; i < n; i++) {
        const bool formula = !head && code && code[i] && cell[i] && *cell[i];
        g_autofree char *md = formula ? escape_markdown_code(cell[i]) : escape_markdown(cell[i]);
        g_string_append_printf(p->md, " %s |", md);
    }
    g_string_append(p->md, "\n");
    for (int i = 0; head && i < n; i++)
        g_string_append_printf(p->md, "%s---%s", i ? " " : "| ", i + 1 < n ? " |" : " |\n");
}

// ---- What stands there ----------------------------------------------------------------------------------------------

// Returns the id of a document's section.
static const char *section_id(const Pages *p, const char *source)
{
    const char *const known = g_hash_table_lookup(p->sections, source);
    if (known)
        return known;
    g_autofree char *wish = g_strconcat("document-", source, NULL);
    char *const id = html_id(p->html, wish);
    g_hash_table_insert(p->sections, (gpointer)(uintptr_t)source, id);
    return id;
}

static void counts_table(const Pages *p, const Audit *a)
{
    static const char *const head[COUNTS_COLUMNS] = {
        "source",      "claims",      "exact",    "exact for a class", "loose",
        "right order", "wrong",       "measured", "not by this model", "in part",
        "no claim",    "right as O()"};
    g_autoptr(GArray) counts = audit_counts(a);
    HtmlCell cells[COUNTS_COLUMNS];
    for (int k = 0; k < COUNTS_COLUMNS; k++)
        cells[k] = (HtmlCell){.text = head[k], .kind = k ? HTML_NUMBER : HTML_WORDS};
    html_table(p->html, "How many claims of each document got which verdict", cells, COUNTS_COLUMNS);
    row(p, head, NULL, COUNTS_COLUMNS, true);
    for (guint i = 0; i < counts->len; i++) {
        const VerdictCounts *n = &g_array_index(counts, VerdictCounts, i);
        g_auto(GStrv) cell = audit_counts_row(n);
        for (int k = 0; k < COUNTS_COLUMNS; k++)
            cells[k].text = cell[k];
        cells[0].to = n->source ? section_id(p, n->source) : NULL;
        html_row(p->html, NULL, NULL, cells, COUNTS_COLUMNS);
        row(p, (const char *const *)cell, NULL, COUNTS_COLUMNS, false);
    }
    html_table_end(p->html);
    g_string_append(p->md, "\n");
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
    return r->samples && r->claim->quantity == QUANTITY_TIME && v->kind == VERDICT_WRONG && v->why != WRONG_VALUE &&
           v->part < cost_models[r->claim->costs].n;
}

// Adds the picture of a wrong cost: a file for the Markdown, and the same in the page.
static gboolean add_picture(const Pages *p, const Audited *r, OutputSet *set, GError **error)
{
    g_autofree char *name = escape_file_name(r->claim->id, p->names), *file = g_strconcat(name, ".svg", NULL);
    g_autofree char *path = g_build_filename(set->folder, file, NULL), *title = NULL;
    g_autoptr(GString) svg = audit_picture(r, &title, error);
    if (!svg || !output_set_write(set, path, svg->str, svg->len, error))
        return FALSE;
    g_autofree char *md = escape_markdown(title);
    g_autofree char *caption = g_strdup_printf("%s: %s", r->claim->id, title);
    g_string_append_printf(p->md, "![%s](%s)\n\n", md, file);
    html_picture(p->html, svg, caption);
    return TRUE;
}

static gboolean source_section(const Pages *p, const Audit *a, const char *source, OutputSet *set, GError **error)
{
    static const char *const head[] = {"where", "claim", "as O()", "as an equality", "counterexample", "what holds"};
    static const char wrong[] = "The wrong costs", is[] = "Claims are lines, and what simulation gives are points.";
    const char *const title = source_title(source);
    heading(p, 2, title);
    html_section(p->html, 2, section_id(p, source), title);
    row(p, head, NULL, G_N_ELEMENTS(head), true);
    for (guint i = 0; i < a->results->len; i++) {
        const Audited *r = &g_array_index(a->results, Audited, i);
        if (strcmp(r->claim->source, source) == 0)
            claim_row(p, r);
    }
    g_string_append(p->md, "\n");
    html_claims_table(&p->claims, source, -1, "Each claim, what is true of it, and where it stands");
    int drawn = 0;
    for (guint i = 0; i < a->results->len; i++) {
        const Audited *r = &g_array_index(a->results, Audited, i);
        if (strcmp(r->claim->source, source) != 0 || !is_drawn(r))
            continue;
        if (drawn++ == 0) {
            heading(p, 3, wrong);
            html_section(p->html, 3, NULL, wrong);
            paragraph(p, is);
        }
        if (!add_picture(p, r, set, error))
            return FALSE;
    }
    return TRUE;
}

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

// Adds the documents one by one.
static gboolean add_sources(const Pages *p, const Audit *a, OutputSet *set, GError **error)
{
    g_autoptr(GArray) counts = audit_counts(a);
    for (guint i = 0; i + 1 < counts->len; i++)
        if (!source_section(p, a, g_array_index(counts, VerdictCounts, i).source, set, error))
            return FALSE;
    return TRUE;
}

gboolean audit_pages(const Audit *a, OutputSet *set, GError **error)
{
    static const char title[] = "Is the textbook right?";
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) sections = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    g_autoptr(Html) html =
        html_new(title, "What papers and reports claim that collective operations cost, held against "
                        "simulation.");
    g_autoptr(GString) md = g_string_new(NULL);
    Pages p = {md, html, names, sections, {.page = html, .audit = a}};
    heading(&p, 1, title);
    html_section(html, 2, NULL, "The verdicts");
    paragraph(&p, method);
    paragraph(&p, words);
    counts_table(&p, a);
    html_claims_filters(&p.claims);
    html_claims_begin(&p.claims);
    gboolean good = add_sources(&p, a, set, error);
    html_section(html, 2, NULL, "The algorithms");
    html_claims_algorithms(&p.claims);
    html_claims_clear(&p.claims);
    g_autoptr(GString) page = html_end(html);
    good = good && write_page(set, "report.md", md, error) && write_page(set, "report.html", page, error);
    return good;
}
