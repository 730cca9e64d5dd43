#include "search/search/request_machine.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/units.h"
#include <string.h>

gboolean request_root(Request *r, const char *text, GError **error)
{
    size_t root = 0;
    if (!text)
        return TRUE;
    if (!collectives[r->collective].rooted)
        return bad_input(error, "--root: %s has no root; allowed: with a collective that has one, such as bcast",
                         collectives[r->collective].name);
    if (strcmp(text, "all") == 0) {
        r->root = -1;
        return TRUE;
    }
    if (!units_parse_size(text, &root, NULL) || root >= LIMIT_RANKS) {
        g_autofree char *quoted = error_quote(text);
        return bad_input(error, "--root %s; allowed: 0 .. p-1, or all", quoted);
    }
    r->root = (int)root;
    return TRUE;
}

gboolean request_transfer(Request *r, const char *name, GError **error)
{
    if (!name)
        return TRUE;
    if (!r->model->transfers)
        return bad_input(error, "--transfer: model %s has no choice of transfers; allowed: with --model hockney",
                         r->model->name);
    int transfer = 0;
    const gboolean found = nearest_find("transfer", name, transfer_names, &transfer, error);
    r->options.transfer = (Transfer)transfer;
    return found;
}

const Model *request_default_model(const Platform *platform)
{
    const gboolean other = platform && g_strcmp0(platform->model, hockney_model.name) == 0;
    return platform && platform->measured && !other ? &measured_model : &hockney_model;
}

gboolean request_knows(const char *command, const Model *model, gboolean measured, GError **error)
{
    return model == &hockney_model || model == &shared_model || (measured && model == &measured_model) ||
           bad_input(error, "%s does not know model %s; allowed: --model hockney%s or shared", command, model->name,
                     measured ? ", measured" : "");
}

gboolean request_model(Request *r, const char *name, GError **error)
{
    const CollAlgorithm *const first = r->named ? g_ptr_array_index(r->named, 0) : NULL;
    r->model = name                     ? model_find(name, error)
               : first && first->shared ? &shared_model
                                        : request_default_model(r->platform);
    for (guint i = 0; r->model && r->named && i < r->named->len; i++) {
        const CollAlgorithm *a = g_ptr_array_index(r->named, i);
        if (a->shared != r->model->shared)
            return bad_input(error, "model %s is for algorithms of %s, but %s %s is one of %s; allowed: %s",
                             r->model->name, r->model->shared ? "shared memory" : "messages",
                             collectives[r->collective].name, a->name, a->shared ? "shared memory" : "messages",
                             first->shared != a->shared ? "algorithms of one kind"
                             : a->shared                ? "--model shared"
                                                        : "any other model");
    }
    for (int i = 0; r->model && r->all_too && i < n_algorithms; i++)
        if (algorithms[i]->collective == r->collective && algorithms[i]->shared == r->model->shared)
            request_add(r, algorithms[i]);
    return r->model != NULL;
}

gboolean request_need_figures(const Request *r, GError **error)
{
    PlatformKey needed[N_PLATFORM_KEYS];
    size_t n = 0;
    for (size_t i = 0; i < r->model->n_keys; i++) {
        const PlatformKey key = r->model->keys[i];
        if (request_reduces(r) || (key != KEY_GAMMA && key != KEY_REDUCE))
            needed[n++] = key;
    }
    return platform_need(r->platform, needed, n, r->model->name, error);
}
