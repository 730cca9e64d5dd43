// The verdicts on all claims of the sources: every claim gets one, it is the same on a grid that is twice as fine and
// goes twice as far, no exact claim stays exact if one of its constants is changed by one, and every counterexample
// refutes its claim.
#include "judge/audit/facts.h"
#include "base/parallel.h"
#include "base/share.h"
#include "sample.h"
#include "tap.h"
#include <math.h>
#include <string.h>

enum { APART = 20 }; // a sample has one in so many kinds of claims about one truth

// Claims about the same truth, which need to be simulated only once, and their verdicts on both grids.
typedef struct Alike {
    char *key;         // see truth_key
    GPtrArray *claims; // of Claim, not owned
    Truth *truth;      // on the usual grid
    GArray *verdicts;  // two Verdicts for each claim: as an equality or upper bound, and as an order
    GArray *refined;   // the same on the finer grid
} Alike;

static GPtrArray *claims, *groups;
static Platform *platform;

static Verdict verdict_alone(const Claim *c, ClaimKind as, const Truth *t, int refine)
{
    GError *error = NULL;
    g_auto(Claimed) claimed = {0};
    claimed_take(c, t, &claimed, &error);
    g_assert_no_error(error);
    return verdict_of(c, as, t, &claimed, refine);
}

static GArray *judge_all(const Alike *g, const Truth *t, int refine)
{
    GArray *verdicts = g_array_new(FALSE, FALSE, sizeof(Verdict));
    for (guint i = 0; i < g->claims->len; i++) {
        const Claim *c = g_ptr_array_index(g->claims, i);
        const Verdict both[] = {verdict_alone(c, audited_kind(c), t, refine), verdict_alone(c, CLAIM_ORDER, t, refine)};
        g_array_append_vals(verdicts, both, 2);
    }
    return verdicts;
}

static gboolean run_group(gpointer data, gpointer unused, GError **error)
{
    (void)unused;
    Alike *g = data;
    g->truth = truth_new(g_ptr_array_index(g->claims, 0), &(TruthOptions){1, false, platform}, error);
    g_assert_no_error(*error);
    g_autoptr(Truth) refined = truth_new(g_ptr_array_index(g->claims, 0), &(TruthOptions){2, false, platform}, error);
    g_assert_no_error(*error);
    g->verdicts = judge_all(g, g->truth, 1);
    g->refined = judge_all(g, refined, 2);
    return TRUE;
}

static Alike *group_of(const Claim *c)
{
    g_autofree char *key = truth_key(c);
    for (guint i = 0; i < groups->len; i++) {
        Alike *g = g_ptr_array_index(groups, i);
        if (strcmp(g->key, key) == 0)
            return g;
    }
    Alike *g = g_new0(Alike, 1);
    g->key = g_steal_pointer(&key);
    g->claims = g_ptr_array_new();
    g_ptr_array_add(groups, g);
    return g;
}

static void alike_free(Alike *g)
{
    g_free(g->key);
    g_ptr_array_unref(g->claims);
    g_clear_pointer(&g->truth, truth_free);
    g_clear_pointer(&g->verdicts, g_array_unref);
    g_clear_pointer(&g->refined, g_array_unref);
    g_free(g);
}

static bool is_simulated(const Claim *c)
{
    return *c->text && c->quantity < QUANTITY_ID && c->kind != CLAIM_MEASUREMENT && c->kind != CLAIM_SUITED;
}

// Returns a copy of the claim with another text; free with claim_free.
static Claim *with_text(const Claim *c, const char *text)
{
    GError *error = NULL;
    Claim *x = g_new0(Claim, 1);
    *x = (Claim){.collective = c->collective,
                 .algorithm = c->algorithm,
                 .against = c->against,
                 .quantity = c->quantity,
                 .kind = c->kind,
                 .par = c->par};
    const struct {
        char **to;
        const char *from;
    } texts[] = {{&x->id, c->id},       {&x->source, c->source}, {&x->place, c->place}, {&x->params, c->params},
                 {&x->text, text},      {&x->let, c->let},       {&x->where, c->where}, {&x->without, c->without},
                 {&x->truth, c->truth}, {&x->note, c->note}};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        *texts[i].to = g_strdup(texts[i].from);
    claim_prepare(x, &error);
    g_assert_no_error(error);
    return x;
}

// Under LogGP every message is replayed, once for each part of a time. Where every rank sends a block for each other one, at
// each of several k, this takes ten times as long as all other truths of a sample. Such a claim is judged on all few ranks
// and, of the sequences of many ranks (claim_grid.h), on one that is drawn.
static bool is_dear(const Claim *c)
{
    return c->costs == COSTS_LOGGP && c->varies_k && !collectives[c->collective].vector && !*c->where && !sample_all();
}

// Returns the claim about those ranks alone, and frees the claim.
static Claim *with_fewer_ranks(Claim *c)
{
    static const char *const sequences[] = {"floor(p/128)*128 == p", "floor((p+1)/128)*128 == p+1",
                                            "floor((p-1)/128)*128 == p-1", "floor(p/125)*125 == p"};
    const guint n = G_N_ELEMENTS(sequences);
    for (guint i = 0; i < n; i++)
        if (sample_takes(i, n)) {
            g_free(c->where);
            c->where = g_strconcat("p < 600 || ", sequences[i], NULL);
        }
    Claim *fewer = with_text(c, c->text);
    claim_free(c);
    return fewer;
}

static void set_up(void)
{
    GError *error = NULL;
    platform = platform_load("generic-100g", &error);
    g_assert_no_error(error);
    claims = g_ptr_array_new_with_free_func((GDestroyNotify)claim_free);
    g_autofree char *folder = share_path(SHARE_CLAIMS, NULL);
    claims_read_folder(folder, claims, &error);
    g_assert_no_error(error);
    groups = g_ptr_array_new();
    for (guint i = 0; i < claims->len; i++) {
        Claim *c = g_ptr_array_index(claims, i);
        if (!is_simulated(c))
            continue;
        if (is_dear(c))
            claims->pdata[i] = c = with_fewer_ranks(c);
        g_ptr_array_add(group_of(c)->claims, c);
    }
    for (guint i = groups->len; i-- > 0;)
        if (!sample_takes(i, APART))
            alike_free(g_ptr_array_remove_index(groups, i));
    parallel_run(groups, &(ParallelWork){.run = run_group, .what = "truths"}, &error);
    g_assert_no_error(error);
}

static void tear_down(void)
{
    for (guint i = 0; i < groups->len; i++)
        alike_free(g_ptr_array_index(groups, i));
    g_ptr_array_unref(groups);
    g_ptr_array_unref(claims);
    platform_free(platform);
}

static void expect_same(const Claim *c, const Verdict *a, const Verdict *b)
{
    const char *const *parts = cost_models[c->costs].name;
    if (a->kind == b->kind && a->of == b->of && a->else_wrong == b->else_wrong)
        return;
    g_autofree char *first = verdict_text(a, parts), *second = verdict_text(b, parts);
    g_test_message("%s: %s; refined: %s", c->id, first, second);
    g_test_fail();
}

static void test_refined(void)
{
    for (guint i = 0; i < groups->len; i++) {
        const Alike *g = g_ptr_array_index(groups, i);
        for (guint k = 0; k < g->verdicts->len; k++) {
            const Verdict *a = &g_array_index(g->verdicts, Verdict, k), *b = &g_array_index(g->refined, Verdict, k);
            const Claim *c = g_ptr_array_index(g->claims, k / 2);
            g_assert_true(a->kind != VERDICT_NONE || k % 2 == 1); // an order needs enough numbers of ranks
            if (k % 2 == 0 || c->kind == CLAIM_ORDER)
                expect_same(c, a, b);
        }
    }
}

// ---- Corrupted claims -----------------------------------------------------------------------------------------------

// Returns the text with its i-th integer (from 0) changed by `by`, or NULL if there is no such integer; free with
// g_free.
static char *corrupted(const char *text, int i, int by)
{
    g_autoptr(GRegex) regex = g_regex_new("(?<![A-Za-z_0-9.])[0-9]+(?![0-9.])", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(regex, text, 0, &match);
    for (; i > 0 && g_match_info_matches(match); i--)
        g_match_info_next(match, NULL);
    int from, to;
    if (!g_match_info_matches(match) || !g_match_info_fetch_pos(match, 0, &from, &to))
        return NULL;
    return g_strdup_printf("%.*s%" G_GINT64_FORMAT "%s", from, text, g_ascii_strtoll(text + from, NULL, 10) + by,
                           text + to);
}

// Returns true if the claim calls the time of its own algorithm, as bintree(p-1) does. With a constant changed, this can be
// the time itself, bintree(p-0).
static bool calls_itself(const Claim *c)
{
    g_autofree char *call = g_strconcat(c->algorithm->name, "(", NULL);
    return strstr(c->text, call) != NULL;
}

static void test_corrupted(void)
{
    int tried = 0;
    for (guint i = 0; i < groups->len; i++) {
        const Alike *g = g_ptr_array_index(groups, i);
        for (guint k = 0; k < g->claims->len; k++) {
            const Claim *c = g_ptr_array_index(g->claims, k);
            if (g_array_index(g->verdicts, Verdict, 2 * k).kind != VERDICT_EXACT || calls_itself(c))
                continue;
            for (int at = 0;; at++) {
                g_autofree char *more = corrupted(c->text, at, 1), *less = corrupted(c->text, at, -1);
                if (!more)
                    break;
                const char *const texts[] = {more, less};
                for (int j = 0; j < 2; j++) {
                    g_autoptr(Claim) x = with_text(c, texts[j]);
                    tried++;
                    if (verdict_alone(x, CLAIM_EQUALITY, g->truth, 1).kind != VERDICT_EXACT)
                        continue;
                    g_test_message("%s: %s is exact, but %s is judged exact too", c->id, c->text, x->text);
                    g_test_fail();
                }
            }
        }
    }
    g_assert_cmpint(tried, >=, sample_of(100, 0)); // a sample may have no exact claim
}

// ---- Counterexamples ------------------------------------------------------------------------------------------------

// Returns true if the claim, read as `as`, is false at sample i. This evaluates the claim by itself: it shares neither
// the claimed values nor the comparison with the judge.
static bool refuted_at(const Claim *c, ClaimKind as, const Truth *t, guint i)
{
    const Sample *s = &g_array_index(t->samples, Sample, i);
    const int n = cost_models[c->costs].n;
    double values[MAX_SYMBOLS];
    claim_point(c, s, &t->par[i], values);
    for (int j = 0; j < 3 && c->quantity == QUANTITY_CROSSOVER; j++)
        values[SYMBOL_ALPHA + j] = t->figure[j];
    if (!claim_covers(c, values))
        return false;
    const bool mixed = claim_is_cost(c) || c->quantity == QUANTITY_BANDWIDTH;
    for (int part = 0; part < n + (mixed ? SAMPLE_MIXED : 0); part++) {
        double cost[SAMPLE_PARTS] = {0};
        if (part < n && c->left_out[part])
            continue;
        claim_costs_at(c->costs, c->left_out, part, cost);
        const double claimed = claim_value(c, cost, values), truth = part < n ? s->part[part] : s->mixed[part - n];
        const double small = 1e-12 * fmax(fabs(claimed), fabs(truth));
        const bool equal = claimed == truth || (isfinite(small) && fabs(claimed - truth) <= small);
        const bool nonsense = isnan(claimed) || isinf(claimed) != isinf(truth);
        const bool allowed = as == CLAIM_UPPER ? claimed > truth : as == CLAIM_LOWER && claimed < truth;
        if (!equal && (as == CLAIM_ORDER ? nonsense : !allowed))
            return true;
    }
    return false;
}

static int n_refuted;

// Fails if the verdict's counterexample does not refute the claim, if a claim that has none can be refuted, or if a
// claim is wrong in no part in particular and a smaller counterexample exists.
static void expect_counterexample(const Claim *c, ClaimKind as, const Truth *t)
{
    const Verdict v = verdict_alone(c, as, t, 1);
    int first = -1;
    for (guint i = 0; i < t->samples->len && first < 0; i++)
        first = refuted_at(c, as, t, i) ? (int)i : -1;
    n_refuted += first >= 0;
    const bool in_part = v.kind == VERDICT_WRONG;
    if ((v.kind == VERDICT_NONE && v.at < 0) || (v.at < 0 && first < 0) ||
        (v.at >= 0 && refuted_at(c, as, t, (guint)v.at) && (in_part || v.at == first)))
        return;
    g_autofree char *text = verdict_text(&v, cost_models[c->costs].name);
    g_test_message("%s: %s as %s is judged %s at sample %d, but sample %d is the first that refutes it", c->id, c->text,
                   claim_kinds[as], text, v.at, first);
    g_test_fail();
}

// Every claim, and the same claim made larger, smaller, or right from some p on or up to some p only.
static void test_counterexamples(void)
{
    static const char *const forms[] = {"%s",
                                        "2*(%s)",
                                        "(%s)/2",
                                        "(%s)*p",
                                        "(%s)/p",
                                        "(%s)*8/p",
                                        "(%s)*p/8",
                                        "(p > 9 ? 1 : 1.5)*(%s)",
                                        "-(%s)",
                                        "(p == 7 ? 0 : 1)*(%s)",
                                        "(p == 5 ? 0/0 : 1)*(%s)"};
    for (guint i = 0; i < groups->len; i++) {
        const Alike *g = g_ptr_array_index(groups, i);
        for (guint k = 0; k < g->claims->len; k++)
            for (size_t form = 0; form < G_N_ELEMENTS(forms); form++) {
                const Claim *c = g_ptr_array_index(g->claims, k);
                g_auto(GStrv) parts = g_strsplit(forms[form], "%s", 2);
                g_autofree char *text = g_strconcat(parts[0], c->text, parts[1], NULL);
                g_autoptr(Claim) x = with_text(c, text);
                for (ClaimKind as = CLAIM_EQUALITY; as <= CLAIM_ORDER; as++)
                    expect_counterexample(x, as, g->truth);
            }
    }
    g_assert_cmpint(n_refuted, >, sample_of(1000, 25));
}

static void add_tests(void)
{
    g_test_add_func("/verdicts/finer-grid", test_refined);
    g_test_add_func("/verdicts/changed-constants", test_corrupted);
    g_test_add_func("/verdicts/counterexamples", test_counterexamples);
}

int main(int argc, char **argv)
{
    set_up();
    const int status = tap_run(argc, argv, add_tests);
    tear_down();
    return status;
}
