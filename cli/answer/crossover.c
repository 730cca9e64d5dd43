#include "answer/crossover.h"
#include "answer/report.h"
#include "out/table.h"
#include "base/units.h"
#include <math.h>
#include <stdio.h>

// ---- The closed forms ------------------------------------------------------------------------------------------------

// Adds "(a - b) alpha + (c - d) beta", with the costs that either side has, and returns how many these are.
static int add_terms(GString *s, const double *a, const double *b)
{
    int n = 0;
    for (int i = 0; i < COSTS; i++)
        if (a[i] != 0 || b[i] != 0)
            g_string_append_printf(s, "%s(%.10g - %.10g) %s", n++ ? " + " : "", a[i], b[i], hockney_model.terms[i]);
    if (n == 0)
        g_string_append_c(s, '0');
    return n;
}

// Returns "(6 - 3) alpha = m ((3 - 1.75) beta + (3 - 0.875) gamma)"; the left side subtracts the first from the second.
// Free with g_free.
static char *meeting_equation(const Meeting *x)
{
    GString *s = g_string_new(NULL), *bytes = g_string_new(NULL);
    add_terms(s, x->form[1].fixed, x->form[0].fixed);
    const int n = add_terms(bytes, x->form[0].per_byte, x->form[1].per_byte);
    g_string_append_printf(s, n > 1 ? " = m (%s)" : " = m %s", bytes->str);
    g_string_free(bytes, TRUE);
    return g_string_free(s, FALSE);
}

static const char *origin(const Meeting *x)
{
    return x->form[0].simulated || x->form[1].simulated ? "certificates" : "formulas";
}

// ---- For people ------------------------------------------------------------------------------------------------------

static const char *rival_name(const Rivalry *x, int i)
{
    return i < 0 ? "neither" : rivalry_algorithm(x, i)->name;
}

// Returns the algorithm that wins at all sizes that have a winner; -1 if no size has one, -2 if each wins somewhere.
static int only_winner(const CrossoverSearch *s)
{
    return s->wins[0] && s->wins[1] ? -2 : s->wins[0] ? 0 : s->wins[1] ? 1 : -1;
}

static void add_duel(Table *t, const Rivalry *x, const Duel *d)
{
    table_add(t, g_strdup_printf("%d", x->p));
    table_add(t, g_strdup_printf("%" G_GSIZE_FORMAT, d->m));
    for (int i = 0; i < 2; i++)
        table_add(t, units_format_time(d->time_s[i]));
    g_autofree char *lead = units_format_time(fabs(d->time_s[0] - d->time_s[1]));
    table_add(t, g_strconcat(d->winner < 0 ? "" : "by ", d->winner < 0 ? "0 s" : lead, NULL));
    table_add(t, g_strdup(rival_name(x, d->winner)));
}

static void add_never(Table *t, const Rivalry *x)
{
    const CrossoverSearch *s = &x->search;
    const int winner = only_winner(s);
    g_autofree char *first = units_format_size(s->first.m), *final = units_format_size(s->final.m);
    table_add(t, g_strdup_printf("%d", x->p));
    table_add(t, g_strdup(s->first.fair ? "never" : ""));
    for (int i = 0; i < 3; i++)
        table_add(t, g_strdup(""));
    table_add(t, !s->first.fair ? g_strdup("not both run")
                 : winner < 0   ? g_strdup_printf("equal from %s to %s", first, final)
                                : g_strdup_printf("%s from %s to %s", rival_name(x, winner), first, final));
}

static void print_duels(const GPtrArray *rivalries)
{
    const Rivalry *any = g_ptr_array_index(rivalries, 0);
    const char *const names[] = {"ranks", "bytes", rival_name(any, 0), rival_name(any, 1), "wins", "who"};
    Table *t = table_new(G_N_ELEMENTS(names));
    table_header(t, names, G_N_ELEMENTS(names));
    for (guint i = 0; i < rivalries->len; i++) {
        const Rivalry *x = g_ptr_array_index(rivalries, i);
        const GArray *found = x->search.found;
        for (guint k = 0; k < found->len; k++) {
            add_duel(t, x, &g_array_index(found, Crossover, k).last);
            add_duel(t, x, &g_array_index(found, Crossover, k).next);
        }
        if (found->len == 0)
            add_never(t, x);
    }
    table_print(t, "");
    table_free(t);
}

static void print_meetings(const GPtrArray *rivalries)
{
    static const char *const names[] = {"ranks", "m*", "closed forms: equal where"};
    Table *t = table_new(G_N_ELEMENTS(names));
    table_header(t, names, G_N_ELEMENTS(names));
    for (guint i = 0; i < rivalries->len; i++) {
        const Rivalry *x = g_ptr_array_index(rivalries, i);
        for (guint k = 0; x->search.first.fair && k < MAX(x->search.found->len, 1); k++) {
            const Meeting *y = &x->meeting[k];
            table_add(t, g_strdup_printf("%d", x->p));
            table_add(t, isnan(y->m) ? g_strdup("none") : g_strdup_printf("%.1f", y->m));
            table_add(t, y->known ? meeting_equation(y) : g_strdup("not linear in m about there"));
        }
    }
    table_print(t, "");
    table_free(t);
}

static void print_changes(const Rivalry *x, const Crossover *c)
{
    if (c->changes == 1)
        return;
    if (c->changes == 0)
        printf("%d ranks: too many sizes about %" G_GSIZE_FORMAT " to look for more changes of winner\n", x->p,
               c->next.m);
    else
        printf("%d ranks: %s always wins up to %" G_GSIZE_FORMAT ", %s from %" G_GSIZE_FORMAT
               " on; between, the winner changes %d times\n",
               x->p, rival_name(x, c->before.winner), c->before.m, rival_name(x, c->next.winner), c->next.m,
               c->changes);
}

static void print_notes(const Rivalry *x)
{
    const CrossoverSearch *s = &x->search;
    for (guint i = 0; i < s->found->len; i++)
        print_changes(x, &g_array_index(s->found, Crossover, i));
    for (int i = 0; i < 2; i++)
        if (x->why[i] && s->first.fair)
            printf("%d ranks: %s runs from %" G_GSIZE_FORMAT " bytes on (below: %s)\n", x->p, rival_name(x, i),
                   s->first.m, x->why[i]);
        else if (x->why[i])
            printf("%d ranks: %s does not run: %s\n", x->p, rival_name(x, i), x->why[i]);
    if (s->equal && only_winner(s) != -1)
        printf("%d ranks: equal at %u of the %u sizes 1, 2, 4 .. elements\n", x->p, s->equal,
               s->equal + s->wins[0] + s->wins[1]);
    for (guint i = 0; i < MAX(s->found->len, 1); i++)
        if (x->meeting[i].known && (x->meeting[i].form[0].simulated || x->meeting[i].form[1].simulated)) {
            printf("%d ranks: m* from simulated certificates, for want of a formula\n", x->p);
            break;
        }
}

void crossover_table(const Request *r, const GPtrArray *rivalries)
{
    g_autofree char *machine = report_machine(r);
    g_autofree char *params = r->params ? g_strjoinv(" ", r->params) : NULL;
    const Rivalry *any = g_ptr_array_index(rivalries, 0);
    printf("%s: %s against %s%s%s%s\n\n", request_name(r), rival_name(any, 0), rival_name(any, 1), params ? ", " : "",
           params ? params : "", machine);
    print_duels(rivalries);
    puts("");
    print_meetings(rivalries);
    puts("");
    for (guint i = 0; i < rivalries->len; i++)
        print_notes(g_ptr_array_index(rivalries, i));
}

// ---- For machines ----------------------------------------------------------------------------------------------------

// A crossover; or, for a p that has none, a row whose sizes are empty.
typedef struct CrossoverRow {
    const Rivalry *x;
    const Crossover *c; // NULL: there is none
    const Meeting *meeting;
    int before, after; // who wins before and after it; -1: neither
} CrossoverRow;

static GArray *rows_of(const GPtrArray *rivalries)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(CrossoverRow));
    for (guint i = 0; i < rivalries->len; i++) {
        const Rivalry *x = g_ptr_array_index(rivalries, i);
        const GArray *found = x->search.found;
        for (guint k = 0; k < MAX(found->len, 1); k++) {
            const Crossover *c = found->len > 0 ? &g_array_index(found, Crossover, k) : NULL;
            const int always = only_winner(&x->search);
            const CrossoverRow row = {x, c, &x->meeting[k], c ? c->last.winner : always, c ? c->next.winner : always};
            g_array_append_val(rows, row);
        }
    }
    return rows;
}

static const char *winner_name(const CrossoverRow *row, int i)
{
    return i < 0 ? NULL : rival_name(row->x, i);
}

static void csv_duel(GString *s, const Duel *d)
{
    char time[2][G_ASCII_DTOSTR_BUF_SIZE];
    if (d)
        g_string_append_printf(s, ",%" G_GSIZE_FORMAT ",%s,%s", d->m,
                               g_ascii_formatd(time[0], sizeof time[0], "%.17g", d->time_s[0]),
                               g_ascii_formatd(time[1], sizeof time[1], "%.17g", d->time_s[1]));
    else
        g_string_append(s, ",,,");
}

void crossover_csv(const Request *r, const GPtrArray *rivalries)
{
    g_autoptr(GArray) rows = rows_of(rivalries);
    g_autofree char *params = r->params ? g_strjoinv(";", r->params) : g_strdup("");
    GString *s =
        g_string_new("collective,first,second,params,p,per_node,platform,transfer,runs_from_bytes,tried_to_bytes,"
                     "before,last_bytes,last_first_s,last_second_s,after,next_bytes,next_first_s,next_second_s,"
                     "changes,only_before_to_bytes,m_star,equation,from,needs\n");
    for (guint i = 0; i < rows->len; i++) {
        const CrossoverRow *row = &g_array_index(rows, CrossoverRow, i);
        const Rivalry *x = row->x;
        const Meeting *y = row->meeting;
        const char *const before = winner_name(row, row->before), *const after = winner_name(row, row->after);
        g_autofree char *equation = y->known ? meeting_equation(y) : g_strdup("");
        char text[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append_printf(s, "%s,%s,%s,%s,%d,", request_name(r), rival_name(x, 0), rival_name(x, 1), params, x->p);
        if (r->per_node)
            g_string_append_printf(s, "%d", r->per_node);
        g_string_append_printf(s, ",%s,%s,", r->platform->name, transfer_names[r->options.transfer]);
        if (x->search.first.fair)
            g_string_append_printf(s, "%" G_GSIZE_FORMAT, x->search.first.m);
        g_string_append_printf(s, ",%" G_GSIZE_FORMAT ",%s", x->search.final.m, before ? before : "");
        csv_duel(s, row->c ? &row->c->last : NULL);
        g_string_append_printf(s, ",%s", after ? after : "");
        csv_duel(s, row->c ? &row->c->next : NULL);
        if (row->c)
            g_string_append_printf(s, ",%d,%" G_GSIZE_FORMAT, row->c->changes, row->c->before.m);
        else
            g_string_append(s, ",0,");
        g_string_append_printf(s, ",%s,%s,%s,%s\n",
                               isnan(y->m) || !y->known ? "" : g_ascii_formatd(text, sizeof text, "%.17g", y->m),
                               equation, y->known ? origin(y) : "",
                               x->why[0]   ? x->why[0]
                               : x->why[1] ? x->why[1]
                                           : "");
    }
    fputs(s->str, stdout);
    g_string_free(s, TRUE);
}

static void json_duel(Json *json, const char *key, const Duel *d)
{
    json_open(json, key, '{');
    json_integer(json, "bytes", (int64_t)d->m);
    json_number(json, "first_s", d->time_s[0]);
    json_number(json, "second_s", d->time_s[1]);
    json_close(json, '}');
}

static void json_costs(Json *json, const char *key, const double n[COSTS])
{
    json_open(json, key, '{');
    for (int i = 0; i < COSTS; i++)
        json_number(json, hockney_model.terms[i], n[i]);
    json_close(json, '}');
}

static void json_meeting(Json *json, const Meeting *y)
{
    static const char *const keys[2] = {"first_costs", "second_costs"};
    g_autofree char *equation = meeting_equation(y);
    if (isnan(y->m))
        json_literal(json, "m_star", "null");
    else
        json_number(json, "m_star", y->m);
    json_string(json, "equation", equation);
    json_string(json, "from", origin(y));
    for (int i = 0; i < 2; i++) {
        json_open(json, keys[i], '{');
        json_costs(json, "fixed", y->form[i].fixed);
        json_costs(json, "per_byte", y->form[i].per_byte);
        json_close(json, '}');
    }
}

void crossover_json(const Request *r, const GPtrArray *rivalries)
{
    g_autoptr(GArray) rows = rows_of(rivalries);
    Json json = {g_string_new("["), TRUE};
    for (guint i = 0; i < rows->len; i++) {
        const CrossoverRow *row = &g_array_index(rows, CrossoverRow, i);
        const Rivalry *x = row->x;
        json_open(&json, NULL, '{');
        json_string(&json, "collective", request_name(r));
        json_string(&json, "first", rival_name(x, 0));
        json_string(&json, "second", rival_name(x, 1));
        json_open(&json, "params", '[');
        for (char **w = r->params; w && *w; w++)
            json_string(&json, NULL, *w);
        json_close(&json, ']');
        json_integer(&json, "p", x->p);
        if (r->per_node)
            json_integer(&json, "per_node", r->per_node);
        json_string(&json, "platform", r->platform->name);
        json_string(&json, "transfer", transfer_names[r->options.transfer]);
        if (x->search.first.fair)
            json_integer(&json, "runs_from_bytes", (int64_t)x->search.first.m);
        json_integer(&json, "tried_to_bytes", (int64_t)x->search.final.m);
        json_string(&json, "before", winner_name(row, row->before));
        json_string(&json, "after", winner_name(row, row->after));
        if (row->c) {
            json_duel(&json, "last", &row->c->last);
            json_duel(&json, "next", &row->c->next);
            json_integer(&json, "changes", row->c->changes);
            json_integer(&json, "only_before_to_bytes", (int64_t)row->c->before.m);
        }
        if (row->meeting->known)
            json_meeting(&json, row->meeting);
        if (x->why[0] || x->why[1])
            json_string(&json, "needs", x->why[0] ? x->why[0] : x->why[1]);
        json_close(&json, '}');
        g_string_append_c(json.text, '\n');
    }
    g_string_append_c(json.text, ']');
    puts(json.text->str);
    g_string_free(json.text, TRUE);
}
