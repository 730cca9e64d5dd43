#include "judge/audit/claim.h"
#include "base/error.h"
#include "engine/schedule/parse.h"
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
                                      "scratch_root_1",
                                      "others_scratch",
                                      "copied",
                                      "segment",
                                      "allocated",
                                      "bandwidth",
                                      "crossover",
                                      "speedup",
                                      "id",
                                      "ids",
                                      "fallback",
                                      "mca",
                                      "figure",
                                      NULL};
const char *const claim_kinds[] = {"equality", "upper", "lower", "order", "measured", "suited", NULL};

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

const CollParam *claim_limit_param(const CollAlgorithm *a)
{
    return algorithm_param(a, "limit");
}

const CollParam *claim_k_param(const CollAlgorithm *a)
{
    static const char *const names[] = {"radix", "chains", "leaders"};
    const CollParam *param = NULL;
    for (size_t n = 0; n < G_N_ELEMENTS(names) && !param; n++)
        param = algorithm_param(a, names[n]);
    return param;
}

// Returns the symbol of a name, which it adds if it is new.
static int symbol_of(Claim *c, const char *name)
{
    int i = 0;
    while (c->names[i] && strcmp(c->names[i], name) != 0)
        i++;
    if (!c->names[i])
        c->names[i] = g_strdup(name);
    return i;
}

// What the expressions of a claim use, as they are compiled one after the other.
typedef struct Uses {
    bool point[MAX_SYMBOLS];   // symbols whose value at a point, set before any reading, is used
    bool defined[MAX_SYMBOLS]; // symbols that a reading has defined so far
    bool costly[MAX_SYMBOLS];  // symbols that are a cost, or whose reading contains one
} Uses;

static bool is_cost_symbol(int symbol)
{
    return (symbol >= SYMBOL_ALPHA && symbol <= SYMBOL_B);
}

// Notes what an expression of the claim uses. Sets *costly to true if it contains a cost.
static void note_uses(const Claim *c, const Expression *e, Uses *uses, bool *costly)
{
    *costly = false;
    for (int i = 0; c->names[i]; i++)
        if (expression_uses(e, c->names[i])) {
            uses->point[i] |= !uses->defined[i];
            *costly |= uses->defined[i] ? uses->costly[i] : is_cost_symbol(i);
        }
}

// Reads an expression of the claim and notes what it uses.
static Expression *compile(const Claim *c, const char *what, const char *text, Uses *uses, bool *costly, GError **error)
{
    Expression *e = expression_new(what, text, (const char *const *)c->names, error);
    if (e)
        note_uses(c, e, uses, costly);
    return e;
}

static gboolean prepare_readings(Claim *c, Uses *uses, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(c->let, ";", -1);
    const int most = MAX_SYMBOLS - (int)g_strv_length(c->names);
    if ((int)g_strv_length(parts) > most)
        return bad_input(error, "%s: let: too many definitions; allowed: at most %d", c->id, most);
    for (char **part = parts; *part; part++) {
        char *equals = strchr(*part, '=');
        if (!equals)
            return bad_input(error, "%s: let: '%s' is not NAME=EXPRESSION; allowed: as in n=p*m", c->id, *part);
        *equals = 0;
        const char *name = g_strstrip(*part);
        g_autofree char *let = g_strdup_printf("%s: let", c->id), *what = g_strdup_printf("%s %s", let, name);
        if (!expression_check_name(let, name, error))
            return FALSE;
        // We compile the expression before its name is added, so n=p*n uses the n that the reading replaces.
        bool costly;
        Expression *value = compile(c, what, equals + 1, uses, &costly, error);
        if (!value)
            return FALSE;
        const Reading reading = {symbol_of(c, name), value};
        g_array_append_val(c->readings, reading);
        uses->defined[reading.symbol] = true;
        uses->costly[reading.symbol] = costly;
    }
    return TRUE;
}

// Returns true if a symbol has a value in claims of the quantity. Where it has none, a claim that uses it would be
// judged as if it were 0.
static bool has_value(const Claim *c, Symbol symbol)
{
    switch (symbol) {
    case SYMBOL_M:
    case SYMBOL_N:
        return c->quantity < QUANTITY_ID && c->collective != COLL_BARRIER;
    case SYMBOL_ALPHA:
    case SYMBOL_BETA:
    case SYMBOL_GAMMA:
        return claim_is_cost(c) || c->quantity == QUANTITY_CROSSOVER;
    case SYMBOL_L:
    case SYMBOL_O:
    case SYMBOL_G:
    case SYMBOL_G_BYTE:
        return c->quantity == QUANTITY_TIME;
    case SYMBOL_B:
        return c->quantity == QUANTITY_BANDWIDTH;
    default: // p, S, k
        return c->quantity < QUANTITY_ID;
    }
}

static gboolean check_symbols(const Claim *c, const Uses *uses, GError **error)
{
    g_autoptr(GString) allowed = g_string_new(NULL);
    for (int i = 0; i < SYMBOL_PARAMS; i++)
        if (has_value(c, (Symbol)i))
            g_string_append_printf(allowed, "%s%s", allowed->len ? ", " : "", c->names[i]);
    for (int i = 0; i < SYMBOL_PARAMS; i++)
        if (uses->point[i] && !has_value(c, (Symbol)i))
            return bad_input(error, "%s: %s has no value in a claim of %s%s; allowed: %s", c->id, c->names[i],
                             quantity_names[c->quantity], c->collective == COLL_BARRIER ? " about a barrier" : "",
                             allowed->len ? allowed->str : "numbers");
    return TRUE;
}

static gboolean prepare_costs(Claim *c, const Uses *uses, GError **error)
{
    if (!claim_is_cost(c))
        return !*c->without || bad_input(error, "%s: a claim of %s has no costs; allowed: an empty column without",
                                         c->id, quantity_names[c->quantity]);
    const bool *used = uses->point;
    const bool hockney = used[SYMBOL_ALPHA] || used[SYMBOL_BETA] || used[SYMBOL_GAMMA];
    const bool loggp = used[SYMBOL_L] || used[SYMBOL_O] || used[SYMBOL_G] || used[SYMBOL_G_BYTE];
    if (hockney && loggp)
        return bad_input(error, "%s: the claim mixes costs of two models; allowed: alpha, beta, gamma, or L, o, g, G",
                         c->id);
    if (!hockney && !loggp)
        return bad_input(error, "%s: the claim contains no cost; allowed: alpha, beta, gamma, or L, o, g, G", c->id);
    c->costs = loggp ? COSTS_LOGGP : COSTS_HOCKNEY;
    const CostNames *costs = &cost_models[c->costs];
    g_auto(GStrv) names = g_strsplit(c->without, ";", -1);
    for (char **name = names; *name; name++) {
        int i;
        const char *allowed[SAMPLE_PARTS + 1] = {costs->name[0], costs->name[1], costs->name[2], costs->name[3]};
        if (!nearest_find("cost", g_strstrip(*name), allowed, &i, error))
            return FALSE;
        if (used[costs->symbol + (Symbol)i])
            return bad_input(error,
                             "%s: the claim contains %s, which `without` leaves out; allowed: costs that are "
                             "not in the claim",
                             c->id, *name);
        c->left_out[i] = true;
    }
    return TRUE;
}

static gboolean prepare_params(Claim *c, const Uses *uses, GError **error)
{
    const CollAlgorithm *a = c->algorithm;
    c->varies_S = uses->point[SYMBOL_S];
    c->varies_k = uses->point[SYMBOL_K];
    for (int i = 0; i < algorithm_n_params(a); i++)
        c->varies_param[i] = uses->point[SYMBOL_PARAMS + i];
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

// Returns true if a reading defines this letter.
static bool defines(const Claim *c, const char *name)
{
    for (guint i = 0; i < c->readings->len; i++)
        if (strcmp(c->names[g_array_index(c->readings, Reading, i).symbol], name) == 0)
            return true;
    return false;
}

// Checks that a measurement is a number at the one point that its readings give, p and m, and that it uses no symbol of
// the grid.
static gboolean check_measurement(const Claim *c, const Uses *uses, GError **error)
{
    for (int i = 0; i < MAX_SYMBOLS && c->names[i]; i++)
        if (uses->point[i])
            return bad_input(error, "%s: %s has no value in a measurement unless `let` gives it one; allowed: numbers",
                             c->id, c->names[i]);
    if (c->quantity != QUANTITY_TIME && c->quantity != QUANTITY_SPEEDUP)
        return bad_input(error, "%s: a measurement of %s cannot be judged; allowed: time, in seconds, or speedup",
                         c->id, quantity_names[c->quantity]);
    if (*c->where || *c->without)
        return bad_input(error, "%s: a measurement does not use the column %s; allowed: an empty one", c->id,
                         *c->where ? "where" : "without");
    if (!defines(c, "p") || (c->collective != COLL_BARRIER && !defines(c, "m")))
        return bad_input(error, "%s: a measurement needs its point in `let`; allowed: as in p=32768;m=8", c->id);
    return TRUE;
}

// Checks that a recommendation is a number, and that it is about ranks and sizes alone.
static gboolean check_suited(const Claim *c, const Uses *uses, GError **error)
{
    for (int i = SYMBOL_N + 1; i < MAX_SYMBOLS && c->names[i]; i++)
        if (uses->point[i])
            return bad_input(error, "%s: %s has no value in a recommendation; allowed: p, m", c->id, c->names[i]);
    if (c->quantity != QUANTITY_TIME || c->collective == COLL_BARRIER || c->algorithm->shared)
        return bad_input(error,
                         "%s: a recommendation must be of time, for messages of some size; allowed: quantity time, "
                         "and neither barrier nor an algorithm of shared memory",
                         c->id);
    if (*c->let || *c->without)
        return bad_input(error, "%s: a recommendation does not use the column %s; allowed: an empty one", c->id,
                         *c->let ? "let" : "without");
    return TRUE;
}

static void name_symbols(Claim *c)
{
    c->readings = g_array_new(FALSE, FALSE, sizeof(Reading));
    for (int i = 0; i < SYMBOL_PARAMS; i++)
        c->names[i] = g_strdup(fixed_names[i]);
    for (int i = 0; c->algorithm && c->quantity < QUANTITY_ID && i < algorithm_n_params(c->algorithm); i++)
        c->names[SYMBOL_PARAMS + i] = g_strdup(c->algorithm->params[i].name);
    for (int i = 0; c->quantity == QUANTITY_FIGURE && i < N_COLLECTIVES; i++) {
        char **names = &c->names[SYMBOL_PARAMS + N_FIGURE_NAMES * i];
        names[FIGURE_IDS] = g_strdup_printf("%s_ids", collectives[i].name);
        names[FIGURE_MAIN_IDS] = g_strdup_printf("%s_main_ids", collectives[i].name);
        names[FIGURE_LIMITED_IDS] = g_strdup_printf("%s_limited_ids", collectives[i].name);
    }
}

gboolean claim_define(Claim *c, GError **error)
{
    Uses uses = {.point = {false}};
    name_symbols(c);
    return prepare_readings(c, &uses, error);
}

gboolean claim_prepare(Claim *c, GError **error)
{
    name_symbols(c);
    if (claim_is_name(c) || !*c->text)
        return TRUE;
    Uses uses = {.point = {false}};
    bool costly;
    if ((c->quantity == QUANTITY_FIGURE && !(c->figure = compile(c, c->id, c->truth, &uses, &costly, error))) ||
        !prepare_readings(c, &uses, error) ||
        (!c->value && !(c->value = compile(c, c->id, c->text, &uses, &costly, error))))
        return FALSE;
    note_uses(c, c->value, &uses, &costly);
    if (*c->where && !(c->domain = compile(c, c->id, c->where, &uses, &costly, error)))
        return FALSE;
    if (c->domain && costly)
        return bad_input(error, "%s: where: costs select no points; allowed: p, m, S, k and the algorithm's parameters",
                         c->id);
    if (c->kind == CLAIM_MEASUREMENT)
        return check_measurement(c, &uses, error);
    if (c->kind == CLAIM_SUITED)
        return check_suited(c, &uses, error);
    return check_symbols(c, &uses, error) && prepare_costs(c, &uses, error) &&
           (!c->algorithm || c->quantity >= QUANTITY_ID || prepare_params(c, &uses, error));
}

void claim_free(Claim *c)
{
    if (!c)
        return;
    char *const texts[] = {c->id,    c->source,  c->place, c->params, c->against_params, c->text, c->let,
                           c->where, c->without, c->truth, c->note};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    for (int i = 0; i < MAX_SYMBOLS && c->names[i]; i++)
        g_free(c->names[i]);
    for (guint i = 0; c->readings && i < c->readings->len; i++)
        expression_free(g_array_index(c->readings, Reading, i).value);
    g_clear_pointer(&c->rivals, g_ptr_array_unref);
    if (c->readings)
        g_array_unref(c->readings);
    expression_free(c->value);
    expression_free(c->domain);
    expression_free(c->figure);
    g_free(c);
}

void claim_costs_at(CostModel model, const bool *left_out, int i, double *cost)
{
    const CostNames *x = &cost_models[model];
    for (int j = 0; j < x->n; j++)
        cost[j] = i < x->n ? i == j : left_out[j] ? 0 : x->mixed[i - x->n][j];
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
    const double value = c->domain ? with_readings(c, c->domain, values) : 1;
    return value != 0 && !isnan(value);
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

// ---- Which reading can be meant -------------------------------------------------------------------------------------

// Returns what is claimed at some point after a change of units: a byte is `bytes` new units, the costs of messages are
// multiplied by `messages`, and those of bytes by `by_byte`.
static double scaled(const Claim *c, double bytes, double messages, double by_byte)
{
    const CostNames *names = &cost_models[c->costs];
    const Sample sample = {.p = 7, .m = 840 * bytes, .S = 3, .k = 2};
    double values[MAX_SYMBOLS], cost[SAMPLE_PARTS];
    claim_point(c, &sample, &c->par, values);
    for (int i = 0; c->algorithm && i < algorithm_n_params(c->algorithm); i++)
        if (c->algorithm->params[i].kind == PARAM_SIZE)
            values[SYMBOL_PARAMS + i] *= bytes;
    for (int i = 0; i < names->n; i++)
        cost[i] = names->mixed[0][i] * (names->bytes[i] ? by_byte : messages);
    return claim_value(c, cost, values);
}

bool claim_is_proportional(const Claim *c)
{
    const double once = scaled(c, 1, 1, 1);
    return !claim_is_cost(c) || isnan(once) || same_value(2 * once, scaled(c, 1, 2, 2));
}

bool claim_is_homogeneous(const Claim *c)
{
    return !claim_is_cost(c) || same_value(scaled(c, 1, 1, 1), scaled(c, 2, 1, 0.5));
}
