#include "libraries/decide/selection.h"
#include "base/error.h"
#include "libraries/decide/selection_tree.h"
#include <string.h>

// ---- Comparing ------------------------------------------------------------------------------------------------------

// Versions of MPICH call what they do alike by two names. The older names of compositions mean something else in 4.3.
typedef struct Renamed {
    const char *older, *newer, *params; // those of the newer one
} Renamed;
static const Renamed renamed[] = {
    {"MPIR_Barrier_intra_dissemination", "MPIR_Barrier_intra_k_dissemination", "k=2"},
    {"MPIDI_Alltoall_intra_composition_alpha", "MPIDI_Alltoall_intra_composition_beta", ""},
    {"MPIDI_Allgather_intra_composition_alpha", "MPIDI_Allgather_intra_composition_beta", ""}};

// The kinds of trees, by number in 4.0 and by name in 4.3.
static const char *const tree_types[] = {"kary", "knomial_1", "knomial_2"};

// Returns what the row of a version runs in the words of 4.3. Free with g_free.
static char *canonical(const LibraryRule *row, const Library *library)
{
    for (size_t i = 0; i < G_N_ELEMENTS(renamed) && library->id == LIBRARY_MPICH_40; i++)
        if (strcmp(row->algorithm->function, renamed[i].older) == 0)
            return g_strdup_printf("%s %s", renamed[i].newer, renamed[i].params);
    g_autoptr(GString) params = g_string_new(row->params);
    for (size_t i = 0; i < G_N_ELEMENTS(tree_types); i++) {
        g_autofree char *number = g_strdup_printf("tree_type=%zu", i);
        g_autofree char *name = g_strdup_printf("tree_type=%s", tree_types[i]);
        g_string_replace(params, number, name, 1);
    }
    return g_strdup_printf("%s %s", row->algorithm->function, params->str);
}

gboolean selection_same(const LibraryRule *a, const Library *of_a, const LibraryRule *b, const Library *of_b)
{
    if (a->end != ROW_RUNS || b->end != ROW_RUNS)
        return (a->end == ROW_RUNS) == (b->end == ROW_RUNS);
    g_autofree char *x = canonical(a, of_a), *y = canonical(b, of_b);
    return strcmp(x, y) == 0;
}

const LibraryRule *selection_differs(const RulesFile *a, const RulesFile *b)
{
    const GArray *one = a->selection->rows, *two = b->selection->rows;
    for (guint i = 0; i < one->len; i++)
        for (guint k = 0; k < two->len; k++) {
            const LibraryRule *x = &g_array_index(one, LibraryRule, i), *y = &g_array_index(two, LibraryRule, k);
            RuleWhen both;
            if ((x->collective < 0 || y->collective < 0 || x->collective == y->collective) &&
                !selection_same(x, a->library, y, b->library) && selection_meet(&x->when, &y->when, &both))
                return x;
        }
    return NULL;
}

// ---- Writing --------------------------------------------------------------------------------------------------------

typedef struct TreeWriter {
    const Selection *s;
    const RulesFile *file;
    const Tables *names; // of the target
    GString *out;
    GError **error;
} TreeWriter;

static gboolean cannot(const TreeWriter *w, size_t line, const char *what)
{
    return bad_input(w->error, "%s:%zu: %s", w->file->name, line, what);
}

static void indent(const TreeWriter *w, int levels)
{
    g_string_append_printf(w->out, "%*s", levels * 2, "");
}

static gboolean write_leaf(const TreeWriter *w, const SelectionKey *key, int levels)
{
    const LibraryRule row = {.end = ROW_RUNS, .algorithm = key->algorithm, .params = key->params};
    g_autofree char *words = canonical(&row, w->file->library);
    char *params = strchr(words, ' ');
    *params++ = 0;
    const char *name = words;
    for (size_t i = 0; i < G_N_ELEMENTS(renamed) && w->names->library->id == LIBRARY_MPICH_40; i++)
        if (strcmp(name, renamed[i].newer) == 0 && strcmp(params, renamed[i].params) == 0) {
            name = renamed[i].older;
            params = words + strlen(words);
        }
    if (!tables_function(w->names, name)) {
        g_autofree char *why =
            g_strdup_printf("%s does not exist in %s", key->algorithm->function, w->names->library->title);
        return cannot(w, key->line, why);
    }
    g_auto(GStrv) each = g_strsplit(params, " ", -1);
    indent(w, levels);
    g_string_append_printf(w->out, "\"%s%s\": {", key->word->text, name);
    for (char **param = each; *param && **param; param++) {
        g_autofree char *text = g_strdup(*param);
        for (size_t i = 0; i < G_N_ELEMENTS(tree_types) && w->names->library->id == LIBRARY_MPICH_40; i++)
            if (g_str_has_prefix(text, "tree_type=") && strcmp(text + strlen("tree_type="), tree_types[i]) == 0) {
                g_free(text);
                text = g_strdup_printf("tree_type=%zu", i);
            }
        g_string_append_printf(w->out, "%s\"%s\": {}", param > each ? ", " : "", text);
    }
    g_string_append(w->out, "}\n");
    return TRUE;
}

// Returns the key in the target's words: the same, numbers as they are read, and =any where it must end a chain. Free
// with g_free.
static char *key_text(const TreeWriter *w, const SelectionKey *key)
{
    static const char *const numbers[] = {"comm_size", "comm_avg_ppn", "avg_msg_size", "total_msg_size", "count"};
    if (key->word->kind == WORD_NUMBER)
        return g_strdup_printf("%s<=%" G_GINT64_FORMAT, numbers[key->word->field],
                               key->number + (key->at_call && key->word->field == SELECT_RANKS ? key->word->value : 0));
    const char *rest;
    const SelectionWord *word = selection_word(w->names->library, key->text, &rest);
    return g_strdup(word ? key->text : "comm_size=any");
}

static gboolean write_keys(const TreeWriter *w, int at, int levels)
{
    gboolean any = FALSE;
    for (; at >= 0; at = selection_key(w->s, at)->next) {
        const SelectionKey *key = selection_key(w->s, at);
        if (key->word->kind == WORD_LEAF)
            return write_leaf(w, key, levels);
        g_autofree char *text = key_text(w, key);
        g_string_append(w->out, any ? ",\n" : "");
        any = TRUE;
        indent(w, levels);
        g_string_append_printf(w->out, "\"%s\": {\n", text);
        if (!write_keys(w, key->inside, levels + 1))
            return FALSE;
        indent(w, levels);
        g_string_append_c(w->out, '}');
        if (key->word->kind == WORD_ANY ||
            (key->word->kind == WORD_HIERARCHY && key->word->value == SELECT_ANY_HIERARCHY))
            break; // nothing gets behind it, and nothing may follow
    }
    g_string_append_c(w->out, '\n');
    return TRUE;
}

char *selection_convert(const RulesFile *file, const Library *target, GError **error)
{
    g_autoptr(GString) out = g_string_new("{\n");
    g_autoptr(Tables) names = tables_names(target, error);
    const TreeWriter w = {file->selection, file, names, out, error};
    for (guint i = 0; names && file->ignored && i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        if (trap->kind == TRAP_START || trap->kind == TRAP_CRASH) {
            cannot(&w, trap->line, trap->text);
            return NULL;
        }
    }
    if (!names || !write_keys(&w, file->selection->root, 1))
        return NULL;
    g_string_append(out, "}\n");
    g_autoptr(RulesFile) again = rules_parse(out->str, out->len, file->name, target, error);
    const LibraryRule *row = again && !again->ignored ? selection_differs(file, again) : NULL;
    if (!again)
        return NULL;
    if (again->ignored || row) {
        cannot(&w, row ? row->line : 1, "the version has nothing that does the same");
        return NULL;
    }
    return g_string_free(g_steal_pointer(&out), FALSE);
}

RulesFile *selection_default(const char *name, const Library *library, gboolean compositions, GError **error)
{
    g_autoptr(GArray) rows = tables_whole_tree(library, compositions, error),
                      none = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    g_autoptr(GPtrArray) header = g_ptr_array_new();
    g_autofree char *text = rows ? selection_tree_file(rows, none, header, error) : NULL;
    return text ? rules_parse(text, strlen(text), name, library, error) : NULL;
}
