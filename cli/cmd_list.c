#include "ask/options.h"
#include "base/error.h"
#include "cli.h"
#include "out/answer.h"
#include "out/wrap.h"
#include "engine/plugin/plugin.h"
#include "registry/coverage.h"
#include "engine/schedule/parse.h"
#include <stdio.h>
#include <string.h>

// How many characters of parameters and of other names fit beside the names of entries, in 80 columns.
enum { PARAMS_FIT = 23, ALIASES_FIT = 27 };

// Returns a text of words, which it takes, cut after the last one that fits into a column of `fits` characters; `collsim
// show` prints all of them. Free with g_free.
static char *cut_words(char *words, size_t fits)
{
    g_autofree char *text = words;
    if (strlen(text) <= fits)
        return g_steal_pointer(&text);
    const char *space = g_strrstr_len(text, (gssize)fits - 2, " ");
    return g_strdup_printf("%.*s ..", space ? (int)(space - text) : 0, text);
}

// Returns the parameters with their defaults, joined by `separator`: "segment=0;chains=4". If `parts` is FALSE,
// parameters that are algorithms (the parts of a composition) come without the default, which `collsim show` prints.
// Free with g_free.
static char *default_params(const CollAlgorithm *a, const char *separator, gboolean parts)
{
    const CollParams defaults = algorithm_defaults(a);
    GString *s = g_string_new(NULL);
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        const gboolean shown = parts || param->kind != PARAM_ALGORITHM;
        g_autofree char *value = shown ? param_text(param, param_get(param, &defaults)) : g_strdup("");
        g_string_append_printf(s, "%s%s%s%s", i ? separator : "", param->name, *value ? "=" : "", value);
    }
    return g_string_free(s, FALSE);
}

// What is listed: the algorithms of a collective, or of all if it is N_COLLECTIVES; of a plugin if it is not NULL.
typedef struct Listed {
    Collective only;
    const Plugin *plugin;
} Listed;

static gboolean is_listed(const Listed *x, const CollAlgorithm *a)
{
    gboolean of_file = !x->plugin;
    for (int i = 0; x->plugin && x->plugin->entries[i]; i++)
        of_file |= x->plugin->entries[i] == a;
    return of_file && (x->only == N_COLLECTIVES || a->collective == x->only);
}

// Makes the sheet "rows" of algorithms. Free with sheet_free.
static Sheet *algorithms_sheet(const Listed *listed)
{
    Sheet *sheet = sheet_new(
        "rows", (const char *const[]){"collective", "algorithm", "params", "aliases", "cost", "summary", NULL});
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        if (!is_listed(listed, a))
            continue;
        sheet_row(sheet);
        sheet_text(sheet, "collective", collectives[a->collective].name);
        sheet_text(sheet, "algorithm", a->name);
        sheet_take(sheet, "params", default_params(a, ";", TRUE));
        sheet_take(sheet, "aliases", algorithm_aliases(a));
        sheet_text(sheet, "cost", a->cost);
        sheet_text(sheet, "summary", a->summary);
    }
    return sheet;
}

// Makes the sheet "parameters" of the same algorithms. Free with sheet_free.
static Sheet *parameters_sheet(const Listed *listed)
{
    Sheet *sheet = sheet_new("parameters",
                             (const char *const[]){"collective", "algorithm", "parameter", "default", "meaning", NULL});
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        const CollParams defaults = algorithm_defaults(a);
        for (int k = 0; is_listed(listed, a) && k < algorithm_n_params(a); k++) {
            sheet_row(sheet);
            sheet_text(sheet, "collective", collectives[a->collective].name);
            sheet_text(sheet, "algorithm", a->name);
            sheet_text(sheet, "parameter", a->params[k].name);
            sheet_take(sheet, "default", param_text(&a->params[k], param_get(&a->params[k], &defaults)));
            sheet_text(sheet, "meaning", a->params[k].help);
        }
    }
    return sheet;
}

static void print_algorithms(FILE *to, const Listed *listed)
{
    static const SheetView view[] = {{"choice", "collective"}, {"params", "parameters"}, {"aliases"}, {NULL}};
    g_autoptr(Sheet) sheet = sheet_new("rows", (const char *const[]){"choice", "params", "aliases", NULL});
    int n = 0;
    Collective last = N_COLLECTIVES;
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        if (!is_listed(listed, a))
            continue;
        n++;
        if (a->collective != last) {
            last = a->collective;
            sheet_row(sheet);
            sheet_text(sheet, "choice", collectives[a->collective].name);
        }
        sheet_row(sheet);
        sheet_take(sheet, "choice", g_strdup_printf("  %s", a->name));
        sheet_take(sheet, "params", cut_words(default_params(a, " ", FALSE), PARAMS_FIT));
        sheet_take(sheet, "aliases", cut_words(algorithm_aliases(a), ALIASES_FIT));
    }
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
    fprintf(to, "\n%d algorithm%s; collsim show COLLECTIVE %s explains one\n", n, n == 1 ? "" : "s",
            listed->plugin ? listed->plugin->file : "ALGORITHM");
}

static void list_algorithms(const Answer *answer, const Listed *listed)
{
    if (answer->format == FORMAT_TABLE) {
        print_algorithms(answer->to, listed);
        return;
    }
    g_autoptr(Sheet) rows = algorithms_sheet(listed), parameters = parameters_sheet(listed);
    answer_sheets(answer, "list", (const Sheet *const[]){rows, parameters}, 2);
}

// The columns of coverage, by CoverColumn.
static const char *const cover_columns[] = {"ompi_41", "ompi_5", "ompi_main", "han",       "mpich", "simgrid",
                                            "ucc",     "libnbc", "intel",     "documents", NULL};
_Static_assert(G_N_ELEMENTS(cover_columns) == N_COVER_COLUMNS + 1, "a name for each column");

// Begins a row of coverage.
static void begin_covered(Sheet *sheet, Collective collective, const char *algorithm)
{
    sheet_row(sheet);
    sheet_text(sheet, "collective", collectives[collective].name);
    sheet_text(sheet, "algorithm", algorithm);
}

// Fills a cell of coverage. A table shows at most FITS characters of it.
static void fill_covered(Sheet *sheet, int column, const char *names)
{
    enum { FITS = 11 };
    sheet_text(sheet, cover_columns[column], names);
    if (strlen(names) > FITS)
        sheet_show(sheet, cover_columns[column], g_strdup_printf("%.*s..", FITS - 2, names));
}

// Adds a row for each entry of the collective, and counts in *have those that some source has. A table has the name in
// the column choice, below that of the collective.
static void add_covered(Sheet *sheet, Collective collective, gboolean table, int *have)
{
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        if (a->collective != collective)
            continue;
        gboolean any = FALSE;
        begin_covered(sheet, collective, a->name);
        if (table)
            sheet_take(sheet, "choice", g_strdup_printf("  %s", a->name));
        for (int k = 0; k < N_COVER_COLUMNS; k++) {
            g_autofree char *names = cover_cell(a, (CoverColumn)k);
            fill_covered(sheet, k, names);
            any |= *names != 0;
        }
        *have += any;
    }
}

// Adds a row for each algorithm of the sources that no entry implements.
static void add_uncovered(Sheet *sheet, Collective collective)
{
    for (int i = 0; i < n_cover_items; i++) {
        const CoverItem *item = &cover_items[i];
        if (item->collective != collective || cover_entry(item))
            continue;
        begin_covered(sheet, collective, NULL);
        for (int k = 0; k < N_COVER_COLUMNS; k++)
            if (cover_in(item, (CoverColumn)k)) {
                g_autofree char *name = item->cover == COVER_DOCUMENTS
                                            ? g_strdup_printf("%s (%s)", item->name, item->entry)
                                            : g_strdup(cover_bare_name(item));
                fill_covered(sheet, k, name);
            }
        sheet_text(sheet, "reason", item->reason);
    }
}

// Makes the sheet "items", with a row for each id or name of the sources but HAN and SimGrid. Free with sheet_free.
static Sheet *items_sheet(Collective only)
{
    Sheet *sheet = sheet_new("items", (const char *const[]){"collective", "of", "name", "algorithm", "reason", NULL});
    for (int i = 0; i < n_cover_items; i++) {
        const CoverItem *item = &cover_items[i];
        const CollAlgorithm *a = cover_entry(item);
        if (only != N_COLLECTIVES && item->collective != only)
            continue;
        sheet_row(sheet);
        sheet_text(sheet, "collective", collectives[item->collective].name);
        sheet_text(sheet, "of", cover_names[item->cover]);
        sheet_take(sheet, "name",
                   item->entry && (item->cover != COVER_DOCUMENTS || !a)
                       ? g_strdup_printf("%s (%s)", item->name, item->entry)
                       : g_strdup(item->name));
        sheet_text(sheet, "algorithm", a ? a->name : NULL);
        sheet_text(sheet, "reason", item->reason);
    }
    return sheet;
}

// Prints what no entry implements, with the reasons.
static void print_uncovered(FILE *to, Collective only)
{
    for (int i = 0; i < n_cover_items; i++) {
        const CoverItem *item = &cover_items[i];
        if ((only != N_COLLECTIVES && item->collective != only) || cover_entry(item))
            continue;
        g_autofree char *what =
            item->cover == COVER_DOCUMENTS
                ? g_strdup_printf("%s %s of %s: ", collectives[item->collective].name, item->entry, item->name)
                : g_strdup_printf("%s %s of %s: ", collectives[item->collective].name, cover_bare_name(item),
                                  cover_names[item->cover]);
        wrap_print(to, what, item->reason);
    }
}

// Lists the entries with what MPI libraries, SimGrid and the documents call them, and the algorithms of these that no
// entry implements, each with the reason.
static void list_coverage(const Answer *answer, Collective only)
{
    static const SheetView view[] = {{"choice", "collective"},
                                     {"ompi_41"},
                                     {"ompi_5"},
                                     {"ompi_main"},
                                     {"han"},
                                     {"mpich"},
                                     {"simgrid"},
                                     {"ucc"},
                                     {"libnbc"},
                                     {"intel"},
                                     {"documents"},
                                     {NULL}};
    const gboolean table = answer->format == FORMAT_TABLE;
    g_autoptr(Sheet) sheet = sheet_new("rows", (const char *const[]){"collective", "algorithm", NULL});
    int have = 0;
    guint rows = 0;
    sheet_add_columns(sheet, cover_columns);
    sheet_add_columns(sheet, (const char *const[]){"reason", NULL});
    if (table)
        sheet_add_columns(sheet, (const char *const[]){"choice", NULL});
    for (int c = 0; c < N_COLLECTIVES; c++) {
        if (only != N_COLLECTIVES && c != (int)only)
            continue;
        if (table) {
            sheet_row(sheet);
            sheet_text(sheet, "choice", collectives[c].name);
        }
        add_covered(sheet, (Collective)c, table, &have);
        rows = sheet_rows(sheet);
        if (!table)
            add_uncovered(sheet, (Collective)c);
    }
    if (!table) {
        g_autoptr(Sheet) items = items_sheet(only);
        answer_sheets(answer, "list", (const Sheet *const[]){sheet, items}, 2);
        return;
    }
    sheet_table(sheet, view, 0, rows, "", answer->to);
    fprintf(answer->to, "\n%d of these algorithms are in one of the sources. Without an entry are:\n", have);
    print_uncovered(answer->to, only);
}

// Lists the columns that answers have in CSV and JSON.
static void list_columns(const Answer *answer)
{
    static const SheetView view[] = {{"column"}, {"type"}, {"meaning"}, {NULL}};
    g_autoptr(Sheet) sheet = sheet_new("rows", (const char *const[]){"column", "type", "meaning", NULL});
    for (const SheetColumn *column = sheet_columns(); column->name; column++) {
        if (!column->meaning) // only tables show it
            continue;
        sheet_row(sheet);
        sheet_text(sheet, "column", column->name);
        sheet_text(sheet, "type", sheet_kind_names[column->kind]);
        sheet_text(sheet, "meaning", column->meaning);
    }
    if (answer->format == FORMAT_TABLE)
        sheet_table(sheet, view, 0, sheet_rows(sheet), "", answer->to);
    else
        answer_sheets(answer, "list", (const Sheet *const[]){sheet}, 1);
}

static const char help_text[] = "Lists the algorithms, with their parameters and the names that Open MPI and\n"
                                "MPICH have for them.\n"
                                "\n"
                                "  collsim list bcast\n"
                                "  collsim list allreduce --coverage\n"
                                "  collsim list ./mine.c\n"
                                "\n"
                                "--coverage lists what Open MPI 4.1.4, 5.0.9 and its main branch, its component\n"
                                "HAN, MPICH, SimGrid, UCC and the documents that the project grew from (000 to\n"
                                "004) call each algorithm: ids for Open MPI, names for the others. What they have\n"
                                "and the program has not follows, with the reason. Long names are cut; --format\n"
                                "csv has them in full. `collsim cite 003` says what document 003 is.\n"
                                "\n"
                                "--columns explains the columns that answers have in CSV and JSON.\n"
                                "\n"
                                "Costs are formulas of the model hockney, or of shared memory. The model measured\n"
                                "has none.";

int cmd_list(int argc, char **argv, GError **error)
{
    g_auto(AnswerOptions) o = {0};
    g_auto(Answer) answer = {0};
    gboolean coverage = FALSE, columns = FALSE;
    const GOptionEntry entries[] = {
        {"coverage", 0, 0, G_OPTION_ARG_NONE, &coverage, "list what MPI libraries and papers have instead", NULL},
        {"columns", 0, 0, G_OPTION_ARG_NONE, &columns, "list the columns of CSV and JSON instead", NULL},
        ANSWER_ENTRIES(o),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    Listed listed = {.only = N_COLLECTIVES};
    if (!options_parse(argc, argv, "[COLLECTIVE], or FILE", help_text, entries, 0, 1, &words, error))
        return 2;
    if (coverage && columns)
        return bad_input(error, "--coverage and --columns cannot be used together; allowed: one of them"), 2;
    if (words[0] && algorithm_is_file(words[0])) {
        if (coverage || columns)
            return bad_input(error, "--%s is not about a file; allowed: list %s alone",
                             coverage ? "coverage" : "columns", words[0]),
                   2;
        if (!(listed.plugin = plugin_load(words[0], error)))
            return 2;
    } else if (words[0] && !collective_parse(words[0], &listed.only, error)) {
        return 2;
    }
    if (!answer_open(&answer, &o, error))
        return 2;
    if (coverage)
        list_coverage(&answer, listed.only);
    else if (columns)
        list_columns(&answer);
    else
        list_algorithms(&answer, &listed);
    return answer_close(&answer, error) ? 0 : 2;
}
