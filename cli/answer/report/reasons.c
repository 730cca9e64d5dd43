#include "answer/report/reasons.h"

// Returns the fastest of a ranking that another algorithm takes longer than; NULL if there is none.
static const Point *other_of(const Ranking *x)
{
    const Point *best = x->ranked->len ? x->ranked->pdata[0] : NULL;
    for (guint i = 1; i < x->ranked->len; i++) {
        const Point *next = x->ranked->pdata[i];
        if (next->algorithm != best->algorithm)
            return next;
    }
    return NULL;
}

char *reasons_text(const Request *r, const Ranking *x)
{
    const Point *best = x->ranked->len ? x->ranked->pdata[0] : NULL, *other = other_of(x);
    Reason reason;
    if (!best)
        return NULL;
    if (other)
        return reason_of_pair(r, best->algorithm, other->algorithm, best->per_node);
    return reason_find(r, best->algorithm, best->per_node, &reason) ? reason_text(&reason) : NULL;
}

Sheet *reasons_sheet(const Request *r, const GPtrArray *rankings)
{
    Sheet *sheet = sheet_new("explanations", (const char *const[]){"algorithm", "next_algorithm", "ranks", "per_node",
                                                                   "bytes", "root", "explanation", NULL});
    for (guint i = 0; i < rankings->len; i++) {
        const Ranking *x = rankings->pdata[i];
        char *text = reasons_text(r, x);
        if (!text)
            continue;
        const Point *best = x->ranked->pdata[0], *other = other_of(x);
        sheet_row(sheet);
        sheet_text(sheet, "algorithm", best->algorithm->name);
        sheet_text(sheet, "next_algorithm", other ? other->algorithm->name : NULL);
        sheet_count(sheet, "ranks", best->p);
        if (best->per_node)
            sheet_count(sheet, "per_node", best->per_node);
        sheet_count(sheet, "bytes", (int64_t)best->m);
        sheet_count(sheet, "root", best->root);
        sheet_take(sheet, "explanation", text);
    }
    return reasons_unless_empty(sheet);
}

Sheet *reasons_unless_empty(Sheet *sheet)
{
    if (sheet_rows(sheet) > 0)
        return sheet;
    sheet_free(sheet);
    return NULL;
}

Sheet *reasons_growth_sheet(void)
{
    return sheet_new("growth", (const char *const[]){"algorithm", "per_node", "ranks", "path_messages", "times_sent",
                                                     "times_reduced", "messages_before", "times_queued", NULL});
}

// Fills in the number that was counted on x ranks or nodes, if one was.
static void fill(Sheet *sheet, const char *column, const Growth *g, int64_t x, gboolean whole)
{
    for (int i = 0; i < g->n; i++) {
        if (g->x[i] != x)
            continue;
        if (whole)
            sheet_count(sheet, column, g->num[i]);
        else
            sheet_number(sheet, column, (double)g->num[i] / (double)g->den[i]);
    }
}

void reasons_add_growth(Sheet *sheet, const Request *r, const CollAlgorithm *a, int per_node)
{
    Reason reason;
    if (!reason_find(r, a, per_node, &reason))
        return;
    for (int i = 0; i < reason.messages.n; i++) {
        const int64_t x = reason.messages.x[i];
        sheet_row(sheet);
        sheet_text(sheet, "algorithm", a->name);
        if (per_node)
            sheet_count(sheet, "per_node", per_node);
        sheet_count(sheet, "ranks", reason.nodes ? x * per_node : x);
        fill(sheet, "path_messages", &reason.messages, x, TRUE);
        fill(sheet, "times_sent", &reason.sent, x, FALSE);
        fill(sheet, "times_reduced", &reason.reduced, x, FALSE);
        fill(sheet, "messages_before", &reason.before, x, TRUE);
        fill(sheet, "times_queued", &reason.queued, x, FALSE);
    }
}

Sheet *reasons_rankings_growth(const Request *r, const GPtrArray *rankings)
{
    Sheet *sheet = reasons_growth_sheet();
    g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < rankings->len; i++) {
        const Ranking *x = rankings->pdata[i];
        const Point *of[] = {x->ranked->len ? x->ranked->pdata[0] : NULL, other_of(x)};
        for (size_t k = 0; k < G_N_ELEMENTS(of) && of[k]; k++) {
            char *key = g_strdup_printf("%s/%d", of[k]->algorithm->name, of[k]->per_node);
            if (g_hash_table_add(done, key))
                reasons_add_growth(sheet, r, of[k]->algorithm, of[k]->per_node);
        }
    }
    return reasons_unless_empty(sheet);
}
