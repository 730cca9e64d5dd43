#include "advice/tune/ways.h"
#include "advice/tune/between.h"
#include "base/distinct.h"
#include "base/parallel.h"
#include "libraries/decide/decide_ways.h"
#include "libraries/decide/rules_call.h"
#include "libraries/decide/rules_han.h"
#include "search/search/points.h"
#include <math.h>
#include <string.h>

// ---- The ways -------------------------------------------------------------------------------------------------------

static void add_way(GArray *ways, const char *runs, const char *params)
{
    const TuneChoice way = {.runs = runs, .params = params};
    g_array_append_val(ways, way);
}

GArray *ways_of(const Tables *tables, Collective collective, const DecideHan *han)
{
    const gboolean mpich = tables->library->family == LIBRARY_MPICH;
    g_autoptr(GArray) all = decide_ways(tables, collective, han);
    if (all->len <= (guint)mpich) // MPICH's only composition leaves all calls to the tree
        return NULL;
    GArray *ways = g_array_new(FALSE, FALSE, sizeof(TuneChoice));
    if (!mpich)
        add_way(ways, g_intern_string("tuned"), g_intern_string(""));
    for (guint i = mpich ? 0 : 1; i < all->len; i++) // HAN's first one is the default
        add_way(ways, g_array_index(all, DecideWay, i).runs, g_array_index(all, DecideWay, i).params);
    return ways;
}

// ---- Times ----------------------------------------------------------------------------------------------------------

typedef struct WaysJob {
    const Request *request;
    const CollAlgorithm *way; // decides by the rule
    TunePlace *place;
    TuneChoice choice;
    double time_s; // INFINITY if it is not known
} WaysJob;

// Returns TRUE if HAN, or a composition, can serve the call at a place.
static gboolean is_served(const Request *r, const TunePlace *place)
{
    const DecideCall call = request_call(r, place->p, place->per_node, place->m, NULL);
    if (r->library.only->library->family == LIBRARY_MPICH)
        return call.nodes && call.nodes->n < call.p;
    g_autoptr(Decision) d = decide_call(r->library.only, &call);
    return strcmp(d->name, "han") == 0;
}

static gboolean time_way(gpointer data, gpointer unused, GError **error)
{
    WaysJob *job = data;
    const TunePlace *place = job->place;
    g_autoptr(GError) why = NULL;
    (void)unused;
    Point *point = point_new(job->request, job->way, place->p, place->per_node, place->m, error);
    if (!point)
        return FALSE;
    if (point_run(point, job->request, &why) && point_timed(point))
        job->time_s = point->time_s;
    point_free(point);
    return TRUE;
}

// A rule that names no id, and the rules of what it calls; NULL for none.
typedef struct WayRule {
    LibraryRule rule;
    const RulesFile *parts;
} WayRule;

// Decides a call by a WayRule; it is a DecidePart.
static Decision *decide(Tables *tables, const DecideCall *call, gconstpointer way)
{
    const WayRule *by = way;
    DecideCall with = *call;
    with.decide_part = by->parts ? rules_decision : NULL;
    with.from = by->parts;
    return rules_serve(tables, &with, &by->rule);
}

static GPtrArray *make_jobs(Tune *tune, Request *r, const WayRule *rules)
{
    GPtrArray *jobs = g_ptr_array_new_with_free_func(g_free);
    for (guint k = 0; k < tune->ways->len; k++) {
        const CollAlgorithm *way = request_name_decider(r, r->library.only, "way", decide, &rules[k]);
        for (guint i = 0; i < tune->places->len; i++) {
            TunePlace *place = &g_array_index(tune->places, TunePlace, i);
            if (place->ways)
                continue;
            WaysJob *job = g_new(WaysJob, 1);
            *job = (WaysJob){r, way, place, g_array_index(tune->ways, TuneChoice, k), INFINITY};
            g_ptr_array_add(jobs, job);
        }
    }
    return jobs;
}

gboolean ways_time(Tune *tune, Request *r, GError **error)
{
    g_autofree WayRule *rules = g_new0(WayRule, tune->ways->len);
    for (guint k = 0; k < tune->ways->len; k++) {
        rules[k].rule.runs = g_array_index(tune->ways, TuneChoice, k).runs;
        rules[k].rule.params = g_array_index(tune->ways, TuneChoice, k).params;
        rules[k].parts = r->library.rules;
    }
    g_autoptr(GPtrArray) jobs = make_jobs(tune, r, rules), open = g_ptr_array_new();
    for (guint i = 0; i < jobs->len; i++) {
        WaysJob *job = jobs->pdata[i];
        if (is_served(r, job->place))
            g_ptr_array_add(open, job);
        else
            job->time_s = job->place->usual_s;
    }
    const ParallelWork work = {.run = time_way, .what = "points"};
    const gboolean good = parallel_run(open, &work, error);
    request_name_default(r, r->library.only); // the rules end here
    for (guint i = 0; i < jobs->len && good; i++) {
        const WaysJob *job = jobs->pdata[i];
        const TuneOption option = {job->choice, job->time_s, NULL};
        if (!job->place->ways)
            job->place->ways = g_array_new(FALSE, FALSE, sizeof(TuneOption));
        g_array_append_val(job->place->ways, option);
        job->place->best_s = MIN(job->place->best_s, job->time_s);
    }
    return good;
}

// ---- Rules ----------------------------------------------------------------------------------------------------------

// Takes ids away from communicators of `first` to `last` ranks.
static void take_away(GArray *rules, gint64 first, gint64 last)
{
    for (guint i = rules->len; i-- > 0;) {
        LibraryRule *rule = &g_array_index(rules, LibraryRule, i), above = *rule;
        RuleRange *when = &rule->when.ranks;
        if (!rule->id || when->first > last || when->last < first)
            continue;
        above.when.ranks.first = last + 1;
        when->last = first - 1;
        const gboolean below = when->first <= when->last;
        if (above.when.ranks.first <= above.when.ranks.last)
            g_array_insert_val(rules, i + 1, above); // rules of the same ranks stay in the order of their sizes
        if (!below)
            g_array_remove_index(rules, i);
    }
}

void ways_clip(Tune *tune, const Request *r)
{
    int most = 0;
    for (guint i = 0; i < tune->places->len; i++) {
        const TunePlace *place = &g_array_index(tune->places, TunePlace, i);
        most = place->per_node < place->p ? MAX(most, place->per_node) : most;
    }
    if (most >= 2)
        take_away(tune->rules, 2, most);
    g_autoptr(GArray) nodes = between_nodes(r, tune->collective, r->library.apart);
    for (guint i = 0; i < nodes->len; i++) {
        const gint64 n = (gint64)g_array_index(nodes, size_t, i);
        take_away(tune->rules, n, n);
    }
}

// Returns where the file for HAN can change with the ranks, ascending from 1 on (gint64). HAN counts one block where
// tuned counts that of all ranks, so it has sizes of its own for each number of ranks. Free with g_array_unref.
static GArray *ranks_of(const Tune *tune)
{
    GArray *ranks = g_array_new(FALSE, FALSE, sizeof(gint64));
    const gint64 one = 1;
    g_array_append_val(ranks, one);
    for (guint i = 0; i < tune->rules->len; i++) {
        const RuleRange *range = &g_array_index(tune->rules, LibraryRule, i).when.ranks;
        const gint64 end = range->last + 1;
        g_array_append_val(ranks, range->first);
        g_array_append_val(ranks, end);
    }
    for (guint i = 0; i < tune->places->len; i++) {
        const gint64 p = g_array_index(tune->places, TunePlace, i).p;
        g_array_append_val(ranks, p);
    }
    return distinct_sort(ranks, distinct_by_number);
}

// Returns where bytes of tuned's rules begin, as HAN counts them.
static gint64 han_first(const Tune *tune, gint64 ranks, gint64 bytes)
{
    return tuned_collectives[tune->number].size == TUNED_SIZE_ALL ? (bytes + ranks - 1) / ranks : bytes;
}

static void add_rule(GArray *set, const Tune *tune, RuleRange ranks, gint64 first, const char *runs, const char *params)
{
    LibraryRule *before = set->len ? &g_array_index(set, LibraryRule, set->len - 1) : NULL;
    const LibraryRule rule = {.collective = tune->number,
                              .level = HAN_GLOBAL,
                              .runs = runs,
                              .params = params,
                              .when = rule_when(ranks, (RuleRange){first, RULES_NO_LIMIT})};
    if (before && before->when.bytes.first == first)
        g_array_set_size(set, set->len - 1);
    before = set->len ? &g_array_index(set, LibraryRule, set->len - 1) : NULL;
    if (before && strcmp(before->runs, runs) == 0 && strcmp(before->params, params) == 0)
        return;
    if (before)
        before->when.bytes.last = first - 1;
    g_array_append_val(set, rule);
}

// Returns the rules of HAN for some ranks.
static GArray *make_set(const Tune *tune, RuleRange ranks)
{
    GArray *set = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    add_rule(set, tune, ranks, 0, "han", "");
    for (guint i = 0; i < tune->rules->len; i++) { // ascending by bytes
        const LibraryRule *rule = &g_array_index(tune->rules, LibraryRule, i);
        if (rule->when.ranks.first > ranks.first || rule->when.ranks.last < ranks.first)
            continue;
        add_rule(set, tune, ranks, han_first(tune, ranks.first, rule->when.bytes.first),
                 rule->id ? "tuned" : rule->runs, rule->id ? "" : rule->params);
        if (rule->when.bytes.last != RULES_NO_LIMIT)
            add_rule(set, tune, ranks, han_first(tune, ranks.first, rule->when.bytes.last + 1), "han", "");
    }
    return set;
}

static gboolean same_set(const GArray *a, const GArray *b)
{
    gboolean same = a->len == b->len;
    for (guint i = 0; i < a->len && same; i++) {
        const LibraryRule *x = &g_array_index(a, LibraryRule, i), *y = &g_array_index(b, LibraryRule, i);
        same = x->when.bytes.first == y->when.bytes.first && strcmp(x->runs, y->runs) == 0 &&
               strcmp(x->params, y->params) == 0;
    }
    return same;
}

// Appends the rules of HAN for a collective.
static void add_tune(GArray *rules, const Tune *tune)
{
    g_autoptr(GArray) ranks = ranks_of(tune), former = NULL;
    for (guint i = 0; i < ranks->len; i++) {
        const RuleRange range = {g_array_index(ranks, gint64, i),
                                 i + 1 < ranks->len ? g_array_index(ranks, gint64, i + 1) - 1 : RULES_NO_LIMIT};
        g_autoptr(GArray) set = make_set(tune, range);
        if (former && same_set(former, set)) {
            for (guint k = 1; k <= set->len; k++)
                g_array_index(rules, LibraryRule, rules->len - k).when.ranks.last = range.last;
            continue;
        }
        g_array_append_vals(rules, set->data, set->len);
        g_clear_pointer(&former, g_array_unref);
        former = g_steal_pointer(&set);
    }
}

char *ways_file(const GPtrArray *tunes, const GPtrArray *header)
{
    g_autoptr(GArray) rules = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    for (guint i = 0; i < tunes->len; i++)
        if (((const Tune *)tunes->pdata[i])->ways)
            add_tune(rules, tunes->pdata[i]);
    const LibraryRule usual = {.collective = tuned_collective("bcast"),
                               .level = HAN_GLOBAL,
                               .runs = "han",
                               .params = "",
                               .when = rule_when((RuleRange){1, RULES_NO_LIMIT}, (RuleRange){0, RULES_NO_LIMIT})};
    if (rules->len == 0) // a file must have a rule, and HAN serves none of these collectives
        g_array_append_val(rules, usual);
    g_autofree char *text = rules_han_text(rules);
    g_autoptr(GString) s = g_string_new(NULL);
    for (guint i = 0; i < header->len; i++)
        g_string_append_printf(s, "# %s\n", (const char *)header->pdata[i]);
    return g_strconcat(s->str, text, NULL);
}
