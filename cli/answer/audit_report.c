#include "answer/audit_report.h"
#include "out/json.h"
#include "out/table.h"
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

char *audit_subject(const Claim *c)
{
    const bool of = c->collective < N_COLLECTIVES, named = c->quantity != QUANTITY_TIME && *c->text;
    return g_strdup_printf("%s%s%s%s%s", of ? collectives[c->collective].name : "", c->algorithm ? " " : "",
                           c->algorithm ? c->algorithm->name : "", of && named ? ", " : "",
                           named ? quantity_names[c->quantity] : "");
}

const char *audit_source_title(const char *source)
{
    static const struct {
        const char *source, *title;
    } titles[] = {
        {"000", "000, a report on Open MPI's algorithms"}, {"001", "001, a survey of allreduce"},
        {"002", "002, Gatherv by binomial tree"},          {"003", "003, collectives in shared memory"},
        {"004", "004, tree and butterfly allreduce"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(titles); i++)
        if (strcmp(titles[i].source, source) == 0)
            return titles[i].title;
    return source;
}

// ---- Counts ----------------------------------------------------------------------------------------------------------

static void count(VerdictCounts *n, const Audited *r)
{
    n->claims++;
    n->kind[r->verdict.kind]++;
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
    cell[0] = g_strdup(n->source ? audit_source_title(n->source) : "all");
    cell[1] = g_strdup_printf("%d", n->claims);
    for (int k = 0; k <= VERDICT_NONE; k++)
        cell[2 + k] = g_strdup_printf("%d", n->kind[k]);
    cell[COUNTS_COLUMNS - 1] = n->orders ? g_strdup_printf("%d of %d", n->orders_right, n->orders) : g_strdup("");
    return cell;
}

static void print_counts(const Audit *a)
{
    static const char *const names[COUNTS_COLUMNS] = {"source",      "claims", "exact",    "for a class", "loose",
                                                      "right order", "wrong",  "no claim", "O() right"};
    g_autoptr(GArray) counts = audit_counts(a);
    Table *t = table_new(COUNTS_COLUMNS);
    table_header(t, names, COUNTS_COLUMNS);
    for (guint i = 0; i < counts->len; i++) {
        g_autofree char **cell = audit_counts_row(&g_array_index(counts, VerdictCounts, i));
        for (int k = 0; k < COUNTS_COLUMNS; k++)
            table_add(t, cell[k]);
    }
    table_print(t, "");
    table_free(t);
}

// ---- For people ------------------------------------------------------------------------------------------------------

enum { WIDTH = 100 };

// Prints "    word: text", broken into lines at spaces.
static void print_wrapped(const char *head, const char *text)
{
    const int indent = (int)strlen(head);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    int at = indent;
    fputs(head, stdout);
    for (char **w = words; *w; w++) {
        const int len = (int)g_utf8_strlen(*w, -1);
        if (w != words && at + 1 + len > WIDTH) {
            printf("\n%*s", indent, "");
            at = indent;
        } else if (w != words) {
            putchar(' ');
            at++;
        }
        fputs(*w, stdout);
        at += len;
    }
    putchar('\n');
}

char *audit_counterexample(const Audited *r)
{
    if (!r->claimed || r->verdict.kind == VERDICT_EXACT)
        return NULL;
    return r->point ? g_strdup_printf("%s: %s claimed, %s true", r->point, r->claimed, r->truth)
                    : g_strdup_printf("%s claimed, %s true", r->claimed, r->truth);
}

static char *fitted_text(const Audited *r)
{
    return !r->right.text      ? NULL
           : r->right.fitted   ? g_strdup_printf("%s (found on %d points, verified on %d others)", r->right.text,
                                                 r->right.fitted, r->right.verified)
           : r->right.verified ? g_strdup_printf("%s (verified on %d points)", r->right.text, r->right.verified)
                               : g_strdup(r->right.text);
}

static void print_details(const Audited *r)
{
    g_autofree char *counterexample = audit_counterexample(r), *right = fitted_text(r);
    if (counterexample)
        print_wrapped("      at     ", counterexample);
    if (r->note)
        print_wrapped("      grows  ", r->note);
    if (right)
        print_wrapped("      right  ", right);
}

static void print_result(const Audited *r)
{
    const Claim *c = r->claim;
    g_autofree char *claim = audit_claim_text(c);
    g_autofree char *verdict = r->order_text
                                   ? g_strdup_printf("O(): %s; as an equality: %s", r->order_text, r->verdict_text)
                                   : g_strdup(r->verdict_text);
    g_autofree char *what = audit_subject(c);
    printf("  %s: %s%s\n", c->place, what,
           c->kind == CLAIM_ORDER   ? ", O()"
           : c->kind == CLAIM_UPPER ? ", at most"
                                    : "");
    print_wrapped("      claim  ", claim);
    if (*c->note)
        print_wrapped("      note   ", c->note);
    print_wrapped("      is     ", verdict);
    print_details(r);
}

void audit_table(const Audit *a)
{
    const char *source = "";
    for (guint i = 0; i < a->results->len; i++) {
        const Audited *r = result(a, i);
        if (strcmp(source, r->claim->source) != 0)
            printf("%s%s\n", i ? "\n" : "", audit_source_title(source = r->claim->source));
        print_result(r);
    }
    putchar('\n');
    print_counts(a);
}

void audit_one(const Audited *r)
{
    const Claim *c = r->claim;
    printf("%s %s, claimed %s%s, judged at %d points\n\n", collectives[c->collective].name, c->algorithm->name, c->text,
           c->kind == CLAIM_ORDER   ? " as an order"
           : c->kind == CLAIM_UPPER ? " at most"
                                    : "",
           r->points);
    g_autofree char *counterexample = audit_counterexample(r), *right = fitted_text(r);
    if (counterexample)
        print_wrapped("smallest counterexample: ", counterexample);
    if (r->note)
        print_wrapped("as p grows:              ", r->note);
    if (r->samples->left_out)
        printf("left out:                %d points at which a fallback runs (%s)\n", r->samples->left_out,
               r->samples->need);
    if (right)
        print_wrapped("right:                   ", right);
    if (r->order_text)
        printf("as an equality:          %s\n", r->verdict_text);
    printf("verdict: %s\n", r->order_text ? r->order_text : r->verdict_text);
}

// ---- For machines ----------------------------------------------------------------------------------------------------

typedef struct Cell {
    const char *name, *text;
} Cell;
enum { N_CELLS = 21 };

static void cells_of(const Audited *r, Cell *cell, char points[16])
{
    const Claim *c = r->claim;
    g_snprintf(points, 16, "%d", r->points);
    const Cell cells[N_CELLS] = {
        {"id", c->id},
        {"source", c->source},
        {"place", c->place},
        {"collective", c->collective < N_COLLECTIVES ? collectives[c->collective].name : ""},
        {"algorithm", c->algorithm ? c->algorithm->name : ""},
        {"params", c->params},
        {"quantity", quantity_names[c->quantity]},
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
        {"points", points},
        {"note", c->note},
    };
    memcpy(cell, cells, sizeof cells);
}

static void csv_cell(GString *s, const char *text)
{
    if (!text || !strpbrk(text, ",\"\n")) {
        g_string_append(s, text ? text : "");
        return;
    }
    g_auto(GStrv) parts = g_strsplit(text, "\"", -1);
    g_autofree char *doubled = g_strjoinv("\"\"", parts);
    g_string_append_printf(s, "\"%s\"", doubled);
}

void audit_csv(const Audit *a)
{
    GString *s = g_string_new(NULL);
    for (guint i = 0; i < a->results->len; i++) {
        Cell cell[N_CELLS];
        char points[16];
        cells_of(result(a, i), cell, points);
        for (int k = 0; i == 0 && k < N_CELLS; k++)
            g_string_append_printf(s, "%s%s", cell[k].name, k + 1 < N_CELLS ? "," : "\n");
        for (int k = 0; k < N_CELLS; k++) {
            csv_cell(s, cell[k].text);
            g_string_append_c(s, k + 1 < N_CELLS ? ',' : '\n');
        }
    }
    fputs(s->str, stdout);
    g_string_free(s, TRUE);
}

void audit_json(const Audit *a)
{
    Json json = {g_string_new(NULL), TRUE};
    json_open(&json, NULL, '[');
    for (guint i = 0; i < a->results->len; i++) {
        Cell cell[N_CELLS];
        char points[16];
        cells_of(result(a, i), cell, points);
        json_open(&json, NULL, '{');
        for (int k = 0; k < N_CELLS; k++)
            if (strcmp(cell[k].name, "points") == 0)
                json_integer(&json, "points", result(a, i)->points);
            else
                json_string(&json, cell[k].name, cell[k].text);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    puts(json.text->str);
    g_string_free(json.text, TRUE);
}
