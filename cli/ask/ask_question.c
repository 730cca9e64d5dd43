#include "ask/ask.h"
#include "out/note.h"
#include "ask/options.h"
#include "ask/plugins.h"
#include "base/error.h"
#include "engine/schedule/goal_entry.h"
#include "engine/schedule/memory.h"
#include "engine/schedule/parse.h"
#include <string.h>

void request_options_clear(RequestOptions *o)
{
    network_options_clear(&o->on);
    skew_options_clear(&o->skew);
    g_free(o->ranks);
    g_free(o->sizes);
    g_free(o->root);
    g_free(o->element);
    g_free(o->counts);
    g_free(o->displs);
    g_free(o->per_node);
    g_free(o->map);
    g_free(o->connection);
    g_free(o->han);
    g_free(o->platform);
    g_free(o->model);
    g_free(o->transfer);
    g_free(o->only);
    g_free(o->without);
    g_strfreev(o->params);
    g_strfreev(o->sets);
    answer_options_clear(&o->answer);
}

// Notes the first size in each --param that is spelled like a decimal one. A value is never a range, so a text with
// ".." is left to the error about it.
static void note_params(char **params)
{
    for (char **w = params; w && *w; w++)
        if (strchr(*w, '=') && !strstr(*w, ".."))
            note_list("--param", strchr(*w, '=') + 1);
}

// Sets the map that --map or --per-node asks for.
static gboolean find_map(const char *per_node, const char *map, Request *r, GError **error)
{
    int k = 0;
    if (map && per_node)
        return bad_input(error, "--per-node and --map both place the ranks; allowed: one of them");
    if (map)
        return map_parse(map, question_most_ranks(&r->question), &r->machine.map, error);
    if (!options_per_node(per_node, &k, error))
        return FALSE;
    r->machine.map = map_blocks(k);
    return TRUE;
}

gboolean ask_ranks(const char *ranks, const char *per_node, const char *map, Request *r, GError **error)
{
    if (!(r->question.ranks = options_ranks(ranks, &r->question.per_node, error)) || !find_map(per_node, map, r, error))
        return FALSE;
    for (guint i = 0; r->question.per_node && i < r->question.per_node->len; i++) {
        const int k = g_array_index(r->question.per_node, int, i);
        if (k && per_node)
            return bad_input(error, "--per-node and -p %s both place the ranks; allowed: one of them", ranks);
        if (k && r->machine.map.k && k != r->machine.map.k)
            return bad_input(error,
                             "--map %s puts %d ranks on a node, and -p %s puts %d there; allowed: the same number", map,
                             r->machine.map.k, ranks, k);
    }
    return TRUE;
}

gboolean ask_points(const RequestOptions *o, Request *r, GError **error)
{
    const gboolean barrier = r->question.collective == COLL_BARRIER; // a barrier moves no bytes
    r->question.params = o->params;
    r->question.ordered = o->ordered;
    if (o->ordered && !collectives[r->question.collective].reduces)
        return bad_input(error, "--non-commutative: %s has no operation; allowed: with a reduction such as allreduce",
                         collectives[r->question.collective].name);
    note_params(r->question.params);
    size_t element;
    if (!ask_plugin_params(r->question.params, error) || !options_element(o->element, &element, error) ||
        !ask_ranks(o->ranks, o->per_node, o->map, r, error) ||
        !(r->question.sizes = options_sizes(barrier ? "0" : o->sizes, error)))
        return FALSE;
    request_set_element(r, element);
    r->question.one_root = o->one_root;
    return question_root(&r->question, o->root, error) && question_counts(&r->question, o->counts, o->displs, error);
}

static gboolean add_algorithm(Request *r, const char *name, GError **error)
{
    const CollAlgorithm *a = algorithm_parse(r->question.collective, name, error);
    if (a)
        question_add(&r->question, a);
    return a != NULL;
}

// Adds each of the names in a word, which may be those of files.
static gboolean add_names(const char *word, Request *r, RequestName *add, GError **error)
{
    g_autofree char *list = ask_plugins(word, r, error);
    return list && request_add_names(r, "ALGORITHM", list, add, error);
}

gboolean ask_algorithms(const char *word, Request *r, GError **error)
{
    return add_names(word, r, add_algorithm, error);
}

gboolean ask_libraries(const char *word, Request *r, GError **error)
{
    return add_names(word, r, request_name_algorithm, error);
}

// Refuses numbers of ranks that the GOAL schedule of --goal does not have.
static gboolean check_goal_ranks(const Question *q, GError **error)
{
    const int ranks = goal_entry_ranks();
    for (guint i = 0; ranks > 0 && i < q->ranks->len; i++)
        if (g_array_index(q->ranks, size_t, i) != (size_t)ranks)
            return bad_input(error, "-p %zu: the schedule of --goal has %d rank%s; allowed: %d",
                             g_array_index(q->ranks, size_t, i), ranks, ranks == 1 ? "" : "s", ranks);
    return TRUE;
}

gboolean ask_operation(char **words, const RequestOptions *o, Request *r, GError **error)
{
    if (!collective_parse(words[0], &r->question.collective, error) || !ask_only(o, &r->library, error) ||
        !(o->libraries ? ask_libraries : ask_algorithms)(words[1], r, error))
        return FALSE;
    r->machine.options.full = o->full;
    r->machine.options.why = o->why;
    r->question.timing = o->timing;
    r->question.memory = o->memory || o->connection;
    r->question.connection = MEMORY_CONNECTION;
    return options_number("--connection", o->connection, 0, (size_t)1 << 62, &r->question.connection, error) &&
           ask_points(o, r, error) && check_goal_ranks(&r->question, error);
}

// ---- What was left out ----------------------------------------------------------------------------------------------

// Notes on how many ranks an algorithm did not run for the reason that point `first` gives.
static void note_idle_point(const Question *q, const GPtrArray *points, guint first)
{
    enum { SHOWN = 8 };
    const Point *x = g_ptr_array_index(points, first);
    g_autoptr(GString) ranks = g_string_new(NULL);
    int n = 0, p = 0;
    for (guint i = first; i < points->len; i++) {
        const Point *y = g_ptr_array_index(points, i);
        if (y->algorithm != x->algorithm || y->ran || strcmp(y->why, x->why) != 0 || y->p == p)
            continue;
        p = y->p;
        if (n++ < SHOWN)
            g_string_append_printf(ranks, "%s%d", ranks->len ? ", " : "", p);
    }
    if (n > SHOWN)
        g_string_append_printf(ranks, " and %d other numbers of", n - SHOWN);
    note("%s %s did not run on %s ranks: %s", collectives[q->collective].name, x->algorithm->name, ranks->str, x->why);
}

void ask_note_idle(const Question *q, const GPtrArray *points)
{
    for (guint k = 0; q->named && k < q->named->len; k++) {
        g_autoptr(GHashTable) reasons = g_hash_table_new(g_str_hash, g_str_equal);
        for (guint i = 0; i < points->len; i++) {
            const Point *x = g_ptr_array_index(points, i);
            if (x->algorithm == g_ptr_array_index(q->named, k) && !x->ran &&
                g_hash_table_add(reasons, (gpointer)(uintptr_t)x->why))
                note_idle_point(q, points, i);
        }
    }
}
