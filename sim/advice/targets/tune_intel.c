#include "advice/targets/tune_target.h"
#include "base/error.h"
#include "base/parallel.h"
#include "registry/coverage.h"
#include "search/search/points.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IDS = 32 };

// One time: an id's at a number of ranks and a size.
typedef struct IntelJob {
    const Request *request;
    const CollAlgorithm *algorithm;
    int p, per_node;
    size_t m;
    double *time_s;
} IntelJob;

// Predicts a time. It stays unknown where another algorithm runs because a need is not met: nobody knows what Intel
// runs there.
static gboolean run_job(gpointer data, gpointer unused, GError **error)
{
    IntelJob *job = data;
    g_autoptr(GError) refused = NULL;
    (void)unused;
    Point *point = point_new(job->request, job->algorithm, job->p, job->per_node, job->m, error);
    if (!point)
        return FALSE;
    if (point->ran && !point->why && point_run(point, job->request, &refused) && point_timed(point))
        *job->time_s = point->time_s;
    point_free(point);
    return TRUE;
}

// The ids of a collective that are predicted.
typedef struct IntelIds {
    int id[MOST_IDS];
    const CollAlgorithm *entry[MOST_IDS];
    guint n;
} IntelIds;

// Finds the ids, and says which are left out.
static IntelIds find_ids(TuneTarget *x, Collective collective)
{
    IntelIds ids = {.n = 0};
    g_autoptr(GString) others = g_string_new(NULL);
    for (int id = 1; id < MOST_IDS && target_intel_name(collective, id); id++) {
        g_autofree char *alias = g_strdup_printf("intel:%d", id);
        const CollAlgorithm *a = algorithm_find(collective, alias);
        if (a) {
            ids.id[ids.n] = id;
            ids.entry[ids.n++] = a;
        } else {
            g_string_append_printf(others, "%s%d (%s)", others->len ? ", " : "", id, target_intel_name(collective, id));
        }
    }
    if (ids.n && others->len)
        tune_target_lack(x, "%s: not looked at, because nobody knows what they send: %s", collectives[collective].name,
                         others->str);
    return ids;
}

static void make_rule(TargetRule *rule, guint choice, gconstpointer user)
{
    const IntelIds *ids = user;
    rule->id = ids->id[choice - 1];
    rule->runs = target_intel_name(rule->collective, rule->id);
}

// Returns the sizes of a collective that are whole elements. Free with g_array_unref.
static GArray *sizes_of(const Request *r)
{
    GArray *sizes = question_whole_sizes(&r->question);
    const size_t none = 0;
    if (r->question.collective == COLL_BARRIER) {
        g_array_set_size(sizes, 0);
        g_array_append_val(sizes, none);
    }
    return sizes;
}

// Predicts all ids at all sizes on the i-th number of ranks. Returns FALSE and an error if a simulation fails.
static gboolean predict(const Request *r, const IntelIds *ids, guint i, const TuneTargetTimes *t, GError **error)
{
    g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func(g_free);
    const int p = (int)g_array_index(r->question.ranks, size_t, i);
    for (guint s = 0; s < t->n; s++)
        for (guint c = 0; c < t->n_choices; c++) {
            t->time_s[s * t->n_choices + c] = NAN;
            if (c == 0 || !question_check_size(&r->question, (size_t)p, t->sizes[s], NULL))
                continue;
            IntelJob *job = g_new(IntelJob, 1);
            *job = (IntelJob){
                r, ids->entry[c - 1], p, request_per_node(r, i), t->sizes[s], &t->time_s[s * t->n_choices + c]};
            g_ptr_array_add(jobs, job);
        }
    const ParallelWork work = {.run = run_job, .what = "calls"};
    return parallel_run(jobs, &work, error);
}

// Returns TRUE if two parts have the same rules, but for the ranks.
static gboolean alike(const TuneTarget *x, const TuneTargetPart *a, const TuneTargetPart *b)
{
    gboolean same = a->n == b->n;
    for (guint i = 0; i < a->n && same; i++) {
        const TargetRule *one = &g_array_index(x->rules, TargetRule, a->first + i),
                         *two = &g_array_index(x->rules, TargetRule, b->first + i);
        same = one->id == two->id && one->bytes.first == two->bytes.first && one->bytes.last == two->bytes.last;
    }
    return same;
}

// Has the rules of a number of ranks serve those up to the next one of the grid, as `next` says; 0 for none. Those of
// the part before are the same ones if they are alike.
static void end_ranks(TuneTarget *x, guint first_part, int next)
{
    TuneTargetPart *part = &g_array_index(x->parts, TuneTargetPart, x->parts->len - 1);
    const gint64 last = next ? next - 1 : part->p;
    if (x->parts->len - 1 > first_part && alike(x, part - 1, part)) {
        g_array_set_size(x->rules, part->first);
        part->first = part[-1].first;
    }
    for (guint i = part->first; i < part->first + part->n; i++)
        g_array_index(x->rules, TargetRule, i).ranks.last = last;
}

static int by_ranks(gconstpointer a, gconstpointer b, gpointer ranks)
{
    const size_t x = g_array_index((GArray *)ranks, size_t, *(const guint *)a),
                 y = g_array_index((GArray *)ranks, size_t, *(const guint *)b);
    return x < y ? -1 : x > y;
}

// Returns the indices of the request's ranks from 2 on, ascending (guint), or NULL and an error if one is there on
// different nodes. Free with g_array_unref.
static GArray *order_of(const Request *r, GError **error)
{
    g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < r->question.ranks->len; i++)
        if (g_array_index(r->question.ranks, size_t, i) > 1)
            g_array_append_val(order, i);
    g_array_sort_with_data(order, by_ranks, r->question.ranks);
    for (guint i = 1; i < order->len; i++) {
        const guint a = g_array_index(order, guint, i - 1), b = g_array_index(order, guint, i);
        if (g_array_index(r->question.ranks, size_t, a) != g_array_index(r->question.ranks, size_t, b))
            continue;
        bad_input(error, "-p has %zu ranks twice; allowed: once, because Intel's variables do not ask for nodes",
                  g_array_index(r->question.ranks, size_t, a));
        return NULL;
    }
    if (order->len)
        return g_steal_pointer(&order);
    bad_input(error, "-p has no number of ranks above 1; allowed: 2 or more");
    return NULL;
}

static gboolean tune_collective(TuneTarget *x, Request *r, const GArray *order, double within, GError **error)
{
    const IntelIds ids = find_ids(x, r->question.collective);
    g_autoptr(GArray) sizes = sizes_of(r);
    const guint first_part = x->parts->len;
    if (ids.n == 0 || sizes->len == 0)
        return TRUE;
    const TuneTargetTimes t = {sizes->len, ids.n + 1, (const size_t *)(void *)sizes->data,
                               g_new(double, (gsize)sizes->len *(ids.n + 1))};
    gboolean good = TRUE;
    for (guint i = 0; i < order->len && good; i++) {
        const guint at = g_array_index(order, guint, i);
        const TuneTargetPart part = {.collective = r->question.collective,
                                     .p = (int)g_array_index(r->question.ranks, size_t, at),
                                     .per_node = request_per_node(r, at)};
        if (!(good = predict(r, &ids, at, &t, error)))
            break;
        tune_target_add(x, part, &t, 0, within, FALSE, TRUE, make_rule, &ids);
        end_ranks(x, first_part,
                  i + 1 < order->len ? (int)g_array_index(r->question.ranks, size_t, g_array_index(order, guint, i + 1))
                                     : 0);
    }
    g_free(t.time_s);
    return good;
}

TuneTarget *tune_intel(Request *r, const gboolean *asked, const size_t *elem, double within, GError **error)
{
    g_autoptr(TuneTarget) x = tune_target_new(TARGET_INTEL);
    g_autoptr(GArray) order = order_of(r, error);
    for (int c = 0; order && c < N_COLLECTIVES; c++) {
        r->question.collective = (Collective)c;
        r->question.elem = elem[c];
        if (asked[c] && !tune_collective(x, r, order, within, error))
            return NULL;
    }
    if (!order)
        return NULL;
    if (x->rules->len)
        return g_steal_pointer(&x);
    bad_input(error, "Intel's reference has no id that is predicted for these collectives; allowed: others, such as "
                     "allreduce");
    return NULL;
}
