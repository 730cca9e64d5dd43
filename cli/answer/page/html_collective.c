// The sections of a report about one collective.
#include "answer/search/best.h"
#include "answer/page/html_parts.h"
#include "answer/advice/regret_answer.h"
#include "answer/report/report.h"
#include "base/units.h"
#include "figure/winners.h"
#include "engine/schedule/parse.h"
#include "engine/trace/space_time.h"
#include <stdlib.h>
#include <string.h>

enum { TEXT_COLUMNS = 96, WORST = 5 };

static const char *name_of(const HtmlCollective *x)
{
    return collectives[x->collective].name;
}

// Adds "Not drawn: WHY" and clears the error.
static void add_missing(Html *page, const char *what, GError **error)
{
    g_autofree char *text = g_strdup_printf("%s: %s.", what, *error ? (*error)->message : "nothing to show");
    html_text(page, text);
    g_clear_error(error);
}

// ---- Text that functions write to a file ----------------------------------------------------------------------------

// A file in memory.
typedef struct Memo {
    FILE *to;
    char *text;
    size_t length;
} Memo;

static void memo_open(Memo *memo)
{
    memo->to = open_memstream(&memo->text, &memo->length);
    g_assert(memo->to);
}

// Returns what was written. Free with g_string_free.
static GString *memo_close(Memo *memo)
{
    fclose(memo->to);
    GString *text = g_string_new_len(memo->text, (gssize)memo->length);
    free(memo->text);
    return text;
}

// Adds the rows of a sheet to tables (Csv *). Returns FALSE and an error if there are none.
static gboolean add_table(GPtrArray *tables, const Sheet *sheet, GError **error)
{
    Memo memo;
    memo_open(&memo);
    sheet_csv(sheet, memo.to);
    g_autoptr(GString) text = memo_close(&memo);
    Csv *csv = csv_parse(text->str, text->len, "rows", error);
    if (csv)
        g_ptr_array_add(tables, csv);
    return csv != NULL;
}

// ---- Who wins -------------------------------------------------------------------------------------------------------

// Returns "8", or "8 to 4K" for sizes from `first` to `last`. Free with g_free.
static char *sizes_text(size_t first, size_t last)
{
    g_autofree char *one = units_format_size(first), *two = units_format_size(last);
    return first == last ? g_steal_pointer(&one) : g_strdup_printf("%s to %s", one, two);
}

// Returns the end of the contests from `first` on that have the same winner on the same ranks, and rising sizes.
static guint reign_end(const GPtrArray *contests, guint first)
{
    const Contest *before = contests->pdata[first], *x;
    const Point *winner = html_report_winner(before);
    g_autofree char *choice = winner ? point_choice(winner) : NULL;
    guint end = first + 1;
    for (; end < contests->len; end++, before = x) {
        x = contests->pdata[end];
        winner = html_report_winner(x);
        g_autofree char *other = winner ? point_choice(winner) : NULL;
        if (x->p != before->p || x->per_node != before->per_node || x->m <= before->m || g_strcmp0(choice, other) != 0)
            break;
    }
    return end;
}

// Adds a table of who wins with which parameters, with a row for neighbouring sizes that have the same winner.
static void add_reigns(const HtmlReport *x, const HtmlCollective *of)
{
    static const HtmlCell head[] = {{"ranks"}, {"bytes"}, {"fastest, with its parameters"}, {"time", HTML_NUMBER}};
    html_table(x->page, "The fastest algorithm on each number of ranks, with the parameters that make it the fastest",
               head, G_N_ELEMENTS(head));
    for (guint first = 0, end; first < of->contests->len; first = end) {
        end = reign_end(of->contests, first);
        const Contest *from = of->contests->pdata[first], *to = of->contests->pdata[end - 1];
        const Point *winner = html_report_winner(from);
        g_autofree char *ranks = units_format_ranks(from->p, from->per_node), *sizes = sizes_text(from->m, to->m),
                        *choice = winner ? point_choice(winner) : NULL;
        g_autofree char *least = winner ? units_format_time(winner->time_s) : NULL,
                        *most = winner ? units_format_time(html_report_winner(to)->time_s) : NULL;
        g_autofree char *times =
            !winner || end == first + 1 ? g_strdup(least) : g_strdup_printf("%s to %s", least, most);
        const HtmlCell cell[] = {{ranks},
                                 {of->collective == COLL_BARRIER ? "" : sizes},
                                 {choice ? choice : "none can run"},
                                 {times, HTML_NUMBER}};
        html_row(x->page, NULL, NULL, cell, G_N_ELEMENTS(cell));
    }
    html_table_end(x->page);
}

static void add_winners(const HtmlReport *x, const HtmlCollective *of)
{
    g_autoptr(GError) error = NULL;
    html_section(x->page, 3, NULL, "Who wins where");
    html_text(x->page, "Each algorithm has the parameters, such as the size of segments, that are best for it at each "
                       "number of ranks and each size.");
    g_autoptr(Sheet) rows = best_rows(&of->request, of->contests, of->regret);
    g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func((GDestroyNotify)csv_free);
    g_autoptr(WinnerMap) map = add_table(tables, rows, &error) ? winner_map_read(tables, &error) : NULL;
    if (map && x->pictures) {
        g_autoptr(FigureGrid) grid = winner_map_grid(map);
        if (!canvas_html(figure_grid_canvas(grid, NULL), x->page,
                         "The more the second lags behind, the stronger is the colour; a place is hatched if two "
                         "algorithms tie.",
                         &error))
            add_missing(x->page, "Not drawn", &error);
    } else if (map) {
        Memo memo;
        memo_open(&memo);
        winner_map_print(map, NULL, TEXT_COLUMNS, memo.to);
        g_autoptr(GString) text = memo_close(&memo);
        html_pre(x->page, NULL, text->str);
    } else {
        add_missing(x->page, "Not drawn", &error);
    }
    add_reigns(x, of);
    g_autofree char *left_out = contest_left_out(of->contests, of->contests->len);
    g_autofree char *sentence = left_out ? g_strdup_printf("Left out: %s.", left_out) : NULL;
    if (sentence)
        html_text(x->page, sentence);
    g_autofree char *searched = contest_searched(of->contests),
                    *considered = g_strdup_printf("Searched: %s.", searched);
    html_text(x->page, considered);
    const char *const name = name_of(of);
    g_autofree char *start = g_strdup_printf("best %s", name),
                    *end = g_strdup_printf("--top 2 -f csv -o winners-%s.csv", name);
    g_autofree char *command = html_report_command(&of->asked, start, end);
    g_autofree char *lines =
        g_strdup_printf("%s\ncollsim plot winners-%s.csv --map -o winners-%s.svg", command, name, name);
    html_command(x->page, lines);
}

// ---- How near the bound ---------------------------------------------------------------------------------------------

// Returns the largest number of ranks as -p takes it. Free with g_free.
static char *most_ranks(const Question *q)
{
    guint most = 0;
    for (guint i = 1; i < q->ranks->len; i++)
        if (g_array_index(q->ranks, size_t, i) > g_array_index(q->ranks, size_t, most))
            most = i;
    return units_format_ranks((int)g_array_index(q->ranks, size_t, most),
                              q->per_node ? g_array_index(q->per_node, int, most) : 0);
}

// Returns the contests on this number of ranks; all of them if `ranks` is NULL. Free with g_ptr_array_unref.
static GPtrArray *contests_of(const HtmlCollective *of, const char *ranks)
{
    GPtrArray *found = g_ptr_array_new();
    for (guint i = 0; i < of->contests->len; i++) {
        const Contest *x = of->contests->pdata[i];
        g_autofree char *text = units_format_ranks(x->p, x->per_node);
        if (!ranks || strcmp(text, ranks) == 0)
            g_ptr_array_add(found, of->contests->pdata[i]);
    }
    return found;
}

// Returns rows of what the library runs by default; NULL and an error if there are none. Free with sheet_free.
static Sheet *default_rows(const HtmlCollective *of, const RequestOptions *asked, const char *library, GError **error)
{
    g_autofree char *name = g_strdup(name_of(of)), *usual = g_strconcat(library, ":auto", NULL);
    char *words[] = {name, usual, NULL};
    RequestOptions o = *asked;
    g_auto(Request) r = {.question.collective = of->collective, .known = of->request.known};
    o.only = NULL;
    o.libraries = TRUE;
    if (!ask_operation(words, &o, &r, error) || !ask_machine(&o, &r, error))
        return NULL;
    g_autoptr(GPtrArray) points = points_make(&r, error);
    for (guint i = 0; points && i < points->len; i++)
        if (!point_run(points->pdata[i], &r, error))
            return NULL;
    if (!points || !points_any(points, error))
        return NULL;
    Sheet *rows = report_run_sheet(&r, FALSE);
    report_run_rankings(rows, &r, points);
    return rows;
}

// Returns the names of the algorithms that win somewhere, joined by commas. Free with g_free.
static char *winners_text(const GPtrArray *contests)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < contests->len; i++) {
        const Point *const winner = html_report_winner(contests->pdata[i]);
        if (winner && !g_ptr_array_find(names, algorithm_entry(winner->algorithm)->name, NULL))
            g_ptr_array_add(names, (gpointer)(uintptr_t)algorithm_entry(winner->algorithm)->name);
    }
    g_ptr_array_add(names, NULL);
    return g_strjoinv(",", (char **)names->pdata);
}

// Finds the times of these algorithms at all points, so that their curves begin and end nowhere else. Returns NULL and an
// error if they cannot be found. Free with g_ptr_array_unref.
static GPtrArray *whole_contests(const HtmlCollective *of, const RequestOptions *o, const char *names, Request *r,
                                 GError **error)
{
    r->question.collective = of->collective;
    r->known = of->request.known;
    if (!ask_only(o, &r->library, error) || !ask_algorithms(names, r, error) || !ask_points(o, r, error) ||
        !ask_machine(o, r, error))
        return NULL;
    question_keep(&r->question);
    g_autoptr(GPtrArray) contests = contest_make_all(r, 1, error);
    return contests && contest_run_all(contests, NULL, NULL, error) ? g_steal_pointer(&contests) : NULL;
}

// Draws times, or times divided by the bound, over sizes, or over ranks if there is one size.
static void draw_curves(const HtmlReport *x, GPtrArray *tables, gboolean by_size, gboolean bounded, GError **error)
{
    const FigureChoice choice = {FALSE, NULL};
    g_autoptr(Figure) figure = figure_read(tables, by_size ? FIGURE_X_SIZE : FIGURE_X_RANKS,
                                           bounded ? FIGURE_Y_X_BOUND : FIGURE_Y_TIME, NULL, &choice, error);
    if (figure)
        canvas_html(figure_canvas(figure, &choice, NULL), x->page,
                    bounded ? "Time divided by the lower bound, which is 1: lower is better" : "Times: lower is better",
                    error);
}

// Adds the commands that make the picture and the bounds.
static void add_curve_commands(const HtmlReport *x, const HtmlCollective *of, const RequestOptions *o,
                               const char *winners, gboolean by_default, gboolean by_size, gboolean bounded)
{
    const char *const name = name_of(of);
    GString *lines = g_string_new(NULL);
    if (by_default) {
        RequestOptions usual = *o;
        usual.only = NULL;
        g_autofree char *start = g_strdup_printf("run %s %s:auto", name, x->options->only),
                        *end = g_strdup_printf("-f csv -o default-%s.csv", name),
                        *command = html_report_command(&usual, start, end);
        g_string_append_printf(lines, "%s\n", command);
    }
    g_autofree char *best = g_strdup_printf("best %s %s", name, winners),
                    *end = g_strdup_printf("--top 1 -f csv -o times-%s.csv", name),
                    *command = html_report_command(o, best, end);
    g_string_append_printf(lines, "%s\ncollsim plot", command);
    if (by_default)
        g_string_append_printf(lines, " default-%s.csv", name);
    g_string_append_printf(lines, " times-%s.csv -x %s%s -o times-%s.svg", name, by_size ? "size" : "p",
                           bounded ? " --y x-bound" : "", name);
    if (bounded) {
        g_autofree char *bound = g_strdup_printf("bound %s", name),
                        *bounds = html_report_command(&of->asked, bound, "");
        g_string_append_printf(lines, "\n%s", bounds);
    }
    html_command(x->page, lines->str);
    g_string_free(lines, TRUE);
}

// Adds how near the default, and the algorithms that win somewhere, come to the bound on the most ranks; where no bound is
// known, adds their times.
static void add_curves(const HtmlReport *x, const HtmlCollective *of)
{
    static const SheetView bounds[] = {{"ranks"},       {"bytes"}, {"choice", "fastest"}, {"time_s"}, {"x_bound"},
                                       {"certificate"}, {NULL}},
                           times[] = {{"ranks"}, {"bytes"}, {"choice", "fastest"}, {"time_s"}, {"certificate"}, {NULL}};
    const gboolean by_size = of->request.question.sizes->len > 1, bounded = request_has_bound(&of->request);
    RequestOptions o = of->asked;
    g_autofree char *most = most_ranks(&of->request.question);
    g_autoptr(GPtrArray) contests = contests_of(of, by_size ? most : NULL);
    if (by_size)
        o.ranks = most;
    html_section(x->page, 3, NULL, bounded ? "How near the best possible" : "Times");
    html_text(x->page, bounded
                           ? "The lower bound is a time that no algorithm of messages can beat. It is the largest of "
                             "the bounds on latency, on bandwidth and on reduction, which may not be reachable "
                             "together; so the best possible time may be above it."
                           : "No lower bound is known under this model.");
    g_autoptr(GError) none = NULL;
    g_autofree char *names = winners_text(contests);
    g_auto(Request) r = {.known = NULL};
    g_autoptr(GPtrArray) whole = x->pictures ? whole_contests(of, &o, names, &r, &none) : NULL;
    g_autoptr(Sheet) usual = x->options->only ? default_rows(of, &o, x->options->only, NULL) : NULL,
                     rows = whole ? best_rows(&r, whole, NULL) : NULL, winners = NULL;
    if (usual) {
        g_autofree char *text = g_strdup_printf("%s:auto is what %s runs by default.", x->options->only,
                                                x->library.library.only->library->title);
        html_text(x->page, text);
    }
    g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func((GDestroyNotify)csv_free);
    if (rows && (!usual || add_table(tables, usual, &none)) && add_table(tables, rows, &none))
        draw_curves(x, tables, by_size, bounded, &none);
    if (none)
        add_missing(x->page, "Not drawn", &none);
    winners = best_winners(&of->request, contests);
    html_sheet(x->page, winners, bounded ? bounds : times, 0, sheet_rows(winners),
               by_size ? "The fastest algorithm at each size" : "The fastest algorithm on each number of ranks");
    add_curve_commands(x, of, &o, names, usual != NULL, by_size, bounded);
}

// ---- The default ----------------------------------------------------------------------------------------------------

static void add_regret(const HtmlReport *x, const HtmlCollective *of)
{
    if (!of->regret)
        return;
    g_autofree char *heading = g_strdup_printf("What the default of %s costs", x->library.library.only->library->title);
    html_section(x->page, 3, NULL, heading);
    if (of->regret->known == 0) {
        html_text(x->page, "What it runs by default is not known at any point of the grid.");
        return;
    }
    html_text(x->page,
              "x is the time of what the library runs by default, divided by that of the best that it can be told "
              "to run. A cliff is a pair of neighbours whose x differ by a factor of 1.5 or more.");
    g_autoptr(GError) error = NULL;
    g_autoptr(FigureGrid) map = regret_map(of->regret, &x->library, &error);
    if (map && !x->pictures) {
        Memo memo;
        memo_open(&memo);
        regret_print(map, memo.to);
        g_autoptr(GString) text = memo_close(&memo);
        html_pre(x->page, NULL, text->str);
    } else if (!map || !canvas_html(figure_grid_canvas(map, NULL), x->page,
                                    "x over sizes and ranks; thick lines are cliffs", &error)) {
        add_missing(x->page, "Not drawn", &error);
    }
    regret_html(x->page, &x->library, of->regret, WORST);
    g_autofree char *start = g_strdup_printf("regret %s %s", x->options->only, name_of(of));
    g_autofree char *end = g_strdup_printf("--draw regret-%s.svg", name_of(of));
    RequestOptions o = *x->options;
    o.only = NULL;
    o.sizes = of->asked.sizes;
    o.root = of->asked.root;
    g_autofree char *command = html_report_command(&o, start, end);
    html_command(x->page, command);
}

// ---- Schedules ------------------------------------------------------------------------------------------------------

// Returns the command that traces a point. Free with g_free.
static char *trace_command(const HtmlCollective *of, const RequestOptions *o, const Point *point, guint number)
{
    g_autoptr(GString) start = g_string_new(NULL);
    g_string_printf(start, "trace %s %s", name_of(of), point->algorithm->name);
    g_autofree char *text = point_params(point, FALSE);
    g_auto(GStrv) params = g_strsplit(text, ";", -1);
    for (char **w = params; *w; w++)
        if (**w)
            g_string_append_printf(start, " --param %s", *w);
    g_autofree char *end = g_strdup_printf("-o %s-%u.svg", name_of(of), number);
    RequestOptions run = *o;
    run.only = NULL;
    run.ordered = FALSE;
    g_autofree char *size = g_strdup_printf("%zu", point->m);
    run.sizes = size;
    return html_report_command(&run, start->str, end);
}

// Adds the space-time picture of the algorithm that wins at a point.
static gboolean add_schedule(const HtmlReport *x, const HtmlCollective *of, const Point *best, Request *r,
                             const RequestOptions *o, guint number, GError **error)
{
    const LedgerWish all = {.ranks = NULL};
    r->machine.options.ledger = &all;
    Point *point = point_make(r, best->algorithm, &best->par, best->p, best->per_node, best->m, best->root, error);
    const gboolean good = point && point_run(point, r, error);
    if (good && point_timed(point) && point->prediction->ledger) {
        Memo memo;
        memo_open(&memo);
        g_autoptr(Trace) trace = trace_new(point->prediction->ledger, point->time_s,
                                           request_mapping(&r->machine, point->p, point->per_node), &all);
        g_autofree char *name = point_name(point), *time = units_format_time(point->time_s);
        g_autofree char *title = g_strdup_printf("%s %s: %s", name_of(of), name, time);
        g_autofree char *caption =
            g_strdup_printf("%s. Ranks go down and time goes across; bands are messages, dark bars "
                            "reductions, hatched bars waiting, and the strong line is the critical "
                            "path.",
                            title);
        space_time_write(trace, title, memo.to);
        g_autoptr(GString) picture = memo_close(&memo);
        html_picture(x->page, picture, caption);
        g_autofree char *command = trace_command(of, o, point, number);
        html_command(x->page, command);
    }
    point_free(point);
    r->machine.options.ledger = NULL;
    return good;
}

// Draws who wins on a few ranks at the smallest and at the largest size, once if it is the same algorithm.
static gboolean add_schedules(const HtmlReport *x, const HtmlCollective *of, GError **error)
{
    enum { FEW = 8 };
    html_section(x->page, 3, NULL, "How the winners work");
    RequestOptions o = of->asked;
    const GArray *sizes = of->request.question.sizes;
    g_autofree char *ranks = g_strdup(of->request.question.per_node ? "2x4" : "8"), *why = NULL;
    g_autofree char *ends =
        g_strdup_printf("%zu,%zu", g_array_index(sizes, size_t, 0), g_array_index(sizes, size_t, sizes->len - 1));
    o.ranks = ranks;
    o.sizes = ends;
    if (of->request.question.root >= FEW) // it is not among them
        o.root = NULL;
    g_auto(Request) r = {.known = of->request.known};
    g_autoptr(GPtrArray) contests = html_report_contests(of->collective, &o, 1, &r, &why, error);
    if (!contests && !why)
        return FALSE;
    const CollAlgorithm *last = NULL;
    guint drawn = 0;
    for (guint i = 0; contests && i < contests->len; i++) {
        const Point *best = html_report_winner(contests->pdata[i]);
        if (!best || best->algorithm == last)
            continue;
        last = best->algorithm;
        if (!add_schedule(x, of, best, &r, &o, ++drawn, error))
            return FALSE;
    }
    if (!drawn)
        html_text(x->page, why ? why : "No algorithm can run on so few ranks.");
    return TRUE;
}

// ---- All ------------------------------------------------------------------------------------------------------------

static void add_claims(const HtmlReport *x, const HtmlCollective *of)
{
    if (!of->audit)
        return;
    const HtmlClaims verdicts = {.page = x->page, .audit = of->audit};
    html_section(x->page, 3, NULL, "What is claimed of it");
    html_claims_table(&verdicts, NULL, (int)of->collective, "Published costs, judged by simulation");
    g_autofree char *command = g_strdup_printf("collsim audit --collective %s", name_of(of));
    html_command(x->page, command);
}

gboolean html_report_collective(const HtmlReport *x, HtmlCollective *of, GError **error)
{
    html_section(x->page, 2, of->id, name_of(of));
    if (of->contests) {
        add_winners(x, of);
        add_regret(x, of);
        add_curves(x, of);
        if (!add_schedules(x, of, error))
            return FALSE;
    } else {
        g_autofree char *text = g_strdup_printf("No times: %s.", of->why);
        html_text(x->page, text);
        add_regret(x, of);
    }
    add_claims(x, of);
    return TRUE;
}
