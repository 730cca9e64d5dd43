#include "answer/measurements/site_answer.h"
#include "out/wrap.h"
#include <math.h>
#include <string.h>

// Returns a figure as people write it. The rates of SI units are times in a machine. Free with g_free.
static char *shown(const SiteFigure *f, double value)
{
    const PlatformUnit unit = f->key == KEY_MEMORY ? PLATFORM_BANDWIDTH : platform_keys[f->key].unit;
    if (isnan(value))
        return g_strdup("");
    if (unit == PLATFORM_BANDWIDTH || unit == PLATFORM_FREQUENCY)
        return value > 0 ? figure_text(unit, 1 / value) : g_strdup("0");
    return figure_text(unit == PLATFORM_TIMES ? PLATFORM_TIME : unit, value);
}

static void fill(Sheet *sheet, const char *column, const SiteFigure *f, double value)
{
    sheet_number(sheet, column, value);
    sheet_show(sheet, column, shown(f, value));
}

static Sheet *figures_sheet(const SiteLogs *site)
{
    Sheet *sheet =
        sheet_new("rows", (const char *const[]){"figure", "value", "low", "high", "text", "source", "missing", NULL});
    for (guint i = 0; i < site->figures->len; i++) {
        const SiteFigure *const f = &g_array_index(site->figures, SiteFigure, i);
        sheet_row(sheet);
        sheet_text(sheet, "figure", f->name);
        sheet_number(sheet, "value", f->value);
        fill(sheet, "low", f, f->low);
        fill(sheet, "high", f, f->high);
        sheet_take(sheet, "text", shown(f, f->value));
        sheet_text(sheet, "source", f->source);
        sheet_text(sheet, "missing", f->missing);
    }
    return sheet;
}

// Returns what a table was taken for: "one@far", "nic". Free with g_free.
static char *taken_for(const SiteTable *t, const Levels *levels)
{
    const char *const use = site_logs_use_names[t->use];
    return site_logs_has_level(t->use) ? g_strdup_printf("%s@%s", use, levels->at[t->level].name) : g_strdup(use);
}

static void add_table(Sheet *sheet, const SiteFile *file, const SiteTable *t, const Levels *levels)
{
    const LogBenchmark *const b = t->benchmark;
    sheet_row(sheet);
    sheet_text(sheet, "file", file->name);
    sheet_count(sheet, "line", b ? b->line : t->first->line);
    sheet_take(sheet, "taken_for", taken_for(t, levels));
    sheet_text(sheet, "because", t->why);
    sheet_text(sheet, "benchmark", b ? b->title : t->log->format);
    sheet_text(sheet, "datatype", b ? b->datatype : NULL);
    sheet_text(sheet, "launch", t->launch.text);
    if (t->launch.ranks)
        sheet_count(sheet, "ranks", t->launch.ranks);
    if (t->launch.per_node)
        sheet_count(sheet, "per_node", t->launch.per_node);
    sheet_text(sheet, "mpi", t->log->mpi);
}

static Sheet *files_sheet(const SiteLogs *site, const Levels *levels)
{
    Sheet *sheet = sheet_new("files", (const char *const[]){"file", "line", "taken_for", "because", "benchmark",
                                                            "datatype", "launch", "ranks", "per_node", "mpi", NULL});
    for (guint i = 0, k = 0; i < site->files->len; i++) {
        const SiteFile *const file = &g_array_index(site->files, SiteFile, i);
        if (!file->log) {
            sheet_row(sheet);
            sheet_text(sheet, "file", file->name);
            sheet_text(sheet, "taken_for", "not read");
            sheet_text(sheet, "because", file->fault);
        }
        for (; k < site->tables->len && g_array_index(site->tables, SiteTable, k).log == file->log; k++)
            add_table(sheet, file, &g_array_index(site->tables, SiteTable, k), levels);
    }
    return sheet;
}

static void fill_off(Sheet *sheet, const char *column, double off)
{
    sheet_number(sheet, column, off);
    sheet_show(sheet, column, g_strdup_printf("%+.1f %%", 100 * off));
}

static Sheet *checks_sheet(const GArray *checks)
{
    Sheet *sheet = sheet_new("checks", (const char *const[]){"file", "line", "collective", "ranks", "per_node",
                                                             "library", "decided", "rows", "median_off", "worst_off",
                                                             "worst_off_bytes", "missing", NULL});
    for (guint i = 0; i < checks->len; i++) {
        const SiteCheck *const c = &g_array_index(checks, SiteCheck, i);
        sheet_row(sheet);
        sheet_text(sheet, "file", c->table->log->name);
        sheet_count(sheet, "line", c->table->first->line);
        sheet_text(sheet, "collective", log_kind_name(c->table->first->kind, c->table->first->collective));
        if (c->ranks)
            sheet_count(sheet, "ranks", c->ranks);
        if (c->table->launch.per_node)
            sheet_count(sheet, "per_node", c->table->launch.per_node);
        sheet_text(sheet, "library", c->library);
        sheet_text(sheet, "decided", c->decided);
        sheet_text(sheet, "missing", c->missing);
        if (c->missing)
            continue;
        sheet_count(sheet, "rows", c->n);
        fill_off(sheet, "median_off", c->median);
        fill_off(sheet, "worst_off", c->worst);
        sheet_count(sheet, "worst_off_bytes", (int64_t)c->worst_bytes);
    }
    return sheet;
}

// Prints a title and, for each file that has it, a column, with the column that says why it is so unless `why` is NULL.
static void print_lines(FILE *to, const char *title, const Sheet *sheet, const char *column, const char *why)
{
    gboolean any = FALSE;
    for (guint i = 0; i < sheet_rows(sheet); i++) {
        g_autofree char *file = sheet_shown(sheet, i, "file"), *what = sheet_shown(sheet, i, column),
                        *because = why ? sheet_shown(sheet, i, why) : g_strdup("");
        g_autofree char *text = g_strdup_printf("%s: %s%s%s", file, what, *because ? ": " : "", because);
        if (!*what)
            continue;
        if (!any)
            fprintf(to, "\n%s\n", title);
        any = TRUE;
        wrap_print(to, "  ", text);
    }
}

// Says why checks have no prediction, once for those that follow each other with one reason.
static void print_unpredicted(FILE *to, const GArray *checks)
{
    const char *said = NULL;
    for (guint i = 0; i < checks->len; i++) {
        const char *const why = g_array_index(checks, SiteCheck, i).missing;
        g_autofree char *text = why && g_strcmp0(why, said) != 0 ? g_strdup_printf("not predicted: %s", why) : NULL;
        if (text)
            wrap_print(to, "  ", text);
        said = why;
    }
}

static void print_missing(FILE *to, const SiteLogs *site)
{
    for (guint i = 0; i < site->figures->len; i++) {
        const SiteFigure *const f = &g_array_index(site->figures, SiteFigure, i);
        if (!f->missing)
            continue;
        g_autofree char *value = shown(f, f->value);
        g_autofree char *text =
            g_strdup_printf("%s is not measured%s%s%s%s; what would measure it: %s", f->name, *value ? ", and is " : "",
                            value, f->source ? ", " : "", f->source ? f->source : "", f->missing);
        wrap_print(to, "", text);
    }
}

void site_report(const Answer *answer, const SiteLogs *site, const Levels *levels, const GArray *checks)
{
    static const SheetView figure_view[] = {{"figure"}, {"text"}, {"low"}, {"high"}, {NULL}},
                           check_view[] = {{"file"},      {"ranks"},           {"rows"}, {"median_off"},
                                           {"worst_off"}, {"worst_off_bytes"}, {NULL}};
    g_autoptr(Sheet) figures = figures_sheet(site), files = files_sheet(site, levels), held = checks_sheet(checks),
                     notes = sheet_notes(site->notes);
    FILE *const to = answer->to;
    if (answer->format != FORMAT_TABLE) {
        answer_sheets(answer, "calibrate", (const Sheet *const[]){figures, files, held, notes}, 4);
        return;
    }
    fprintf(to, "%u files%s%s\n\n", site->files->len, site->mpi ? ", " : "", site->mpi ? site->mpi : "");
    sheet_table(figures, figure_view, 0, sheet_rows(figures), "", to);
    fputc('\n', to);
    print_missing(to, site);
    print_lines(to, "what the files were taken for", files, "taken_for", "because");
    if (checks->len) {
        fputs("\nwhat no figure comes from: predicted, over what was measured\n\n", to);
        sheet_table(held, check_view, 0, sheet_rows(held), "  ", to);
        print_unpredicted(to, checks);
        print_lines(to, "what the library is predicted to run there", held, "decided", NULL);
    }
    for (guint i = 0; i < site->notes->len; i++) {
        if (!i)
            fputs("\nnotes\n", to);
        wrap_print(to, "  ", g_ptr_array_index(site->notes, i));
    }
}
