#include "bounds.h"
#include "json.h"
#include "points.h"
#include "units.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

int64_t peak_rss_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * (int64_t)1024;
}

static int64_t default_of(const CollAlgorithm *a, const CollParam *param)
{
    const CollParams defaults = algorithm_defaults(a);
    return param_get(param, &defaults);
}

// "segment=64K;chains=3", with `of` where p cut the value: "chains=3 (of 4)".
static char *point_params(const Point *x, gboolean of)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; i < count_params(x->algorithm); i++) {
        const CollParam *param = &x->algorithm->params[i];
        const int64_t value = param_get(param, &x->par), asked = param_get(param, &x->asked);
        g_autofree char *text = param_text(param, value);
        if (of && asked == default_of(x->algorithm, param) && value == asked)
            continue; // people know the defaults from `show`
        g_string_append_printf(s, "%s%s=%s", s->len ? ";" : "", param->name, text);
        if (of && value != asked)
            g_string_append_printf(s, " (of %" G_GINT64_FORMAT ")", asked);
    }
    return g_string_free(s, FALSE);
}

// ---- JSON and CSV --------------------------------------------------------------------------------------------------------

static void add_why(Json *json, const GArray *why)
{
    json_open(json, "path", '[');
    for (guint i = 0; i < why->len; i++) {
        const WhyStep *w = &g_array_index(why, WhyStep, i);
        json_open(json, NULL, '{');
        json_integer(json, "rank", w->rank);
        json_string(json, "operation", w->what);
        if (w->peer < 0)
            json_string(json, "peer", NULL);
        else
            json_integer(json, "peer", w->peer);
        json_integer(json, "bytes", (int64_t)w->bytes);
        json_number(json, "start_s", w->start_s);
        json_number(json, "end_s", w->end_s);
        json_close(json, '}');
    }
    json_close(json, ']');
}

typedef struct Figure {
    const char *name;
    uint64_t value;
} Figure;
enum { N_FIGURES = 7, N_MEMORY_FIGURES = 9 };

static size_t segment_of(const Point *x)
{
    return shm_segment(x->p, &x->par);
}

// Those of messages or of shared memory; `x` NULL: only their names. Returns how many.
static int figures_of(const Request *r, const Point *x, Figure f[N_FIGURES])
{
    const Totals none = {0}, *t = x ? &x->prediction->totals : &none;
    const Figure shared[] = {
        {"bytes_written", t->bytes_written},         {"bytes_read", t->bytes_read},
        {"max_bytes_written", t->max_bytes_written}, {"max_bytes_read", t->max_bytes_read},
        {"max_bytes_reduced", t->max_bytes_reduced}, {"segment_bytes", x ? segment_of(x) : 0},
    };
    const Figure messages[N_FIGURES] = {
        {"messages", t->messages},
        {"bytes_sent", t->bytes_sent},
        {"max_messages_sent", t->max_messages_sent},
        {"max_messages_received", t->max_messages_received},
        {"max_bytes_sent", t->max_bytes_sent},
        {"max_bytes_received", t->max_bytes_received},
        {"max_bytes_reduced", t->max_bytes_reduced},
    };
    const int n = r->model->shared ? (int)G_N_ELEMENTS(shared) : N_FIGURES;
    memcpy(f, r->model->shared ? shared : messages, (size_t)n * sizeof *f);
    return n;
}

static void memory_figures_of(const Memory *m, Figure f[N_MEMORY_FIGURES])
{
    const Figure all[N_MEMORY_FIGURES] = {
        {"root_connections", m->root.connections}, {"max_connections", m->most.connections},
        {"all_connections", m->all.connections},   {"root_scratch_bytes", m->root.scratch},
        {"max_scratch_bytes", m->most.scratch},    {"all_scratch_bytes", m->all.scratch},
        {"root_copied_bytes", m->root.copied},     {"max_copied_bytes", m->most.copied},
        {"all_copied_bytes", m->all.copied},
    };
    memcpy(f, all, sizeof all);
}

static void add_point(Json *json, const Request *r, const Point *x)
{
    const Prediction *y = x->prediction;
    json_open(json, NULL, '{');
    json_string(json, "collective", collectives[r->collective].name);
    json_string(json, "algorithm", x->algorithm->name);
    json_open(json, "params", '{');
    for (int i = 0; i < count_params(x->algorithm); i++) {
        const CollParam *param = &x->algorithm->params[i];
        const int64_t value = param_get(param, &x->par);
        if (param->kind == PARAM_CHOICE)
            json_string(json, param->name, param->choices[value]);
        else if (param->kind == PARAM_ALGORITHM)
            json_string(json, param->name, algorithms[value]->name);
        else
            json_integer(json, param->name, value);
    }
    json_close(json, '}');
    json_integer(json, "p", x->p);
    json_integer(json, "bytes", (int64_t)x->m);
    json_integer(json, "root", x->root);
    if (collectives[r->collective].counts) {
        json_string(json, "counts", r->counts_text ? r->counts_text : counts_names[COUNTS_EQUAL]);
        json_string(json, "displs", r->counts.gaps ? "gaps" : "consecutive");
    }
    if (r->per_node)
        json_integer(json, "per_node", r->per_node);
    json_string(json, "platform", r->platform->name);
    json_string(json, "model", r->model->name);
    json_string(json, "transfer", r->model->transfers ? transfer_names[r->options.transfer] : NULL);
    json_number(json, "time_s", y->time_s);
    Figure f[N_FIGURES];
    const int n = figures_of(r, x, f);
    for (int i = 0; i < n; i++)
        json_integer(json, f[i].name, (int64_t)f[i].value);
    json_open(json, "certificate", '{');
    for (int i = 0; i < r->model->n_terms; i++)
        json_integer(json, r->model->terms[i], y->count[i]);
    json_close(json, '}');
    g_autofree char *ran = point_ran(x);
    if (ran)
        json_string(json, "ran", ran);
    if (y->why)
        add_why(json, y->why);
    Figure memory[N_MEMORY_FIGURES];
    memory_figures_of(&x->memory, memory);
    for (int i = 0; r->memory && i < N_MEMORY_FIGURES; i++)
        json_integer(json, memory[i].name, (int64_t)memory[i].value);
    if (r->timing) {
        json_number(json, "wall_s", x->wall_s);
        json_string(json, "gear", y->gear);
        json_integer(json, "ranks_simulated", y->ranks_simulated);
        json_integer(json, "peak_rss_bytes", peak_rss_bytes());
    }
    json_close(json, '}');
}

// A point has no time where it could not run, or did not end.
static gboolean has_time(const Point *x)
{
    return x->prediction && x->prediction->stuck->len == 0;
}

void report_json(const Request *r, const GPtrArray *points)
{
    Json json = {g_string_new("["), TRUE};
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        if (!has_time(x))
            continue;
        add_point(&json, r, x);
        fputs(json.text->str, stdout);
        puts("");
        g_string_truncate(json.text, 0);
    }
    g_string_append_c(json.text, ']');
    puts(json.text->str);
    g_string_free(json.text, TRUE);
}

void report_csv(const Request *r, const GPtrArray *points)
{
    fputs("collective,algorithm,params,p,bytes,root,platform,model,transfer,time_s", stdout);
    Figure f[N_FIGURES];
    const int n = figures_of(r, NULL, f);
    for (int i = 0; i < n; i++)
        printf(",%s", f[i].name);
    fputs(",certificate,ran,counts,displs,per_node", stdout);
    Figure memory[N_MEMORY_FIGURES];
    memory_figures_of(&(Memory){0}, memory);
    for (int i = 0; r->memory && i < N_MEMORY_FIGURES; i++)
        printf(",%s", memory[i].name);
    puts(r->timing ? ",wall_s,gear,ranks_simulated,peak_rss_bytes" : "");
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        const Prediction *y = x->prediction;
        if (!has_time(x))
            continue;
        char time[G_ASCII_DTOSTR_BUF_SIZE];
        g_autofree char *params = point_params(x, FALSE), *certificate = certificate_text(r->model, y->count);
        g_autofree char *ran = point_ran(x);
        printf("%s,%s,%s,%d,%" G_GSIZE_FORMAT ",%d,%s,%s,%s,%s", collectives[r->collective].name, x->algorithm->name,
               params, x->p, x->m, x->root, r->platform->name, r->model->name,
               r->model->transfers ? transfer_names[r->options.transfer] : "",
               g_ascii_formatd(time, sizeof time, "%.17g", y->time_s));
        figures_of(r, x, f);
        for (int k = 0; k < n; k++)
            printf(",%" G_GUINT64_FORMAT, f[k].value);
        printf(",%s,%s,", certificate, ran ? ran : "");
        if (collectives[r->collective].counts)
            printf("%s,%s,", r->counts_text ? r->counts_text : counts_names[COUNTS_EQUAL],
                   r->counts.gaps ? "gaps" : "consecutive");
        else
            fputs(",,", stdout);
        if (r->per_node)
            printf("%d", r->per_node);
        memory_figures_of(&x->memory, memory);
        for (int k = 0; r->memory && k < N_MEMORY_FIGURES; k++)
            printf(",%" G_GUINT64_FORMAT, memory[k].value);
        if (r->timing)
            printf(",%s,%s,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT,
                   g_ascii_formatd(time, sizeof time, "%.6f", x->wall_s), y->gear, y->ranks_simulated,
                   peak_rss_bytes());
        puts("");
    }
}

// ---- Tables ------------------------------------------------------------------------------------------------------------------

static void print_timing(const Point *x)
{
    g_autofree char *rss = units_format_size((size_t)peak_rss_bytes() >> 20 << 20);
    printf("  %s on %d ranks: %.4f s in the %s gear, %" G_GINT64_FORMAT " ranks simulated, at most %s of memory\n",
           x->algorithm->name, x->p, x->wall_s, x->prediction->gear, x->prediction->ranks_simulated, rss);
}

static void print_after(const Request *r, const Point *x)
{
    if (r->timing)
        print_timing(x);
    if (r->memory) {
        printf("\n%s on %d ranks:\n", x->algorithm->name, x->p);
        memory_print(r, x, &x->memory);
    }
    if (x->prediction->why) {
        g_autofree char *size = units_format_size(x->m);
        printf("\nwhy %s takes as long on %d ranks with %s bytes:\n", x->algorithm->name, x->p, size);
        why_print(x->prediction->why, x->p);
    }
}

static void header(Table *t, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        table_add(t, g_strdup(names[i]));
}

static double bound_of(const Request *r, const Point *x)
{
    return lower_bound(r->collective, x->p, x->m, r->platform);
}

// Bounds hold where a port takes one message at a time, and all blocks are alike.
static gboolean bounded(const Request *r)
{
    return r->model->transfers && r->options.transfer != TRANSFER_EAGER && !r->counts_text;
}

static char *ratio(double a, double b)
{
    const double x = b > 0 ? a / b : 0;
    return b > 0 ? g_strdup_printf("%.*f", x < 10 ? 2 : x < 100 ? 1 : 0, x) : g_strdup("");
}

// "root 3; segment=64K; ran: linear (count < p)", each where there is something to say.
static char *notes_text(const Request *r, const Point *x)
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
    header(t, r->model->shared ? shared : messages, columns);
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        if (!has_time(x))
            continue;
        table_add(t, g_strdup_printf("%d", x->p));
        table_add(t, units_format_size(x->m));
        table_add(t, units_format_time(x->prediction->time_s));
        table_add(t, certificate_text(r->model, x->prediction->count));
        const Totals *totals = &x->prediction->totals;
        if (r->model->shared) {
            table_add(t, units_format_size(segment_of(x)));
        } else {
            table_add(t, g_strdup_printf("%" G_GUINT64_FORMAT, totals->messages));
            table_add(t, units_format_size(totals->bytes_sent));
        }
        table_add(t, notes_text(r, x));
    }
    table_print(t, "");
    table_free(t);
    for (guint i = 0; i < points->len; i++)
        if (has_time(g_ptr_array_index(points, i)))
            print_after(r, g_ptr_array_index(points, i));
}

// 0: Open MPI has it, 1: MPICH has it, 2: neither.
static int rarity(const CollAlgorithm *a)
{
    int least = 2;
    for (int i = 0; i < COLL_MAX_ALIASES && a->aliases[i]; i++)
        least = MIN(least, g_str_has_prefix(a->aliases[i], "ompi:")    ? 0
                           : g_str_has_prefix(a->aliases[i], "mpich:") ? 1
                                                                       : 2);
    return least;
}

// Of equally fast ones first those that a user can have.
static int faster(const void *a, const void *b)
{
    const Point *x = *(const Point *const *)a, *y = *(const Point *const *)b;
    if (x->prediction->time_s != y->prediction->time_s)
        return x->prediction->time_s < y->prediction->time_s ? -1 : 1;
    const int more_rare = rarity(x->algorithm) - rarity(y->algorithm);
    return more_rare ? more_rare : strcmp(x->algorithm->name, y->algorithm->name);
}

// The algorithms of one p, m and root, fastest first; returns the fastest, NULL where none is ranked.
static const Point *print_ranking(const Request *r, const GPtrArray *points, guint first, guint n)
{
    static const char *const names[] = {"algorithm", "time", "x best", "bound", "formula"};
    g_autofree const Point **ranked = g_new(const Point *, n);
    guint k = 0;
    for (guint i = first; i < first + n; i++) {
        const Point *x = g_ptr_array_index(points, i);
        if (has_time(x) && !x->why)
            ranked[k++] = x;
    }
    qsort(ranked, k, sizeof *ranked, faster);
    Table *t = table_new(G_N_ELEMENTS(names));
    header(t, names, G_N_ELEMENTS(names));
    for (guint i = 0; i < k; i++) {
        const Point *x = ranked[i];
        g_autofree char *params = point_params(x, TRUE);
        table_add(t, g_strdup_printf("%s%s%s", x->algorithm->name, *params ? " " : "", params));
        table_add(t, units_format_time(x->prediction->time_s));
        table_add(t, ratio(x->prediction->time_s, ranked[0]->prediction->time_s));
        table_add(t, bounded(r) ? ratio(x->prediction->time_s, bound_of(r, x)) : g_strdup(""));
        table_add(t, certificate_text(r->model, x->prediction->count));
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

// "fastest on 32768 ranks: linear up to 1K, ring from 4K on", over the sizes of one p and root.
static void print_winners(const GPtrArray *best)
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
    print_winners(best);
}

void report_table(const Request *r, const GPtrArray *points)
{
    g_autofree char *layout = request_layout(r);
    printf("%s%s%s on %s (%s), model %s%s%s%s\n\n", collectives[r->collective].name, r->only ? " " : "",
           r->only ? r->only->name : "", r->platform->name, r->platform->title, r->model->name,
           r->model->transfers ? ", " : "", r->model->transfers ? transfer_names[r->options.transfer] : "", layout);
    if (r->model == &logp_model)
        puts("logp: the bytes of a message cost nothing\n");
    if (r->only)
        print_one(r, points);
    else
        print_all(r, points);
}
