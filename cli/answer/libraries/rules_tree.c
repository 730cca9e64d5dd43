#include "answer/libraries/rules_tree.h"
#include "base/units.h"
#include "out/wrap.h"
#include "registry/meaning.h"
#include "registry/registry.h"
#include <string.h>

// ---- Ranges ------------------------------------------------------------------------------------------------------

// Returns "8", "2..7" or "8..". Free with g_free.
static char *range_text(RuleRange range, char *format(size_t))
{
    g_autofree char *first = format((size_t)range.first);
    if (range.first == range.last)
        return g_steal_pointer(&first);
    if (range.last == RULES_NO_LIMIT)
        return g_strdup_printf("%s..", first);
    g_autofree char *last = format((size_t)range.last);
    return g_strdup_printf("%s..%s", first, last);
}

char *rules_plain(size_t value)
{
    return g_strdup_printf("%zu", value);
}

void rules_fill_range(Sheet *sheet, const char *low, const char *high, RuleRange range, char *format(size_t))
{
    sheet_count(sheet, low, range.first);
    if (range.last != RULES_NO_LIMIT)
        sheet_count(sheet, high, range.last);
    sheet_show(sheet, low, range_text(range, format));
}

// ---- Rows -------------------------------------------------------------------------------------------------

static const char *bytes_name(const Selection *selection, int collective)
{
    const SelectionCollective *c = &selection_collectives[collective];
    return !(c->numbers & (1u << SELECT_AVERAGE | 1u << SELECT_TOTAL)) ? "nothing"
           : selection_bytes(selection, collective) == SELECT_AVERAGE  ? "avg_msg_size"
                                                                       : "total_msg_size";
}

// Returns what a row of a tree runs: "MPIR_Bcast_intra_tree k=4". Free with g_free.
static char *tree_runs(const LibraryRule *row)
{
    if (row->end != ROW_RUNS)
        return g_strdup(row->end == ROW_TREE ? "the tree of algorithms" : "the program ends");
    return g_strdup_printf("%s%s%s", row->algorithm->function, *row->params ? " " : "", row->params);
}

// Returns the same in the form that a table has next to the collective: "tree k=4". Free with g_free.
static char *tree_shown(const LibraryRule *row)
{
    if (row->end != ROW_RUNS)
        return g_strdup(row->end == ROW_TREE ? "all ranks" : "the program ends");
    return g_strdup_printf("%s%s%s", tables_short_name(row->algorithm->function), *row->params ? " " : "", row->params);
}

void rules_tree_fill(Sheet *sheet, const Selection *selection, const char *name, const RuleWhen *when)
{
    const int collective = selection_collective(name);
    const SelectNumber bytes = selection_bytes(selection, collective);
    const RuleRange asked = when->numbers[SELECT_RANKS];
    const RuleRange ranks = {MAX(asked.first, 2), asked.last >= 1 << 30 ? RULES_NO_LIMIT : asked.last};
    sheet_text(sheet, "collective", name);
    rules_fill_range(sheet, "min_ranks", "max_ranks", ranks, rules_plain);
    rules_fill_range(sheet, "min_bytes", "max_bytes", when->numbers[bytes], units_format_size);
    sheet_text(sheet, "counted_as", bytes_name(selection, collective));
    sheet_take(sheet, "condition", selection_text(when, bytes));
}

// Returns TRUE if the program has the collective, and a communicator of two ranks or more reaches the row.
static gboolean is_shown(const LibraryRule *row)
{
    gboolean known = FALSE;
    for (int i = 0; i < N_COLLECTIVES && row->collective >= 0; i++)
        known |= strcmp(collectives[i].name, selection_collectives[row->collective].name) == 0;
    return known && row->when.flags[SELECT_INTER] & 1 && row->when.numbers[SELECT_RANKS].last >= 2;
}

void rules_tree_rows(Sheet *sheet, const RulesFile *file, gboolean all)
{
    const GArray *rows = selection_rows(file->selection);
    for (guint i = 0; i < rows->len; i++) {
        const LibraryRule *row = &g_array_index(rows, LibraryRule, i);
        if (row->collective < 0 || row->line == 0 || (!all && !is_shown(row)))
            continue;
        sheet_row(sheet);
        rules_tree_fill(sheet, file->selection, selection_collectives[row->collective].name, &row->when);
        sheet_take(sheet, "rule_algorithm", tree_runs(row));
        sheet_count(sheet, "line", (int64_t)row->line);
    }
}

// ---- Maps -----------------------------------------------------------------------------------------------------------

enum { MAP_COLUMNS = 12, MAP_LETTERS = 26 };

// What a map needs.
typedef struct TreeMap {
    const RulesFile *file;
    Collective collective;
    GArray *ranks, *sizes; // gint64, ascending: where lines and columns begin
    const LibraryAlgorithm *runs[MAP_LETTERS];
    int n_runs;
} TreeMap;

static void add_sorted(GArray *values, gint64 value)
{
    guint at = 0;
    while (at < values->len && g_array_index(values, gint64, at) < value)
        at++;
    if (at == values->len || g_array_index(values, gint64, at) != value)
        g_array_insert_val(values, at, value);
}

// Returns the letter of what a call runs: '.' where it ends the program or another tree decides, '*' if no letters are
// left.
static char map_letter(TreeMap *m, int p, size_t bytes)
{
    const DecideCall decide = {.collective = m->collective, .p = p, .m = bytes, .elem = 1, .commutative = TRUE};
    const RuleCall call = selection_call(&decide);
    const SelectionRun run = selection_run(m->file->selection, &call);
    int i = 0;
    if (run.ends || !run.row->algorithm)
        return '.';
    while (i < m->n_runs && m->runs[i] != run.row->algorithm)
        i++;
    if (i == MAP_LETTERS)
        return '*';
    m->n_runs += i == m->n_runs;
    m->runs[i] = run.row->algorithm;
    return (char)('a' + i);
}

// Finds the lines and columns: where the conditions of rows begin. A column is in bytes as -m has them, so a limit of
// the total is another one for each number of ranks.
static void map_ends(TreeMap *m, int collective)
{
    const GArray *rows = selection_rows(m->file->selection);
    const gint64 two = 2, zero = 0;
    add_sorted(m->ranks, two);
    add_sorted(m->sizes, zero);
    for (guint i = 0; i < rows->len; i++) {
        const LibraryRule *row = &g_array_index(rows, LibraryRule, i);
        if (row->collective != collective || !(row->when.flags[SELECT_INTER] & 1))
            continue;
        const RuleRange ranks = row->when.numbers[SELECT_RANKS];
        add_sorted(m->ranks, MAX(ranks.first, 2));
        if (ranks.last < 1 << 30)
            add_sorted(m->ranks, MAX(ranks.last + 1, 2));
    }
    for (guint i = 0; i < rows->len; i++) {
        const LibraryRule *row = &g_array_index(rows, LibraryRule, i);
        const RuleRange *numbers = row->when.numbers;
        if (row->collective != collective || !(row->when.flags[SELECT_INTER] & 1))
            continue;
        add_sorted(m->sizes, numbers[SELECT_AVERAGE].first);
        for (guint k = 0; k < m->ranks->len && m->collective != COLL_REDUCE_SCATTER; k++) {
            const gint64 p = g_array_index(m->ranks, gint64, k);
            if (numbers[SELECT_TOTAL].first > 0)
                add_sorted(m->sizes, (numbers[SELECT_TOTAL].first - 1) / p + 1);
        }
        if (m->collective == COLL_REDUCE_SCATTER)
            add_sorted(m->sizes, numbers[SELECT_TOTAL].first);
    }
}

static void print_map(TreeMap *m, FILE *to)
{
    fprintf(to, "\n%s, from so many ranks and bytes (-m, of elements of 1 byte) on:\n",
            collectives[m->collective].name);
    for (guint from = 0; from < m->sizes->len; from += MAP_COLUMNS) {
        const guint end = MIN(from + MAP_COLUMNS, m->sizes->len);
        fprintf(to, "%8s", "ranks");
        for (guint k = from; k < end; k++) {
            g_autofree char *size = units_format_size((size_t)g_array_index(m->sizes, gint64, k));
            fprintf(to, " %6s", size);
        }
        fputc('\n', to);
        for (guint i = 0; i < m->ranks->len; i++) {
            fprintf(to, "%8" G_GINT64_FORMAT, g_array_index(m->ranks, gint64, i));
            for (guint k = from; k < end; k++)
                fprintf(
                    to, " %6c",
                    map_letter(m, (int)g_array_index(m->ranks, gint64, i), (size_t)g_array_index(m->sizes, gint64, k)));
            fputc('\n', to);
        }
    }
    for (int i = 0; i < m->n_runs; i++)
        fprintf(to, "  %c %s\n", 'a' + i, tables_short_name(m->runs[i]->function));
}

void rules_tree_maps(const RulesFile *file, FILE *to)
{
    for (int c = 0; c < N_COLLECTIVES && !file->ignored; c++) {
        const int collective = selection_collective(collectives[c].name);
        const GArray *rows = selection_rows(file->selection);
        const LibraryAlgorithm *first = NULL;
        gboolean several = FALSE;
        for (guint i = 0; i < rows->len; i++) {
            const LibraryRule *row = &g_array_index(rows, LibraryRule, i);
            if (row->collective != collective || !is_shown(row))
                continue;
            several |= first && first != row->algorithm;
            first = first ? first : row->algorithm;
        }
        if (!several)
            continue;
        TreeMap m = {file,
                     (Collective)c,
                     g_array_new(FALSE, FALSE, sizeof(gint64)),
                     g_array_new(FALSE, FALSE, sizeof(gint64)),
                     {NULL},
                     0};
        map_ends(&m, collective);
        for (guint i = 0; i < m.ranks->len * m.sizes->len; i++)
            map_letter(&m, (int)g_array_index(m.ranks, gint64, i / m.sizes->len),
                       (size_t)g_array_index(m.sizes, gint64, i % m.sizes->len));
        if (m.n_runs > 1)
            print_map(&m, to);
        g_array_unref(m.ranks);
        g_array_unref(m.sizes);
    }
}

// ---- Differences ----------------------------------------------------------------------------------------------------

void rules_tree_differences(GArray *parts, const RulesFile *const files[2])
{
    const GArray *a = selection_rows(files[0]->selection), *b = selection_rows(files[1]->selection);
    for (guint i = 0; i < a->len; i++)
        for (guint k = 0; k < b->len; k++) {
            const LibraryRule *x = &g_array_index(a, LibraryRule, i), *y = &g_array_index(b, LibraryRule, k);
            const int collective = MAX(x->collective, y->collective);
            DifferencePart part = {.tree = TRUE};
            if ((x->collective >= 0 && y->collective >= 0 && x->collective != y->collective) || collective < 0 ||
                selection_same(x, files[0]->library, y, files[1]->library) ||
                !selection_meet(&x->when, &y->when, &part.when) || part.when.numbers[SELECT_RANKS].last < 2)
                continue;
            part.collective = selection_collectives[collective].name;
            for (int n = 0; n < 2; n++) {
                part.runs[n] = tree_runs(n ? y : x);
                part.shown[n] = tree_shown(n ? y : x);
            }
            g_array_append_val(parts, part);
        }
}
