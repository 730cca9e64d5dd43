#include "answer/judge/audit_report.h"
#include "judge/audit/source.h"
#include "base/share.h"
#include "answer/report/report.h"
#include "base/escape.h"
#include "out/wrap.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const Audited *result(const Audit *a, guint i)
{
    return &g_array_index(a->results, Audited, i);
}

char *audit_claim_text(const Claim *c)
{
    GString *s = g_string_new(*c->text ? c->text : "(no formula)");
    if (*c->let)
        g_string_append_printf(s, ", %s", c->let);
    if (*c->where)
        g_string_append_printf(s, ", where %s", c->where);
    return g_string_free(s, FALSE);
}

// Returns the other algorithm of a crossover or a speed-up, with its parameters that the claim gives; "" if there is
// none. Free with g_free.
static char *against_text(const Claim *c)
{
    return g_strdup_printf("%s%s%s", c->against ? c->against->name : "", *c->against_params ? " " : "",
                           c->against_params);
}

char *audit_subject(const Claim *c)
{
    const bool of = c->collective < N_COLLECTIVES, named = c->quantity != QUANTITY_TIME && *c->text;
    g_autofree char *other = against_text(c);
    return g_strdup_printf("%s%s%s%s%s%s%s", of ? collectives[c->collective].name : "", c->algorithm ? " " : "",
                           c->algorithm ? c->algorithm->name : "", of && named ? ", " : "",
                           named ? quantity_names[c->quantity] : "",
                           !named || !*other                   ? ""
                           : c->quantity == QUANTITY_CROSSOVER ? " with "
                                                               : " over ",
                           named ? other : "");
}

char *audit_parameters_path(void)
{
    char *path = share_path(SHARE_CLAIMS, CLAIMS_PARAMETERS);
    if (g_file_test(path, G_FILE_TEST_EXISTS))
        return path;
    g_free(path);
    return NULL;
}

// ---- Counts ---------------------------------------------------------------------------------------------------------

// A source that writes O() claims no more than an order, so a claim whose order is right does not count as wrong.
static void count(VerdictCounts *n, const Audited *r)
{
    const bool right = r->order.kind == VERDICT_ORDER && r->verdict.kind == VERDICT_WRONG;
    n->claims++;
    n->kind[right ? VERDICT_ORDER : r->verdict.kind]++;
    n->orders += r->order.kind != VERDICT_NONE;
    n->orders_right += r->order.kind == VERDICT_ORDER;
}

GArray *audit_counts(const Audit *a)
{
    GArray *counts = g_array_new(FALSE, TRUE, sizeof(VerdictCounts));
    VerdictCounts all = {.source = NULL};
    for (guint i = 0; i < a->results->len; i++) {
        const Audited *r = result(a, i);
        guint k = 0;
        while (k < counts->len && strcmp(g_array_index(counts, VerdictCounts, k).source, r->claim->source) != 0)
            k++;
        const VerdictCounts none = {.source = r->claim->source};
        if (k == counts->len)
            g_array_append_val(counts, none);
        count(&g_array_index(counts, VerdictCounts, k), r);
        count(&all, r);
    }
    g_array_append_val(counts, all);
    return counts;
}

char **audit_counts_row(const VerdictCounts *n)
{
    char **cell = g_new0(char *, COUNTS_COLUMNS + 1);
    cell[0] = g_strdup(n->source ? source_title(n->source) : "all");
    cell[1] = g_strdup_printf("%d", n->claims);
    for (int k = 0; k <= VERDICT_NONE; k++)
        cell[2 + k] = g_strdup_printf("%d", n->kind[k]);
    cell[COUNTS_COLUMNS - 1] = n->orders ? g_strdup_printf("%d of %d", n->orders_right, n->orders) : g_strdup("");
    return cell;
}

// ---- The sheets -----------------------------------------------------------------------------------------------------

// Makes the sheet "counts". Free with sheet_free.
static Sheet *counts_sheet(const Audit *a)
{
    static const char *const kinds[] = {
        "exact_claims",    "class_claims",       "loose_claims", "order_claims", "wrong_claims",
        "measured_claims", "unexplained_claims", "part_claims",  "no_claims",    NULL};
    g_autoptr(GArray) counts = audit_counts(a);
    Sheet *sheet = sheet_new("counts", (const char *const[]){"source", "claims", NULL});
    sheet_add_columns(sheet, kinds);
    sheet_add_columns(sheet, (const char *const[]){"orders", "orders_right", NULL});
    for (guint i = 0; i < counts->len; i++) {
        const VerdictCounts *n = &g_array_index(counts, VerdictCounts, i);
        sheet_row(sheet);
        sheet_text(sheet, "source", n->source ? n->source : "all");
        sheet_show(sheet, "source", g_strdup(n->source ? source_title(n->source) : "all"));
        sheet_count(sheet, "claims", n->claims);
        for (int k = 0; k <= VERDICT_NONE; k++)
            sheet_count(sheet, kinds[k], n->kind[k]);
        sheet_count(sheet, "orders", n->orders);
        sheet_count(sheet, "orders_right", n->orders_right);
        sheet_show(sheet, "orders_right",
                   n->orders ? g_strdup_printf("%d of %d", n->orders_right, n->orders) : g_strdup(""));
    }
    return sheet;
}

// Makes the sheet "rows", one for each claim. Free with sheet_free.
static Sheet *claims_sheet(const Audit *a, const Platform *platform, const char *transfer)
{
    static const char *const columns[] = {"id",       "source",  "place",   "collective", "algorithm", "params",
                                          "quantity", "against", "kind",    "claim",      "let",       "where",
                                          "without",  "order",   "verdict", "at",         "claimed",   "true",
                                          "trend",    "right",   "points",  "note",       NULL};
    Sheet *sheet = sheet_new("rows", columns);
    report_machine(sheet, platform, &hockney_model, transfer, NULL);
    for (guint i = 0; i < a->results->len; i++) {
        const Audited *r = result(a, i);
        const Claim *c = r->claim;
        g_autofree char *against = against_text(c);
        const struct {
            const char *column, *text;
        } cells[] = {
            {"id", c->id},
            {"source", c->source},
            {"place", c->place},
            {"collective", c->collective < N_COLLECTIVES ? collectives[c->collective].name : NULL},
            {"algorithm", c->algorithm ? c->algorithm->name : NULL},
            {"params", c->params},
            {"quantity", quantity_names[c->quantity]},
            {"against", against},
            {"kind", claim_kinds[c->kind]},
            {"claim", c->text},
            {"let", c->let},
            {"where", c->where},
            {"without", c->without},
            {"order", r->order_text},
            {"verdict", r->verdict_text},
            {"at", r->point},
            {"claimed", r->claimed},
            {"true", r->truth},
            {"trend", r->note},
            {"right", r->right.text},
            {"note", c->note},
        };
        sheet_row(sheet);
        for (size_t k = 0; k < G_N_ELEMENTS(cells); k++)
            sheet_text(sheet, cells[k].column, cells[k].text);
        sheet_count(sheet, "points", r->points);
    }
    return sheet;
}

// ---- For people -----------------------------------------------------------------------------------------------------

char *audit_counterexample(const Audited *r)
{
    if (!r->claimed || r->verdict.kind == VERDICT_EXACT)
        return NULL;
    if (r->claim->kind == CLAIM_MEASUREMENT && !r->truth)
        return g_strdup_printf("%s: %s measured, and no model has both times", r->point, r->claimed);
    if (r->claim->kind == CLAIM_MEASUREMENT)
        return g_strdup_printf("%s: %s measured, the model has %s", r->point, r->claimed, r->truth);
    const char *const of = r->claim->kind == CLAIM_SUITED                     ? "worst at "
                           : r->claim->kind == CLAIM_ORDER && r->order.at < 0 ? "as an equality, "
                                                                              : "";
    return r->point ? g_strdup_printf("%s%s: %s claimed, %s true", of, r->point, r->claimed, r->truth)
                    : g_strdup_printf("%s claimed; true: %s", r->claimed, r->truth);
}

static char *fitted_text(const Audited *r)
{
    return !r->right.text      ? NULL
           : r->right.fitted   ? g_strdup_printf("%s (found on %d points, verified on %d others)", r->right.text,
                                                 r->right.fitted, r->right.verified)
           : r->right.verified ? g_strdup_printf("%s (verified on %d points)", r->right.text, r->right.verified)
                               : g_strdup(r->right.text);
}

// Returns how many points the claim was not judged at, and why; NULL if there are none. Free with g_free.
static char *left_out_text(const Audited *r)
{
    const Truth *t = r->samples;
    if (!t || (t->fallbacks == 0 && t->too_large == 0))
        return NULL;
    GString *s = g_string_new(NULL);
    if (t->fallbacks > 0)
        g_string_printf(s, "%d points at which a fallback runs (%s)", t->fallbacks, t->need);
    if (t->too_large > 0)
        g_string_append_printf(s, "%s%d points with too many messages", s->len ? ", " : "", t->too_large);
    return g_string_free(s, FALSE);
}

static void print_details(FILE *to, const Audited *r)
{
    g_autofree char *counterexample = audit_counterexample(r), *right = fitted_text(r), *left_out = left_out_text(r);
    if (counterexample)
        wrap_print(to, "      at     ", counterexample);
    if (r->note)
        wrap_print(to, "      grows  ", r->note);
    if (left_out)
        wrap_print(to, "      not at ", left_out);
    if (right)
        wrap_print(to, "      right  ", right);
}

char *audit_verdict(const Audited *r)
{
    if (!r->order_text)
        return g_strdup(r->verdict_text);
    if (strcmp(r->order_text, r->verdict_text) == 0)
        return g_strdup_printf("%s (as an equality and as O())", r->verdict_text);
    return g_strdup_printf("%s; as O(): %s", r->verdict_text, r->order_text);
}

static void print_result(FILE *to, const Audited *r)
{
    const Claim *c = r->claim;
    g_autofree char *claim = audit_claim_text(c);
    g_autofree char *verdict = audit_verdict(r), *what = audit_subject(c), *place = escape_terminal(c->place);
    fprintf(to, "  %s: %s%s\n", place, what,
            c->kind == CLAIM_ORDER         ? ", O()"
            : c->kind == CLAIM_MEASUREMENT ? ", measured"
            : c->kind == CLAIM_SUITED      ? ", recommended"
            : c->kind == CLAIM_UPPER       ? ", at most"
            : c->kind == CLAIM_LOWER       ? ", at least"
                                           : "");
    wrap_print(to, "      claim  ", claim);
    if (*c->note)
        wrap_print(to, "      note   ", c->note);
    wrap_print(to, "      is     ", verdict);
    print_details(to, r);
}

static void print_all(FILE *to, const Audit *a)
{
    static const SheetView view[] = {{"source"},
                                     {"claims"},
                                     {"exact_claims"},
                                     {"class_claims"},
                                     {"loose_claims"},
                                     {"order_claims"},
                                     {"wrong_claims"},
                                     {"measured_claims"},
                                     {"unexplained_claims"},
                                     {"part_claims"},
                                     {"no_claims"},
                                     {"orders_right"},
                                     {NULL}};
    const char *source = "";
    for (guint i = 0; i < a->results->len; i++) {
        const Audited *r = result(a, i);
        if (strcmp(source, r->claim->source) != 0) {
            g_autofree char *title = escape_terminal(source_title(source = r->claim->source));
            fprintf(to, "%s%s\n", i ? "\n" : "", title);
        }
        print_result(to, r);
    }
    fputc('\n', to);
    g_autoptr(Sheet) counts = counts_sheet(a);
    sheet_table(counts, view, 0, sheet_rows(counts), "", to);
}

static void print_one(FILE *to, const Audited *r, const char *paper)
{
    const Claim *c = r->claim;
    g_autofree char *claim = escape_terminal(paper ? paper : c->text);
    fprintf(to, "%s %s, claimed %s%s%s, judged at %d points\n\n", collectives[c->collective].name, c->algorithm->name,
            claim, c->quantity == QUANTITY_ROUNDS ? " rounds" : "",
            c->kind == CLAIM_ORDER         ? " as an order"
            : c->kind == CLAIM_MEASUREMENT ? " as measured"
            : c->kind == CLAIM_SUITED      ? " as recommended"
            : c->kind == CLAIM_UPPER       ? " at most"
            : c->kind == CLAIM_LOWER       ? " at least"
                                           : "",
            r->points);
    if (paper)
        wrap_print(to, "read as:                 ", c->text);
    g_autofree char *counterexample = audit_counterexample(r), *right = fitted_text(r);
    if (counterexample)
        wrap_print(to, c->kind == CLAIM_MEASUREMENT ? "the measurement:         " : "smallest counterexample: ",
                   counterexample);
    if (r->note)
        wrap_print(to, "as p grows:              ", r->note);
    g_autofree char *left_out = left_out_text(r);
    if (left_out)
        wrap_print(to, "left out:                ", left_out);
    if (right)
        wrap_print(to, "right:                   ", right);
    if (r->order_text && strcmp(r->order_text, r->verdict_text) != 0)
        fprintf(to, "as an equality:          %s\n", r->verdict_text);
    fprintf(to, "verdict: %s\n", r->order_text ? r->order_text : r->verdict_text);
}

void audit_report(const Answer *answer, const Audit *a, const Platform *platform, const char *transfer, gboolean one,
                  const char *paper, gboolean flattened)
{
    const char *const more =
        flattened ? "figures of level far; other levels, and what a node's ranks share, are left out" : NULL;
    if (answer->format != FORMAT_TABLE) {
        g_autoptr(Sheet) rows = claims_sheet(a, platform, transfer), counts = counts_sheet(a),
                         notes = report_remarks_sheet(NULL, more);
        answer_sheets(answer, "audit", (const Sheet *const[]){rows, counts, notes}, 3);
        return;
    }
    fprintf(answer->to, "simulated on %s (%s), model hockney, %s\n", platform->name, platform->title, transfer);
    report_remarks(answer->to, NULL, more);
    fputc('\n', answer->to);
    if (one)
        print_one(answer->to, result(a, 0), paper);
    else
        print_all(answer->to, a);
}
