#include "search/search/formulas.h"
#include "base/units.h"
#include "search/form/closed_form.h"
#include "engine/replay/replay.h"
#include "engine/replay/shared.h"
#include "engine/schedule/record.h"
#include "registry/composition.h"
#include "api/make.h"
#include <string.h>

typedef struct FormulaCase {
    const CollAlgorithm *a;
    CollPoint x;
    const Schedule *s;
} FormulaCase;

static const int64_t coefficients[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {7, 3, 1}};

static int64_t formula_at(const FormulaCase *c, int k, bool eager)
{
    CollPoint x = c->x;
    x.alpha = coefficients[k][0];
    x.beta = coefficients[k][1];
    x.gamma = coefficients[k][2];
    x.eager = eager;
    return algorithm_time(c->a, &x);
}

static int64_t integer_time(const Certificate *c, int k)
{
    return coefficients[k][0] * c->alpha + coefficients[k][1] * c->beta + coefficients[k][2] * c->gamma;
}

static void report_difference(FormulaTally *t, const FormulaCase *c, const char *how, const char *what,
                              int64_t simulated, int64_t formula)
{
    g_autofree char *m = units_format_size((size_t)c->x.m);
    g_autofree char *params = params_text(c->a, &c->x.par);
    g_string_append_printf(t->told,
                           "%s %s, p=%d m=%s%s%s, %s: %s is %" G_GINT64_FORMAT " simulated, %" G_GINT64_FORMAT
                           " by the formula\n",
                           collectives[c->a->collective].name, c->a->name, c->x.p, m, *params ? " " : "", params, how,
                           what, simulated, formula);
}

static void count_missing(const FormulaCase *c, FormulaTally *t)
{
    t->without++;
    if (t->last_missing == c->x.p)
        return;
    g_string_append_printf(t->missing, "%s%d", t->missing->len ? "," : "", c->x.p);
    t->last_missing = c->x.p;
}

// Reports which time could not be simulated, and why.
static void report_refused(const FormulaCase *c, const char *how, const char *what, const GError *refused,
                           FormulaTally *t)
{
    t->refused++;
    g_string_append_printf(t->told, "%s %s, p=%d, %s: %s is not simulated: %s\n", collectives[c->a->collective].name,
                           c->a->name, c->x.p, how, what, refused->message);
}

// Compares T for the four sets of costs in `coefficients`. If the formula gives one linear form for them, it also
// compares the certificate's counts with the coefficients of that form.
static void compare(const FormulaCase *c, bool eager, FormulaTally *t)
{
    static const char *const names[] = {"T(1,0,0)", "T(0,1,0)", "T(0,0,1)", "T(7,3,1)"};
    const char *const how = eager ? "eager" : "rendezvous";
    int64_t form[4];
    Certificate mixed = {0};
    bool any = false, all = true;
    for (int k = 0; k < 4; k++) {
        form[k] = formula_at(c, k, eager);
        if (form[k] < 0)
            continue;
        any = true;
        const Hockney h = {(double)coefficients[k][0], (double)coefficients[k][1], (double)coefficients[k][2],
                           eager ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS};
        g_autoptr(GError) refused = NULL;
        g_autoptr(Replay) r = replay(c->s, &h, &(ReplayOptions){0}, &refused);
        if (!r) {
            report_refused(c, how, names[k], refused, t);
            all = false;
            continue;
        }
        const int64_t simulated = integer_time(&r->certificate, k);
        mixed = r->certificate;
        t->equal += simulated == form[k];
        t->different += simulated != form[k];
        if (simulated != form[k])
            report_difference(t, c, how, names[k], simulated, form[k]);
    }
    if (any && all && form[0] >= 0 && form[1] >= 0 && form[2] >= 0 && form[3] == 7 * form[0] + 3 * form[1] + form[2]) {
        const int64_t triple[] = {mixed.alpha, mixed.beta, mixed.gamma};
        static const char *const parts[] = {"the certificate's alpha", "the certificate's beta",
                                            "the certificate's gamma"};
        for (int k = 0; k < 3; k++)
            if (triple[k] != form[k]) {
                t->different++;
                report_difference(t, c, how, parts[k], triple[k], form[k]);
            }
    }
    if (!any)
        count_missing(c, t);
}

// Does the same for shared memory, with unit costs and mixed ones; one or three ranks can read at full speed.
static void compare_shared(const FormulaCase *c, FormulaTally *t)
{
    static const int64_t costs[][SHARED_TERMS] = {
        // write, read, lanes, flag, gamma, single
        {1, 0, 1, 0, 0}, {0, 3, 3, 0, 0},    {0, 1, 1, 0, 0},       {0, 0, 1, 1, 0},
        {0, 0, 1, 0, 1}, {0, 0, 1, 0, 0, 1}, {7, 6, 3, 500, 2, 40}, {2, 9, 3, 11, 1, 900},
    };
    for (size_t k = 0; k < G_N_ELEMENTS(costs); k++) {
        const int64_t *cost = costs[k];
        CollPoint x = c->x;
        x.write = cost[0];
        x.read = cost[1];
        x.lanes = cost[2];
        x.flag = cost[3];
        x.gamma = cost[4];
        x.single = cost[5];
        const SharedCosts costs_s = {(double)cost[0], (double)cost[1], (double)cost[2],
                                     (double)cost[3], (double)cost[4], .single = (double)cost[5]};
        g_autofree char *what =
            g_strdup_printf("T(%d,%d/%d,%d,%d)", (int)x.write, (int)x.read, (int)x.lanes, (int)x.flag, (int)x.gamma);
        g_autoptr(GError) refused = NULL;
        SharedCertificate paid;
        g_autoptr(Replay) r = shared_replay(c->s, &costs_s, &(ReplayOptions){0}, &paid, &refused);
        if (!r) {
            report_refused(c, "shared memory", what, refused, t);
            continue;
        }
        const int64_t *n = paid.n, form = algorithm_time(c->a, &x);
        const int64_t simulated = n[SHARED_WRITE] * x.write + n[SHARED_READ] * x.read +
                                  n[SHARED_CROWD] * (x.read / x.lanes) + n[SHARED_FLAG] * x.flag +
                                  n[SHARED_GAMMA] * x.gamma + n[SHARED_SINGLE] * x.single;
        t->equal += simulated == form;
        t->different += simulated != form;
        if (simulated != form)
            report_difference(t, c, "shared memory", what, simulated, form);
    }
}

// ---- Two levels -----------------------------------------------------------------------------------------------------

// The costs of messages within a node and between nodes, and of reductions.
typedef struct LevelCosts {
    int64_t near_alpha, near_beta, alpha, beta, gamma;
} LevelCosts;

enum { LEVEL_TERMS = 5 };
// The first five have one cost each; T of the mixed ones shows where parts overlap. In nature, near is cheaper.
static const LevelCosts level_costs[] = {
    {1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0},
    {0, 0, 0, 0, 1}, {2, 1, 7, 3, 1}, {9, 4, 5, 2, 3}, {1, 1, 0, 5, 9},
};

static int64_t level_formula(const FormulaCase *c, const LevelCosts *k, bool eager)
{
    CollPoint x = c->x;
    x.levels = true;
    x.near_alpha = k->near_alpha;
    x.near_beta = k->near_beta;
    x.alpha = k->alpha;
    x.beta = k->beta;
    x.gamma = k->gamma;
    x.eager = eager;
    return algorithm_time(c->a, &x);
}

// Sets count to the certificate's counts, in the order of LevelCosts. Returns false and an error if the schedule is not
// simulated.
static bool level_counts(const FormulaCase *c, const Mapping *map, const LevelCosts *k, bool eager, int64_t *count,
                         GError **error)
{
    static const char *const names[] = {"node", "far"};
    SiteCharges charges[2];
    site_textbook(charges[0], (double)k->near_alpha, (double)k->near_beta, (double)k->gamma);
    site_textbook(charges[1], (double)k->alpha, (double)k->beta, (double)k->gamma);
    const SiteFigures figures = {.charges = charges};
    g_autoptr(Site) site = site_new(map, names, &figures);
    const Hockney h = {(double)k->alpha, (double)k->beta, (double)k->gamma,
                       eager ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS, site};
    g_autoptr(Replay) r = replay(c->s, &h, &(ReplayOptions){0}, error);
    if (r)
        memcpy(count, r->count, LEVEL_TERMS * sizeof *count); // their order is that of a site's terms
    return r != NULL;
}

// Compares T for each of level_costs, and the certificate of the last costs if the formula is linear up to there.
static void compare_levels(const FormulaCase *c, const Mapping *map, bool eager, FormulaTally *t)
{
    g_autofree char *how = g_strdup_printf("%s, %d nodes of %d, %s", eager ? "eager" : "rendezvous", map->nodes->n,
                                           coll_nodes_equal(map->nodes), map->nodes->ordered ? "block" : "cyclic");
    for (size_t k = 0; k < G_N_ELEMENTS(level_costs); k++) {
        const LevelCosts *x = &level_costs[k];
        g_autofree char *what = g_strdup_printf("T(%d,%d,%d,%d,%d)", (int)x->near_alpha, (int)x->near_beta,
                                                (int)x->alpha, (int)x->beta, (int)x->gamma);
        int64_t count[LEVEL_TERMS];
        const int64_t form = level_formula(c, x, eager);
        g_autoptr(GError) refused = NULL;
        if (form < 0)
            continue;
        if (!level_counts(c, map, x, eager, count, &refused)) {
            report_refused(c, how, what, refused, t);
            continue;
        }
        const int64_t simulated = count[0] * x->near_alpha + count[1] * x->near_beta + count[2] * x->alpha +
                                  count[3] * x->beta + count[4] * x->gamma;
        t->equal += simulated == form;
        t->different += simulated != form;
        if (simulated != form)
            report_difference(t, c, how, what, simulated, form);
    }
}

// Compares an entry that knows two levels on one map of p ranks to equal nodes.
static void check_map(const CollAlgorithm *a, int p, const MapSpec *spec, const CollParams *par, FormulaTally *t)
{
    const size_t m = a->collective == COLL_BARRIER ? 0 : closed_form_unit(p, 1);
    Levels levels;
    levels_init(&levels);
    levels_add(&levels, "node", (size_t)spec->k);
    g_autoptr(Mapping) map = mapping_new(spec, &levels, p, NULL);
    levels_clear(&levels);
    const Coll all = {.p = p, .elem = 1, .commutative = true, .nodes = map->nodes, .par = *par};
    Operation op = {a, coll_make(a->collective, &all, 0, m, NULL), m};
    const char *why;
    if (coll_resolve(a, &op.c, &why) != a)
        return;
    Schedule *s = schedule_admit(&op, NULL, 0, NULL, NULL);
    const FormulaCase x = {a, closed_form_point(&op, false), s};
    for (int eager = 0; s && eager < 2; eager++)
        compare_levels(&x, map, eager, t);
    schedule_free(s);
}

// Tries two levels on nodes of 2, 3, 4 and 8 ranks, and on two and three nodes, as far as these divide p.
static void check_levels(const CollAlgorithm *a, int p, const CollParams *par, FormulaTally *t)
{
    const int sizes[] = {2, 3, 4, 8, p / 2, p / 3};
    for (size_t i = 0; i < G_N_ELEMENTS(sizes) && a->levels; i++)
        if (sizes[i] > 1 && sizes[i] < p && p % sizes[i] == 0)
            for (int cyclic = 0; cyclic < 2; cyclic++)
                check_map(a, p, &(MapSpec){.kind = cyclic ? MAP_CYCLIC : MAP_BLOCK, .k = sizes[i]}, par, t);
}

// ---- The grid -------------------------------------------------------------------------------------------------------

enum { PER_NODE = 4 }; // for algorithms that use nodes

static void check_case(const CollAlgorithm *a, int p, const CollParams *par, FormulaTally *t)
{
    const size_t m = a->collective == COLL_BARRIER ? 0 : closed_form_unit(p, 1);
    if (units_multiply_sizes(m, (size_t)p) >= SCHEDULE_MOST) {
        t->refused++;
        g_string_append_printf(t->told, "%s %s, p=%d is not simulated: a size that all blocks divide is too large\n",
                               collectives[a->collective].name, a->name, p);
        return;
    }
    g_autoptr(CollNodes) nodes = coll_nodes_blocks(p, PER_NODE);
    const Coll all = {.p = p, .elem = 1, .commutative = true, .nodes = nodes, .par = *par};
    Operation op = {a, coll_make(a->collective, &all, 0, m, NULL), m};
    const char *why;
    if (coll_resolve(a, &op.c, &why) != a) {
        t->fallback++;
        return;
    }
    g_autoptr(GError) refused = NULL;
    Schedule *s = schedule_admit(&op, NULL, a->shared ? SHARED_MOST_ACCESSES : 0, NULL, &refused);
    const FormulaCase x = {a, closed_form_point(&op, false), s};
    if (!s) {
        t->refused++;
        g_string_append_printf(t->told, "%s %s, p=%d is not simulated: %s\n", collectives[a->collective].name, a->name,
                               p, refused->message);
    } else if (a->shared) {
        compare_shared(&x, t);
    } else {
        compare(&x, false, t);
        compare(&x, true, t);
    }
    schedule_free(s);
}

// Fills `value` with a few values other than the default, or with all algorithms that are allowed, and returns how
// many.
static int other_values(const CollParam *param, int p, int64_t *value)
{
    int n = 0;
    const int64_t ints[] = {2, 3, 8, param->min}, sizes[] = {(int64_t)closed_form_unit(p, 1) / 4};
    const int candidates = param->kind == PARAM_INT    ? (param->min < 2 ? 4 : 3)
                           : param->kind == PARAM_SIZE ? 1
                                                       : n_algorithms;
    for (int i = 0; i < candidates; i++) {
        const int64_t x = param->kind == PARAM_INT ? ints[i] : param->kind == PARAM_SIZE ? sizes[i] : i;
        const bool allowed = param->kind == PARAM_ALGORITHM ? param_allows(param, i)
                                                            : x >= param->min && x <= param->max && x != param->def;
        if (allowed)
            value[n++] = x;
    }
    return n;
}

// Checks one p with all parameters at their defaults, and with each in turn at other values. It does so without
// segments and with 4 segments; in shared memory with 1, 4 and 11 fragments, the last of the 11 being shorter.
static void check_ranks(const CollAlgorithm *a, int p, FormulaTally *t)
{
    CollParams par = algorithm_defaults(a);
    const CollParam *segment = NULL;
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (strcmp(a->params[i].name, "segment") == 0 || strcmp(a->params[i].name, "fragment") == 0)
            segment = &a->params[i];
    const size_t cuts[] = {1, 4, 11};
    for (int cut = 0; cut < (a->shared ? 3 : segment ? 2 : 1); cut++) {
        const size_t S = cuts[cut];
        if (segment)
            param_set(segment, &par, S > 1 || a->shared ? (int64_t)((closed_form_unit(p, 1) + S - 1) / S) : 0);
        check_case(a, p, &par, t);
        check_levels(a, p, &par, t);
        for (int i = 0; i < algorithm_n_params(a); i++) {
            int64_t value[64];
            const int n = &a->params[i] == segment ? 0 : other_values(&a->params[i], p, value);
            for (int k = 0; k < n; k++) {
                CollParams changed = par;
                param_set(&a->params[i], &changed, value[k]);
                check_case(a, p, &changed, t);
                check_levels(a, p, &changed, t);
            }
        }
    }
}

FormulaTally formulas_check(const CollAlgorithm *a, const GArray *ranks)
{
    FormulaTally t = {.missing = g_string_new(NULL), .told = g_string_new(NULL)};
    for (guint i = 0; i < ranks->len; i++)
        check_ranks(a, (int)g_array_index(ranks, size_t, i), &t);
    return t;
}

void formulas_clear(FormulaTally *t)
{
    g_string_free(t->missing, TRUE);
    g_string_free(t->told, TRUE);
}
