#include "answer/search/crossover_answer.h"
#include "answer/report/report.h"
#include "base/units.h"
#include "out/wrap.h"
#include "search/search/reason.h"
#include <math.h>
#include <stdio.h>

// ---- The closed forms -----------------------------------------------------------------------------------------------

// Adds "(a - b) alpha + (c - d) beta", with the costs that either side has, and returns how many these are.
static int add_terms(GString *s, const double *a, const double *b)
{
    int n = 0;
    for (int i = 0; i < COSTS; i++)
        if (a[i] != 0 || b[i] != 0)
            g_string_append_printf(s, "%s(%.10g - %.10g) %s", n++ ? " + " : "", a[i], b[i],
                                   term_kinds[hockney_model.terms[i]].name);
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

static const char *rival_name(const Rivalry *x, int i)
{
    return i < 0 ? "neither" : rivalry_algorithm(x, i)->name;
}

// ---- The sheet ------------------------------------------------------------------------------------------------------

// Makes the sheet "rows" without rows; with `searched`, it says what a search for the best settings has considered.
static Sheet *empty_sheet(const Request *r, gboolean searched)
{
    static const char *const columns[] = {"collective",
                                          "first",
                                          "second",
                                          "params",
                                          "ranks",
                                          "per_node",
                                          "nodes",
                                          "map",
                                          "root",
                                          "element",
                                          "runs_from_bytes",
                                          "tried_to_bytes",
                                          "before",
                                          "last_bytes",
                                          "last_first_s",
                                          "last_second_s",
                                          "after",
                                          "next_bytes",
                                          "next_first_s",
                                          "next_second_s",
                                          "changes",
                                          "only_before_to_bytes",
                                          "before_tried",
                                          "after_to_bytes",
                                          "after_tried",
                                          "proven_from_bytes",
                                          "proven_to_bytes",
                                          "m_star",
                                          "equation",
                                          "first_form",
                                          "second_form",
                                          "from",
                                          "needs",
                                          "last_choice",
                                          "next_choice",
                                          "explanation",
                                          NULL};
    Sheet *sheet = sheet_new("rows", columns);
    if (searched)
        sheet_add_columns(sheet, (const char *const[]){REPORT_SEARCHED_COLUMNS, NULL});
    report_machine(sheet, r->machine.platform, r->machine.model,
                   r->machine.model->transfers ? transfer_names[r->machine.options.transfer] : NULL, r->machine.sets);
    sheet_text(sheet, "collective", question_name(&r->question));
    sheet_take(sheet, "params", r->question.params ? g_strjoinv(";", r->question.params) : NULL);
    sheet_count(sheet, "element", (int64_t)r->question.elem);
    return sheet;
}

// Returns a closed form as "6 alpha + 1.75 m beta". Free with g_free.
static char *linear_form_text(const SizeForm *form)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; i < 2 * COSTS; i++) {
        const double n = i < COSTS ? form->fixed[i] : form->per_byte[i - COSTS];
        if (n != 0)
            g_string_append_printf(s, "%s%.10g %s%s", s->len ? " + " : "", n, i < COSTS ? "" : "m ",
                                   term_kinds[hockney_model.terms[i % COSTS]].name);
    }
    if (s->len == 0)
        g_string_append_c(s, '0');
    return g_string_free(s, FALSE);
}

static void fill_meeting(Sheet *sheet, const Meeting *y)
{
    if (!y->known)
        return;
    sheet_number(sheet, "m_star", y->m);
    sheet_take(sheet, "equation", meeting_equation(y));
    sheet_take(sheet, "first_form", linear_form_text(&y->form[0]));
    sheet_take(sheet, "second_form", linear_form_text(&y->form[1]));
    sheet_text(sheet, "from", origin(y));
}

static const DuelStretch *stretch_at(const Rivalry *x, guint k)
{
    return &g_array_index(x->search.stretches, DuelStretch, k);
}

static void fill_proof(Sheet *sheet, const DuelStretch *s)
{
    if (s->proven_to == 0)
        return;
    sheet_count(sheet, "proven_from_bytes", (int64_t)s->proven_from);
    sheet_count(sheet, "proven_to_bytes", (int64_t)s->proven_to);
}

// Returns the winner of a duel as "lane outer=ring", with its best settings. Free with g_free.
static char *winner_choice(const Rivalry *x, const Duel *d)
{
    Point *point = d->winner < 0 ? NULL : rival_settings_fastest(&x->settings, d->winner, d->m, NULL);
    char *choice = point ? point_choice(point) : g_strdup(rival_name(x, d->winner));
    point_free(point);
    return choice;
}

static const Rivalry *rivalry_at(const GPtrArray *rivalries, guint i)
{
    return g_ptr_array_index(rivalries, i);
}

// Adds a row for the k-th crossover or, if none is found, for the number of ranks.
static void add_row(Sheet *sheet, const Rivalry *x, guint k, const char *explanation)
{
    const GArray *found = x->search.found;
    const Crossover *c = k < found->len ? &g_array_index(found, Crossover, k) : NULL;
    const DuelStretch *s = x->search.first.fair ? stretch_at(x, c ? k + 1 : 0) : NULL;
    const int only = s ? s->winner : -1, before = c ? c->last.winner : only, after = c ? c->next.winner : only;
    sheet_row(sheet);
    sheet_text(sheet, "first", rival_name(x, 0));
    sheet_text(sheet, "second", rival_name(x, 1));
    sheet_count(sheet, "ranks", x->p);
    report_nodes(sheet, &x->request->machine, x->p, x->per_node);
    sheet_count(sheet, "root", x->request->question.root);
    if (x->best)
        report_searched(sheet, &x->settings.searched);
    if (x->search.first.fair)
        sheet_count(sheet, "runs_from_bytes", (int64_t)x->search.first.m);
    sheet_count(sheet, "tried_to_bytes", (int64_t)x->search.final.m);
    sheet_text(sheet, "before", before < 0 ? NULL : rival_name(x, before));
    sheet_text(sheet, "after", after < 0 ? NULL : rival_name(x, after));
    if (c) {
        sheet_count(sheet, "last_bytes", (int64_t)c->last.m);
        sheet_number(sheet, "last_first_s", c->last.time_s[0]);
        sheet_number(sheet, "last_second_s", c->last.time_s[1]);
        sheet_count(sheet, "next_bytes", (int64_t)c->next.m);
        sheet_number(sheet, "next_first_s", c->next.time_s[0]);
        sheet_number(sheet, "next_second_s", c->next.time_s[1]);
        sheet_count(sheet, "changes", c->changes);
        sheet_count(sheet, "only_before_to_bytes", (int64_t)c->before.m);
        sheet_count(sheet, "before_tried", stretch_at(x, k)->tried);
        if (x->best) {
            sheet_take(sheet, "last_choice", winner_choice(x, &c->last));
            sheet_take(sheet, "next_choice", winner_choice(x, &c->next));
        }
    }
    if (s) {
        sheet_count(sheet, "after_to_bytes", (int64_t)s->to);
        sheet_count(sheet, "after_tried", s->tried);
        fill_proof(sheet, s);
    }
    fill_meeting(sheet, &x->meeting[k]);
    sheet_text(sheet, "needs", x->why[0] ? x->why[0] : x->why[1]);
    sheet_text(sheet, "explanation", explanation);
}

static Sheet *rows_sheet(const Request *r, const GPtrArray *rivalries)
{
    Sheet *sheet = empty_sheet(r, rivalries->len > 0 && rivalry_at(rivalries, 0)->best);
    g_autoptr(GPtrArray) explanations = crossover_explanations(rivalries);
    for (guint i = 0, row = 0; i < rivalries->len; i++) {
        const Rivalry *x = rivalry_at(rivalries, i);
        for (guint k = 0; k < MAX(x->search.found->len, 1); k++)
            add_row(sheet, x, k, explanations->pdata[row++]);
    }
    return sheet;
}

static void show_ranks(Sheet *sheet, const Rivalry *x)
{
    const int nodes = request_nodes(&x->request->machine, x->p, x->per_node);
    sheet_count(sheet, "ranks", x->p);
    if (nodes)
        sheet_count(sheet, "nodes", nodes);
}

// Adds the range of sizes around a crossover in which the winner changes.
static void add_mixed(Sheet *sheet, const Rivalry *x, const Crossover *c)
{
    const GArray *tried = x->search.tried;
    guint n = 0, ties = 0;
    size_t from = 0, to = 0;
    for (guint i = 0; i < tried->len; i++) {
        const Duel *d = &g_array_index(tried, Duel, i);
        if (!d->fair || d->m <= c->before.m || d->m >= c->next.m)
            continue;
        from = n++ ? from : d->m;
        to = d->m;
        ties += d->winner < 0;
    }
    sheet_row(sheet);
    show_ranks(sheet, x);
    sheet_show(sheet, "faster", g_strdup("changes"));
    sheet_count(sheet, "range_from_bytes", (int64_t)from);
    sheet_count(sheet, "range_to_bytes", (int64_t)to);
    sheet_count(sheet, "sizes_tried", n);
    sheet_count(sheet, "size_ties", ties);
    sheet_count(sheet, "changes", c->changes);
}

// Makes the sheet "ranges": which algorithm wins from where to where. Free with sheet_free.
static Sheet *ranges_sheet(const GPtrArray *rivalries)
{
    Sheet *sheet = sheet_new("ranges", (const char *const[]){"ranks", "nodes", "faster", "range_from_bytes",
                                                             "range_to_bytes", "sizes_tried", "size_ties", "changes",
                                                             "proven_from_bytes", "proven_to_bytes", NULL});
    for (guint i = 0; i < rivalries->len; i++) {
        const Rivalry *x = g_ptr_array_index(rivalries, i);
        for (guint k = 0; k < x->search.stretches->len; k++) {
            const DuelStretch *s = stretch_at(x, k);
            sheet_row(sheet);
            show_ranks(sheet, x);
            sheet_text(sheet, "faster", s->winner < 0 ? NULL : rival_name(x, s->winner));
            if (s->winner < 0)
                sheet_show(sheet, "faster", g_strdup("a tie"));
            sheet_count(sheet, "range_from_bytes", (int64_t)s->from);
            sheet_count(sheet, "range_to_bytes", (int64_t)s->to);
            sheet_count(sheet, "sizes_tried", s->tried);
            sheet_count(sheet, "size_ties", s->ties);
            fill_proof(sheet, s);
            const Crossover *c = k < x->search.found->len ? &g_array_index(x->search.found, Crossover, k) : NULL;
            if (c && c->changes > 1)
                add_mixed(sheet, x, c);
        }
    }
    return sheet;
}

// ---- For people -----------------------------------------------------------------------------------------------------

// Returns TRUE if tables begin with a column of nodes.
static gboolean has_nodes(const GPtrArray *rivalries)
{
    gboolean any = FALSE;
    for (guint i = 0; rivalries->len > 1 && i < rivalries->len; i++) {
        const Rivalry *x = g_ptr_array_index(rivalries, i);
        any |= request_nodes(&x->request->machine, x->p, x->per_node) > 0;
    }
    return any;
}

static char *ranks_text(const Rivalry *x)
{
    return report_ranks_text(x->request, x->p, x->per_node);
}

static void add_duel(Sheet *sheet, const Rivalry *x, const Duel *d)
{
    g_autofree char *lead = units_format_time(fabs(d->time_s[0] - d->time_s[1]));
    sheet_row(sheet);
    show_ranks(sheet, x);
    sheet_count(sheet, "last_bytes", (int64_t)d->m);
    sheet_number(sheet, "last_first_s", d->time_s[0]);
    sheet_number(sheet, "last_second_s", d->time_s[1]);
    sheet_take(sheet, "wins", d->winner < 0 ? g_strdup("a tie") : g_strdup_printf("by %s", lead));
    sheet_take(sheet, "choice", x->best ? winner_choice(x, d) : g_strdup(rival_name(x, d->winner)));
}

static void print_duels(FILE *to, const GPtrArray *rivalries)
{
    const Rivalry *any = g_ptr_array_index(rivalries, 0);
    const SheetView view[] = {{"nodes"},
                              {"ranks"},
                              {"last_bytes", "bytes"},
                              {"last_first_s", rival_name(any, 0)},
                              {"last_second_s", rival_name(any, 1)},
                              {"choice", "faster"},
                              {"wins", ""},
                              {NULL}};
    g_autoptr(Sheet) sheet = sheet_new("duels", (const char *const[]){"ranks", "nodes", "last_bytes", "last_first_s",
                                                                      "last_second_s", "choice", "wins", NULL});
    for (guint i = 0; i < rivalries->len; i++) {
        const Rivalry *x = g_ptr_array_index(rivalries, i);
        for (guint k = 0; k < x->search.found->len; k++) {
            add_duel(sheet, x, &g_array_index(x->search.found, Crossover, k).last);
            add_duel(sheet, x, &g_array_index(x->search.found, Crossover, k).next);
        }
    }
    sheet_table(sheet, view + !has_nodes(rivalries), 0, sheet_rows(sheet), "", to);
}

// Prints the ranges of sizes and who wins there.
static void print_ranges(FILE *to, const GPtrArray *rivalries)
{
    static const SheetView view[] = {
        {"nodes"},       {"ranks"},     {"faster"},  {"range_from_bytes"},  {"range_to_bytes"},
        {"sizes_tried"}, {"size_ties"}, {"changes"}, {"proven_from_bytes"}, {"proven_to_bytes"},
        {NULL}};
    g_autoptr(Sheet) sheet = ranges_sheet(rivalries);
    if (sheet_rows(sheet) == 0)
        return;
    fputs("\nThe faster one at all sizes tried, and where it is proven to be faster at every size:\n\n", to);
    sheet_table(sheet, view + !has_nodes(rivalries), 0, sheet_rows(sheet), "", to);
}

// Prints why a number of ranks has no crossover.
static void print_never(FILE *to, const Rivalry *x)
{
    const CrossoverSearch *s = &x->search;
    const int other = x->why[0] ? 0 : 1;
    g_autofree char *ranks = ranks_text(x);
    if (!s->first.fair) {
        fprintf(to, "%s: no crossover: %s cannot run%s%s%s\n", ranks, rival_name(x, other),
                x->why[other] ? " (" : " at a size that can be simulated", x->why[other] ? x->why[other] : "",
                x->why[other] ? ")" : "");
        return;
    }
    const DuelStretch *only = stretch_at(x, 0);
    g_autofree char *first = units_format_size(only->from), *final = units_format_size(only->to);
    const char *const tried = only->proven_from == only->from && only->proven_to == only->to ? "" : " tried";
    if (only->winner < 0)
        fprintf(to, "%s: no crossover: both take equally long at every size%s from %s to %s\n", ranks, tried, first,
                final);
    else
        fprintf(to, "%s: no crossover: %s wins at every size%s from %s to %s%s\n", ranks, rival_name(x, only->winner),
                tried, first, final, only->ties ? ", but for ties" : "");
}

// Prints the different explanations, each once.
static void print_explanations(FILE *to, const GPtrArray *rivalries)
{
    g_autoptr(GPtrArray) explanations = crossover_explanations(rivalries);
    for (guint i = 0; i < explanations->len; i++) {
        guint first = 0; // the first one that is the same
        while (g_strcmp0(explanations->pdata[first], explanations->pdata[i]) != 0)
            first++;
        if (explanations->pdata[i] && first == i)
            wrap_print(to, "", explanations->pdata[i]);
    }
}

// Returns the reason why no equation gives the crossover.
static const char *why_unknown(const Rivalry *x)
{
    return x->best                                       ? "(of several settings)"
           : request_flat(x->request, x->p, x->per_node) ? "(not linear in m about there)"
           : x->request->machine.options.network         ? "(no closed form knows the links)"
           : x->request->question.root                   ? "(closed forms hold for root 0)"
           : x->request->machine.model == &hockney_model ? "(closed forms hold for one level only)"
                                                         : "(the model has no closed forms)";
}

static void print_meetings(FILE *to, const GPtrArray *rivalries)
{
    static const SheetView view[] = {{"nodes"}, {"ranks"}, {"m_star"}, {"equation"}, {NULL}};
    g_autoptr(Sheet) sheet = sheet_new("meetings", (const char *const[]){"ranks", "nodes", "m_star", "equation", NULL});
    for (guint i = 0; i < rivalries->len; i++) {
        const Rivalry *x = g_ptr_array_index(rivalries, i);
        for (guint k = 0; x->search.first.fair && k < MAX(x->search.found->len, 1); k++) {
            const Meeting *y = &x->meeting[k];
            sheet_row(sheet);
            show_ranks(sheet, x);
            sheet_show(sheet, "m_star", isnan(y->m) ? g_strdup("none") : g_strdup_printf("%.1f", y->m));
            sheet_take(sheet, "equation", y->known ? meeting_equation(y) : g_strdup(why_unknown(x)));
        }
    }
    if (sheet_rows(sheet) > 0)
        fputc('\n', to);
    sheet_table(sheet, view + !has_nodes(rivalries), 0, sheet_rows(sheet), "", to);
}

static void print_changes(FILE *to, const Rivalry *x, guint k)
{
    const Crossover *c = &g_array_index(x->search.found, Crossover, k);
    const DuelStretch *after = stretch_at(x, k + 1);
    if (c->changes == 1)
        return;
    g_autofree char *ranks = ranks_text(x), *end = units_format_size(after->to);
    fprintf(to,
            "%s: %s wins at every size tried up to %" G_GSIZE_FORMAT " and %s from %" G_GSIZE_FORMAT
            " to %s; in between the winner changes at least %d times\n",
            ranks, rival_name(x, c->before.winner), c->before.m, rival_name(x, c->next.winner), c->next.m, end,
            c->changes);
}

static void print_notes(FILE *to, const Rivalry *x)
{
    const CrossoverSearch *s = &x->search;
    g_autofree char *ranks = ranks_text(x);
    if (x->best) {
        g_autofree char *searched = contest_counts_text(&x->settings.searched, "");
        fprintf(to, "%s: each with the fastest of %u and %u settings, which were searched among %s\n", ranks,
                x->settings.of[0]->len, x->settings.of[1]->len, searched);
    }
    if (s->found->len == 0)
        print_never(to, x);
    for (guint i = 0; i < s->found->len; i++)
        print_changes(to, x, i);
    for (int i = 0; i < 2; i++)
        if (x->why[i] && s->first.fair)
            fprintf(to, "%s: %s cannot run below %" G_GSIZE_FORMAT " bytes (%s)\n", ranks, rival_name(x, i), s->first.m,
                    x->why[i]);
    if (s->equal && s->wins[0] + s->wins[1] > 0)
        fprintf(to, "%s: both take equally long at %u of the %u sizes 1, 2, 4 .. elements\n", ranks, s->equal,
                s->equal + s->wins[0] + s->wins[1]);
    for (guint i = 0; i < MAX(s->found->len, 1); i++)
        if (x->meeting[i].known && (x->meeting[i].form[0].simulated || x->meeting[i].form[1].simulated)) {
            fprintf(to, "%s: m* comes from simulated certificates, because a formula is missing\n", ranks);
            break;
        }
}

static void print_table(FILE *to, const Request *r, const GPtrArray *rivalries)
{
    g_autofree char *machine = report_machine_text(r);
    g_autofree char *params = r->question.params ? g_strjoinv(" ", r->question.params) : NULL;
    const Rivalry *any = g_ptr_array_index(rivalries, 0);
    g_autofree char *root = report_root_text(r->question.root);
    fprintf(to, "%s: %s against %s%s%s%s%s%s\n", question_name(&r->question), rival_name(any, 0), rival_name(any, 1),
            any->best ? ", each at its best" : "", params ? ", " : "", params ? params : "", root, machine);
    report_remarks(to, r, NULL);
    fputc('\n', to);
    print_duels(to, rivalries);
    print_ranges(to, rivalries);
    print_meetings(to, rivalries);
    fputc('\n', to);
    for (guint i = 0; i < rivalries->len; i++)
        print_notes(to, g_ptr_array_index(rivalries, i));
    print_explanations(to, rivalries);
}

void crossover_report(const Answer *answer, const Request *r, const GPtrArray *rivalries)
{
    if (answer->format == FORMAT_TABLE) {
        print_table(answer->to, r, rivalries);
        return;
    }
    g_autoptr(Sheet) rows = rows_sheet(r, rivalries), ranges = ranges_sheet(rivalries),
                     growth = crossover_growth_sheet(rivalries), notes = report_remarks_sheet(r, NULL);
    answer_sheets(answer, "crossover", (const Sheet *const[]){rows, ranges, growth, notes}, 4);
}
