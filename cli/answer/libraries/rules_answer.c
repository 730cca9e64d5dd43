#include "answer/libraries/rules_answer.h"
#include "answer/libraries/rules_tree.h"
#include "base/escape.h"
#include "base/units.h"
#include "libraries/decide/rules_han.h"
#include "libraries/decide/rules_write.h"
#include "libraries/decide/selection.h"
#include "libraries/decide/tuned.h"
#include "out/wrap.h"
#include <string.h>

// ---- Rules ----------------------------------------------------------------------------------------------------------

static void add_han_row(Sheet *sheet, const LibraryRule *rule)
{
    const char *name = tuned_collectives[rule->collective].name;
    if (rule->when.ranks.first > rule->when.ranks.last || rule->when.bytes.first > rule->when.bytes.last)
        return;
    sheet_row(sheet);
    sheet_text(sheet, "collective", name);
    sheet_text(sheet, "condition", han_level_names[rule->level]);
    rules_fill_range(sheet, "min_ranks", "max_ranks", rule->when.ranks, rules_plain);
    rules_fill_range(sheet, "min_bytes", "max_bytes", rule->when.bytes, units_format_size);
    sheet_text(sheet, "counted_as",
               tuned_size_names[strcmp(name, "barrier") == 0 ? TUNED_SIZE_NONE : TUNED_SIZE_VECTOR]);
    sheet_take(sheet, "rule_algorithm", g_strconcat(rule->runs, *rule->params ? " @" : "", rule->params, NULL));
    sheet_count(sheet, "line", (int64_t)rule->line);
}

// Fills in what a rule of Open MPI or UCC names.
static void fill_algorithm(Sheet *sheet, const LibraryRule *rule, const LibraryAlgorithm *a)
{
    const char *name = rule->runs ? rule->runs : rule->id == 0 ? "fixed decision" : a ? a->name : NULL;
    const int id = a && a->by_name ? rule->id - 1 : rule->id; // UCC counts from 0
    sheet_text(sheet, "rule_algorithm", name);
    if (!rule->runs)
        sheet_count(sheet, "rule_id", id);
    if (!rule->runs && rule->id)
        sheet_show(sheet, "rule_algorithm", g_strdup_printf("%d %s", id, a ? a->name : "(an error)"));
    sheet_text(sheet, "condition", rule->params && *rule->params ? rule->params : NULL);
}

// Fills in what a rule of Open MPI passes to the algorithm.
static void fill_passed(Sheet *sheet, const LibraryRule *rule)
{
    sheet_count(sheet, "fanout", rule->fanout);
    sheet_count(sheet, "rule_segment_bytes", rule->segment);
    sheet_count(sheet, "max_requests", rule->max_requests);
}

// Makes the sheet "rows": the rules that a communicator of two ranks or more can reach. For a tree, `all` adds what the
// program does not have: nonblocking and neighbourhood collectives, and intercommunicators. Free with sheet_free.
static Sheet *rules_sheet(const RulesFile *file, gboolean all)
{
    Sheet *sheet = sheet_new("rows", (const char *const[]){"collective", "rank_distribution", "min_ranks", "max_ranks",
                                                           "min_bytes", "max_bytes", "counted_as", "condition",
                                                           "rule_id", "rule_algorithm", "fanout", "rule_segment_bytes",
                                                           "max_requests", "line", NULL});
    if (file->selection)
        rules_tree_rows(sheet, file, all);
    for (guint i = 0; file->han && i < file->han->len; i++)
        add_han_row(sheet, &g_array_index(file->han, LibraryRule, i));
    for (guint i = 0; i < file->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(file->rules, LibraryRule, i);
        const RuleRange ranks = {MAX(rule->when.ranks.first, 2), rule->when.ranks.last};
        const TunedCollective *collective = &tuned_collectives[rule->collective];
        const TunedSize kind = tuned_kind(file->library->family, rule->collective);
        if (ranks.first > ranks.last || rule->dead || kind == TUNED_SIZE_NO_METHOD)
            continue;
        const LibraryAlgorithm *a = tables_tuned(file->names, rule->collective, rule->id);
        sheet_row(sheet);
        sheet_text(sheet, "collective", collective->name);
        sheet_text(sheet, "rank_distribution", rules_nodes(rule));
        rules_fill_range(sheet, "min_ranks", "max_ranks", ranks, rules_plain);
        rules_fill_range(sheet, "min_bytes", "max_bytes", rule->when.bytes, units_format_size);
        sheet_text(sheet, "counted_as", tuned_size_names[kind]);
        fill_algorithm(sheet, rule, a);
        if (file->library->family == LIBRARY_OMPI)
            fill_passed(sheet, rule);
        sheet_count(sheet, "line", (int64_t)rule->line);
    }
    return sheet;
}

// Makes the sheet "traps". Free with sheet_free.
static Sheet *traps_sheet(const RulesFile *file, gboolean ordered)
{
    Sheet *sheet = sheet_new("traps", (const char *const[]){"file", "line", "trap", "note", NULL});
    sheet_text(sheet, "file", file->name);
    for (guint i = 0; i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        if (!ordered && trap->kind == TRAP_ORDER)
            continue;
        sheet_row(sheet);
        sheet_count(sheet, "line", (int64_t)trap->line);
        sheet_text(sheet, "trap", trap_names[trap->kind]);
        sheet_text(sheet, "note", trap->text);
    }
    return sheet;
}

static void print_traps(const RulesFile *file, gboolean ordered, FILE *to)
{
    g_autofree char *name = escape_terminal(file->name);
    for (guint i = 0; i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        if (!ordered && trap->kind == TRAP_ORDER)
            continue;
        g_autofree char *head = g_strdup_printf("%s:%zu: ", name, trap->line);
        g_autofree char *text = g_strdup_printf("%s: %s", trap_names[trap->kind], trap->text);
        wrap_print(to, head, text);
    }
}

static const char *plural(guint n)
{
    return n == 1 ? "" : "s";
}

// Returns TRUE if a table of the rules shows a column that is not for all files.
static gboolean shows(const RulesFile *file, const char *column)
{
    gboolean nodes = FALSE, requests = FALSE, sections = FALSE;
    const gboolean passes = file->library->family == LIBRARY_OMPI;
    for (guint i = 0; i < file->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(file->rules, LibraryRule, i);
        nodes |= !rules_any_nodes(rule);
        requests |= rule->max_requests != 0;
        sections |= rule->params && *rule->params;
    }
    return strcmp(column, "rank_distribution") == 0                                     ? nodes
           : strcmp(column, "max_requests") == 0                                        ? requests
           : strcmp(column, "condition") == 0                                           ? sections
           : strcmp(column, "fanout") == 0 || strcmp(column, "rule_segment_bytes") == 0 ? passes
                                                                                        : TRUE;
}

// Returns what a table shows of the rules. Free with g_array_unref.
static GArray *rules_view(const RulesFile *file)
{
    static const SheetView columns[] = {{"rank_distribution"},
                                        {"condition", "section"},
                                        {"collective"},
                                        {"min_ranks", "ranks"},
                                        {"min_bytes", "bytes"},
                                        {"counted_as"},
                                        {"rule_algorithm"},
                                        {"fanout"},
                                        {"rule_segment_bytes"},
                                        {"max_requests"},
                                        {"line"}};
    GArray *view = g_array_new(TRUE, FALSE, sizeof(SheetView)); // ends with a view of NULL
    for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
        if (shows(file, columns[i].column))
            g_array_append_val(view, columns[i]);
    return view;
}

// Prints what was read, and the rules as a table.
static void print_rules(const RulesFile *file, const Sheet *rows, gboolean ordered, FILE *to)
{
    static const SheetView tree[] = {{"collective"}, {"min_ranks", "ranks"},     {"min_bytes", "bytes"},
                                     {"condition"},  {"rule_algorithm", "runs"}, {"line"},
                                     {NULL}};
    g_autoptr(GArray) view = rules_view(file);
    static const SheetView han[] = {{"collective"},
                                    {"condition", "level"},
                                    {"min_ranks", "its ranks"},
                                    {"min_bytes", "bytes"},
                                    {"counted_as"},
                                    {"rule_algorithm", "runs"},
                                    {"line"},
                                    {NULL}};
    const guint n = sheet_rows(rows), n_traps = rules_n_traps(file, ordered);
    g_autofree char *head = g_strdup_printf("%s, %s, as %s reads it: %u rule%s, %u trap%s", file->name, file->format,
                                            file->library->title, n, plural(n), n_traps, plural(n_traps));
    wrap_print(to, "", head);
    if (file->variable) {
        g_autofree char *what = g_strdup_printf("This is a file for %s, not for %s.", file->variable,
                                                file->selection ? "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"
                                                                : "coll_tuned_dynamic_rules_filename");
        fprintf(to, "%s\n", what);
    }
    if (n > 0) {
        fputc('\n', to);
        sheet_table(rows,
                    file->selection ? tree
                    : file->han     ? han
                                    : (const SheetView *)(void *)view->data,
                    0, n, "", to);
    }
}

// ---- Points --------------------------------------------------------------------------------------------------------

void rules_points_clear(RulesPoints *points)
{
    g_clear_pointer(&points->ranks, g_array_unref);
    g_clear_pointer(&points->sizes, g_array_unref);
    g_clear_pointer(&points->per_node, g_array_unref);
    g_clear_pointer(&points->tables, tables_free);
}

static void add_point(Sheet *sheet, const RulesFile *file, const RulesPoints *points, const DecideCall *call,
                      int per_node)
{
    size_t line;
    g_autofree char *runs = rules_runs(file, points->tables, call, &line);
    sheet_row(sheet);
    sheet_text(sheet, "collective", collectives[call->collective].name);
    sheet_count(sheet, "ranks", call->p);
    if (per_node) {
        sheet_show(sheet, "ranks", units_format_ranks(call->p, per_node));
        sheet_count(sheet, "per_node", per_node);
    }
    sheet_count(sheet, "bytes", (int64_t)call->m);
    sheet_count(sheet, "counted_bytes", rules_counted(file, call));
    if (line > 0)
        sheet_count(sheet, "rule_line", (int64_t)line);
    else
        sheet_show(sheet, "rule_line", g_strdup("none"));
    sheet_take(sheet, "decided", g_steal_pointer(&runs));
}

// Returns TRUE if the file decides calls of the collective.
static gboolean has_rules(const RulesFile *file, Collective collective)
{
    const char *name = collectives[collective].name;
    for (guint i = 0; i < file->rules->len; i++)
        if (g_array_index(file->rules, LibraryRule, i).collective == tuned_collective(name))
            return TRUE;
    const GArray *rows = file->selection ? selection_rows(file->selection) : NULL;
    for (guint i = 0; rows && i < rows->len; i++) {
        const LibraryRule *row = &g_array_index(rows, LibraryRule, i);
        if (row->end == ROW_RUNS && row->collective == selection_collective(name))
            return TRUE;
    }
    return FALSE;
}

// Makes the sheet "points", or returns NULL if there are none. Free with sheet_free.
static Sheet *points_sheet(const RulesFile *file, const RulesPoints *points)
{
    if (!points->ranks)
        return NULL;
    Sheet *sheet = sheet_new("points", (const char *const[]){"collective", "ranks", "per_node", "bytes",
                                                             "counted_bytes", "rule_line", "decided", NULL});
    for (int c = 0; c < N_COLLECTIVES; c++) {
        const gboolean ruled = has_rules(file, (Collective)c);
        for (guint i = 0; ruled && i < points->ranks->len * points->sizes->len; i++) {
            const int per_node = points->per_node ? g_array_index(points->per_node, int, i / points->sizes->len) : 0;
            DecideCall call = {.collective = (Collective)c,
                               .p = (int)g_array_index(points->ranks, size_t, i / points->sizes->len),
                               .m =
                                   c == COLL_BARRIER ? 0 : g_array_index(points->sizes, size_t, i % points->sizes->len),
                               .elem = question_element((Collective)c, TRUE, points->sizes, points->elem),
                               .commutative = TRUE};
            if (call.p < 2 || (c == COLL_BARRIER && i % points->sizes->len > 0))
                continue;
            CollNodes *nodes = per_node ? coll_nodes_blocks(call.p, per_node) : NULL;
            call.nodes = nodes;
            add_point(sheet, file, points, &call, per_node);
            coll_nodes_free(nodes);
        }
    }
    return sheet;
}

// Returns what holds for calls that no row decides.
static const char *rest_text(const RulesFile *file, guint rows)
{
    gboolean crash = FALSE;
    for (guint i = 0; i < file->traps->len; i++)
        crash |= g_array_index(file->traps, Trap, i).kind == TRAP_CRASH;
    if (file->selection && !file->ignored && selection_composes(file->selection))
        return "A call that is not listed has no composition: the tree of algorithms decides it, on all ranks, as "
               "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE or the library itself says.";
    if (file->selection && !file->ignored && file->selection->kind == SELECTION_SHARED)
        return "The file is asked where the ranks of a call, or of a part of it, share a node, once their communicator "
               "has "
               "had as many calls as MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD says. A call that is not listed runs by the "
               "tree "
               "of algorithms. Builds whose ranks reach each other by the network's library alone do not read it, as "
               "Debian's with UCX.";
    if (file->selection && !file->ignored)
        return "A call of a collective that is not listed ends the program, apart from nonblocking and neighbourhood "
               "ones and those on intercommunicators, which are in -f csv. On several nodes with several ranks, "
               "MPICH chooses a composition first: this tree then sees the number of nodes, and the ranks of a node, "
               "unless MPIR_CVAR_DEVICE_COLLECTIVES is none.";
    if (file->han && !crash)
        return rows > 0 ? "What is not listed runs as HAN's variables say; if they are not set, HAN serves the whole "
                          "communicator. The file is read with coll_han_use_dynamic_file_rules 1."
                        : "No rule is in effect: everything runs as HAN's variables say.";
    if (crash)
        return "Nothing can be said of what runs, if the library survives.";
    if (file->selection)
        return "No call is made: MPI_Init ends the program.";
    if (file->library->family == LIBRARY_UCC)
        return rows > 0
                   ? "What is not listed runs as UCC selects by default, and other layers than tl/ucp come first where "
                     "their scores are higher."
                   : "No rule is in effect: everything runs as UCC selects by default.";
    return rows > 0 ? "What is not listed runs the fixed decision."
                    : "No rule is in effect: everything runs the fixed decision.";
}

void rules_report(const Answer *answer, const RulesFile *file, const RulesPoints *points, gboolean ordered)
{
    static const SheetView view[] = {{"collective"}, {"ranks"},   {"bytes"}, {"counted_bytes"},
                                     {"rule_line"},  {"decided"}, {NULL}};
    g_autoptr(Sheet) rows = rules_sheet(file, answer->format != FORMAT_TABLE), traps = traps_sheet(file, ordered),
                     at = points_sheet(file, points);
    if (answer->format != FORMAT_TABLE) {
        answer_sheets(answer, "rules", (const Sheet *const[]){rows, traps, at}, 3);
        return;
    }
    print_rules(file, rows, ordered, answer->to);
    fputc('\n', answer->to);
    wrap_print(answer->to, "", rest_text(file, sheet_rows(rows)));
    if (at && sheet_rows(at) > 0) {
        fputc('\n', answer->to);
        sheet_table(at, view, 0, sheet_rows(at), "", answer->to);
    }
    if (file->traps->len > 0)
        fputc('\n', answer->to);
    print_traps(file, ordered, answer->to);
}

// ---- Maps ----------------------------------------------------------------------------------------------------------

enum { MAP_COLUMNS = 12 }; // of a block of a map, so that it fits into 100 characters

// Appends the sizes at which a cell of the collective begins: gint64, ascending.
static GArray *map_sizes(const GArray *cells, int collective)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < cells->len; i++) {
        const RulesCell *cell = &g_array_index(cells, RulesCell, i);
        guint at = 0;
        while (at < sizes->len && g_array_index(sizes, gint64, at) < cell->bytes.first)
            at++;
        if (cell->collective == collective &&
            (at == sizes->len || g_array_index(sizes, gint64, at) != cell->bytes.first))
            g_array_insert_val(sizes, at, cell->bytes.first);
    }
    return sizes;
}

// Prints the columns from..end - 1 of a collective's map.
static void print_block(const RulesFile *file, const GArray *cells, int collective, const GArray *sizes, guint from,
                        guint end, FILE *to)
{
    gint64 ranks = 0;
    fprintf(to, "%8s", "ranks");
    for (guint k = from; k < end; k++) {
        g_autofree char *size = units_format_size((size_t)g_array_index(sizes, gint64, k));
        fprintf(to, " %6s", size);
    }
    fputc('\n', to);
    for (guint i = 0; i < cells->len; i++) {
        const RulesCell *cell = &g_array_index(cells, RulesCell, i);
        if (cell->collective != collective || cell->ranks.first == ranks)
            continue;
        ranks = cell->ranks.first;
        fprintf(to, "%8" G_GINT64_FORMAT, ranks);
        for (guint k = from; k < end; k++) {
            const LibraryRule *rule = rules_find(file, collective, (int)ranks, g_array_index(sizes, gint64, k));
            const LibraryAlgorithm *a = rule ? tables_tuned(file->names, collective, rule->id) : NULL;
            g_autofree char *id = !rule || (!rule->id && !rule->runs) ? g_strdup(".")
                                  : rule->runs                        ? g_strdup("-")
                                  : a && a->by_name                   ? g_strdup_printf("%d", rule->id - 1)
                                                                      : g_strdup_printf("%d", rule->id);
            fprintf(to, " %6s", id);
        }
        fputc('\n', to);
    }
}

void rules_show(const Answer *answer, const RulesFile *file)
{
    g_autoptr(Sheet) rows = rules_sheet(file, answer->format != FORMAT_TABLE);
    g_autoptr(GArray) cells = rules_cells(&file, 1);
    if (answer->format != FORMAT_TABLE) {
        answer_sheets(answer, "rules", (const Sheet *const[]){rows}, 1);
        return;
    }
    print_rules(file, rows, TRUE, answer->to);
    if (file->selection)
        rules_tree_maps(file, answer->to);
    for (guint i = 0; i < cells->len; i++) {
        const int collective = g_array_index(cells, RulesCell, i).collective;
        if (i > 0 && g_array_index(cells, RulesCell, i - 1).collective == collective)
            continue;
        g_autoptr(GArray) sizes = map_sizes(cells, collective);
        fprintf(answer->to, "\n%s, id from so many ranks and so many bytes on (%s):\n",
                tuned_collectives[collective].name, tuned_size_names[tuned_kind(file->library->family, collective)]);
        for (guint k = 0; k < sizes->len; k += MAP_COLUMNS)
            print_block(file, cells, collective, sizes, k, MIN(k + MAP_COLUMNS, sizes->len), answer->to);
    }
}
