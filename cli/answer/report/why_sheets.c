// The sheets of `run --why`, for programs.
#include "answer/report/report.h"

// The columns that say which point a row is about.
#define POINT_COLUMNS "algorithm", "params", "ran", "ranks", "per_node", "bytes", "root"

static void add_row(Sheet *sheet, const Point *x)
{
    g_autofree char *params = point_params(x, FALSE);
    sheet_row(sheet);
    sheet_text(sheet, "algorithm", x->algorithm->name);
    sheet_text(sheet, "params", params);
    sheet_take(sheet, "ran", point_ran(x));
    sheet_count(sheet, "ranks", x->p);
    if (x->per_node)
        sheet_count(sheet, "per_node", x->per_node);
    sheet_count(sheet, "bytes", (int64_t)x->m);
    sheet_count(sheet, "root", x->root);
}

// Returns whether a step of some path waits for a link.
static bool points_on_network(const GPtrArray *points)
{
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        for (guint k = 0; point_timed(x) && k < x->prediction->why->len; k++)
            if (g_array_index(x->prediction->why, WhyStep, k).link)
                return true;
    }
    return false;
}

Sheet *report_path_sheet(const GPtrArray *points)
{
    static const char *const columns[] = {POINT_COLUMNS,   "rank",    "operation", "peer",  "level",
                                          "message_bytes", "start_s", "end_s",     "phase", NULL};
    Sheet *sheet = sheet_new("path", columns);
    if (points_on_network(points))
        sheet_add_columns(sheet, (const char *const[]){"link", "sharers", NULL});
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        for (guint k = 0; point_timed(x) && k < x->prediction->why->len; k++) {
            const WhyStep *w = &g_array_index(x->prediction->why, WhyStep, k);
            add_row(sheet, x);
            sheet_count(sheet, "rank", w->rank);
            sheet_text(sheet, "operation", w->what);
            if (w->peer >= 0)
                sheet_count(sheet, "peer", w->peer);
            sheet_text(sheet, "level", w->level);
            sheet_count(sheet, "message_bytes", (int64_t)w->bytes);
            sheet_number(sheet, "start_s", w->start_s);
            sheet_number(sheet, "end_s", w->end_s);
            sheet_text(sheet, "phase", w->phase);
            if (!w->link)
                continue;
            sheet_text(sheet, "link", w->link);
            sheet_count(sheet, "sharers", w->sharers);
        }
    }
    return sheet;
}

Sheet *report_shares_sheet(const GPtrArray *points)
{
    static const char *const columns[] = {POINT_COLUMNS, "term",           "resource", "term_count",
                                          "term_s",      "term_latency_s", NULL};
    Sheet *sheet = sheet_new("shares", columns);
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        g_autoptr(GArray) shares = point_timed(x) ? shares_of(x->prediction) : NULL;
        for (guint k = 0; shares && k < shares->len; k++) {
            const Share *share = &g_array_index(shares, Share, k);
            add_row(sheet, x);
            sheet_take(sheet, "term", term_text(share->term));
            sheet_text(sheet, "resource", resource_names[share->resource]);
            sheet_count(sheet, "term_count", share->n);
            sheet_number(sheet, "term_s", share->time_s);
            if (share->latency_s > 0)
                sheet_number(sheet, "term_latency_s", share->latency_s);
        }
    }
    return sheet;
}

Sheet *report_relief_sheet(const GPtrArray *points)
{
    static const char *const columns[] = {POINT_COLUMNS, "change", "time_s", "saves_s", "limit", "limit_share", NULL};
    Sheet *sheet = sheet_new("relief", columns);
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        for (guint k = 0; point_timed(x) && x->relief && k < x->relief->len; k++) {
            const Relief *relief = &g_array_index(x->relief, Relief, k);
            add_row(sheet, x);
            sheet_text(sheet, "change", relief->change);
            sheet_number(sheet, "time_s", relief->time_s);
            sheet_number(sheet, "saves_s", x->time_s - relief->time_s);
            sheet_text(sheet, "limit", resource_names[relief->limit]);
            sheet_number(sheet, "limit_share", relief->limit_share);
        }
    }
    return sheet;
}
