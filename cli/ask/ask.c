#include "ask/ask.h"
#include "out/note.h"
#include "ask/options.h"
#include "ask/plugins.h"
#include "base/error.h"
#include "engine/schedule/goal_entry.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/units.h"
#include "engine/schedule/memory.h"
#include "engine/schedule/parse.h"
#include <string.h>

void request_options_clear(RequestOptions *o)
{
    g_free(o->ranks);
    g_free(o->sizes);
    g_free(o->root);
    g_free(o->element);
    g_free(o->counts);
    g_free(o->displs);
    g_free(o->per_node);
    g_free(o->map);
    g_free(o->connection);
    g_free(o->platform);
    g_free(o->model);
    g_free(o->transfer);
    g_free(o->only);
    g_strfreev(o->params);
    g_strfreev(o->sets);
    answer_options_clear(&o->answer);
}

// ---- The machine ----------------------------------------------------------------------------------------------------

char *ask_platform_path(const char *name, GError **error)
{
    g_auto(GStrv) names = platform_names();
    const gboolean file = strchr(name, '/') || g_str_has_suffix(name, ".ini");
    const int match = file ? -1 : nearest_match(name, (const char *const *)names);
    return platform_path(match >= 0 ? names[match] : name, error);
}

Platform *ask_platform(const char *name, GError **error)
{
    g_autofree char *path = ask_platform_path(name, error);
    return path ? platform_load(path, error) : NULL;
}

// Everyday names of parameters: what each stands for in hockney, and in the models of the LogP family.
static const struct {
    const char *name;
    PlatformKey hockney, logp;
} everyday[] = {{"latency", KEY_ALPHA, KEY_L}, {"bandwidth", KEY_BETA, KEY_G_BYTE}};

void ask_note_topology(const Platform *platform, const Model *model)
{
    const Topology *t = &platform->topology;
    if (t->kind != TOPOLOGY_FLAT)
        note("model %s ignores the topology of platform %s, %s %s: all ranks are equally far apart; SMPI simulates it "
             "(check --backends smpi)",
             model->name, platform->name, topology_names[t->kind], t->shape);
}

// The keys that --set allows with a model, a list that ends in NULL, and the figure that each stands for.
typedef struct SetKeys {
    const char *key[2 * N_PLATFORM_KEYS + 1];
    PlatformKey figure[2 * N_PLATFORM_KEYS];
} SetKeys;
_Static_assert(G_N_ELEMENTS(everyday) <= N_PLATFORM_KEYS, "set_keys adds each key of a platform once");

static gboolean has_key(const Model *model, int key)
{
    for (size_t i = 0; i < model->n_keys; i++)
        if (model->keys[i] == (PlatformKey)key)
            return TRUE;
    return FALSE;
}

static void add_key(SetKeys *keys, size_t *n, const char *name, PlatformKey figure)
{
    keys->key[*n] = name;
    keys->figure[(*n)++] = figure;
}

static SetKeys set_keys(const Model *model)
{
    SetKeys keys = {0};
    size_t n = 0;
    for (size_t i = 0; i < model->n_keys; i++)
        add_key(&keys, &n, platform_keys[model->keys[i]].name, model->keys[i]);
    for (size_t k = 0; k < G_N_ELEMENTS(everyday); k++)
        for (size_t i = 0; i < model->n_keys; i++)
            if (model->keys[i] == everyday[k].hockney || model->keys[i] == everyday[k].logp)
                add_key(&keys, &n, everyday[k].name, model->keys[i]);
    for (int k = KEY_NICS; k <= KEY_MEMORY && model_replays(model); k++)
        if (!has_key(model, k))
            add_key(&keys, &n, platform_keys[k].name, k);
    for (size_t i = 0; model == &hockney_model && i < shared_model.n_keys; i++) // for parts in shared memory
        if (!has_key(model, (int)shared_model.keys[i]))
            add_key(&keys, &n, platform_keys[shared_model.keys[i]].name, shared_model.keys[i]);
    return keys;
}

// Finds the key of one assignment in keys->key. If it has a level behind a dot, *level becomes its name, as the
// platform has it if only the case differs; the caller frees it. Returns FALSE and a bad-input error if there is no
// such key.
static gboolean find_set_key(const Platform *platform, const char *text, const SetKeys *keys, const char *kind,
                             int *index, char **level, GError **error)
{
    const char *dot = strrchr(text, '.');
    g_autofree char *head = dot ? g_strndup(text, (gsize)(dot - text)) : NULL;
    *index = nearest_match(text, keys->key);
    if (*index >= 0)
        return TRUE;
    if (!head || (!nearest_name(head, keys->key) && nearest_name(text, keys->key)))
        return nearest_find(kind, text, keys->key, index, error);
    if (!nearest_find(kind, head, keys->key, index, error))
        return FALSE;
    const char *names[LEVELS_MOST + 1] = {NULL};
    for (int i = 0; i < platform->levels.n; i++)
        names[i] = platform->levels.at[i].name;
    const int match = nearest_match(dot + 1, names);
    *level = g_strdup(match >= 0 ? names[match] : dot + 1);
    return TRUE;
}

// Returns "x0.5" for "x2", because twice the bandwidth is half the time per byte; NULL for a text that does not scale.
// Free with g_free.
static char *inverse(const char *text)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    double factor = 0;
    if (*text != 'x' || !number_real(text + 1, &factor) || factor <= 0)
        return NULL;
    return g_strconcat("x", g_ascii_dtostr(digits, sizeof digits, 1 / factor), NULL);
}

// Applies one KEY=VALUE, and replaces its key by the name of the parameter.
static gboolean set_parameter(Platform *platform, char **set, const SetKeys *keys, const Model *model, GError **error)
{
    const char *value = strchr(*set, '=');
    if (!value)
        return platform_set(platform, *set, error); // which reports the missing '='
    g_autofree char *key = g_strndup(*set, (gsize)(value - *set)),
                    *kind = g_strdup_printf("parameter of %s", model->name), *level = NULL;
    int i = 0;
    double cost = 1;
    if (!find_set_key(platform, key, keys, kind, &i, &level, error))
        return FALSE;
    // beta=0 means that bytes cost nothing, but bandwidth=0 that they never arrive.
    if (strcmp(keys->key[i], "bandwidth") == 0 && units_parse_per_byte(value + 1, &cost, NULL) && cost == 0)
        return bad_input(error, "--set bandwidth=0; allowed: a bandwidth above 0 such as 12.5GB/s");
    g_autofree char *slower = strcmp(keys->key[i], "bandwidth") == 0 ? inverse(value + 1) : NULL;
    char *assignment = g_strconcat(platform_keys[keys->figure[i]].name, level ? "." : "", level ? level : "",
                                   slower ? "=" : "", slower ? slower : value, NULL);
    g_autofree char *source = g_strconcat("--set ", assignment, NULL);
    const char *figure = slower ? slower : value + 1;
    const gboolean good = platform_set_figure(platform, keys->figure[i], level, figure, source, error);
    g_free(*set);
    *set = assignment;
    if (!good)
        g_prefix_error(error, "--set: ");
    return good;
}

gboolean ask_sets(Platform *platform, char **sets, const Model *model, GError **error)
{
    const SetKeys keys = set_keys(model);
    for (char **set = sets; set && *set; set++)
        if (!set_parameter(platform, set, &keys, model, error))
            return FALSE;
    return TRUE;
}

gboolean ask_machine(const RequestOptions *o, Request *r, GError **error)
{
    if (!(r->machine.platform = ask_platform(o->platform ? o->platform : PLATFORM_DEFAULT, error)) ||
        !request_model(r, o->model, error))
        return FALSE;
    if (o->network && !o->model && r->machine.model == &measured_model)
        r->machine.model = &hockney_model;
    if (!o->network)
        ask_note_topology(r->machine.platform, r->machine.model);
    r->machine.sets = o->sets;
    return ask_sets(r->machine.platform, o->sets, r->machine.model, error) &&
           request_need_figures(&r->machine, question_reduces(&r->question), error) &&
           request_transfer(&r->machine, o->transfer, error);
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
    r->machine.map = (MapSpec){.kind = k ? MAP_BLOCK : MAP_NONE, .k = k};
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

gboolean ask_only(const RequestOptions *o, RequestLibrary *lib, GError **error)
{
    lib->no_han = o->no_han;
    if (!o->only || strcmp(o->only, "any") == 0)
        return TRUE;
    const Library *library = library_find(o->only, error);
    if (!library) {
        g_prefix_error(error, "--only: ");
        return FALSE;
    }
    return (lib->only = request_tables(lib, library, error)) != NULL;
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

void ask_note_unknowns(const Request *r)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    request_unknowns(r, notes);
    for (guint i = 0; i < notes->len; i++)
        note_line(notes->pdata[i]);
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

// ---- Commands about what a library can be told to run ---------------------------------------------------------------

gboolean ask_collectives(const char *word, gboolean *chosen, GError **error)
{
    for (int i = 0; i < N_COLLECTIVES; i++)
        chosen[i] = !word || strcmp(word, "all") == 0;
    g_auto(GStrv) names = g_strsplit(chosen[0] ? "" : word, ",", -1);
    for (char **name = names; *name; name++) {
        Collective collective;
        if (!collective_parse(g_strstrip(*name), &collective, error))
            return FALSE;
        chosen[collective] = TRUE;
    }
    return TRUE;
}

gboolean ask_about_library(const char *command, const char *library, const RequestOptions *o, Request *r,
                           GError **error)
{
    const Library *known = library ? library_find(library, error) : NULL;
    r->library.no_han = o->no_han;
    r->question.ordered = o->ordered;
    r->question.collective = COLL_ALLREDUCE; // the machine needs the figures of reductions
    r->question.elem = ask_library_element(o, r->question.collective);
    r->question.elem_assumed = !o->element;
    size_t element; // is only checked
    return (!library || (known && (r->library.only = request_tables(&r->library, known, error)))) &&
           options_element(o->element, &element, error) &&
           ask_ranks(o->ranks ? o->ranks : ASK_LIBRARY_RANKS, o->per_node, o->map, r, error) &&
           (r->question.sizes = options_sizes(o->sizes ? o->sizes : ASK_LIBRARY_SIZES, error)) &&
           ask_machine(o, r, error) && request_knows(command, r->machine.model, TRUE, error) &&
           request_check_map(r, error) &&
           (!r->machine.model->shared ||
            bad_input(error, "%s does not know model shared; allowed: hockney or measured", command));
}

size_t ask_library_element(const RequestOptions *o, Collective collective)
{
    size_t given;
    options_element(o->element, &given, NULL);
    return question_element(collective, TRUE, NULL, given);
}

char *ask_sizes_text(const GArray *sizes)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < sizes->len; i++)
        g_string_append_printf(text, "%s%zu", i ? "," : "", g_array_index(sizes, size_t, i));
    return g_string_free(text, FALSE);
}

// Returns a collective that is chosen, has elements, and whose elements divide m or, without `whole`, do not; -1 if
// there is none.
static int find_uneven(const RequestOptions *o, const gboolean *chosen, size_t m, gboolean whole)
{
    for (int c = 0; c < N_COLLECTIVES; c++)
        if (chosen[c] && c != COLL_BARRIER && (m % ask_library_element(o, (Collective)c) == 0) == whole)
            return c;
    return -1;
}

// Notes in the request that these sizes are left out for the collectives whose elements do not divide m, one of them. A
// command's elements are reductions' and those of others, so these collectives are the same for all sizes.
static void note_uneven(const RequestOptions *o, const gboolean *chosen, Request *r, const GArray *sizes)
{
    enum { SHOWN = 8 };
    g_autoptr(GString) text = g_string_new(sizes->len == 1 ? "size " : "sizes ");
    const size_t m = g_array_index(sizes, size_t, 0);
    size_t elem = 1;
    for (guint i = 0; i < MIN(sizes->len, SHOWN); i++)
        g_string_append_printf(text, "%s%zu", i ? ", " : "", g_array_index(sizes, size_t, i));
    if (sizes->len > SHOWN)
        g_string_append_printf(text, " and %u more", sizes->len - SHOWN);
    for (int c = 0, n = 0; c < N_COLLECTIVES; c++) {
        const size_t own = ask_library_element(o, (Collective)c);
        if (!chosen[c] || c == COLL_BARRIER || m % own == 0)
            continue;
        elem = own;
        g_string_append_printf(text, "%s%s", n++ ? ", " : " of ", collectives[c].name);
    }
    request_leave_out(r, g_strdup_printf("%s (no whole number of elements of %zu bytes)", text->str, elem));
}

gboolean ask_library_sizes(RequestOptions *o, const gboolean *chosen, gboolean given, Request *r, GError **error)
{
    const guint asked = r->question.sizes->len;
    g_autoptr(GArray) noted = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < r->question.sizes->len;) {
        const size_t m = g_array_index(r->question.sizes, size_t, i);
        const int uneven = find_uneven(o, chosen, m, FALSE);
        const gboolean some = uneven < 0 || find_uneven(o, chosen, m, TRUE) >= 0;
        if (!some && (given || r->question.sizes->len == 1))
            return bad_input(
                error,
                "-m %zu is not a multiple of %zu, the bytes of an element of %s; allowed: whole elements, or "
                "another --element",
                m, ask_library_element(o, (Collective)uneven), collectives[uneven].name);
        if (uneven >= 0)
            g_array_append_val(noted, m);
        if (some)
            i++;
        else
            g_array_remove_index(r->question.sizes, i);
    }
    if (noted->len > 0)
        note_uneven(o, chosen, r, noted);
    if (r->question.sizes->len < asked) {
        g_free(o->sizes);
        o->sizes = ask_sizes_text(r->question.sizes);
    }
    return TRUE;
}
