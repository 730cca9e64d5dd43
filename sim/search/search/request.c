#include "search/search/request.h"
#include "libraries/decide/names.h"
#include "engine/model/unknown.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"
#include "measurements/logs/logs.h"
#include "engine/schedule/parse.h"
#include "engine/schedule/variant.h"
#include <math.h>
#include <string.h>

enum { MAX_VARIANTS = 10000 };

static void mapping_destroy(gpointer mapping)
{
    mapping_free(mapping);
}

void request_clear(Request *r)
{
    if (r->named)
        g_ptr_array_unref(r->named);
    if (r->kept)
        g_ptr_array_unref(r->kept);
    if (r->autos)
        g_ptr_array_unref(r->autos);
    if (r->tables)
        g_ptr_array_unref(r->tables);
    if (r->ranks)
        g_array_unref(r->ranks);
    if (r->sizes)
        g_array_unref(r->sizes);
    if (r->per_node)
        g_array_unref(r->per_node);
    counts_clear(&r->counts);
    map_clear(&r->map);
    platform_free(r->platform);
    g_clear_pointer(&r->left_out, g_ptr_array_unref);
    g_clear_pointer(&r->of_default, g_ptr_array_unref);
    if (r->placed)
        g_hash_table_unref(r->placed);
}

// ---- The map --------------------------------------------------------------------------------------------------------

int request_per_node(const Request *r, guint i)
{
    const int k = r->per_node ? g_array_index(r->per_node, int, i) : 0;
    return k ? k : r->map.k;
}

static gboolean is_mapped(const Request *r, int per_node)
{
    return r->map.kind != MAP_NONE || per_node;
}

// Returns TRUE if it matters to some model on which nodes ranks are; the platform may be NULL.
static gboolean has_nodes(const Platform *platform)
{
    return platform && (platform->levels.n > 1 || platform->has[KEY_NIC_RATE] || platform->has[KEY_NIC_MESSAGES] ||
                        platform->memory);
}

// Returns TRUE if an algorithm that is named needs nodes.
static gboolean names_groups(const Request *r)
{
    for (guint i = 0; r->named && i < r->named->len; i++) {
        const CollAlgorithm *a = g_ptr_array_index(r->named, i);
        if (algorithm_needs_nodes(a))
            return TRUE;
    }
    return FALSE;
}

// Returns TRUE if a library that was named decides by nodes.
static gboolean names_libraries(const Request *r)
{
    for (guint i = 0; r->autos && i < r->autos->len; i++)
        if (decide_asks_nodes(((const RequestAuto *)r->autos->pdata[i])->tables, r->no_han))
            return TRUE;
    return FALSE;
}

// Makes the mapping of p ranks. NxK alone means block:K. Returns NULL and an error on bad input.
static Mapping *place(const Request *r, int p, int per_node, GError **error)
{
    const Levels *levels = r->platform ? &r->platform->levels : NULL;
    MapSpec spec = r->map;
    if (spec.kind == MAP_NONE && per_node)
        spec.kind = MAP_BLOCK;
    spec.k = per_node;
    Mapping *m = mapping_new(&spec, levels, p, error);
    if (m && (!r->named || names_groups(r))) // nobody else groups ranks by other levels than the map's
        mapping_nest(m, levels);
    if (m && spec.kind == MAP_FILE && per_node && coll_nodes_equal(m->nodes) != per_node) {
        mapping_free(m);
        bad_input(error, "--map %s does not put %d rank%s on each node, as -p %dx%d says; allowed: a map that does",
                  spec.file, per_node, per_node == 1 ? "" : "s", p / per_node, per_node);
        return NULL;
    }
    return m;
}

const Mapping *request_mapping(const Request *r, int p, int per_node)
{
    static GMutex lock;
    GHashTable **placed = (GHashTable **)(uintptr_t)&r->placed; // keeping results does not change the request
    if (!is_mapped(r, per_node) && !has_nodes(r->platform))
        return NULL;
    const gpointer key = GSIZE_TO_POINTER((gsize)p << 32 | (gsize)per_node);
    g_mutex_lock(&lock);
    if (!*placed)
        *placed = g_hash_table_new_full(NULL, NULL, NULL, mapping_destroy);
    Mapping *m = g_hash_table_lookup(*placed, key);
    g_mutex_unlock(&lock);
    if (m)
        return m;
    Mapping *made = place(r, p, per_node, NULL); // without the lock, which a lack of memory would leave locked
    g_assert(made);                              // request_check_map() has seen to that
    g_mutex_lock(&lock);
    m = g_hash_table_lookup(*placed, key);
    if (!m)
        g_hash_table_insert(*placed, key, m = g_steal_pointer(&made));
    g_mutex_unlock(&lock);
    mapping_free(made);
    return m;
}

gboolean request_flat(const Request *r, int p, int per_node)
{
    if (r->model != &hockney_model || !request_commutes(r))
        return FALSE;
    g_autoptr(Site) site = site_of_platform(r->platform, request_mapping(r, p, per_node), r->options.transfer);
    return site == NULL;
}

gboolean request_check_map(const Request *r, GError **error)
{
    for (guint i = 0; r->map.kind == MAP_FILE && i < r->ranks->len; i++) {
        g_autoptr(Mapping) m = place(r, (int)g_array_index(r->ranks, size_t, i), request_per_node(r, i), error);
        if (!m)
            return FALSE;
    }
    return TRUE;
}

// ---- The algorithms and their parameters ----------------------------------------------------------------------------

const char *request_name(const Request *r)
{
    return r->name ? r->name : collectives[r->collective].name;
}

void request_add(Request *r, const CollAlgorithm *a)
{
    if (!r->named)
        r->named = g_ptr_array_new();
    if (!g_ptr_array_find(r->named, a, NULL))
        g_ptr_array_add(r->named, (gpointer)(uintptr_t)a);
}

static void free_tables(gpointer tables)
{
    tables_free(tables);
}

Tables *request_tables(Request *r, const Library *library, GError **error)
{
    if (!r->tables)
        r->tables = g_ptr_array_new_with_free_func(free_tables);
    for (guint i = 0; i < r->tables->len; i++)
        if (((Tables *)r->tables->pdata[i])->library == library)
            return r->tables->pdata[i];
    Tables *tables = tables_load(library, error);
    if (tables)
        g_ptr_array_add(r->tables, tables);
    return tables;
}

static void free_auto(gpointer data)
{
    RequestAuto *x = data;
    g_free(x->name);
    g_free(x);
}

const RequestAuto *request_auto(const Request *r, const CollAlgorithm *a)
{
    for (guint i = 0; r->autos && i < r->autos->len; i++)
        if (&((const RequestAuto *)r->autos->pdata[i])->algorithm == a)
            return r->autos->pdata[i];
    return NULL;
}

// Adds a copy of an auto, takes ownership of its name, and returns its algorithm.
static const CollAlgorithm *new_auto(Request *r, const RequestAuto *from)
{
    RequestAuto *x = g_memdup2(from, sizeof *from);
    x->algorithm = (CollAlgorithm){.collective = r->collective, .name = x->name};
    if (!r->autos)
        r->autos = g_ptr_array_new_with_free_func(free_auto);
    g_ptr_array_add(r->autos, x);
    request_add(r, &x->algorithm);
    return &x->algorithm;
}

// Adds what a library runs by default, or if it is told to run `told`. `id` is "auto", or the id or name of `told`.
static const CollAlgorithm *add_auto(Request *r, Tables *tables, const LibraryAlgorithm *told, const char *id)
{
    g_autofree char *name = g_strconcat(tables->library->name, ":", id, NULL);
    for (guint i = 0; r->autos && i < r->autos->len; i++) {
        const RequestAuto *x = r->autos->pdata[i];
        if (strcmp(x->name, name) == 0)
            return &x->algorithm;
    }
    return new_auto(r, &(RequestAuto){{0}, g_steal_pointer(&name), tables, told, NULL, NULL});
}

const CollAlgorithm *request_name_decider(Request *r, Tables *tables, const char *name, DecidePart *decide,
                                          gconstpointer from)
{
    return new_auto(r, &(RequestAuto){{0}, g_strdup(name), tables, NULL, decide, from});
}

void request_keep(Request *r)
{
    r->kept = g_steal_pointer(&r->named);
}

gboolean request_keeps(const Request *r, const CollAlgorithm *a)
{
    return r->kept && g_ptr_array_find(r->kept, a, NULL);
}

void request_name_none(Request *r)
{
    g_clear_pointer(&r->named, g_ptr_array_unref);
    g_clear_pointer(&r->autos, g_ptr_array_unref);
}

// Returns TRUE if the algorithm calls others.
static gboolean has_parts(const CollAlgorithm *a)
{
    gboolean has = FALSE;
    for (int i = 0; i < algorithm_n_params(a); i++)
        has |= a->params[i].kind == PARAM_ALGORITHM;
    return has;
}

// Adds the algorithm of a library that a word means; all of them if it is "all". Returns the last one; NULL if there is
// none.
static const CollAlgorithm *add_of_library(Request *r, Tables *tables, const char *word)
{
    const CollAlgorithm *found = NULL;
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        CollParams par;
        const CollAlgorithm *entry =
            a->collective == r->collective && names_mean(word, a) ? decide_entry(tables, a, &par) : NULL;
        g_autofree char *id = names_id(a);
        if (entry && has_parts(entry))
            found = add_auto(r, tables, a, id);
        else if (entry)
            request_add(r, found = variant_find(entry, &par));
    }
    return found;
}

// Refuses a name that a library does not have, and lists those that it has.
static gboolean refuse_name(const Request *r, const Tables *tables, const char *name, GError **error)
{
    g_autoptr(GString) all = g_string_new("auto");
    g_autofree char *shown =
        strcmp(name, "all") == 0 ? g_strdup("algorithm that it can be told to run") : error_quote(name);
    for (guint i = 0, n = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        if (a->collective == r->collective && n++ == 0)
            g_string_append(all, ", all");
        if (a->collective == r->collective && a->id)
            g_string_append_printf(all, ", %d (%s)", a->id, a->name);
        else if (a->collective == r->collective)
            g_string_append_printf(all, ", %s", a->name);
    }
    return bad_input(error, "%s has no %s %s; allowed: %s", tables->library->title, collectives[r->collective].name,
                     shown, all->str);
}

const CollAlgorithm *request_named(Request *r, const char *name, GError **error)
{
    const char *word = NULL;
    g_autoptr(GError) unknown = NULL;
    const CollAlgorithm *a = r->only ? add_of_library(r, r->only, name) : NULL;
    if (a)
        return a;
    if (r->only && !strchr(name, ':')) {
        refuse_name(r, r->only, name, error);
        return NULL;
    }
    a = algorithm_find(r->collective, name);
    const Library *library = a ? NULL : names_of_library(name, &word, &unknown);
    if (unknown) {
        g_propagate_error(error, g_steal_pointer(&unknown));
        return NULL;
    }
    if (!library) {
        a = a ? a : algorithm_parse(r->collective, name, error);
        if (a)
            request_add(r, a);
        return a;
    }
    Tables *tables = request_tables(r, library, error);
    if (!tables)
        return NULL;
    if (strcmp(word, "auto") == 0)
        return add_auto(r, tables, NULL, word);
    for (int i = 0; !a && (library = names_version(name, i)); i++) {
        Tables *other = request_tables(r, library, NULL);
        a = other ? add_of_library(r, other, word) : NULL;
    }
    if (!a)
        refuse_name(r, tables, word, error);
    return a;
}

gboolean request_name_algorithm(Request *r, const char *name, GError **error)
{
    return request_named(r, name, error) != NULL;
}

gboolean request_add_names(Request *r, const char *what, const char *word, RequestName *add, GError **error)
{
    gboolean all = FALSE;
    g_auto(GStrv) names = g_strsplit(word, ",", -1);
    for (char **name = names; *name; name++) {
        const gboolean is_all = !r->only && g_ascii_strcasecmp(g_strstrip(*name), "all") == 0;
        if (!is_all && !add(r, *name, error))
            return FALSE;
        all |= is_all;
    }
    r->all_too = all && r->named;
    return all || r->named || bad_input(error, "%s is empty; allowed: all, or names joined by commas", what);
}

void request_add_default(Request *r, Tables *tables)
{
    add_auto(r, tables, NULL, "auto");
}

void request_name_default(Request *r, Tables *tables)
{
    request_name_none(r);
    request_add_default(r, tables);
}

Decision *request_decide(const Request *r, const CollAlgorithm *a, int p, int per_node, size_t m,
                         const CollCounts *counts)
{
    const RequestAuto *x = request_auto(r, a);
    const DecideCall call = request_call(r, p, per_node, m, counts);
    return !x          ? NULL
           : x->decide ? x->decide(x->tables, &call, x->from)
           : x->told   ? decide_told(x->tables, &call, x->told)
                       : decide_call(x->tables, &call);
}

gboolean request_commutes(const Request *r)
{
    return !r->ordered || !collectives[r->collective].reduces;
}

DecideCall request_call(const Request *r, int p, int per_node, size_t m, const CollCounts *counts)
{
    return (DecideCall){.collective = r->collective,
                        .p = p,
                        .m = m,
                        .elem = r->elem,
                        .commutative = request_commutes(r),
                        .counts = counts,
                        .nodes = is_mapped(r, per_node) ? request_mapping(r, p, per_node)->nodes : NULL,
                        .no_han = r->no_han,
                        .no_compositions = r->no_compositions};
}

const CollAlgorithm *request_only(const Request *r)
{
    return r->named && r->named->len == 1 ? g_ptr_array_index(r->named, 0) : NULL;
}

// Returns the values of NAME=VALUE,VALUE,.. without the spaces around them, at least one. Free with g_strfreev.
static char **values_of(const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    char **values = g_strsplit(equals && equals[1] ? equals + 1 : " ", ",", -1);
    for (char **value = values; *value; value++)
        g_strstrip(*value);
    return values;
}

gboolean request_no_lists(const Request *r, GError **error)
{
    for (char **w = r->params; w && *w; w++) {
        g_auto(GStrv) values = values_of(*w);
        g_autofree char *shown = error_quote(*w);
        if (values[1])
            return bad_input(error, "--param %s; allowed: one value", shown);
    }
    return TRUE;
}

gboolean request_single(const Request *r)
{
    return request_only(r) && request_no_lists(r, NULL);
}

size_t request_most(const Request *r, size_t p)
{
    return (size_t)ceil(0x1p62 / operation_weight(r->collective, (double)p)) - 1;
}

gboolean request_check_size(const Request *r, size_t p, size_t m, GError **error)
{
    if (m <= request_most(r, p) && m % r->elem == 0)
        return TRUE;
    g_autofree char *ranks = units_format_size(p), *size = units_format_size(m);
    if (m > request_most(r, p))
        return bad_input(error, "-m %s on %s ranks overflows; allowed: less than 2^62 bytes in all messages", size,
                         ranks);
    return bad_input(error, "-m %s is not a multiple of --element %" G_GSIZE_FORMAT "; allowed: whole elements", size,
                     r->elem);
}

GArray *request_whole_sizes(const Request *r)
{
    GArray *whole = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < r->sizes->len; i++)
        if (g_array_index(r->sizes, size_t, i) % r->elem == 0)
            g_array_append_val(whole, g_array_index(r->sizes, size_t, i));
    return whole;
}

size_t request_most_ranks(const Request *r)
{
    size_t most = 0;
    for (guint i = 0; i < r->ranks->len; i++)
        most = MAX(most, g_array_index(r->ranks, size_t, i));
    return most;
}

gboolean request_counts(Request *r, const char *counts, const char *displs, GError **error)
{
    const char *collective = collectives[r->collective].name;
    if ((counts || displs) && !collectives[r->collective].counts)
        return bad_input(error,
                         "%s: all blocks of %s have one length, and touch; allowed: with a v-collective such as "
                         "allgatherv%s",
                         counts ? "--counts" : "--displs", collective, counts ? ", or with reduce_scatter" : "");
    if (displs && r->collective == COLL_REDUCE_SCATTER)
        return bad_input(error,
                         "--displs: the blocks of %s always touch; allowed: with a v-collective such as allgatherv",
                         collective);
    if (counts && displs && strcmp(counts, "-") == 0 && strcmp(displs, "-") == 0)
        return bad_input(error, "--counts - --displs -: standard input is read once; allowed: a file for one of both");
    r->counts_text = counts;
    r->displs_text = displs;
    return counts_parse(counts, request_most_ranks(r), &r->counts, error) &&
           counts_parse_displs(displs, request_most_ranks(r), &r->counts, error);
}

// Returns "block", "cyclic" or "map FILE". Free with g_free.
static char *map_text(const Request *r)
{
    return r->map.kind == MAP_FILE     ? g_strdup_printf("map %s", r->map.file)
           : r->map.kind == MAP_CYCLIC ? g_strdup("cyclic")
                                       : g_strdup("block");
}

int request_nodes(const Request *r, int p, int per_node)
{
    return is_mapped(r, per_node) ? request_mapping(r, p, per_node)->nodes->n : 0;
}

char *request_map(const Request *r, int per_node)
{
    return !is_mapped(r, per_node)     ? NULL
           : r->map.kind == MAP_FILE   ? g_strdup(r->map.file)
           : r->map.kind == MAP_CYCLIC ? g_strdup_printf("cyclic:%d", per_node)
                                       : g_strdup_printf("block:%d", per_node);
}

char *request_nodes_text(const Request *r, int p, int per_node)
{
    if (!is_mapped(r, per_node))
        return NULL;
    const CollNodes *nodes = request_mapping(r, p, per_node)->nodes;
    int most = 0;
    for (int i = 0; i < nodes->n; i++)
        most = MAX(most, coll_nodes_size(nodes, i));
    g_autofree char *map = map_text(r);
    return g_strdup_printf("%d node%s of %s%d rank%s, %s", nodes->n, nodes->n == 1 ? "" : "s",
                           coll_nodes_equal(nodes) ? "" : "at most ", most, most == 1 ? "" : "s", map);
}

// Returns TRUE if a figure that the model reads differs between levels.
static gboolean has_level_figures(const Request *r)
{
    for (size_t i = 0; i < r->model->n_keys; i++)
        if (r->platform->by_level[r->model->keys[i]])
            return TRUE;
    return FALSE;
}

// Returns the most ranks on a node where there are ranks[i]; 0 without a map.
static int most_on_node(const Request *r, guint i)
{
    const int p = (int)g_array_index(r->ranks, size_t, i), per_node = request_per_node(r, i);
    const CollNodes *nodes = r->map.kind == MAP_FILE ? request_mapping(r, p, per_node)->nodes : NULL;
    int most = MIN(p, per_node);
    for (int k = 0; nodes && k < nodes->n; k++)
        most = MAX(most, coll_nodes_size(nodes, k));
    return most;
}

// Returns the most ranks on a node where there are several nodes.
static int most_of_several(const Request *r)
{
    int most = 0;
    for (guint i = 0; i < r->ranks->len; i++) {
        const int on_node = most_on_node(r, i);
        if ((size_t)on_node < g_array_index(r->ranks, size_t, i))
            most = MAX(most, on_node);
    }
    return most;
}

// Returns TRUE if an assignment is of a figure of shared memory alone.
static gboolean sets_shared(const char *set)
{
    for (size_t i = 0; i < shared_model.n_keys; i++) {
        const char *name = platform_keys[shared_model.keys[i]].name;
        if (shared_model.keys[i] != KEY_GAMMA && g_str_has_prefix(set, name) && set[strlen(name)] == '=')
            return TRUE;
    }
    return FALSE;
}

// Returns TRUE if an algorithm of the request may have a part in shared memory; a library may decide for one.
static gboolean may_share(const Request *r)
{
    if (!r->named || r->autos || r->only)
        return TRUE;
    for (guint i = 0; i < r->named->len; i++) {
        const CollAlgorithm *a = g_ptr_array_index(r->named, i);
        g_autoptr(GArray) variants = request_variants(r, a, NULL);
        for (guint k = 0; variants && k < variants->len; k++)
            if (algorithm_shared_part(a, &g_array_index(variants, CollParams, k)))
                return TRUE;
    }
    return FALSE;
}

// Returns which figures of [node] the platform gives and the model ignores: "nics, nic.rate"; NULL if there is none.
// Free with g_free.
static char *ignored_figures(const Request *r)
{
    GString *s = g_string_new(NULL);
    for (int k = KEY_NICS; k <= KEY_MEMORY && !model_replays(r->model); k++)
        if (r->platform->has[k])
            g_string_append_printf(s, "%s%s", s->len ? ", " : "", platform_keys[k].name);
    return g_string_free(s, s->len == 0);
}

gboolean request_reduces(const Request *r)
{
    gboolean reduces = !r->asked && collectives[r->collective].reduces;
    for (int i = 0; r->asked && i < N_COLLECTIVES; i++)
        reduces |= r->asked[i] && collectives[i].reduces;
    return reduces;
}

size_t request_element(Collective collective, gboolean decides, const GArray *sizes, size_t given)
{
    size_t element = decides ? LOG_USUAL_ELEMENT : 1;
    for (guint i = 0; sizes && i < sizes->len; i++)
        element = log_element_of(TRUE, g_array_index(sizes, size_t, i), 0, 0, element);
    return given ? given : collectives[collective].reduces ? element : 1;
}

void request_set_element(Request *r, size_t given)
{
    const gboolean decides = r->autos || r->only;
    r->elem = request_element(r->collective, decides, r->sizes, given);
    r->elem_assumed = !given && decides;
}

void request_unknowns(const Request *r, GPtrArray *notes)
{
    if (r->platform)
        unknown_note(notes, r->model, r->platform, request_reduces(r), most_of_several(r));
}

// Adds a remark for each --set without effect: of NICs that nodes do not have, or of shared memory that no part uses.
static void add_idle_sets(const Request *r, GPtrArray *remarks)
{
    const Platform *x = r->platform;
    for (char **set = r->sets; set && *set; set++)
        if (g_str_has_prefix(*set, "nics=") && !x->has[KEY_NIC_RATE] && !x->has[KEY_NIC_MESSAGES])
            g_ptr_array_add(remarks, g_strdup_printf("--set %s has no effect without nic.rate or nic.messages", *set));
        else if (sets_shared(*set) && r->model == &hockney_model && !may_share(r))
            g_ptr_array_add(remarks,
                            g_strdup_printf("--set %s has no effect: no part of the algorithm%s runs in shared memory",
                                            *set, request_only(r) ? "" : "s"));
}

// Adds a text to a list, which takes it, unless the list has it.
static void add_once(GPtrArray **list, char *what)
{
    if (!*list)
        *list = g_ptr_array_new_with_free_func(g_free);
    if (what && g_ptr_array_find_with_equal_func(*list, what, g_str_equal, NULL))
        g_free(what);
    else if (what)
        g_ptr_array_add(*list, what);
}

void request_leave_out(Request *r, char *what)
{
    add_once(&r->left_out, what);
}

void request_note_default(Request *r, char *what)
{
    add_once(&r->of_default, what);
}

void request_leave_out_of(Request *r, Collective collective, const char *what)
{
    if (what)
        request_leave_out(r, g_strdup_printf("%s: %s", collectives[collective].name, what));
}

GPtrArray *request_remarks(const Request *r)
{
    GPtrArray *remarks = g_ptr_array_new_with_free_func(g_free);
    request_unknowns(r, remarks);
    for (guint i = 0; r->left_out && i < r->left_out->len; i++)
        g_ptr_array_add(remarks, g_strdup_printf("left out: %s", (const char *)r->left_out->pdata[i]));
    for (guint i = 0; r->of_default && i < r->of_default->len; i++)
        g_ptr_array_add(remarks, g_strdup(r->of_default->pdata[i]));
    const size_t elem = r->asked ? LOG_USUAL_ELEMENT : r->elem; // of several collectives, r->elem is that of one
    if (r->elem_assumed && request_reduces(r))
        g_ptr_array_add(remarks,
                        g_strdup_printf("elements of reductions have %zu byte%s, as none are given (--element)", elem,
                                        elem == 1 ? "" : "s"));
    if (!r->platform || r->model->shared)
        return remarks;
    add_idle_sets(r, remarks);
    const Levels *levels = &r->platform->levels;
    const int node = levels_node(levels);
    int most = 0, alone = 0; // ranks on a node, and numbers of ranks without a map
    for (guint i = 0; i < r->ranks->len; i++) {
        const int on_node = most_on_node(r, i);
        most = MAX(most, on_node);
        alone += on_node == 0;
    }
    if (alone && (most || has_nodes(r->platform) || names_groups(r) || names_libraries(r)))
        g_ptr_array_add(remarks, g_strdup(most ? "where -p does not say NxK, every rank has a node of its own"
                                               : "every rank has a node of its own; see -p NxK and --map"));
    if (most > 1 && !has_level_figures(r))
        g_ptr_array_add(remarks, g_strdup("links inside a node cost the same as the network"));
    if (node >= 0 && (size_t)most > levels->at[node].ranks)
        g_ptr_array_add(remarks,
                        g_strdup_printf("a node of %s has %" G_GSIZE_FORMAT " ranks, and the map puts %d on one",
                                        r->platform->name, levels->at[node].ranks, most));
    g_autofree char *ignored = ignored_figures(r);
    if (ignored)
        g_ptr_array_add(remarks, g_strdup_printf("model %s ignores %s of platform %s: its ranks share nothing",
                                                 r->model->name, ignored, r->platform->name));
    return remarks;
}

char *request_layout(const Request *r)
{
    GString *s = g_string_new(NULL);
    if (r->counts_text)
        g_string_append_printf(s, ", counts %s", r->counts_text);
    if (r->counts.gaps)
        g_string_append(s, ", gaps");
    if (r->counts.displs)
        g_string_append_printf(s, ", displs %s", r->displs_text);
    g_autofree char *nodes =
        r->ranks->len == 1 ? request_nodes_text(r, (int)g_array_index(r->ranks, size_t, 0), request_per_node(r, 0))
                           : NULL;
    g_autofree char *map = map_text(r);
    if (nodes)
        g_string_append_printf(s, ", %s", nodes);
    else if (r->map.k)
        g_string_append_printf(s, ", %d rank%s per node, %s", r->map.k, r->map.k == 1 ? "" : "s", map);
    else if (r->map.kind != MAP_NONE)
        g_string_append_printf(s, ", %s", map);
    return g_string_free(s, FALSE);
}

const CollAlgorithm *request_algorithm(const Request *r, int i)
{
    if (r->named)
        return i < (int)r->named->len ? g_ptr_array_index(r->named, i) : NULL;
    const CollAlgorithm *a = algorithms[i];
    return a->collective == r->collective && a->shared == r->model->shared ? a : NULL;
}

// Returns the names of all parameters that algorithms of the request have, each once. The array ends with NULL; free it
// with g_free.
static const char **param_names(const Request *r)
{
    GPtrArray *names = g_ptr_array_new();
    for (int i = 0; i < n_algorithms; i++)
        for (int k = 0; request_algorithm(r, i) && k < algorithm_n_params(request_algorithm(r, i)); k++) {
            const char *name = request_algorithm(r, i)->params[k].name;
            if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
                g_ptr_array_add(names, (gpointer)(uintptr_t)name);
        }
    g_ptr_array_add(names, NULL);
    return (const char **)(void *)g_ptr_array_free(names, FALSE);
}

static void add_variant(GArray *variants, const CollAlgorithm *a, const CollParams *par)
{
    for (guint i = 0; i < variants->len; i++)
        if (params_compare(a, &g_array_index(variants, CollParams, i), par) == 0)
            return;
    g_array_append_vals(variants, par, 1);
}

// Replaces *variants by their combinations with each value of the assignment. A variant that has no such parameter
// stays as it is; if one has it, *known becomes TRUE. On error *variants stays as well.
static gboolean combine(GArray **variants, const CollAlgorithm *a, const char *assignment, gboolean *known,
                        GError **error)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(CollParams));
    g_auto(GStrv) values = values_of(assignment);
    const size_t name = strcspn(assignment, "=");
    for (guint i = 0; i < (*variants)->len; i++)
        for (char **value = values; *value; value++) {
            CollParams par = g_array_index(*variants, CollParams, i);
            gboolean has;
            g_autofree char *one =
                assignment[name] ? g_strdup_printf("%.*s=%s", (int)name, assignment, *value) : g_strdup(assignment);
            if (!param_parse(a, one, &par, &has, error) && has)
                return FALSE;
            if (all->len == MAX_VARIANTS)
                return bad_input(error, "--param: %s has too many combinations of values; allowed: %d", a->name,
                                 MAX_VARIANTS);
            add_variant(all, a, &par);
            *known |= has;
        }
    g_array_unref(*variants);
    *variants = g_steal_pointer(&all);
    return TRUE;
}

// Returns how many parts an assignment names before its parameter: 0 for radix=4, 1 for outer.radix=4.
static int depth_of(const char *assignment)
{
    int depth = 0;
    for (const char *c = assignment; *c && *c != '='; c++)
        depth += *c == '.';
    return depth;
}

// Makes all combinations of what the request says of an algorithm's parameters, in the order in which it says it; but
// parts come before the parameters of parts. Sets known[i] to TRUE if the algorithm has the parameter of r->params[i].
static GArray *combine_all(const Request *r, const CollAlgorithm *a, gboolean *known, GError **error)
{
    g_autoptr(GArray) variants = g_array_new(FALSE, FALSE, sizeof(CollParams));
    const CollParams defaults = algorithm_defaults(a);
    const guint n = r->params ? g_strv_length(r->params) : 0;
    g_array_append_val(variants, defaults);
    guint done = 0;
    for (int depth = 0; done < n; depth++)
        for (guint i = 0; i < n; i++)
            if (depth_of(r->params[i]) == depth) {
                done++;
                if (!combine(&variants, a, r->params[i], &known[i], error))
                    return NULL;
            }
    return g_steal_pointer(&variants);
}

GArray *request_variants(const Request *r, const CollAlgorithm *a, GError **error)
{
    g_autofree gboolean *known = g_new0(gboolean, r->params ? g_strv_length(r->params) + 1 : 1);
    return combine_all(r, a, known, error);
}

gboolean request_check_params(const Request *r, GError **error)
{
    const guint n = r->params ? g_strv_length(r->params) : 0;
    g_autofree gboolean *known = g_new0(gboolean, n + 1);
    for (int i = 0; n > 0 && i < n_algorithms; i++) {
        const CollAlgorithm *a = request_algorithm(r, i);
        g_autoptr(GArray) variants = a ? combine_all(r, a, known, error) : NULL;
        if (a && !variants)
            return FALSE;
    }
    for (guint i = 0; i < n; i++) {
        char **w = r->params + i;
        if (known[i])
            continue;
        const CollAlgorithm *only = request_only(r);
        g_autofree char *of = g_strdup_printf("%s %s", collectives[r->collective].name,
                                              only       ? only->name
                                              : r->named ? "algorithms"
                                                         : "all");
        g_autofree const char **names = param_names(r);
        g_autofree char *wrong = g_strndup(*w, strcspn(*w, "=")), *kind = g_strdup_printf("parameter of %s", of);
        if (names[0])
            return nearest_unknown(kind, wrong, names, error);
        return r->named && !only
                   ? bad_input(error, "--param %s: none of these algorithms has parameters; allowed: no --param", *w)
                   : bad_input(error, "--param %s: %s has no parameters; allowed: no --param", *w, of);
    }
    return TRUE;
}
