#include "audit/claim.h"
#include "base/error.h"
#include "schedule/names.h"
#include "base/nearest.h"
#include <math.h>
#include <string.h>

const char *const quantity_names[] = {"time",
                                      "bound",
                                      "rounds",
                                      "messages",
                                      "bytes",
                                      "connections",
                                      "connection_memory",
                                      "scratch",
                                      "others_scratch",
                                      "copied",
                                      "segment",
                                      "bandwidth",
                                      "crossover",
                                      "speedup",
                                      "id",
                                      "ids",
                                      "mca",
                                      "figure",
                                      NULL};
const char *const claim_kinds[] = {"equality", "upper", "order", NULL};

const CostNames cost_models[] = {
    [COSTS_NONE] = {1, {""}, {false}, SYMBOL_B, {{3}, {5}}},
    [COSTS_HOCKNEY] = {3, {"alpha", "beta", "gamma"}, {false, true, true}, SYMBOL_ALPHA, {{7, 3, 1}, {7, 1, 3}}},
    [COSTS_LOGGP] = {4, {"L", "o", "g", "G"}, {false, false, false, true}, SYMBOL_L, {{7, 3, 1, 2}, {7, 1, 3, 2}}},
};

static const char *const fixed_names[] = {"p", "m", "n", "S", "k", "alpha", "beta", "gamma", "L", "o", "g", "G", "B"};
_Static_assert(G_N_ELEMENTS(fixed_names) == SYMBOL_PARAMS, "a name for each symbol");
_Static_assert(SYMBOL_PARAMS + N_FIGURE_NAMES * N_COLLECTIVES <= MAX_SYMBOLS, "names of figures");

const CollParam *claim_segment_param(const CollAlgorithm *a)
{
    return algorithm_param(a, "segment");
}

const CollParam *claim_k_param(const CollAlgorithm *a)
{
    static const char *const names[] = {"radix", "chains", "leaders"};
    const CollParam *param = NULL;
    for (size_t n = 0; n < G_N_ELEMENTS(names) && !param; n++)
        param = algorithm_param(a, names[n]);
    return param;
}

// Returns the symbol of a name, which it adds if it is new. Returns -1 if there is no room for another name.
static int symbol_of(Claim *c, const char *name)
{
    int i = 0;
    for (; c->names[i]; i++)
        if (strcmp(c->names[i], name) == 0)
            return i;
    if (i == MAX_SYMBOLS)
        return -1;
    c->names[i] = g_strdup(name);
    return i;
}

static gboolean prepare_readings(Claim *c, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(c->let, ";", -1);
    for (char **part = parts; *part; part++) {
        char *equals = strchr(*part, '=');
        if (!equals)
            return bad_input(error, "%s: let: '%s' is not NAME=EXPRESSION; allowed: as in n=p*m", c->id, *part);
        *equals = 0;
        const char *name = g_strstrip(*part);
        if (!g_regex_match_simple("^[A-Za-z_][A-Za-z_0-9]*$", name, 0, 0))
            return bad_input(error,
                             "%s: let: '%s' is not a name; allowed: letters, digits and _, not beginning with a digit",
                             c->id, name);
        // We compile the expression before its name is added, so n=p*n uses the n that the reading replaces.
        g_autofree char *what = g_strdup_printf("%s: let %s", c->id, name);
        Expression *value = expression_new(what, equals + 1, (const char *const *)c->names, error);
        if (!value)
            return FALSE;
        const Reading reading = {symbol_of(c, name), value};
        g_array_append_val(c->readings, reading);
        if (reading.symbol < 0)
            return bad_input(error, "%s: let: too many names; allowed: %d", c->id, MAX_SYMBOLS);
    }
    return TRUE;
}

static bool uses(const Claim *c, int symbol)
{
    const char *name = c->names[symbol];
    bool is = (c->value && expression_uses(c->value, name)) || (c->domain && expression_uses(c->domain, name));
    for (guint i = 0; i < c->readings->len; i++)
        is |= expression_uses(g_array_index(c->readings, Reading, i).value, name);
    return is;
}

static gboolean prepare_costs(Claim *c, GError **error)
{
    const bool hockney = uses(c, SYMBOL_ALPHA) || uses(c, SYMBOL_BETA) || uses(c, SYMBOL_GAMMA);
    const bool loggp = uses(c, SYMBOL_L) || uses(c, SYMBOL_O) || uses(c, SYMBOL_G) || uses(c, SYMBOL_G_BYTE);
    if (!claim_is_cost(c))
        return TRUE;
    if (hockney && loggp)
        return bad_input(error, "%s: the claim mixes costs of two models; allowed: alpha, beta, gamma, or L, o, g, G",
                         c->id);
    if (c->value && !hockney && !loggp)
        return bad_input(error, "%s: the claim contains no cost; allowed: alpha, beta, gamma, or L, o, g, G", c->id);
    c->costs = loggp ? COSTS_LOGGP : COSTS_HOCKNEY;
    const CostNames *costs = &cost_models[c->costs];
    g_auto(GStrv) names = g_strsplit(c->without, ";", -1);
    for (char **name = names; *name; name++) {
        int i;
        const char *allowed[SAMPLE_PARTS + 1] = {costs->name[0], costs->name[1], costs->name[2], costs->name[3]};
        if (!nearest_find("cost", g_strstrip(*name), allowed, &i, error))
            return FALSE;
        c->left_out[i] = true;
    }
    return TRUE;
}

static gboolean prepare_params(Claim *c, GError **error)
{
    const CollAlgorithm *a = c->algorithm;
    c->varies_S = uses(c, SYMBOL_S);
    c->varies_k = uses(c, SYMBOL_K);
    for (int i = 0; i < algorithm_n_params(a); i++)
        c->varies_param[i] = uses(c, SYMBOL_PARAMS + i);
    const char *of = collectives[c->collective].name;
    if (c->varies_S && !claim_segment_param(a))
        return bad_input(error,
                         "%s: the claim uses S, but %s %s has no segments; allowed: with an algorithm that has the "
                         "parameter segment",
                         c->id, of, a->name);
    if (c->varies_k && !claim_k_param(a))
        return bad_input(error,
                         "%s: the claim uses k, but %s %s has no radix, chains or leaders; allowed: with an algorithm "
                         "that has one of these parameters",
                         c->id, of, a->name);
    return TRUE;
}

static void name_symbols(Claim *c)
{
    for (int i = 0; i < SYMBOL_PARAMS; i++)
        c->names[i] = g_strdup(fixed_names[i]);
    for (int i = 0; c->algorithm && i < algorithm_n_params(c->algorithm); i++)
        c->names[SYMBOL_PARAMS + i] = g_strdup(c->algorithm->params[i].name);
    for (int i = 0; c->quantity == QUANTITY_FIGURE && i < N_COLLECTIVES; i++) {
        char **names = &c->names[SYMBOL_PARAMS + N_FIGURE_NAMES * i];
        names[FIGURE_IDS] = g_strdup_printf("%s_ids", collectives[i].name);
        names[FIGURE_MAIN_IDS] = g_strdup_printf("%s_main_ids", collectives[i].name);
    }
}

gboolean claim_prepare(Claim *c, GError **error)
{
    name_symbols(c);
    c->readings = g_array_new(FALSE, FALSE, sizeof(Reading));
    if (c->quantity == QUANTITY_MCA || !*c->text)
        return TRUE;
    if (!prepare_readings(c, error))
        return FALSE;
    const char *const *names = (const char *const *)c->names;
    if (!(c->value = expression_new(c->id, c->text, names, error)) ||
        (*c->where && !(c->domain = expression_new(c->id, c->where, names, error))) ||
        (c->quantity == QUANTITY_FIGURE && !(c->figure = expression_new(c->id, c->truth, names, error))))
        return FALSE;
    return prepare_costs(c, error) && (!c->algorithm || prepare_params(c, error));
}

void claim_free(Claim *c)
{
    if (!c)
        return;
    char *const texts[] = {c->id,  c->source, c->place,   c->params, c->text,
                           c->let, c->where,  c->without, c->truth,  c->note};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    for (int i = 0; i < MAX_SYMBOLS && c->names[i]; i++)
        g_free(c->names[i]);
    for (guint i = 0; c->readings && i < c->readings->len; i++)
        expression_free(g_array_index(c->readings, Reading, i).value);
    if (c->readings)
        g_array_unref(c->readings);
    expression_free(c->value);
    expression_free(c->domain);
    expression_free(c->figure);
    g_free(c);
}

void claim_costs_at(CostModel model, int i, double *cost)
{
    const CostNames *x = &cost_models[model];
    for (int j = 0; j < x->n; j++)
        cost[j] = i < x->n ? i == j : x->mixed[i - x->n][j];
}

// ---- At a point -----------------------------------------------------------------------------------------------------

void claim_point(const Claim *c, const Sample *s, const CollParams *par, double *values)
{
    memset(values, 0, MAX_SYMBOLS * sizeof *values);
    values[SYMBOL_P] = s->p;
    values[SYMBOL_M] = values[SYMBOL_N] = s->m;
    values[SYMBOL_S] = s->S;
    values[SYMBOL_K] = s->k;
    for (int i = 0; c->algorithm && i < algorithm_n_params(c->algorithm); i++)
        values[SYMBOL_PARAMS + i] = (double)param_get(&c->algorithm->params[i], par);
}

static double with_readings(const Claim *c, const Expression *e, const double *point)
{
    double values[MAX_SYMBOLS];
    memcpy(values, point, sizeof values);
    for (guint i = 0; i < c->readings->len; i++) {
        const Reading *r = &g_array_index(c->readings, Reading, i);
        values[r->symbol] = expression_value(r->value, values);
    }
    return expression_value(e, values);
}

bool claim_covers(const Claim *c, double *values)
{
    return !c->domain || with_readings(c, c->domain, values) != 0;
}

double claim_value(const Claim *c, const double *costs, double *values)
{
    const CostNames *names = &cost_models[c->costs];
    for (int i = 0; i < names->n; i++)
        values[names->symbol + (Symbol)i] = costs[i];
    return with_readings(c, c->value, values);
}

char *claim_costs_text(CostModel costs, const double *value)
{
    const CostNames *names = &cost_models[costs];
    GString *s = g_string_new(NULL);
    for (int i = 0; i < names->n; i++) {
        const double x = value[i];
        if (names->n == 1 && isinf(x))
            g_string_append(s, "never");
        else if (!isfinite(x))
            g_string_append_printf(s, "%sno %s", s->len ? ", " : "", names->n == 1 ? "value" : names->name[i]);
        else if (x != 0 || names->n == 1)
            g_string_append_printf(s, "%s%.*g%s%s",
                                   !s->len ? ""
                                   : x < 0 ? " - "
                                           : " + ",
                                   x == rint(x) ? 15 : 4, s->len ? fabs(x) : x, *names->name[i] ? " " : "",
                                   names->name[i]);
    }
    return g_string_free(s->len ? s : g_string_assign(s, "0"), FALSE);
}
