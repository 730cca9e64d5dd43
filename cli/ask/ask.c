#include "ask/ask.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"
#include "schedule/memory.h"
#include "schedule/names.h"
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
    g_free(o->connection);
    g_free(o->platform);
    g_free(o->model);
    g_free(o->transfer);
    g_strfreev(o->params);
    g_strfreev(o->sets);
    answer_options_clear(&o->answer);
}

static gboolean find_root(const RequestOptions *o, Request *r, GError **error)
{
    size_t root = 0;
    if (!o->root)
        return TRUE;
    if (!collectives[r->collective].rooted)
        return bad_input(error, "--root %s: %s has no root", o->root, collectives[r->collective].name);
    if (strcmp(o->root, "all") == 0) {
        r->root = -1;
        return TRUE;
    }
    if (!units_parse_size(o->root, &root, NULL) || root >= MAX_RANKS)
        return bad_input(error, "--root %s; allowed: 0 .. p-1, or all", o->root);
    r->root = (int)root;
    return TRUE;
}

static gboolean find_transfer(const RequestOptions *o, Request *r, GError **error)
{
    if (!o->transfer)
        return TRUE;
    if (!r->model->transfers)
        return bad_input(error, "--transfer %s: %s has no such choice; only hockney has", o->transfer, r->model->name);
    int transfer = 0;
    const gboolean found = nearest_find("transfer", o->transfer, transfer_names, &transfer, error);
    r->options.transfer = (Transfer)transfer;
    return found;
}

gboolean ask_sets(Platform *platform, char **sets, const Model *model, GError **error)
{
    for (char **set = sets; set && *set; set++) {
        const char *names[N_PLATFORM_KEYS + 1] = {NULL};
        g_autofree char *key = g_strndup(*set, strcspn(*set, "="));
        for (size_t i = 0; i < model->n_keys; i++)
            names[i] = platform_keys[model->keys[i]].name;
        if (strchr(*set, '=') && !g_strv_contains(names, key)) {
            g_autofree char *kind = g_strdup_printf("parameter of %s", model->name);
            return nearest_unknown(kind, key, names, error);
        }
        if (!platform_set(platform, *set, error))
            return FALSE;
    }
    return TRUE;
}

gboolean ask_model(const char *name, Request *r, GError **error)
{
    const CollAlgorithm *const first = r->named ? g_ptr_array_index(r->named, 0) : NULL;
    r->model = model_find(name ? name : first && first->shared ? "shared" : "hockney", error);
    for (guint i = 0; r->model && r->named && i < r->named->len; i++) {
        const CollAlgorithm *a = g_ptr_array_index(r->named, i);
        if (a->shared != r->model->shared)
            return bad_input(error, "--model %s is for algorithms of %s, %s %s is one of %s; allowed: %s",
                             r->model->name, r->model->shared ? "shared memory" : "messages",
                             collectives[r->collective].name, a->name, a->shared ? "shared memory" : "messages",
                             a->shared ? "--model shared" : "any other model");
    }
    return r->model != NULL;
}

gboolean ask_machine(const RequestOptions *o, Request *r, GError **error)
{
    if (!ask_model(o->model, r, error) ||
        !(r->platform = platform_load(o->platform ? o->platform : "generic-100g", error)))
        return FALSE;
    r->sets = o->sets;
    return ask_sets(r->platform, o->sets, r->model, error) &&
           platform_need(r->platform, r->model->keys, r->model->n_keys, r->model->name, error) &&
           find_transfer(o, r, error);
}

gboolean ask_points(const RequestOptions *o, Request *r, GError **error)
{
    const gboolean barrier = r->collective == COLL_BARRIER; // a barrier moves no bytes
    r->params = o->params;
    return options_element(o->element, &r->elem, error) && (r->ranks = options_ranks(o->ranks, error)) &&
           (r->sizes = options_sizes(barrier ? "0" : o->sizes, error)) && find_root(o, r, error) &&
           request_counts(r, o->counts, o->displs, error) && options_per_node(o->per_node, &r->per_node, error);
}

gboolean ask_algorithms(const char *word, Request *r, GError **error)
{
    if (strcmp(word, "all") == 0)
        return TRUE;
    g_auto(GStrv) names = g_strsplit(word, ",", -1);
    for (char **name = names; *name; name++) {
        const CollAlgorithm *a = algorithm_parse(r->collective, g_strstrip(*name), error);
        if (!a)
            return FALSE;
        request_add(r, a);
    }
    return r->named || bad_input(error, "ALGORITHM is empty; allowed: all, or names joined by commas");
}

gboolean ask_operation(char **words, const RequestOptions *o, Request *r, GError **error)
{
    if (!collective_parse(words[0], &r->collective, error) || !ask_algorithms(words[1], r, error))
        return FALSE;
    r->options.full = o->full;
    r->options.why = o->why;
    r->timing = o->timing;
    r->memory = o->memory || o->connection;
    r->connection = MEMORY_CONNECTION;
    if (o->connection && !units_parse_size(o->connection, &r->connection, error))
        return FALSE;
    return ask_points(o, r, error);
}
