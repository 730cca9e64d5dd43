#include "libraries/decide/tables.h"
#include "base/number.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/share.h"
#include "libraries/decide/selection_words.h"
#include "libraries/decide/tuned.h"
#include <stdint.h>
#include <string.h>

const char library_misorders[] = "wrong for operations that do not commute";

// A row of a file that is being read.
typedef struct TableRow {
    const Csv *csv;
    size_t row;
    GError **error;
} TableRow;

static const char *text_of(const TableRow *x, const char *column)
{
    return csv_field(x->csv, x->row, csv_column(x->csv, column));
}

static gboolean refuse(const TableRow *x, const char *column, const char *allowed)
{
    g_autofree char *shown = error_quote(text_of(x, column));
    return bad_input(x->error, "%s:%" G_GSIZE_FORMAT ": %s %s; allowed: %s", csv_name(x->csv), csv_line(x->csv, x->row),
                     column, shown, allowed);
}

// Reads an integer of 0 or above; `otherwise` is the value of an empty field.
static gboolean read_size(const TableRow *x, const char *column, size_t most, size_t otherwise, size_t *value)
{
    *value = otherwise;
    return !*text_of(x, column) || csv_size(x->csv, x->row, csv_column(x->csv, column), 0, most, value, x->error);
}

static gboolean read_int(const TableRow *x, const char *column, int *value)
{
    size_t size = 0;
    const gboolean good = read_size(x, column, INT_MAX, 0, &size);
    *value = (int)size;
    return good;
}

// Reads the two ends of a range. A row that fits no call is a slip.
static gboolean read_range(const TableRow *x, const char *least, const char *most, size_t limit, RuleRange *range)
{
    size_t first, last;
    if (!read_size(x, least, limit, 0, &first) || !read_size(x, most, limit, G_MAXINT64, &last))
        return FALSE;
    *range = (RuleRange){(gint64)first, (gint64)last};
    g_autofree char *allowed =
        first <= last ? NULL : g_strdup_printf("at most %s, which is %s", most, text_of(x, most));
    return first <= last || refuse(x, least, allowed);
}

// Reads one of `names`, which ends in NULL, as its index.
static gboolean read_choice(const TableRow *x, const char *column, const char *const *names, int *value)
{
    for (*value = 0; names[*value]; ++*value)
        if (strcmp(names[*value], text_of(x, column)) == 0)
            return TRUE;
    g_autofree char *all = g_strjoinv(", ", (char **)(uintptr_t)names);
    return refuse(x, column, all);
}

static gboolean read_flag(const TableRow *x, const char *column, guint8 *answers)
{
    static const char *const names[] = {"no", "yes", "any", NULL};
    int value;
    const gboolean good = read_choice(x, column, names, &value);
    *answers = (guint8)(value + 1);
    return good;
}

// Sets *collective, or *known to FALSE if the program does not have the collective.
static void read_collective(const TableRow *x, Collective *collective, gboolean *known)
{
    const char *name = text_of(x, "collective");
    *known = FALSE;
    for (int i = 0; i < N_COLLECTIVES && !*known; i++)
        if (strcmp(collectives[i].name, name) == 0) {
            *collective = (Collective)i;
            *known = TRUE;
        }
}

// Returns TRUE if a field of versions has one of the library's versions.
static gboolean is_of(const TableRow *x, const char *column, const Library *library)
{
    g_auto(GStrv) words = g_strsplit(text_of(x, column), " ", -1);
    for (int i = 0; library->versions[i]; i++)
        if (g_strv_contains((const char *const *)words, library->versions[i]))
            return TRUE;
    return FALSE;
}

// Opens a file that must have these columns, which are words.
static Csv *open_table(const char *path, const char *columns, GError **error)
{
    g_autoptr(Csv) csv = csv_read(path, error);
    g_auto(GStrv) names = g_strsplit(columns, " ", -1);
    int column;
    for (char **name = names; csv && *name; name++)
        if (!csv_need(csv, *name, &column, error))
            return NULL;
    return g_steal_pointer(&csv);
}

// ---- Open MPI and UCC -------------------------------------------------------------------------------------------------------

gboolean tables_read_tuned(Tables *tables, const char *path, GError **error)
{
    static const char *const nodes[] = {"any", "one-per-node", "other", NULL};
    static const guint8 hierarchies[] = {SELECT_ANY_HIERARCHY, SELECT_FLAT, SELECT_PARENT};
    g_autoptr(Csv) csv = open_table(
        path, "collective commutative nodes p_min p_max bytes_min bytes_max algorithm segment fanout max_requests",
        error);
    for (size_t i = 0; csv && i < csv_rows(csv); i++) {
        const TableRow x = {csv, i, error};
        LibraryRule row = {.collective = tuned_collective(text_of(&x, "collective")), .when = rule_all()};
        int place;
        if (!read_flag(&x, "commutative", &row.when.flags[SELECT_COMMUTATIVE]) ||
            !read_choice(&x, "nodes", nodes, &place) || !read_range(&x, "p_min", "p_max", INT_MAX, &row.when.ranks) ||
            !read_range(&x, "bytes_min", "bytes_max", G_MAXINT64, &row.when.bytes) ||
            !csv_int(csv, i, csv_column(csv, "algorithm"), 1, INT_MAX, &row.id, error) ||
            !read_int(&x, "segment", &row.segment) || !read_int(&x, "fanout", &row.fanout) ||
            !read_int(&x, "max_requests", &row.max_requests))
            return FALSE;
        row.when.hierarchies = hierarchies[place];
        if (row.collective >= 0 && tuned_ours(row.collective) < N_COLLECTIVES)
            g_array_append_val(tables->tuned, row);
    }
    return csv != NULL;
}

// Reads needs such as "count >= pof2(p); commutative".
static gboolean read_needs(const TableRow *x, const char *column, int *needs)
{
    g_auto(GStrv) words = g_strsplit(text_of(x, column), "; ", -1);
    *needs = 0;
    for (char **word = words; *word && **words; word++) {
        const LibraryNeed *n = library_needs;
        while (n->need && strcmp(n->met->text, *word) != 0)
            n++;
        if (!n->need)
            return refuse(x, column, "conditions joined by \"; \", such as p even");
        *needs |= (int)n->need;
    }
    return TRUE;
}

// Reads what runs where a need is not met: for Open MPI "2", "2 with one chain" or "error"; for MPICH "tree", or "own"
// if our fallback is the library's text.
static gboolean read_else(const TableRow *x, LibraryAlgorithm *a)
{
    static const char one_chain[] = " with one chain";
    const char *text = text_of(x, "else_runs");
    a->else_one_chain = g_str_has_suffix(text, one_chain);
    a->else_runs = 0;
    a->own_fallback = strcmp(text, "own") == 0;
    if (!*text || strcmp(text, "error") == 0 || strcmp(text, "tree") == 0 || a->own_fallback)
        return TRUE;
    g_autofree char *id = g_strndup(text, strlen(text) - (a->else_one_chain ? strlen(one_chain) : 0));
    // The id is a lower one, so that fallbacks come to an end.
    return number_int(id, 1, a->id - 1, &a->else_runs) ||
           refuse(x, "else_runs", "a lower id, one and \"with one chain\", error, tree or own");
}

// Reads words of `names`, which ends in NULL, as bits.
static gboolean read_words(const TableRow *x, const char *column, const char *const *names, int *bits)
{
    g_auto(GStrv) words = g_strsplit(text_of(x, column), " ", -1);
    *bits = 0;
    for (char **word = words; *word && **word; word++) {
        int i = 0;
        while (names[i] && strcmp(names[i], *word) != 0)
            i++;
        if (!names[i]) {
            g_autofree char *all = g_strjoinv(", ", (char **)(uintptr_t)names);
            return refuse(x, column, all);
        }
        *bits |= 1 << i;
    }
    return TRUE;
}

// Reads the collectives that an algorithm of Open MPI calls.
static gboolean read_calls(const TableRow *x, LibraryAlgorithm *a)
{
    g_auto(GStrv) words = g_strsplit(text_of(x, "calls"), " ", -1);
    for (size_t i = 0; i < G_N_ELEMENTS(a->calls) && words[i]; i++)
        a->calls[i] = g_intern_string(words[i]);
    return g_strv_length(words) <= G_N_ELEMENTS(a->calls) || refuse(x, "calls", "at most two collectives");
}

static gboolean read_algorithm(const TableRow *x, LibraryAlgorithm *a, gboolean *known)
{
    static const char *const takes[] = {"segment", "fanout", "max_requests", "radix", NULL}, *const flaws[] = {
                                                                                                 "ordered", "deaf",
                                                                                                 NULL};
    int has = 0;
    read_collective(x, &a->collective, known);
    a->name = g_intern_string(text_of(x, "name"));
    a->of = g_intern_string(text_of(x, "collective"));
    a->function = g_intern_string(text_of(x, "function"));
    a->leaf = g_intern_string(text_of(x, "leaf"));
    a->variable = g_intern_string(text_of(x, "variable"));
    a->nearest = g_intern_string(text_of(x, "nearest"));
    a->differs = g_intern_string(text_of(x, "differs"));
    const gboolean chosen = strcmp(text_of(x, "usual"), "auto") == 0;
    const gboolean good =
        read_int(x, "id", &a->id) && read_needs(x, "needs", &a->needs) && read_needs(x, "file_needs", &a->file_needs) &&
        read_needs(x, "ends_without", &a->ends_without) && read_needs(x, "wrong_without", &a->wrong_without) &&
        read_else(x, a) && (chosen || read_int(x, "usual", &a->usual)) && read_words(x, "takes", takes, &a->takes) &&
        read_int(x, "one_fanout", &a->one_fanout) && read_calls(x, a) && read_words(x, "flaws", flaws, &has) &&
        read_int(x, "older_fanout", &a->older_fanout);
    a->ordered = has & 1;
    a->deaf = (has & 2) != 0;
    return good;
}

gboolean tables_read_algorithms(Tables *tables, const char *path, GError **error)
{
    g_autoptr(Csv) csv = open_table(path, "collective id name versions needs else_runs takes", error);
    for (size_t i = 0; csv && i < csv_rows(csv); i++) {
        const TableRow x = {csv, i, error};
        LibraryAlgorithm a = {.collective = N_COLLECTIVES, .by_name = !library_families[tables->library->family].ids};
        gboolean known;
        if (!read_algorithm(&x, &a, &known))
            return FALSE;
        if (!is_of(&x, "versions", tables->library))
            continue;
        const gboolean told = known && (a.id || *a.name);
        if (told && (a.id ? tables_algorithm(tables, a.collective, a.id) != NULL
                          : tables_named(tables, a.collective, a.name) != NULL))
            return refuse(&x, a.id ? "id" : "name", "each algorithm once in a version");
        if (told)
            g_array_append_val(tables->algorithms, a);
        if (*a.function)
            g_array_append_val(tables->functions, a);
    }
    return csv != NULL;
}

gboolean tables_read_han(Tables *tables, const char *path, GError **error)
{
    g_autoptr(Csv) csv = open_table(path, "collective name versions", error);
    for (size_t i = 0; csv && i < csv_rows(csv); i++) {
        const TableRow x = {csv, i, error};
        Collective collective = N_COLLECTIVES;
        gboolean known;
        size_t segment;
        read_collective(&x, &collective, &known);
        g_autofree char *alias = g_strconcat("han:", text_of(&x, "name"), NULL);
        const HanFile file = {g_intern_string(text_of(&x, "collective")),
                              g_intern_string(text_of(&x, "file_algorithms")),
                              g_intern_string(text_of(&x, "by_levels")), g_intern_string(text_of(&x, "file_default"))};
        if (!read_size(&x, "segment", G_MAXINT64, 0, &segment))
            return FALSE;
        if (is_of(&x, "file_versions", tables->library))
            g_array_append_val(tables->han_files, file);
        if (!*text_of(&x, "name"))
            continue;
        if (known && !algorithm_find(collective, alias))
            return refuse(&x, "name", "an algorithm of HAN that has an entry, such as intra");
        if (known && is_of(&x, "versions", tables->library)) {
            tables->han[collective] = g_intern_string(text_of(&x, "name"));
            tables->han_segments[collective] = segment;
        }
    }
    return csv != NULL;
}

const LibraryAlgorithm *tables_algorithm(const Tables *tables, Collective collective, int id)
{
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        if (a->collective == collective && a->id == id)
            return a;
    }
    return NULL;
}

const LibraryAlgorithm *tables_named(const Tables *tables, Collective collective, const char *name)
{
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        if (a->collective == collective && strcmp(a->name, name) == 0)
            return a;
    }
    return NULL;
}

const LibraryAlgorithm *tables_tuned(const Tables *tables, int number, int id)
{
    return tables_algorithm(tables, tuned_ours(number), id);
}

const LibraryAlgorithm *tables_function(const Tables *tables, const char *function)
{
    for (guint i = 0; i < tables->functions->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->functions, LibraryAlgorithm, i);
        if (strcmp(a->function, function) == 0)
            return a;
    }
    return NULL;
}

// ---- MPICH ----------------------------------------------------------------------------------------------------------

// Reads the rows of a tree; unless `whole` is set, only those that a call within one communicator can meet.
static gboolean read_tree(GArray *rows, const char *path, gboolean whole, GError **error)
{
    static const char *const names[] = {"any", "parent", "flat", "node", "node_roots", "one-node", NULL},
                             *const counts[] = {"any", "<pof2", NULL}, *const types[] = {"intra", "inter", "any", NULL};
    enum { ONE_NODE = 5 };
    static const guint8 hierarchies[] = {SELECT_ANY_HIERARCHY, SELECT_PARENT,     SELECT_FLAT,
                                         SELECT_NODE,          SELECT_NODE_ROOTS, SELECT_PARENT};
    int count;
    g_autoptr(Csv) csv = open_table(
        path,
        "collective comm_type p_min p_max p_pow2 hierarchy commutative op_built_in block_regular count avg_msg_min "
        "avg_msg_max total_msg_min total_msg_max runs params sendbuf_inplace threaded node_consecutive",
        error);
    for (size_t i = 0; csv && i < csv_rows(csv); i++) {
        const TableRow x = {csv, i, error};
        LibraryRule row = {.when = rule_all()};
        RuleWhen *when = &row.when;
        guint8 *flags = when->flags;
        int hierarchy = 0, type = 0;
        if (!read_choice(&x, "comm_type", types, &type) || !read_range(&x, "p_min", "p_max", INT_MAX, &when->ranks) ||
            !read_flag(&x, "p_pow2", &flags[SELECT_POW2]) || !read_choice(&x, "hierarchy", names, &hierarchy) ||
            !read_flag(&x, "node_consecutive", &flags[SELECT_CONSECUTIVE]) ||
            !read_flag(&x, "threaded", &flags[SELECT_THREADED]) ||
            !read_flag(&x, "commutative", &flags[SELECT_COMMUTATIVE]) ||
            !read_flag(&x, "op_built_in", &flags[SELECT_BUILT_IN]) ||
            !read_flag(&x, "block_regular", &flags[SELECT_REGULAR]) ||
            !read_flag(&x, "sendbuf_inplace", &flags[SELECT_IN_PLACE]) || !read_choice(&x, "count", counts, &count) ||
            !read_range(&x, "avg_msg_min", "avg_msg_max", G_MAXINT64, &when->average) ||
            !read_range(&x, "total_msg_min", "total_msg_max", G_MAXINT64, &when->total))
            return FALSE;
        if (flags[SELECT_THREADED] != RULE_ANY)
            return refuse(&x, "threaded", "any");
        when->hierarchies = hierarchies[hierarchy];
        flags[SELECT_ONE_NODE] = hierarchy == ONE_NODE ? RULE_YES : RULE_ANY;
        flags[SELECT_BELOW_POW2] = count == 1 ? RULE_YES : RULE_ANY;
        flags[SELECT_INTER] = (guint8)(type + 1);
        row.collective = selection_collective(text_of(&x, "collective"));
        row.runs = g_intern_string(text_of(&x, "runs"));
        row.params = g_intern_string(text_of(&x, "params"));
        gboolean known;
        Collective collective;
        read_collective(&x, &collective, &known);
        if (whole ? row.collective >= 0 : known && type != 1)
            g_array_append_val(rows, row);
    }
    return csv != NULL;
}

gboolean tables_read_tree(GArray *rows, const char *path, GError **error)
{
    return read_tree(rows, path, FALSE, error);
}

// ---- All tables -----------------------------------------------------------------------------------------------------

Tables *tables_new(const Library *library)
{
    Tables *tables = g_new0(Tables, 1);
    tables->references = 1;
    tables->library = library;
    tables->han_low = library->id == LIBRARY_OMPI_41;
    tables->tuned = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    tables->algorithms = g_array_new(FALSE, FALSE, sizeof(LibraryAlgorithm));
    tables->functions = g_array_new(FALSE, FALSE, sizeof(LibraryAlgorithm));
    tables->han_files = g_array_new(FALSE, FALSE, sizeof(HanFile));
    tables->compositions = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    tables->tree = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    return tables;
}

Tables *tables_ref(const Tables *tables)
{
    Tables *same = (Tables *)(guintptr)tables;
    g_atomic_int_inc(&same->references);
    return same;
}

void tables_free(Tables *tables)
{
    if (!tables || !g_atomic_int_dec_and_test(&tables->references))
        return;
    g_array_unref(tables->tuned);
    g_array_unref(tables->algorithms);
    g_array_unref(tables->functions);
    g_array_unref(tables->han_files);
    g_array_unref(tables->compositions);
    g_array_unref(tables->tree);
    g_free(tables);
}

// Returns the path of a table, or NULL and an error if it is missing. Free with g_free.
static char *path_of(const char *file, GError **error)
{
    g_autofree char *path = share_path(SHARE_DECISIONS, file);
    return share_check(SHARE_DECISIONS, path, error) ? g_steal_pointer(&path) : NULL;
}

Tables *tables_names(const Library *library, GError **error)
{
    g_autoptr(Tables) tables = tables_new(library);
    const gboolean ompi = library->family == LIBRARY_OMPI;
    g_autofree char *path = path_of(library_families[library->family].algorithms, error);
    g_autofree char *han = path && ompi ? path_of("openmpi-han.csv", error) : NULL;
    const gboolean good =
        path && tables_read_algorithms(tables, path, error) && (!ompi || (han && tables_read_han(tables, han, error)));
    return good ? g_steal_pointer(&tables) : NULL;
}

Tables *tables_load(const Library *library, GError **error)
{
    g_autoptr(Tables) tables = tables_names(library, error);
    const gboolean trees = library->family == LIBRARY_MPICH;
    g_autofree char *first = tables ? path_of(library->table, error) : NULL;
    g_autofree char *more = first && trees ? path_of(library->compositions, error) : NULL;
    const gboolean good = !trees ? first && tables_read_tuned(tables, first, error)
                                 : more && tables_read_tree(tables->tree, first, error) &&
                                       tables_read_tree(tables->compositions, more, error);
    return good ? g_steal_pointer(&tables) : NULL;
}

GArray *tables_whole_tree(const Library *library, gboolean compositions, GError **error)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    g_autofree char *path = path_of(compositions ? library->compositions : library->table, error);
    if (!path || !read_tree(rows, path, TRUE, error))
        return NULL;
    for (guint i = 0; compositions && i < rows->len; i++) // which takes no parameters
        g_array_index(rows, LibraryRule, i).params = "";
    return g_steal_pointer(&rows);
}

char *tables_id(const LibraryAlgorithm *a)
{
    return a->by_name ? g_strdup(a->name) : g_strdup_printf("%d", a->id);
}

const char *tables_short_name(const char *name)
{
    static const char *const infixes[] = {"_intra_composition_", "_intra_", "_inter_", "_allcomm_"};
    for (size_t i = 0; i < G_N_ELEMENTS(infixes); i++) {
        const char *at = strstr(name, infixes[i]);
        if (at)
            return at + strlen(infixes[i]);
    }
    return name;
}
