#include "advice/tune/setting.h"
#include "advice/tune/between.h"
#include <string.h>

enum { ROUNDS = 4 }; // how often rules for calls of programs may change because of what they do between nodes

static void free_tune(gpointer tune)
{
    tune_free(tune);
}

GPtrArray *setting_new(void)
{
    return g_ptr_array_new_with_free_func(free_tune);
}

// The order in which the rules of a collective come: those for one number of nodes before those for ranges of ranks.
static int by_collective(const void *a, const void *b)
{
    const Tune *x = *(const Tune *const *)a, *y = *(const Tune *const *)b;
    return x->collective != y->collective ? (int)x->collective - (int)y->collective : (int)y->part - (int)x->part;
}

// A collective that is being tuned, and what decides the parts of its algorithms.
typedef struct SettingJob {
    Request *request;
    Collective collective;
    size_t elem;
    double within;
    gboolean by_call;
    const GPtrArray *tunes;
    Tune *between;        // of the same collective; NULL for none
    const GArray *shared; // of LibraryRule: rules for calls of programs that also act between nodes; NULL for none
} SettingJob;

// ---- With given rules for the parts ---------------------------------------------------------------------------------

// Returns the rules that decide the parts of the collective's algorithms; NULL if nothing that they call has rules, or
// if the rules are for a header, which decides no parts. Free with rules_free.
static RulesFile *rules_of_parts(const SettingJob *x)
{
    const Tables *only = x->request->library.only;
    g_autoptr(RulesFile) file = rules_new("rules", (Tables *)(uintptr_t)only);
    gboolean calls = tune_calls_others(only, x->collective) || x->between || (x->shared && x->shared->len > 0);
    if (x->between)
        g_array_append_vals(file->rules, x->between->rules->data, x->between->rules->len);
    for (guint i = 0; i < x->tunes->len; i++) {
        const Tune *tune = x->tunes->pdata[i];
        g_array_append_vals(file->rules, tune->rules->data, tune->rules->len);
        calls |= tune->part != TUNE_CALLS; // HAN may call it
    }
    if (x->shared)
        g_array_append_vals(file->rules, x->shared->data, x->shared->len);
    return calls && !x->by_call ? g_steal_pointer(&file) : NULL;
}

// Tunes with one length of HAN's segments; 0 stands for the library's own. Returns NULL and an error on bad input.
static Tune *tune_one(const SettingJob *x, size_t segsize, GError **error)
{
    RequestLibrary *lib = &x->request->library;
    g_autoptr(RulesFile) file = rules_of_parts(x);
    lib->rules = file;
    lib->han.segment = segsize;
    g_autoptr(Tune) tune = tune_compute(x->request, x->collective, x->elem, x->within, x->by_call, error);
    const gboolean good = tune && tune_refine(tune, x->request, x->within, error);
    lib->han = lib->han_usual;
    lib->rules = NULL;
    return good ? g_steal_pointer(&tune) : NULL;
}

// Keeps the faster one of two tunes, and frees the other. The second one may be NULL.
static Tune *faster(Tune *tune, Tune *other)
{
    Tune *slow = other;
    if (other && other->logs < tune->logs - 1e-9) {
        slow = tune;
        tune = other;
    }
    tune_free(slow);
    return tune;
}

// Tunes with each length of HAN's segments that is worth a try, and keeps the fastest; the library's own if others are
// no faster.
static Tune *tune_segments(const SettingJob *x, GError **error)
{
    static const size_t lengths[] = {64 << 10, 512 << 10};
    const RequestLibrary *lib = &x->request->library;
    const size_t usual = lib->only->han_segments[x->collective];
    const gboolean choose = lib->pair && usual > 0 && !lib->han_usual.segment && !lib->han_usual.algorithm;
    g_autoptr(Tune) best = tune_one(x, lib->han_usual.segment, error);
    for (size_t i = 0; best && choose && i < G_N_ELEMENTS(lengths); i++) {
        if (lengths[i] == usual)
            continue;
        Tune *tune = tune_one(x, lengths[i], error);
        if (!tune)
            return NULL;
        best = faster(g_steal_pointer(&best), tune);
    }
    return g_steal_pointer(&best);
}

// ---- Between the nodes ----------------------------------------------------------------------------------------------

// Returns the rules (LibraryRule) of a tune that name ids for numbers of nodes (size_t), for these alone. Free with
// g_array_unref.
static GArray *rules_at(const Tune *tune, const GArray *nodes)
{
    GArray *at = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    for (guint i = 0; i < nodes->len; i++)
        for (guint k = 0; k < tune->rules->len; k++) {
            LibraryRule rule = g_array_index(tune->rules, LibraryRule, k);
            const gint64 n = (gint64)g_array_index(nodes, size_t, i);
            if (!rule.id || n < rule.when.ranks.first || n > rule.when.ranks.last)
                continue;
            rule.when.ranks = (RuleRange){n, n};
            g_array_append_val(at, rule);
        }
    return at;
}

// Finds rules for the collective's calls between the nodes, as tune_compute does for calls of programs; each is for one
// number of ranks. Returns NULL if there are none, or if an error is set. Free with tune_free.
static Tune *compute_between(const SettingJob *x, GError **error)
{
    Request *r = x->request;
    g_autoptr(GArray) nodes = between_nodes(r, x->collective, FALSE);
    if (nodes->len == 0)
        return NULL;
    g_autoptr(GArray) sizes = between_sizes(r, x->collective, nodes);
    const Question question = r->question;
    const MapSpec map = r->machine.map;
    // Tuned takes such a call for one on one node, and does not ask about nodes.
    r->question.ranks = nodes;
    r->question.sizes = sizes;
    r->question.per_node = NULL;
    r->machine.map = (MapSpec){.kind = MAP_NONE};
    r->library.pair = FALSE;
    g_autoptr(Tune) tune = tune_compute(r, x->collective, x->elem, x->within, FALSE, error);
    r->library.pair = TRUE;
    r->machine.map = map;
    r->question.ranks = question.ranks;
    r->question.sizes = question.sizes;
    r->question.per_node = question.per_node;
    if (!tune || tune->rules->len == 0)
        return NULL;
    GArray *const ranges = tune->rules;
    tune->rules = rules_at(tune, nodes);
    g_array_unref(ranges);
    tune->part = TUNE_BETWEEN_NODES;
    return g_steal_pointer(&tune);
}

// Looks for rules between the nodes, and tunes again with them. Takes `tune`, and returns the faster tune, or NULL and
// an error on bad input. Sets x->between to the rules if they make it faster. The caller frees both.
static Tune *tune_between(SettingJob *x, Tune *tune, GError **error)
{
    g_autoptr(GError) why = NULL;
    g_autoptr(RulesFile) file = rules_of_parts(x);
    x->request->library.rules = tune_calls_others(x->request->library.only, x->collective) ? file : NULL;
    g_autoptr(Tune) between = compute_between(x, &why), kept = tune;
    x->request->library.rules = NULL;
    if (why) {
        g_propagate_error(error, g_steal_pointer(&why));
        return NULL;
    }
    if (!between)
        return g_steal_pointer(&kept);
    x->between = between;
    Tune *other = tune_one(x, tune->segsize, error);
    x->between = NULL;
    if (!other)
        return NULL;
    kept = faster(g_steal_pointer(&kept), other);
    if (kept == other)
        x->between = g_steal_pointer(&between);
    return g_steal_pointer(&kept);
}

static gboolean same_rules(const GArray *a, const GArray *b)
{
    gboolean same = a->len == b->len;
    for (guint i = 0; i < a->len && same; i++) {
        const LibraryRule *x = &g_array_index(a, LibraryRule, i), *y = &g_array_index(b, LibraryRule, i);
        same = x->when.ranks.first == y->when.ranks.first && x->when.bytes.first == y->when.bytes.first &&
               x->when.bytes.last == y->when.bytes.last && x->id == y->id && x->fanout == y->fanout &&
               x->segment == y->segment && x->max_requests == y->max_requests;
    }
    return same;
}

// Rules for calls of programs on n ranks also act between n nodes. Tunes again with those that came out before, until
// the same come out, so that the times are those with them. If they go on changing, calls on n ranks get no id. Takes
// `tune`, and returns the tune to keep, or NULL and an error; the caller frees it.
static Tune *tune_shared(SettingJob *x, Tune *tune, GError **error)
{
    Request *r = x->request;
    g_autoptr(Tune) last = tune;
    g_autoptr(GArray) nodes = between_nodes(r, x->collective, TRUE),
                      assumed = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    for (int round = 0; round < ROUNDS && last; round++) {
        GArray *at = rules_at(last, nodes);
        const gboolean settled = same_rules(at, assumed);
        const size_t segsize = last->segsize;
        g_array_unref(assumed);
        assumed = at;
        if (settled)
            break;
        tune_free(g_steal_pointer(&last));
        r->library.apart = round + 1 == ROUNDS;
        x->shared = r->library.apart ? NULL : assumed;
        last = tune_one(x, segsize, error);
        r->library.apart = FALSE;
        x->shared = NULL;
    }
    return g_steal_pointer(&last);
}

// ---- Adding ---------------------------------------------------------------------------------------------------------

const Tune *setting_add(Request *r, Collective collective, size_t elem, double within, gboolean by_call,
                        GPtrArray *tunes, GError **error)
{
    SettingJob x = {r, collective, elem, within, by_call, tunes, NULL, NULL};
    KnownTimes *own = known_begin(&r->known);
    Tune *tune = tune_segments(&x, error);
    if (tune && r->library.pair && !by_call) {
        tune = tune_between(&x, tune, error);
        tune = tune ? tune_shared(&x, tune, error) : NULL;
    }
    known_end(&r->known, own);
    if (tune && x.between)
        g_ptr_array_add(tunes, x.between);
    else
        tune_free(x.between);
    if (tune)
        g_ptr_array_add(tunes, tune);
    g_ptr_array_sort(tunes, by_collective);
    return tune;
}
