#include "base/budget.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/ranks.h"
#include "base/units.h"
#include "library/library_types.h"
#include "engine/schedule/parse.h"
#include "search/search/request_machine.h"
#include <string.h>

enum { MOST_VALUES = 10000, MOST_ELEMENT = 1 << 30 };

static const char *const option_names[N_LIBRARY_OPTIONS + 1] = {
    [OPTION_ROOT] = "root",         [OPTION_ELEMENT] = "element",
    [OPTION_PER_NODE] = "per-node", [OPTION_MAP] = "map",
    [OPTION_COUNTS] = "counts",     [OPTION_DISPLS] = "displs",
    [OPTION_MODEL] = "model",       [OPTION_TRANSFER] = "transfer",
    [OPTION_PARAM] = "param",       [OPTION_HAN] = "han",
    [OPTION_ONLY] = "only",         [OPTION_ORDERED] = "non-commutative",
    [OPTION_WITHOUT] = "without",   [OPTION_WITHIN] = "within",
    [OPTION_NO_HAN] = "no-han",     [OPTION_FULL] = "full",
    [OPTION_ARRIVAL] = "arrival",   [OPTION_NOISE] = "noise",
    [OPTION_SEEDS] = "seeds",       [OPTION_BY] = "by",
    [OPTION_TOPOLOGY] = "topology", [OPTION_ROUTING] = "routing",
    [OPTION_NODES] = "nodes",
};

// ---- What the caller sets -------------------------------------------------------------------------------------------

collsim_request *collsim_request_new(const collsim_platform *platform, const char *collective, collsim_error **error)
{
    GError *why = NULL;
    Collective found;
    if (!library_given(platform, "platform", &why) || !library_text(collective, "collective", &why) ||
        !collective_parse(collective, &found, &why)) {
        library_fail(why, error);
        return NULL;
    }
    collsim_request *x = g_new0(collsim_request, 1);
    x->platform = platform->platform;
    x->collective = found;
    x->params = g_ptr_array_new_with_free_func(g_free);
    return x;
}

void collsim_request_free(collsim_request *x)
{
    if (!x)
        return;
    g_clear_pointer(&x->ranks, g_array_unref);
    g_clear_pointer(&x->sizes, g_array_unref);
    g_clear_pointer(&x->per_node, g_array_unref);
    for (int i = 0; i < N_LIBRARY_OPTIONS; i++)
        g_free(x->option[i]);
    g_free(x->algorithms);
    g_ptr_array_unref(x->params);
    g_free(x);
}

void collsim_request_stop(collsim_request *x)
{
    if (x)
        g_atomic_int_set(&x->stop, 1);
}

// Takes ownership of both arrays.
static void set_ranks(collsim_request *x, GArray *ranks, GArray *per_node)
{
    g_clear_pointer(&x->ranks, g_array_unref);
    g_clear_pointer(&x->per_node, g_array_unref);
    x->ranks = ranks;
    x->per_node = per_node;
}

static void set_sizes(collsim_request *x, GArray *sizes)
{
    g_clear_pointer(&x->sizes, g_array_unref);
    x->sizes = sizes;
}

static gboolean check_list(const collsim_request *request, const void *list, const char *what, size_t n, GError **error)
{
    return library_given(request, "request", error) && library_given(list, what, error) &&
           ((n >= 1 && n <= MOST_VALUES) ||
            bad_input(error, "%s has %" G_GSIZE_FORMAT " values; allowed: 1 .. %d", what, n, MOST_VALUES));
}

int collsim_request_ranks(collsim_request *request, const int *ranks, size_t n, collsim_error **error)
{
    GError *why = NULL;
    gboolean good = check_list(request, ranks, "ranks", n, &why);
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (size_t i = 0; good && i < n; i++) {
        const size_t p = ranks[i] < 0 ? 0 : (size_t)ranks[i];
        good = (p >= 1 && p <= LIMIT_RANKS) ||
               bad_input(&why, "ranks[%" G_GSIZE_FORMAT "] is %d; allowed: 1 .. %d", i, ranks[i], LIMIT_RANKS);
        g_array_append_val(list, p);
    }
    if (!good)
        return library_fail(why, error);
    set_ranks(request, g_steal_pointer(&list), NULL);
    return COLLSIM_OK;
}

// A call with a text, and the lists that are made of it.
typedef struct TextCall {
    const collsim_request *request;
    const char *text;
    GArray *values, *per_node;
} TextCall;

static gboolean parse_ranks(gpointer data, gpointer unused, GError **error)
{
    TextCall *call = data;
    (void)unused;
    return library_given(call->request, "request", error) && library_text(call->text, "list", error) &&
           (call->values = ranks_parse_list(call->text, "ranks", &call->per_node, error));
}

int collsim_request_ranks_list(collsim_request *request, const char *list, collsim_error **error)
{
    GError *why = NULL;
    TextCall call = {.request = request, .text = list};
    if (!budget_try(parse_ranks, &call, NULL, &why))
        return library_fail(why, error);
    set_ranks(request, call.values, call.per_node);
    return COLLSIM_OK;
}

int collsim_request_sizes(collsim_request *request, const uint64_t *bytes, size_t n, collsim_error **error)
{
    GError *why = NULL;
    gboolean good = check_list(request, bytes, "bytes", n, &why);
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (size_t i = 0; good && i < n; i++) {
        const size_t m = bytes[i];
        good = m <= LIMIT_BYTES ||
               bad_input(&why, "bytes[%" G_GSIZE_FORMAT "] is %" G_GSIZE_FORMAT "; allowed: 0 .. %" G_GSIZE_FORMAT, i,
                         m, LIMIT_BYTES);
        g_array_append_val(list, m);
    }
    if (!good)
        return library_fail(why, error);
    set_sizes(request, g_steal_pointer(&list));
    return COLLSIM_OK;
}

static gboolean parse_sizes(gpointer data, gpointer unused, GError **error)
{
    TextCall *call = data;
    (void)unused;
    return library_given(call->request, "request", error) && library_text(call->text, "list", error) &&
           (call->values = units_parse_list(call->text, "sizes", 0, LIMIT_BYTES, error));
}

int collsim_request_sizes_list(collsim_request *request, const char *list, collsim_error **error)
{
    GError *why = NULL;
    TextCall call = {.request = request, .text = list};
    if (!budget_try(parse_sizes, &call, NULL, &why))
        return library_fail(why, error);
    set_sizes(request, call.values);
    return COLLSIM_OK;
}

static gboolean check_names(gpointer data, gpointer unused, GError **error)
{
    const TextCall *call = data;
    (void)unused;
    if (!library_given(call->request, "request", error) || !library_text(call->text, "names", error))
        return FALSE;
    if (call->request->option[OPTION_ONLY]) // which gives names another meaning
        return TRUE;
    g_auto(Request) tried = {.question.collective = call->request->collective};
    return request_add_names(&tried, "names", call->text, request_name_algorithm, error);
}

int collsim_request_algorithms(collsim_request *request, const char *names, collsim_error **error)
{
    GError *why = NULL;
    TextCall call = {.request = request, .text = names};
    if (!budget_try(check_names, &call, NULL, &why))
        return library_fail(why, error);
    g_free(request->algorithms);
    request->algorithms = g_strdup(names);
    return COLLSIM_OK;
}

static void set_option(collsim_request *x, LibraryOption option, const char *value)
{
    if (option == OPTION_PARAM && value) {
        g_ptr_array_add(x->params, g_strdup(value));
    } else if (option == OPTION_PARAM) {
        g_ptr_array_set_size(x->params, 0);
    } else {
        g_free(x->option[option]);
        x->option[option] = g_strdup(value);
    }
}

static gboolean check_option(LibraryOption option, const char *value, GError **error)
{
    return !value || option < OPTION_ORDERED || strcmp(value, "yes") == 0 || strcmp(value, "no") == 0 ||
           bad_input(error, "%s must be \"yes\" or \"no\"; allowed: one of them", option_names[option]);
}

int collsim_request_option(collsim_request *request, const char *name, const char *value, collsim_error **error)
{
    GError *why = NULL;
    int option = 0;
    if (!library_given(request, "request", &why) || !library_text(name, "name", &why) ||
        (value && !library_text(value, "value", &why)) || !nearest_find("option", name, option_names, &option, &why) ||
        !check_option((LibraryOption)option, value, &why))
        return library_fail(why, error);
    set_option(request, (LibraryOption)option, value);
    return COLLSIM_OK;
}

// ---- What the engine gets -------------------------------------------------------------------------------------------

static gboolean is_set(const collsim_request *x, LibraryOption option)
{
    return x->option[option] && strcmp(x->option[option], "yes") == 0;
}

// Parses an option that is a number; *out stays as it is if the option is not set.
static gboolean number(const collsim_request *x, LibraryOption option, size_t most, size_t *out, GError **error)
{
    const char *text = x->option[option];
    size_t n = 0;
    if (!text)
        return TRUE;
    if (!units_parse_size(text, &n, NULL) || n < 1 || n > most) {
        g_autofree char *quoted = error_quote(text);
        return bad_input(error, "%s %s; allowed: 1 .. %" G_GSIZE_FORMAT, option_names[option], quoted, most);
    }
    *out = n;
    return TRUE;
}

// Checks that NxK and the options place the ranks alike.
static gboolean check_nodes(const collsim_request *x, const Request *r, GError **error)
{
    for (guint i = 0; r->question.per_node && i < r->question.per_node->len; i++) {
        const int k = g_array_index(r->question.per_node, int, i);
        if (k && x->option[OPTION_PER_NODE])
            return bad_input(error, "per-node and ranks as NxK both place the ranks; allowed: one of them");
        if (k && r->machine.map.k && k != r->machine.map.k)
            return bad_input(error, "map %s puts %d ranks on a node, and NxK puts %d there; allowed: the same number",
                             x->option[OPTION_MAP], r->machine.map.k, k);
    }
    return TRUE;
}

static gboolean find_map(const collsim_request *x, Request *r, GError **error)
{
    size_t k = 0;
    if (x->option[OPTION_MAP] && x->option[OPTION_PER_NODE])
        return bad_input(error, "per-node and map both place the ranks; allowed: one of them");
    if (x->option[OPTION_MAP])
        return map_parse(x->option[OPTION_MAP], question_most_ranks(&r->question), &r->machine.map, error);
    if (!number(x, OPTION_PER_NODE, LIMIT_RANKS, &k, error))
        return FALSE;
    r->machine.map = map_blocks((int)k);
    return TRUE;
}

// Sets the ranks and sizes. A barrier has one size, 0.
static gboolean find_points(const collsim_request *x, Question *q, GError **error)
{
    const gboolean barrier = x->collective == COLL_BARRIER;
    if (!x->ranks)
        return bad_input(error, "the request has no ranks; allowed: collsim_request_ranks before it is run");
    if (!x->sizes && !barrier)
        return bad_input(error, "the request has no sizes; allowed: collsim_request_sizes before it is run");
    q->ranks = g_array_ref(x->ranks);
    q->per_node = x->per_node ? g_array_ref(x->per_node) : NULL;
    q->sizes = barrier ? g_array_new(FALSE, TRUE, sizeof(size_t)) : g_array_ref(x->sizes);
    if (barrier)
        g_array_set_size(q->sizes, 1);
    return TRUE;
}

static gboolean find_library(const collsim_request *x, RequestLibrary *lib, GError **error)
{
    if (!request_han(lib, x->option[OPTION_HAN], is_set(x, OPTION_NO_HAN), "", error))
        return FALSE;
    if (!x->option[OPTION_ONLY])
        return TRUE;
    const Library *library = library_find(x->option[OPTION_ONLY], error);
    return library && (lib->only = request_tables(lib, library, error));
}

static gboolean find_skew(const collsim_request *x, RequestMachine *machine, GError **error)
{
    const RequestSkew asked = {x->option[OPTION_ARRIVAL], x->option[OPTION_NOISE], x->option[OPTION_SEEDS],
                               x->option[OPTION_BY]};
    return request_skew(machine, &asked, error);
}

static gboolean find_network(const collsim_request *x, RequestMachine *machine, GError **error)
{
    const NetworkOptions options = {x->option[OPTION_TOPOLOGY], x->option[OPTION_ROUTING], x->option[OPTION_NODES]};
    return request_network(machine, &options, TRUE, error);
}

gboolean library_request_make(const collsim_request *x, gboolean named, Request *r, GError **error)
{
    *r = (Request){.question.collective = x->collective,
                   .question.one_root = r->question.one_root,
                   .machine.platform = x->platform,
                   .question.ordered = is_set(x, OPTION_ORDERED)};
    r->machine.options.full = is_set(x, OPTION_FULL);
    if (r->question.ordered && !collectives[r->question.collective].reduces)
        return bad_input(error, "non-commutative: %s has no operation; allowed: with a reduction such as allreduce",
                         collectives[r->question.collective].name);
    if (x->params->len > 0) {
        r->question.params = g_new0(char *, x->params->len + 1);
        memcpy(r->question.params, x->params->pdata, x->params->len * sizeof *r->question.params);
    }
    size_t element = 0;
    if (!number(x, OPTION_ELEMENT, MOST_ELEMENT, &element, error) || !find_points(x, &r->question, error) ||
        !find_map(x, r, error) || !check_nodes(x, r, error) || !find_library(x, &r->library, error) ||
        (named && x->algorithms && !request_add_names(r, "names", x->algorithms, request_name_algorithm, error)))
        return FALSE;
    request_set_element(r, element);
    return question_root(&r->question, x->option[OPTION_ROOT], error) &&
           question_counts(&r->question, x->option[OPTION_COUNTS], x->option[OPTION_DISPLS], error) &&
           request_model(r, x->option[OPTION_MODEL], error) && find_network(x, &r->machine, error) &&
           find_skew(x, &r->machine, error) &&
           request_need_figures(&r->machine, question_reduces(&r->question), error) &&
           request_transfer(&r->machine, x->option[OPTION_TRANSFER], error);
}

void library_request_clear(Request *r)
{
    g_clear_pointer(&r->question.params, g_free);
    r->machine.platform = NULL;
    request_clear(r);
}
