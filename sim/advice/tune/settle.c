#include "advice/tune/settle.h"
#include "advice/tune/decided.h"
#include "libraries/decide/rules_call.h"
#include "advice/tune/draw.h"
#include "advice/tune/refine.h"
#include "advice/tune/regret.h"
#include "search/search/sure.h"
#include <math.h>

enum { DRAWS = 100 };

// ---- What the rules make the library run ----------------------------------------------------------------------------

typedef struct SettleRules {
    const Tune *tune;
    const RulesFile *parts; // decide what the algorithms call; NULL for the library
} SettleRules;

// Decides a call by the rules; it is a DecidePart.
static Decision *decide(Tables *tables, const DecideCall *call, gconstpointer from)
{
    const SettleRules *x = from;
    DecideCall with = *call;
    with.decide_part = x->parts ? rules_decision : NULL;
    with.from = x->parts;
    const gint64 bytes = intervals_size(x->tune, tables->library->family, call->p, call->m);
    const RuleCall asked = rule_call(x->tune->number, call->p, bytes);
    const LibraryRule *rule = rule_find(x->tune->rules, &asked);
    if (!rule)
        return decide_call(tables, &with);
    if (rule->runs)
        return rules_serve(tables, &with, rule);
    const DecidePassed passed = {(size_t)MAX(rule->segment, 0), rule->fanout, rule->max_requests};
    return decide_passing(tables, &with, tables_algorithm(tables, x->tune->collective, rule->id), &passed);
}

// Returns TRUE if the rules name what is not surely faster than the default.
static gboolean is_bad(const Request *r, const RegretPlace *at, const DecidedTime *time)
{
    return time->time_s != at->usual_s &&
           time->time_s >= sure_limit(r->machine.platform, at->usual_s, at->usual_entry, time->entry, r->library.z);
}

// ---- Calls ----------------------------------------------------------------------------------------------------------

static gboolean has_ranks(const Tune *tune, const GArray *calls, int p)
{
    for (guint i = 0; i < tune->places->len; i++)
        if (g_array_index(tune->places, TunePlace, i).p == p)
            return TRUE;
    for (guint i = 0; i < calls->len; i++)
        if (g_array_index(calls, ContestPlace, i).p == p)
            return TRUE;
    return FALSE;
}

// Adds a call, and the sizes of the grid on as many ranks, so that these are not ruled by one call alone.
static void add_call(const Tune *tune, const Question *q, const RegretPlace *at, GArray *calls)
{
    const gboolean known = has_ranks(tune, calls, at->p);
    const ContestPlace call = {at->p, at->per_node, at->m};
    g_array_append_val(calls, call);
    g_autoptr(GArray) sizes = question_whole_sizes(q);
    for (guint i = 0; i < sizes->len && !known; i++) {
        const ContestPlace other = {at->p, at->per_node, g_array_index(sizes, size_t, i)};
        if (other.m != at->m && refine_can(other.p, other.m))
            g_array_append_val(calls, other);
    }
}

// Returns drawn calls that can be looked at and are not among the places. Free with g_array_unref.
static GArray *new_calls(const Tune *tune, const Request *r, GRand *random)
{
    GArray *calls = draw_calls(r, random, DRAWS);
    for (guint i = calls->len; i-- > 0;) {
        const ContestPlace *call = &g_array_index(calls, ContestPlace, i);
        gboolean old = !refine_can(call->p, call->m);
        for (guint k = 0; k < tune->places->len && !old; k++) {
            const TunePlace *place = &g_array_index(tune->places, TunePlace, k);
            old = place->p == call->p && place->m == call->m && place->per_node == call->per_node;
        }
        if (old)
            g_array_remove_index(calls, i);
    }
    return calls;
}

GArray *settle_calls(Tune *tune, Request *r, GRand *random, GError **error)
{
    GArray *bad = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    if (tune->one || r->library.only->library->family == LIBRARY_MPICH)
        return bad;
    g_autoptr(GArray) calls = new_calls(tune, r, random);
    g_autoptr(Regret) regret = regret_at(r, tune->collective, tune->elem, calls, error);
    g_autoptr(GArray) times = decided_new();
    g_autoptr(GPtrArray) known = g_ptr_array_new(); // of RegretPlace, in the order of `times`
    const SettleRules rules = {tune, r->library.rules};
    if (regret) {
        contest_counts_add(&tune->searched, &regret->counts);
        request_name_decider(r, r->library.only, "rules", decide, &rules);
    }
    for (guint i = 0; regret && i < regret->places->len; i++) {
        RegretPlace *at = &g_array_index(regret->places, RegretPlace, i);
        if (isnan(at->usual_s))
            continue;
        g_ptr_array_add(known, at);
        decided_add(times, r->question.named->pdata[r->question.named->len - 1], at->p, at->per_node, at->m);
    }
    const gboolean good = regret && decided_times(times, r, "calls", error);
    request_name_none(r); // `rules` ends here
    if (!good) {
        g_array_unref(bad);
        return NULL;
    }
    for (guint i = 0; i < times->len; i++)
        if (is_bad(r, known->pdata[i], &g_array_index(times, DecidedTime, i)))
            add_call(tune, &r->question, known->pdata[i], bad);
    return bad;
}
