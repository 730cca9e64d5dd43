// The sections of a report about one collective.
#include "answer/html_report.h"
#include "answer/regret.h"
#include "answer/report.h"
#include "base/units.h"
#include "figure/winners.h"
#include "out/gnuplot.h"
#include "out/picture.h"
#include "schedule/names.h"
#include "trace/space_time.h"
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

// Returns a sheet as a table of one CSV; it is empty if the sheet is. Free with g_ptr_array_unref.
static GPtrArray *tables_of(const Sheet *sheet, GError **error)
{
    Memo memo;
    memo_open(&memo);
    sheet_csv(sheet, memo.to);
    g_autoptr(GString) text = memo_close(&memo);
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)csv_free);
    Csv *csv = csv_parse(text->str, text->len, "rows", error);
    if (csv)
        g_ptr_array_add(tables, csv);
    return tables;
}

// Draws with gnuplot, and adds the picture or why there is none.
static void add_drawing(const HtmlReport *x, const char *script, const char *setup, const GString *data,
                        const char *title)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) picture = gnuplot_draw(script, setup, data, &error);
    if (!picture) {
        add_missing(x->page, "Not drawn", &error);
        return;
    }
    picture_finish(picture, "svg", title);
    html_picture(x->page, picture, title);
}

// ---- Who wins -------------------------------------------------------------------------------------------------------

// Returns the command that makes the rows from which a picture is drawn, and the one that draws it. Free with g_free.
static char *plot_commands(const HtmlCollective *of, const RequestOptions *o, const char *file, const char *how)
{
    g_autofree char *start = g_strdup_printf("run %s all", name_of(of));
    g_autofree char *end = g_strdup_printf("-f csv -o %s-%s.csv", file, name_of(of));
    g_autofree char *command = html_report_command(o, start, end);
    return g_strdup_printf("%s\ncollsim plot %s-%s.csv %s -o %s-%s.svg", command, file, name_of(of), how, file,
                           name_of(of));
}

static void add_winners(const HtmlReport *x, const HtmlCollective *of, const Sheet *rows)
{
    g_autoptr(GError) error = NULL;
    html_section(x->page, 3, NULL, "Who wins where");
    html_text(x->page, "All algorithms have their default parameters here.");
    g_autoptr(GPtrArray) tables = tables_of(rows, &error);
    g_autoptr(WinnerMap) map = tables->len ? winner_map_read(tables, &error) : NULL;
    if (map && x->pictures) {
        g_autoptr(FigureGrid) grid = winner_map_grid(map);
        g_autofree char *setup = figure_grid_setup(grid, "svg", NULL);
        g_autoptr(GString) data = figure_grid_data(grid);
        add_drawing(x, "grid.gp", setup, data, grid->title);
    } else if (map) {
        Memo memo;
        memo_open(&memo);
        winner_map_print(map, NULL, TEXT_COLUMNS, memo.to);
        g_autoptr(GString) text = memo_close(&memo);
        html_pre(x->page, NULL, text->str);
    } else {
        add_missing(x->page, "Not drawn", &error);
    }
    g_autofree char *lines = plot_commands(of, &of->asked, "winners", "--map");
    html_command(x->page, lines);
}

// ---- Curves ---------------------------------------------------------------------------------------------------------

// Returns the largest number of ranks as -p takes it. Free with g_free.
static char *most_ranks(const Request *r)
{
    guint most = 0;
    for (guint i = 1; i < r->ranks->len; i++)
        if (g_array_index(r->ranks, size_t, i) > g_array_index(r->ranks, size_t, most))
            most = i;
    const size_t p = g_array_index(r->ranks, size_t, most);
    const int k = r->per_node ? g_array_index(r->per_node, int, most) : 0;
    return k ? g_strdup_printf("%zux%d", p / (size_t)k, k) : g_strdup_printf("%zu", p);
}

// Draws the times of all algorithms: over sizes on the most ranks, or over ranks if there is one size.
static void draw_curves(const HtmlReport *x, const Sheet *rows, gboolean by_size, GError **error)
{
    g_autoptr(GPtrArray) tables = tables_of(rows, error);
    const FigureChoice choice = {FALSE, NULL};
    g_autoptr(Figure) figure =
        tables->len ? figure_read(tables, by_size ? FIGURE_X_SIZE : FIGURE_X_RANKS, FIGURE_Y_TIME, NULL, &choice, error)
                    : NULL;
    if (!figure)
        return;
    g_autofree char *title = figure_title(figure, figure->panels->pdata[0], 1000, LETTERS_CELLS),
                    *setup = figure_setup(figure, &choice, "svg", NULL, 0, 0);
    g_autoptr(GString) data = figure_data(figure);
    add_drawing(x, "lines.gp", setup, data, title);
}

static gboolean add_curves(const HtmlReport *x, const HtmlCollective *of, GError **error)
{
    static const SheetView view[] = {{"ranks"}, {"bytes"}, {"ranking"}, {"algorithm"}, {"time_s"}, {"x_best"}, {NULL}};
    const gboolean by_size = of->request.sizes->len > 1;
    RequestOptions o = of->asked;
    g_autofree char *most = most_ranks(&of->request), *why = NULL;
    g_auto(Request) r = {0};
    html_section(x->page, 3, NULL, "Times");
    if (by_size)
        o.ranks = most;
    g_autoptr(GError) none = NULL;
    g_autoptr(GPtrArray) points = html_report_run(of->collective, &o, &r, &why, error);
    if (!points && !why)
        return FALSE;
    g_autoptr(Sheet) rows = report_run_sheet(&r);
    if (points)
        report_run_rankings(rows, &r, points);
    if (points && x->pictures)
        draw_curves(x, rows, by_size, &none);
    else
        html_sheet(x->page, rows, view, 0, sheet_rows(rows), "Parameters are at their defaults");
    if (none)
        add_missing(x->page, "Not drawn", &none);
    g_autofree char *lines = plot_commands(of, &o, "times", by_size ? "-x size" : "-x p");
    html_command(x->page, lines);
    return TRUE;
}

// ---- The default ----------------------------------------------------------------------------------------------------

static void add_regret(const HtmlReport *x, const HtmlCollective *of)
{
    if (!of->regret)
        return;
    g_autofree char *heading = g_strdup_printf("What the default of %s costs", x->library.only->library->title);
    html_section(x->page, 3, NULL, heading);
    html_text(x->page,
              "x is the time of what the library runs by default, divided by that of the best that it can be told "
              "to run. A cliff is a pair of neighbours whose x differ by a factor of 1.5 or more.");
    g_autoptr(GError) error = NULL;
    Memo memo;
    memo_open(&memo);
    const gboolean done = x->pictures ? regret_draw(of->regret, &x->library, "svg", memo.to, &error)
                                      : regret_print(of->regret, &x->library, memo.to, &error);
    g_autoptr(GString) drawn = memo_close(&memo);
    if (done && x->pictures)
        html_picture(x->page, drawn, "x over sizes and ranks; thick lines are cliffs");
    else if (done)
        html_pre(x->page, NULL, drawn->str);
    else
        add_missing(x->page, "Not drawn", &error);
    regret_html(x->page, &x->library, of->regret, WORST);
    g_autofree char *start = g_strdup_printf("regret %s %s", x->options->only, name_of(of));
    g_autofree char *end = g_strdup_printf("--draw regret-%s.svg", name_of(of));
    RequestOptions o = *x->options;
    o.only = NULL;
    g_autofree char *command = html_report_command(&o, start, end);
    html_command(x->page, command);
}

// ---- Bounds ---------------------------------------------------------------------------------------------------------

// Adds how near the fastest algorithm comes at each point.
static void add_bounds(const HtmlReport *x, const HtmlCollective *of)
{
    static const SheetView view[] = {{"ranks"},   {"bytes"},       {"algorithm"}, {"time_s"},
                                     {"x_bound"}, {"certificate"}, {NULL}};
    g_autoptr(Sheet) rows = report_run_sheet(&of->request);
    html_section(x->page, 3, NULL, "What no algorithm can beat");
    html_text(x->page,
              "x bound is the time of the fastest algorithm divided by a lower bound that holds for all algorithms; it "
              "is empty where no bound is known.");
    for (guint first = 0, end; first < of->points->len; first = end) {
        const Point *fastest = html_report_fastest(of->points, first, &end);
        if (fastest)
            report_run_point(rows, &of->request, fastest);
    }
    html_sheet(x->page, rows, view, 0, sheet_rows(rows), "The fastest algorithm at each point");
    RequestOptions o = of->asked;
    if (of->request.model != &hockney_model) {
        html_text(x->page, "Bounds are known under the model hockney only.");
        return;
    }
    g_autofree char *start = g_strdup_printf("bound %s", name_of(of)), *command = html_report_command(&o, start, "");
    html_text(x->page, "The bounds themselves, against the best parameters:");
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
    r->options.ledger = &all;
    Point *point = point_make(r, best->algorithm, &best->asked, best->p, best->per_node, best->m, best->root, error);
    const gboolean good = point && point_run(point, r, error);
    if (good && point_timed(point) && point->prediction->ledger) {
        Memo memo;
        memo_open(&memo);
        g_autoptr(Trace) trace =
            trace_new(point->prediction->ledger, point->time_s, request_mapping(r, point->p, point->per_node), &all);
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
    r->options.ledger = NULL;
    return good;
}

// Draws who wins on a few ranks at the smallest and at the largest size, once if it is the same algorithm.
static gboolean add_schedules(const HtmlReport *x, const HtmlCollective *of, GError **error)
{
    html_section(x->page, 3, NULL, "How the winners work");
    RequestOptions o = of->asked;
    const GArray *sizes = of->request.sizes;
    g_autofree char *ranks = g_strdup(of->request.per_node ? "2x4" : "8"), *why = NULL;
    g_autofree char *ends =
        g_strdup_printf("%zu,%zu", g_array_index(sizes, size_t, 0), g_array_index(sizes, size_t, sizes->len - 1));
    o.ranks = ranks;
    o.sizes = ends;
    g_auto(Request) r = {0};
    g_autoptr(GPtrArray) points = html_report_run(of->collective, &o, &r, &why, error);
    if (!points && !why)
        return FALSE;
    const CollAlgorithm *last = NULL;
    guint drawn = 0;
    for (guint first = 0, end; points && first < points->len; first = end) {
        const Point *best = html_report_fastest(points, first, &end);
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
    guint n = 0;
    for (guint i = 0; x->audit && i < x->audit->results->len; i++)
        n += g_array_index(x->audit->results, Audited, i).claim->collective == of->collective;
    if (!n)
        return;
    html_section(x->page, 3, NULL, "What is claimed of it");
    html_claims_table(&x->verdicts, NULL, (int)of->collective, "Published costs, judged by simulation");
    g_autofree char *command = g_strdup_printf("collsim audit --collective %s", name_of(of));
    html_command(x->page, command);
}

gboolean html_report_collective(const HtmlReport *x, HtmlCollective *of, GError **error)
{
    html_section(x->page, 2, of->id, name_of(of));
    if (of->points) {
        g_autoptr(Sheet) rows = report_run_sheet(&of->request);
        report_run_rankings(rows, &of->request, of->points);
        add_winners(x, of, rows);
        if (!add_curves(x, of, error))
            return FALSE;
        add_bounds(x, of);
        if (!add_schedules(x, of, error))
            return FALSE;
    } else {
        g_autofree char *text = g_strdup_printf("No times: %s.", of->why);
        html_text(x->page, text);
    }
    add_regret(x, of);
    add_claims(x, of);
    return TRUE;
}
