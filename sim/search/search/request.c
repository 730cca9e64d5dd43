#include "search/search/request.h"
#include "search/form/logp_bound.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include <math.h>
#include <string.h>

void request_clear(Request *r)
{
    question_clear(&r->question);
    request_machine_clear(&r->machine);
    request_library_clear(&r->library);
    g_clear_pointer(&r->left_out, g_ptr_array_unref);
    g_clear_pointer(&r->of_default, g_ptr_array_unref);
}

int request_per_node(const Request *r, guint i)
{
    const int k = r->question.per_node ? g_array_index(r->question.per_node, int, i) : 0;
    return k ? k : r->machine.map.k;
}

gboolean request_several_nodes(const Request *r)
{
    gboolean several = r->machine.map.kind == MAP_FILE;
    for (guint i = 0; i < r->question.ranks->len; i++) {
        const int per_node = request_per_node(r, i);
        several |= per_node > 0 && per_node < (int)g_array_index(r->question.ranks, size_t, i);
    }
    return several;
}

gboolean request_one_level(const Request *r, int p, int per_node)
{
    if (r->machine.model != &hockney_model)
        return FALSE;
    g_autoptr(Site) site =
        site_of_platform(r->machine.platform, request_mapping(&r->machine, p, per_node), r->machine.options.transfer);
    return site == NULL;
}

gboolean request_flat(const Request *r, int p, int per_node)
{
    return !r->machine.options.network && !r->machine.options.skew && question_commutes(&r->question) &&
           !r->question.blocks && !r->question.root && request_one_level(r, p, per_node);
}

gboolean request_has_bound(const Request *r)
{
    return !r->machine.model->shared && !r->question.counts_text;
}

BoundTimes request_bounds(const Request *r, int p, int per_node, size_t m, int ports)
{
    const RequestMachine *machine = &r->machine;
    if (!request_has_bound(r))
        return (BoundTimes){NAN, NAN, NAN, NAN};
    const Mapping *map = request_mapping(machine, p, per_node);
    return model_replays(machine->model)
               ? bound_times_on(r->question.collective, p, (double)m, ports, machine->platform,
                                request_discipline(machine), map)
               : logp_bound_times(r->question.collective, p, (double)m, machine->model, machine->platform, map);
}

double request_bound(const Request *r, int p, int per_node, size_t m)
{
    const BoundTimes times = request_bounds(r, p, per_node, m, 1);
    return bound_times_longest(&times);
}

gboolean request_check_map(const Request *r, GError **error)
{
    for (guint i = 0; r->machine.map.kind == MAP_FILE && i < r->question.ranks->len; i++) {
        g_autoptr(Mapping) m =
            request_place(&r->machine, (int)g_array_index(r->question.ranks, size_t, i), request_per_node(r, i), error);
        if (!m)
            return FALSE;
    }
    return TRUE;
}

gboolean request_check_arrival(const Request *r, GError **error)
{
    for (guint i = 0; r->machine.options.skew && i < r->question.ranks->len; i++)
        if (!skew_check(r->machine.options.skew, (int)g_array_index(r->question.ranks, size_t, i), error))
            return FALSE;
    return TRUE;
}

void request_set_element(Request *r, size_t given)
{
    const gboolean decides = r->library.autos || r->library.only;
    r->question.elem = question_element(r->question.collective, decides, r->question.sizes, given);
    r->question.elem_assumed = !given && decides;
}

gboolean request_model(Request *r, const char *name, GError **error)
{
    const CollAlgorithm *const first = r->question.named ? g_ptr_array_index(r->question.named, 0) : NULL;
    r->machine.model = name                     ? model_find(name, error)
                       : first && first->shared ? &shared_model
                                                : request_default_model(r->machine.platform);
    for (guint i = 0; r->machine.model && r->question.named && i < r->question.named->len; i++) {
        const CollAlgorithm *a = g_ptr_array_index(r->question.named, i);
        if (a->shared != r->machine.model->shared)
            return bad_input(error, "model %s is for algorithms of %s, but %s %s is one of %s; allowed: %s",
                             r->machine.model->name, r->machine.model->shared ? "shared memory" : "messages",
                             collectives[r->question.collective].name, a->name,
                             a->shared ? "shared memory" : "messages",
                             first->shared != a->shared ? "algorithms of one kind"
                             : a->shared                ? "--model shared"
                                                        : "any other model");
    }
    for (int i = 0; r->machine.model && r->question.all_too && i < n_algorithms; i++)
        if (algorithms[i]->collective == r->question.collective && algorithms[i]->shared == r->machine.model->shared)
            question_add(&r->question, algorithms[i]);
    return r->machine.model != NULL;
}

gboolean request_without(Request *r, const char *what, const char *list, GError **error)
{
    if (list && !question_without(&r->question, what, list, error))
        return FALSE;
    if (list)
        request_leave_out(r, g_strdup_printf("%s (%s)", list, what));
    return TRUE;
}

gboolean request_within(Request *r, const char *what, const char *text, GError **error)
{
    double share = 0;
    if (!number_percent(what, text, "5%", &share, error))
        return FALSE;
    r->question.enough = text ? 1 + share : 0;
    if (!text || request_has_bound(r))
        return TRUE;
    const char *const dashes = g_str_has_prefix(what, "--") ? "--" : "";
    return r->question.counts_text
               ? bad_input(error, "%s needs a lower bound, which is not known with %scounts; allowed: one of the two",
                           what, dashes)
               : bad_input(
                     error,
                     "%s needs a lower bound, and %s has none; allowed: %smodel hockney, or another model of messages",
                     what, r->machine.model->name, dashes);
}

const CollAlgorithm *request_algorithm(const Request *r, int i)
{
    if (r->question.named)
        return i < (int)r->question.named->len ? g_ptr_array_index(r->question.named, i) : NULL;
    const CollAlgorithm *a = algorithms[i];
    return a->collective == r->question.collective && a->shared == r->machine.model->shared ? a : NULL;
}

// Returns the names of all parameters that algorithms of the request have, each once. The array ends with NULL; free it
// with g_free.
static const char **param_names(const Request *r)
{
    GPtrArray *names = g_ptr_array_new();
    for (int i = 0; i < n_algorithms; i++)
        for (int k = 0; request_algorithm(r, i) && k < algorithm_n_params(request_algorithm(r, i)); k++)
            distinct_name(names, request_algorithm(r, i)->params[k].name);
    g_ptr_array_add(names, NULL);
    return (const char **)(void *)g_ptr_array_free(names, FALSE);
}

gboolean request_check_params(const Request *r, GError **error)
{
    const guint n = r->question.params ? g_strv_length(r->question.params) : 0;
    g_autofree gboolean *known = g_new0(gboolean, n + 1);
    for (int i = 0; n > 0 && i < n_algorithms; i++) {
        const CollAlgorithm *a = request_algorithm(r, i);
        g_autoptr(GArray) variants = a ? question_variants(&r->question, a, known, error) : NULL;
        if (a && !variants)
            return FALSE;
    }
    for (guint i = 0; i < n; i++) {
        char **w = r->question.params + i;
        if (known[i])
            continue;
        const CollAlgorithm *only = question_only(&r->question);
        g_autofree char *of = g_strdup_printf("%s %s", collectives[r->question.collective].name,
                                              only                ? only->name
                                              : r->question.named ? "algorithms"
                                                                  : "all");
        g_autofree const char **names = param_names(r);
        g_autofree char *wrong = g_strndup(*w, strcspn(*w, "=")), *kind = g_strdup_printf("parameter of %s", of);
        if (names[0])
            return nearest_unknown(kind, wrong, names, error);
        return r->question.named && !only
                   ? bad_input(error, "--param %s: none of these algorithms has parameters; allowed: no --param", *w)
                   : bad_input(error, "--param %s: %s has no parameters; allowed: no --param", *w, of);
    }
    return TRUE;
}
