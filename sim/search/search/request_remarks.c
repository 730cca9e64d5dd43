#include "search/search/request.h"
#include "base/distinct.h"
#include "engine/model/unknown.h"
#include "measurements/logs/logs.h"
#include <string.h>

// Returns the most ranks on a node where there are ranks[i]; 0 without a map.
static int most_on_node(const Request *r, guint i)
{
    const int p = (int)g_array_index(r->question.ranks, size_t, i), per_node = request_per_node(r, i);
    return MIN(p, request_node_ranks(&r->machine, p, per_node));
}

// Returns the most ranks on a node where there are several nodes.
static int most_of_several(const Request *r)
{
    int most = 0;
    for (guint i = 0; i < r->question.ranks->len; i++) {
        const int on_node = most_on_node(r, i);
        if ((size_t)on_node < g_array_index(r->question.ranks, size_t, i))
            most = MAX(most, on_node);
    }
    return most;
}

// Returns TRUE if an assignment is of a figure of shared memory alone.
static gboolean sets_shared(const char *set)
{
    for (size_t i = 0; i < shared_model.n_keys; i++) {
        const char *name = platform_keys[shared_model.keys[i]].name;
        if (shared_model.keys[i] != KEY_GAMMA && g_str_has_prefix(set, name) &&
            (set[strlen(name)] == '=' || set[strlen(name)] == '.'))
            return TRUE;
    }
    return FALSE;
}

// Returns TRUE if an algorithm of the request may have a part in shared memory; a library may decide for one.
static gboolean may_share(const Request *r)
{
    if (!r->question.named || r->library.autos || r->library.only)
        return TRUE;
    for (guint i = 0; i < r->question.named->len; i++) {
        const CollAlgorithm *a = g_ptr_array_index(r->question.named, i);
        g_autoptr(GArray) variants = question_variants(&r->question, a, NULL, NULL);
        for (guint k = 0; variants && k < variants->len; k++)
            if (algorithm_shared_part(a, &g_array_index(variants, CollParams, k)))
                return TRUE;
    }
    return FALSE;
}

// Returns TRUE if an algorithm that is named needs nodes.
static gboolean names_groups(const Question *q)
{
    for (guint i = 0; q->named && i < q->named->len; i++) {
        const CollAlgorithm *a = g_ptr_array_index(q->named, i);
        if (algorithm_needs_nodes(a))
            return TRUE;
    }
    return FALSE;
}

// Adds a remark for each --set without effect: of NICs that nodes do not have, or of shared memory that no part uses.
static void add_idle_sets(const Request *r, GPtrArray *remarks)
{
    const Platform *x = r->machine.platform;
    for (char **set = r->machine.sets; set && *set; set++)
        if (g_str_has_prefix(*set, "nics=") && !x->has[KEY_NIC_RATE] && !x->has[KEY_NIC_MESSAGES])
            g_ptr_array_add(remarks, g_strdup_printf("--set %s has no effect without nic.rate or nic.messages", *set));
        else if (sets_shared(*set) && r->machine.model == &hockney_model && !may_share(r))
            g_ptr_array_add(remarks,
                            g_strdup_printf("--set %s has no effect: no part of the algorithm%s runs in shared memory",
                                            *set, question_only(&r->question) ? "" : "s"));
}

// Adds a remark if the platform says what a library does for messages, which only the model measured charges.
static void add_unpaid(const Request *r, GPtrArray *remarks)
{
    static const PlatformKey of_messages[] = {KEY_CONNECT, KEY_MATCH, KEY_BOUNCE};
    g_autoptr(GString) names = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(of_messages) && r->machine.model != &measured_model; i++)
        if (r->machine.platform->has[of_messages[i]])
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", platform_keys[of_messages[i]].name);
    if (names->len)
        g_ptr_array_add(remarks, g_strdup_printf("model %s does not charge %s of platform %s; model measured does",
                                                 r->machine.model->name, names->str, r->machine.platform->name));
}

// Returns TRUE if the algorithm copies straight out of other ranks' buffers: its text has data, and no slots.
static gboolean copies_once(const CollAlgorithm *a)
{
    return a->shared && a->collective != COLL_BARRIER && algorithm_defaults(a).slots == 0;
}

// Adds a remark if the model would make single copies without a start-up time.
static void add_single(const Request *r, GPtrArray *remarks)
{
    gboolean any = FALSE;
    for (int i = 0; !r->question.named && !r->question.asked && i < n_algorithms; i++)
        any |= algorithms[i]->collective == r->question.collective && copies_once(algorithms[i]);
    for (guint i = 0; r->question.named && i < r->question.named->len; i++)
        any |= copies_once(g_ptr_array_index(r->question.named, i));
    if (any && r->machine.model->shared && !r->machine.platform->has[KEY_SINGLE])
        g_ptr_array_add(remarks, g_strdup("single is not known: single copies start at no cost here; UCX "
                                          "assumes 0.5us for CMA and KNEM"));
}

// Adds a text to a list, which takes it, unless the list has it.
static void add_once(GPtrArray **list, char *what)
{
    if (!*list)
        *list = g_ptr_array_new_with_free_func(g_free);
    if (what)
        distinct_take(*list, what);
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

// Adds what a user must set so that HAN works as in the request.
static void add_han(const Request *r, GPtrArray *notes)
{
    const DecideHan *han = &r->library.han;
    const char *x = r->question.asked ? "COLLECTIVE" : collectives[r->question.collective].name;
    GString *s = g_string_new("HAN runs with");
    if (han->priority)
        g_string_append_printf(s, " --mca coll_han_priority %d", han->priority);
    if (han->segment)
        g_string_append_printf(s, " --mca coll_han_%s_segsize %zu", x, han->segment);
    if (han->algorithm)
        g_string_append_printf(s, " --mca coll_han_use_%s_algorithm %s", x, han->algorithm);
    g_ptr_array_add(notes, g_string_free(s, FALSE));
}

char *request_network_text(const RequestMachine *machine)
{
    const NetworkSpec *x = machine->options.network;
    if (!x)
        return NULL;
    g_autofree char *network = network_spec_text(x), *nodes = network_spec_all_nodes(x);
    return g_strdup_printf("network: %s; nodes %s%s", network, x->nodes.kind == PLACEMENT_ORDER ? "in " : "", nodes);
}

void request_unknowns(const Request *r, GPtrArray *notes)
{
    if (r->library.han.priority || r->library.han.segment || r->library.han.algorithm)
        add_han(r, notes);
    if (r->machine.platform)
        unknown_note(notes, r->machine.model, r->machine.platform, question_reduces(&r->question), most_of_several(r));
    char *const network = request_network_text(&r->machine);
    if (network)
        distinct_take(notes, network);
}

GPtrArray *request_remarks(const Request *r)
{
    GPtrArray *remarks = g_ptr_array_new_with_free_func(g_free);
    request_unknowns(r, remarks);
    for (guint i = 0; r->left_out && i < r->left_out->len; i++)
        g_ptr_array_add(remarks, g_strdup_printf("left out: %s", (const char *)r->left_out->pdata[i]));
    for (guint i = 0; r->of_default && i < r->of_default->len; i++)
        g_ptr_array_add(remarks, g_strdup(r->of_default->pdata[i]));
    const size_t elem =
        r->question.asked ? LOG_USUAL_ELEMENT : r->question.elem; // of several collectives, r->elem is that of one
    if (r->question.elem_assumed && question_reduces(&r->question))
        g_ptr_array_add(remarks,
                        g_strdup_printf("elements of reductions have %zu byte%s, as none are given (--element)", elem,
                                        elem == 1 ? "" : "s"));
    if (r->machine.platform)
        add_single(r, remarks);
    if (!r->machine.platform || r->machine.model->shared)
        return remarks;
    add_idle_sets(r, remarks);
    add_unpaid(r, remarks);
    const Levels *levels = &r->machine.platform->levels;
    const int node = levels_node(levels);
    int most = 0, alone = 0; // ranks on a node, and numbers of ranks without a map
    for (guint i = 0; i < r->question.ranks->len; i++) {
        const int on_node = most_on_node(r, i);
        most = MAX(most, on_node);
        alone += on_node == 0;
    }
    if (alone && (most || request_has_nodes(r->machine.platform) || names_groups(&r->question) ||
                  request_asks_nodes(&r->library)))
        g_ptr_array_add(remarks, g_strdup(most ? "where -p does not say NxK, every rank has a node of its own"
                                               : "every rank has a node of its own; see -p NxK and --map"));
    if (most > 1 && !request_has_level_figures(&r->machine))
        g_ptr_array_add(remarks, g_strdup("links inside a node cost the same as the network"));
    if (node >= 0 && (size_t)most > levels->at[node].ranks)
        g_ptr_array_add(remarks,
                        g_strdup_printf("a node of %s has %" G_GSIZE_FORMAT " ranks, and the map puts %d on one",
                                        r->machine.platform->name, levels->at[node].ranks, most));
    g_autofree char *ignored = request_ignored_figures(&r->machine);
    if (ignored)
        g_ptr_array_add(remarks, g_strdup_printf("model %s ignores %s of platform %s: its ranks share nothing",
                                                 r->machine.model->name, ignored, r->machine.platform->name));
    return remarks;
}

char *request_layout(const Request *r)
{
    GString *s = g_string_new(NULL);
    if (r->question.counts_text)
        g_string_append_printf(s, ", counts %s", r->question.counts_text);
    if (r->question.counts.gaps)
        g_string_append(s, ", gaps");
    if (r->question.counts.displs)
        g_string_append_printf(s, ", displs %s", r->question.displs_text);
    g_autofree char *nodes =
        r->question.ranks->len == 1
            ? request_nodes_text(&r->machine, (int)g_array_index(r->question.ranks, size_t, 0), request_per_node(r, 0))
            : NULL;
    g_autofree char *map = request_map_text(&r->machine);
    if (nodes)
        g_string_append_printf(s, ", %s", nodes);
    else if (r->machine.map.k)
        g_string_append_printf(s, ", %d rank%s per node, %s", r->machine.map.k, r->machine.map.k == 1 ? "" : "s", map);
    else if (r->machine.map.kind != MAP_NONE)
        g_string_append_printf(s, ", %s", map);
    return g_string_free(s, FALSE);
}
