#include "explore/explore_state.h"
#include "base/error.h"
#include "base/number.h"
#include "engine/schedule/parse.h"
#include <string.h>

const char *const explore_views[] = {"map", "times", "shares", "trace", "rounds", "show", "why", NULL};

void explore_state_clear(ExploreState *state)
{
    g_clear_pointer(&state->with, g_ptr_array_unref);
    g_clear_pointer(&state->sets, g_ptr_array_unref);
}

static gboolean read_number(GHashTable *fields, const char *name, int from, int to, int otherwise, int *out,
                            GError **error)
{
    const char *const text = g_hash_table_lookup(fields, name);
    *out = otherwise;
    if (!text || number_int(text, from, to, out))
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "%s=%s; allowed: %d to %d", name, shown, from, to);
}

gboolean explore_offers(const CollAlgorithm *a, Collective collective)
{
    return a->collective == collective && !a->shared;
}

// Finds an algorithm that the page offers by its own name: a request cannot name an alias of a library, or a file.
static const CollAlgorithm *read_algorithm(Collective collective, const char *name, GError **error)
{
    for (int i = 0; i < n_algorithms; i++)
        if (explore_offers(algorithms[i], collective) && !strcmp(algorithms[i]->name, name))
            return algorithms[i];
    g_autofree char *shown = error_quote(name);
    bad_input(error, "algorithm %s; allowed: a name that `collsim list %s` prints", shown,
              collectives[collective].name);
    return NULL;
}

static gboolean read_with(ExploreState *state, const char *names, GError **error)
{
    state->with = g_ptr_array_new();
    g_auto(GStrv) name = g_strsplit(names ? names : "", ",", EXPLORE_MOST_WITH + 2);
    for (char **w = name; *w; w++) {
        const CollAlgorithm *const a = read_algorithm(state->collective, *w, error);
        if (!a)
            return FALSE;
        if (!g_ptr_array_find(state->with, a, NULL))
            g_ptr_array_add(state->with, (gpointer)a);
    }
    return state->with->len <= EXPLORE_MOST_WITH ||
           bad_input(error, "%u algorithms; allowed: at most %d", state->with->len, EXPLORE_MOST_WITH);
}

// Returns TRUE if a text is a factor: digits, perhaps with a point among them, and between a millionth and a million.
static gboolean is_factor(const char *text)
{
    double factor;
    return strlen(text) <= 12 && !text[strspn(text, "0123456789.")] && !g_str_has_suffix(text, ".") &&
           number_real(text, &factor) && factor >= 1e-6 && factor <= 1e6;
}

// Reads the factors of the machine's figures, "x.alpha=0.5". A factor of 1 changes nothing, so it is left out.
static gboolean read_sets(ExploreState *state, GHashTable *fields, GError **error)
{
    state->sets = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < state->machine->figures->len; i++) {
        const char *const name = g_array_index(state->machine->figures, ExploreFigure, i).name;
        g_autofree char *field = g_strconcat("x.", name, NULL);
        const char *const text = g_hash_table_lookup(fields, field);
        if (text && !is_factor(text)) {
            g_autofree char *shown = error_quote(text);
            return bad_input(error, "%s=%s; allowed: a factor such as 0.5", field, shown);
        }
        if (text && strcmp(text, "1") != 0)
            g_ptr_array_add(state->sets, g_strdup_printf("%s=x%s", name, text));
    }
    return TRUE;
}

// Refuses a field that nobody reads, since it would be a mistake of the page or of a person.
static gboolean check_fields(const ExploreState *state, GHashTable *fields, GError **error)
{
    static const char *const known[] = {"page", "c",    "machine", "a",      "with",   "p",
                                        "k",    "most", "m",       "detail", "narrow", NULL};
    GHashTableIter at;
    gpointer name;
    g_hash_table_iter_init(&at, fields);
    while (g_hash_table_iter_next(&at, &name, NULL)) {
        gboolean good = g_strv_contains(known, name);
        for (guint i = 0; !good && g_str_has_prefix(name, "x.") && i < state->machine->figures->len; i++)
            good = !strcmp((const char *)name + 2, g_array_index(state->machine->figures, ExploreFigure, i).name);
        if (!good) {
            g_autofree char *shown = error_quote(name);
            return bad_input(error, "field %s; allowed: those that the page sends", shown);
        }
    }
    return TRUE;
}

static gboolean read_place(ExploreState *state, GHashTable *fields, GError **error)
{
    int m;
    if (!read_number(fields, "p", 1, EXPLORE_MOST_RANKS, 8, &state->p, error) ||
        !read_number(fields, "k", 0, 4096, 0, &state->per_node, error) ||
        !read_number(fields, "most", 2, EXPLORE_MOST_RANKS, 1024, &state->most, error) ||
        !read_number(fields, "m", 0, EXPLORE_MOST_BYTES, 8, &m, error) ||
        !read_number(fields, "detail", 1, EXPLORE_DETAILS, 1, &state->detail, error) ||
        !read_number(fields, "narrow", 0, 1, 0, &state->narrow, error))
        return FALSE;
    state->m = (size_t)m;
    return TRUE;
}

gboolean explore_state_read(ExploreState *state, const GPtrArray *machines, GHashTable *fields, GError **error)
{
    const char *const collective = g_hash_table_lookup(fields, "c"),
                      *const machine = g_hash_table_lookup(fields, "machine"),
                      *const algorithm = g_hash_table_lookup(fields, "a");
    state->machine = machine ? explore_machines_find(machines, machine) : machines->pdata[0];
    if (!state->machine) {
        g_autofree char *shown = error_quote(machine);
        return bad_input(error, "machine %s; allowed: one that the page offers", shown);
    }
    if (!collective_parse(collective ? collective : "", &state->collective, error) ||
        !check_fields(state, fields, error) || !read_place(state, fields, error) ||
        !read_with(state, g_hash_table_lookup(fields, "with"), error) || !read_sets(state, fields, error))
        return FALSE;
    if (!algorithm || !*algorithm)
        return TRUE;
    state->algorithm = read_algorithm(state->collective, algorithm, error);
    return state->algorithm != NULL;
}
