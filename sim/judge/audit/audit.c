#include "judge/audit/audit.h"
#include "judge/audit/facts.h"
#include "judge/audit/claim_measurement.h"
#include "judge/audit/suited.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

// ---- Texts ----------------------------------------------------------------------------------------------------------

static char *point_text(const Claim *c, const Sample *s)
{
    GString *t = g_string_new(NULL);
    g_string_printf(t, "p=%d", s->p);
    if (s->m > 0)
        g_string_append_printf(t, " m=%.0f", s->m);
    if (c->varies_S)
        g_string_append_printf(t, " S=%.0f", s->S);
    if (c->varies_k)
        g_string_append_printf(t, " k=%.0f", s->k);
    return g_string_free(t, FALSE);
}

// ---- One claim ------------------------------------------------------------------------------------------------------

// Returns T at a sample under LogGP as text. If it is not the sum of its parts, it says which of them are a maximum, as
// long as that gives T at all costs that were simulated: every g stands for max(o, g), or for max(o, g + (m/S-1) G).
static char *loggp_text(const Claim *c, const Sample *s, const double *part)
{
    const CostNames *names = &cost_models[COSTS_LOGGP];
    char *const sum = claim_costs_text(COSTS_LOGGP, part);
    if (c->left_out[1] || c->left_out[2] || part[2] <= 0)
        return sum;
    const double gaps = part[2], bytes = s->m / s->S - 1;
    bool is_sum = true, is_max[2] = {true, !c->left_out[3]};
    for (int i = 0; i < SAMPLE_MIXED; i++) {
        const double *cost = names->mixed[i], o = cost[1], g = cost[2], both = gaps * (o + g);
        double all = 0;
        for (int j = 0; j < names->n; j++)
            all += part[j] * (c->left_out[j] ? 0 : cost[j]);
        is_sum &= same_value(all, s->mixed[i]);
        is_max[0] &= same_value(all - both + gaps * fmax(o, g), s->mixed[i]);
        is_max[1] &= same_value(all - both - gaps * bytes * cost[3] + gaps * fmax(o, g + bytes * cost[3]), s->mixed[i]);
    }
    if (is_sum || (!is_max[0] && !is_max[1]))
        return sum;
    const double rest[] = {part[0], part[1] - gaps, 0, part[3] - (is_max[0] ? 0 : gaps * bytes)};
    g_autofree char *added G_GNUC_UNUSED = sum, *others = claim_costs_text(COSTS_LOGGP, rest);
    return is_max[0] ? g_strdup_printf("%s + %.15g max(o, g)", others, gaps)
                     : g_strdup_printf("%s + %.15g max(o, g + %.15g G)", others, gaps, bytes);
}

// Sets the counterexample of a claim whose coefficients do not refute it: the first mixed costs at which T does.
// value[] is what is claimed at the sample.
static void set_mixed_counterexample(Audited *r, ClaimKind as, const Sample *s, const double *value)
{
    const Claim *c = r->claim;
    const CostNames *names = &cost_models[c->costs];
    int i = 0;
    while (i + 1 < SAMPLE_MIXED && !claim_fails(as, value[names->n + i], s->mixed[i]))
        i++;
    double cost[SAMPLE_PARTS];
    claim_costs_at(c->costs, c->left_out, names->n + i, cost);
    g_autofree char *point = point_text(c, s);
    GString *t = g_string_new(point);
    for (int j = 0; j < names->n; j++)
        g_string_append_printf(t, " %s=%.0f", *names->name[j] ? names->name[j] : "B", cost[j]);
    r->point = g_string_free(t, FALSE);
    r->claimed = claim_costs_text(COSTS_NONE, &value[names->n + i]);
    r->truth = claim_costs_text(COSTS_NONE, &s->mixed[i]);
}

static void set_counterexample(Audited *r, const Truth *t, const Claimed *claimed)
{
    const Claim *c = r->claim;
    const Verdict *v = audited_refuted(r);
    const ClaimKind as = v == &r->order ? CLAIM_ORDER : audited_kind(c);
    if (v->at < 0)
        return;
    const Sample *s = &g_array_index(t->samples, Sample, (guint)v->at);
    const double *value = claimed_at(claimed, (guint)v->at);
    double truth[SAMPLE_PARTS];
    memcpy(truth, s->part, sizeof truth);
    bool fails = false;
    for (int i = 0; i < cost_models[c->costs].n; i++) {
        if (c->left_out[i])
            truth[i] = 0;
        fails |= !c->left_out[i] && claim_fails(as, value[i], truth[i]);
    }
    if (!fails) {
        set_mixed_counterexample(r, as, s, value);
        return;
    }
    r->point = point_text(c, s);
    r->claimed = claim_costs_text(c->costs, value);
    r->truth = c->costs == COSTS_LOGGP ? loggp_text(c, s, truth) : claim_costs_text(c->costs, truth);
}

static void set_trend_note(Audited *r)
{
    const Verdict *v = audited_verdict(r);
    if ((v->kind != VERDICT_WRONG && !v->else_wrong) || v->why > WRONG_TO_ZERO)
        return;
    const Trend *t = &v->trend;
    r->note = g_strdup_printf("claimed/true is %.3g at p=%d, %.3g at %d, %.3g at %d", t->ratio[0], t->p[0], t->ratio[1],
                              t->p[1], t->ratio[2], t->p[2]);
}

// Returns the verdict in words. A claim that is right at all points, but whose algorithm does not run at some, is not
// simply exact: the verdict says at which points the algorithm does not run.
static char *whole_verdict(const Audited *r, const Truth *t, const char *const *parts)
{
    return r->verdict.kind == VERDICT_EXACT && t->fallbacks > 0
               ? g_strdup_printf("exact, except where a fallback runs (%s)", t->need)
               : verdict_text(&r->verdict, parts);
}

static gboolean judge_claim(Audited *r, const Truth *t, const TruthOptions *o, GError **error)
{
    const Claim *c = r->claim;
    g_auto(Claimed) claimed = {0};
    if (!claimed_take(c, t, &claimed, error))
        return FALSE;
    r->samples = t;
    for (guint i = 0; i < t->samples->len; i++)
        r->points += claimed.covered[i];
    if (r->points == 0)
        return bad_input(error, "%s: `where` holds at no point of the grid; allowed: a condition that holds at some",
                         c->id);
    r->verdict = verdict_of(c, audited_kind(c), t, &claimed, o->refine);
    if (c->kind == CLAIM_ORDER)
        r->order = verdict_of(c, CLAIM_ORDER, t, &claimed, o->refine);
    const CostNames *names = &cost_models[c->costs];
    r->verdict_text = whole_verdict(r, t, names->name);
    r->order_text = c->kind != CLAIM_ORDER          ? NULL
                    : r->order.kind != VERDICT_NONE ? verdict_text(&r->order, names->name)
                                                    : g_strdup("not judged: too few numbers of ranks to show growth");
    set_counterexample(r, t, &claimed);
    set_trend_note(r);
    if (r->verdict.kind != VERDICT_EXACT)
        r->right = right_find(c, t, &claimed, o);
    return TRUE;
}

// Returns the model that the claim is judged by if the platform lacks some of its figures. Returns NULL if the platform
// has them, or if the claim is about counts, which are the same on every machine. Many platforms have no [shared], and
// some have only [measured].
static const Model *lacking(const Claim *c, const Platform *platform)
{
    const bool shared = (c->algorithm && c->algorithm->shared) || (c->against && c->against->shared);
    const bool needs =
        c->quantity == QUANTITY_CROSSOVER || c->kind == CLAIM_SUITED || (shared && c->kind == CLAIM_MEASUREMENT);
    const Model *model = shared ? &shared_model : &hockney_model;
    return needs && !platform_need(platform, model->keys, model->n_keys, model->name, NULL) ? model : NULL;
}

static gboolean audit_claim(Audit *a, Audited *r, const Facts *facts, GError **error)
{
    const Claim *c = r->claim;
    if (!*c->text) {
        r->verdict_text = g_strdup(verdict_names[VERDICT_NONE]);
        return TRUE;
    }
    const Model *lacks = lacking(c, a->options.platform);
    if (lacks) {
        r->verdict_text = g_strdup_printf("not judged: the platform lacks figures of [%s]", lacks->name);
        return TRUE;
    }
    if (c->quantity >= QUANTITY_ID)
        return facts_judge(facts, c, r, error);
    if (c->kind == CLAIM_SUITED)
        return TRUE; // suited_judge_all has judged it
    if (c->kind == CLAIM_MEASUREMENT)
        return claim_measurement_judge(c, a->options.platform, r, error);
    g_autofree char *key = truth_key(c);
    return judge_claim(r, g_hash_table_lookup(a->truths, key), &a->options, error);
}

// ---- All claims -----------------------------------------------------------------------------------------------------

// One piece of work for a thread: a truth to be simulated or, if `result` is set, a claim to be judged.
typedef struct Work {
    Audit *audit;
    const Facts *facts; // for judging
    const Claim *claim; // the claim that the truth is for
    const char *key;    // the key of the truth, owned by audit->truths
    Truth *truth;       // the outcome
    Audited *result;    // the claim to be judged, and the outcome
    gboolean left_out, done;
} Work;

static gboolean do_work(gpointer data, gpointer unused, GError **error)
{
    (void)unused;
    Work *w = data;
    if (w->left_out)
        return TRUE;
    if (w->result)
        return w->done = audit_claim(w->audit, w->result, w->facts, error);
    w->truth = truth_new(w->claim, &w->audit->options, error);
    return w->truth != NULL;
}

static char *work_name(gconstpointer work, gconstpointer unused)
{
    const Work *w = work;
    (void)unused;
    return g_strdup(w->result ? w->result->claim->id : w->key);
}

// Does all work, or as much as is done when the thread is stopped.
static gboolean run_all(const GPtrArray *work, const char *what, GError **error)
{
    GError *why = NULL;
    parallel_run(work, &(ParallelWork){.run = do_work, .what = what, .name = work_name}, &why);
    if (why && !g_error_matches(why, PARALLEL_STOPPED, 0))
        return g_propagate_error(error, why), FALSE;
    g_clear_error(&why);
    return TRUE;
}

static gboolean simulate_all(Audit *a, const GPtrArray *claims, GError **error)
{
    g_autoptr(GPtrArray) work = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < claims->len; i++) {
        const Claim *c = g_ptr_array_index(claims, i);
        if (!*c->text || lacking(c, a->options.platform) || c->quantity >= QUANTITY_ID || c->kind >= CLAIM_MEASUREMENT)
            continue;
        char *key = truth_key(c);
        if (g_hash_table_contains(a->truths, key)) {
            g_free(key);
            continue;
        }
        g_hash_table_insert(a->truths, key, NULL);
        Work *w = g_new(Work, 1);
        *w = (Work){.audit = a, .claim = c, .key = key};
        g_ptr_array_add(work, w);
    }
    const gboolean good = run_all(work, "algorithms", error);
    for (guint i = 0; i < work->len; i++) {
        const Work *w = g_ptr_array_index(work, i);
        g_hash_table_insert(a->truths, g_strdup(w->key), w->truth);
    }
    return good;
}

static void audited_clear(gpointer data)
{
    const Audited *r = data;
    char *const texts[] = {r->verdict_text, r->order_text, r->point, r->claimed, r->truth, r->right.text, r->note};
    for (size_t k = 0; k < G_N_ELEMENTS(texts); k++)
        g_free(texts[k]);
}

// Returns TRUE if the claim can be judged by what was simulated before the thread was stopped.
static gboolean is_simulated(const Audit *a, const Claim *c)
{
    if (!*c->text || c->quantity >= QUANTITY_ID || c->kind >= CLAIM_MEASUREMENT || lacking(c, a->options.platform))
        return FALSE;
    g_autofree char *key = truth_key(c);
    return g_hash_table_lookup(a->truths, key) != NULL;
}

// Judges the claims, and leaves out what is not judged because the thread is stopped.
static gboolean judge_all(Audit *a, const GPtrArray *claims, const Facts *facts, GError **error)
{
    g_autoptr(GPtrArray) work = g_ptr_array_new_with_free_func(g_free);
    const gboolean stopped = parallel_stopped(NULL);
    for (guint i = 0; i < claims->len; i++) {
        Audited *r = &g_array_index(a->results, Audited, i);
        r->claim = claims->pdata[i];
        if (stopped)
            r->verdict = r->order = (Verdict){.kind = VERDICT_NONE, .at = -1};
        Work *w = g_new(Work, 1);
        *w = (Work){.audit = a, .facts = facts, .result = r, .left_out = stopped && !is_simulated(a, r->claim)};
        g_ptr_array_add(work, w);
    }
    // To judge what is simulated takes little time.
    const gint *const stop = stopped ? parallel_stoppable(NULL) : NULL;
    const gboolean good = run_all(work, "claims", error);
    if (stopped)
        parallel_stoppable(stop);
    for (guint i = work->len; i > 0; i--)
        if (!((const Work *)work->pdata[i - 1])->done)
            g_array_remove_index(a->results, i - 1);
    return good;
}

Audit *audit_run(const GPtrArray *claims, const TruthOptions *options, const char *parameters, GError **error)
{
    g_autoptr(Audit) a = g_new0(Audit, 1);
    a->options = *options;
    a->options.times = truth_times_new();
    a->results = g_array_new(FALSE, TRUE, sizeof(Audited));
    g_array_set_clear_func(a->results, audited_clear);
    a->truths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)truth_free);
    g_array_set_size(a->results, claims->len);
    g_autoptr(Facts) facts = facts_read(parameters, error);
    return facts && simulate_all(a, claims, error) &&
                   (parallel_stopped(NULL) || suited_judge_all(claims, options->platform, a->results, error)) &&
                   judge_all(a, claims, facts, error)
               ? g_steal_pointer(&a)
               : NULL;
}

void audit_free(Audit *a)
{
    if (!a)
        return;
    g_array_unref(a->results);
    g_hash_table_destroy(a->truths);
    truth_times_free(a->options.times);
    g_free(a);
}
