// What `run` says to people.
#include "answer/report.h"
#include "form/bounds.h"
#include "out/table.h"
#include "base/units.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_timing(const Point *x)
{
    g_autofree char *rss = units_format_size((size_t)report_peak_rss() >> 20 << 20);
    printf("  %s on %d ranks: %.4f s in the %s gear, %" G_GINT64_FORMAT " ranks simulated, at most %s of memory\n",
           x->algorithm->name, x->p, x->wall_s, x->prediction->gear, x->prediction->ranks_simulated, rss);
    if (x->prediction->gear_why)
        printf("  %s: %s\n", x->prediction->gear, x->prediction->gear_why);
}

static void print_after(const Request *r, const Point *x)
{
    if (r->timing)
        print_timing(x);
    if (r->memory) {
        printf("\n%s on %d ranks:\n", x->algorithm->name, x->p);
        report_memory(r, x, &x->memory);
    }
    if (x->prediction->why) {
        g_autofree char *size = units_format_size(x->m);
        printf("\nwhy %s takes as long on %d ranks with %s bytes:\n", x->algorithm->name, x->p, size);
        report_why(x->prediction->why, x->p);
    }
}

static double bound_of(const Request *r, const Point *x)
{
    const gboolean eager = r->options.transfer == TRANSFER_EAGER;
    const Bounds bounds = bounds_of_ports(r->collective, x->p, (double)x->m, 1, eager);
    return bounds_time(&bounds, r->platform);
}

// Returns true if the lower bounds hold: a port must send one message at a time, and all blocks must be alike.
static gboolean bounded(const Request *r)
{
    return r->model->transfers && !r->counts_text;
}

char *report_notes(const Request *r, const Point *x)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *params = point_params(x, TRUE), *ran = point_ran(x);
    if (r->root)
        g_ptr_array_add(notes, g_strdup_printf("root %d", x->root));
    if (*params)
        g_ptr_array_add(notes, g_steal_pointer(&params));
    if (ran)
        g_ptr_array_add(notes, g_strdup_printf("ran: %s", ran));
    g_ptr_array_add(notes, NULL);
    return g_strjoinv("; ", (char **)notes->pdata);
}

static void print_one(const Request *r, const GPtrArray *points)
{
    static const char *const messages[] = {"ranks", "bytes", "time", "formula", "messages", "bytes sent", "notes"};
    static const char *const shared[] = {"ranks", "bytes", "time", "formula", "segment", "notes"};
    const int columns = r->model->shared ? G_N_ELEMENTS(shared) : G_N_ELEMENTS(messages);
    Table *t = table_new(columns);
    table_header(t, r->model->shared ? shared : messages, columns);
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        if (!point_timed(x))
            continue;
        table_add(t, g_strdup_printf("%d", x->p));
        table_add(t, units_format_size(x->m));
        table_add(t, units_format_time(x->prediction->time_s));
        table_add(t, model_certificate_text(r->model, x->prediction->count));
        const Totals *totals = &x->prediction->totals;
        if (r->model->shared) {
            table_add(t, units_format_size(point_segment(x)));
        } else {
            table_add(t, g_strdup_printf("%" G_GUINT64_FORMAT, totals->messages));
            table_add(t, units_format_size(totals->bytes_sent));
        }
        table_add(t, report_notes(r, x));
    }
    table_print(t, "");
    table_free(t);
    for (guint i = 0; i < points->len; i++)
        if (point_timed(g_ptr_array_index(points, i)))
            print_after(r, g_ptr_array_index(points, i));
}

// Prints the algorithms of one p, m and root, the fastest first. Returns the fastest; NULL if none is ranked.
static const Point *print_ranking(const Request *r, const GPtrArray *points, guint first, guint n)
{
    static const char *const names[] = {"algorithm", "time", "x best", "bound", "formula"};
    g_autofree const Point **ranked = g_new(const Point *, n);
    guint k = 0;
    for (guint i = first; i < first + n; i++) {
        const Point *x = g_ptr_array_index(points, i);
        if (point_timed(x) && !x->why)
            ranked[k++] = x;
    }
    qsort(ranked, k, sizeof *ranked, points_faster);
    Table *t = table_new(G_N_ELEMENTS(names));
    table_header(t, names, G_N_ELEMENTS(names));
    for (guint i = 0; i < k; i++) {
        const Point *x = ranked[i];
        g_autofree char *params = point_params(x, TRUE);
        table_add(t, g_strdup_printf("%s%s%s", x->algorithm->name, *params ? " " : "", params));
        table_add(t, units_format_time(x->prediction->time_s));
        table_add(t, table_ratio(x->prediction->time_s, ranked[0]->prediction->time_s));
        table_add(t, bounded(r) ? table_ratio(x->prediction->time_s, bound_of(r, x)) : g_strdup(""));
        table_add(t, model_certificate_text(r->model, x->prediction->count));
    }
    if (k > 0)
        table_print(t, "");
    table_free(t);
    for (guint i = first; i < first + n; i++) {
        const Point *x = g_ptr_array_index(points, i);
        g_autofree char *ran = point_ran(x);
        if (ran)
            printf("not ranked: %s, ran: %s\n", x->algorithm->name, ran);
        else if (x->why)
            printf("not ranked: %s, cannot run: %s\n", x->algorithm->name, x->why);
    }
    for (guint i = 0; i < k; i++)
        print_after(r, ranked[i]);
    return k > 0 ? ranked[0] : NULL;
}

void report_winners(const GPtrArray *best)
{
    for (guint i = 0; i < best->len;) {
        const Point *x = g_ptr_array_index(best, i);
        guint end = i, from = i;
        for (const Point *y = x; end < best->len && y->p == x->p && y->root == x->root;)
            if (++end < best->len)
                y = g_ptr_array_index(best, end);
        if (end - i > 1)
            printf("fastest on %d ranks:", x->p);
        for (guint j = i; end - i > 1 && j < end; j++) {
            const Point *y = g_ptr_array_index(best, j), *start = g_ptr_array_index(best, from);
            const gboolean last = j + 1 == end;
            if (!last && ((const Point *)g_ptr_array_index(best, j + 1))->algorithm == y->algorithm)
                continue;
            g_autofree char *size = units_format_size(last ? start->m : y->m);
            printf(" %s %s%s%s", y->algorithm->name,
                   from == i && last ? "everywhere"
                   : last            ? "from "
                                     : "up to ",
                   from == i && last ? "" : size,
                   from == i && last ? "\n"
                   : last            ? " on\n"
                                     : ",");
            from = j + 1;
        }
        i = end;
    }
}

static void print_all(const Request *r, const GPtrArray *points)
{
    g_autoptr(GPtrArray) best = g_ptr_array_new();
    for (guint i = 0; i < points->len;) {
        const Point *x = g_ptr_array_index(points, i);
        guint n = 0;
        for (const Point *y = x; y->p == x->p && y->m == x->m && y->root == x->root;) {
            n++;
            if (i + n == points->len)
                break;
            y = g_ptr_array_index(points, i + n);
        }
        g_autofree char *size = units_format_size(x->m);
        printf("%d ranks", x->p);
        if (r->collective != COLL_BARRIER)
            printf(", %s bytes", size);
        if (r->root)
            printf(", root %d", x->root);
        puts("");
        const Point *winner = print_ranking(r, points, i, n);
        if (winner)
            g_ptr_array_add(best, (gpointer)(uintptr_t)winner);
        puts("");
        i += n;
    }
    report_winners(best);
}

char *report_machine(const Request *r)
{
    g_autofree char *layout = request_layout(r);
    return g_strdup_printf(" on %s (%s), model %s%s%s%s", r->platform->name, r->platform->title, r->model->name,
                           r->model->transfers ? ", " : "",
                           r->model->transfers ? transfer_names[r->options.transfer] : "", layout);
}

void report_table(const Request *r, const GPtrArray *points)
{
    g_autofree char *machine = report_machine(r);
    const CollAlgorithm *only = request_only(r);
    printf("%s%s%s%s\n\n", collectives[r->collective].name, only ? " " : "", only ? only->name : "", machine);
    if (r->model == &logp_model)
        puts("logp: the bytes of a message cost nothing\n");
    if (request_single(r))
        print_one(r, points);
    else
        print_all(r, points);
}
