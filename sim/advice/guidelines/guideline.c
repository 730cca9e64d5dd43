#include "advice/guidelines/guideline.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/units.h"
#include <string.h>

const char *const guideline_kinds[N_GUIDELINE_KINDS] = {[GUIDELINE_MOCK_UP] = "mock-up",
                                                        [GUIDELINE_SIZES] = "monotony in m",
                                                        [GUIDELINE_RANKS] = "monotony in p",
                                                        [GUIDELINE_SPLIT] = "split",
                                                        [GUIDELINE_BY_NODES] = "nodes"};

static const char *const variables[N_GUIDELINE_VARIABLES] = {
    [GUIDELINE_K] = "k", [GUIDELINE_PER_NODE] = "per_node", [GUIDELINE_NODES] = "nodes", [GUIDELINE_P] = "p",
    [GUIDELINE_M] = "m", [GUIDELINE_NEXT] = "next(m)"};

enum { MOST_POWER = 4, MOST_TERMS = 16 };

void guideline_free(gpointer data)
{
    Guideline *x = data;
    if (!x)
        return;
    g_free(x->text);
    g_free(x->source);
    if (x->right)
        g_array_unref(x->right);
    g_free(x);
}

const char *guideline_collective(int collective)
{
    return collective == GUIDELINE_EACH    ? "each"
           : collective == GUIDELINE_LOCAL ? "reduce_local"
                                           : collectives[collective].name;
}

// ---- Values ---------------------------------------------------------------------------------------------------------

// Multiplies *product by a number as often as it says. Returns FALSE above LIMIT_BYTES.
static gboolean multiply(size_t *product, size_t by, int times)
{
    for (int i = 0; i < times; i++)
        if ((*product = units_multiply_sizes(*product, by)) > LIMIT_BYTES)
            return FALSE;
    return TRUE;
}

// Sets the numerator and the denominator of a product, without the variable `but`.
static gboolean fraction(const GuidelineProduct *x, const size_t value[], int but, size_t *above, size_t *below)
{
    *above = x->times;
    *below = x->over;
    for (int i = 0; i < N_GUIDELINE_VARIABLES; i++)
        if (i != but && x->power[i] != 0 &&
            (value[i] == 0 || !multiply(above, value[i], x->power[i]) || !multiply(below, value[i], -x->power[i])))
            return FALSE;
    return TRUE;
}

gboolean guideline_value(const GuidelineProduct *x, const size_t value[N_GUIDELINE_VARIABLES], size_t *out)
{
    size_t above, below;
    if (!fraction(x, value, N_GUIDELINE_VARIABLES, &above, &below) || above % below != 0)
        return FALSE;
    *out = above / below;
    return TRUE;
}

gboolean guideline_invert(const GuidelineProduct *x, size_t value[N_GUIDELINE_VARIABLES], size_t result)
{
    size_t above, below;
    g_assert(x->power[GUIDELINE_M] == 1);
    if (!fraction(x, value, GUIDELINE_M, &above, &below) || !multiply(&below, result, 1) || below % above != 0)
        return FALSE;
    value[GUIDELINE_M] = below / above;
    return value[GUIDELINE_M] > 0;
}

// ---- Reading --------------------------------------------------------------------------------------------------------

typedef struct GuidelineParser {
    const char *what, *text, *at;
    GError **error;
} GuidelineParser;

static void skip(GuidelineParser *x)
{
    x->at += strspn(x->at, " \t");
}

// Refuses what stands here. Returns FALSE.
static gboolean refuse(const GuidelineParser *x, const char *allowed)
{
    g_autofree char *here = *x->at ? error_quote(x->at) : g_strdup("the end");
    return bad_input(x->error, "%s: column %d: %s; allowed: %s", x->what, (int)(x->at - x->text) + 1, here, allowed);
}

// Takes a text if it stands here; a word must also end there.
static gboolean take(GuidelineParser *x, const char *text)
{
    const size_t n = strlen(text);
    skip(x);
    if (strncmp(x->at, text, n) != 0 || (g_ascii_isalpha(*text) && (g_ascii_isalnum(x->at[n]) || x->at[n] == '_')))
        return FALSE;
    x->at += n;
    return TRUE;
}

// Takes NAME "(" NAME ")", with spaces anywhere.
static gboolean take_next(GuidelineParser *x, const char *of)
{
    const char *begin = x->at;
    if (take(x, "next") && take(x, "(") && take(x, of) && take(x, ")"))
        return TRUE;
    x->at = begin;
    return FALSE;
}

// Reads a variable. Returns N_GUIDELINE_VARIABLES if none stands here.
static int take_variable(GuidelineParser *x)
{
    if (take_next(x, "m"))
        return GUIDELINE_NEXT;
    for (int i = 0; i < GUIDELINE_NEXT; i++)
        if (take(x, variables[i]))
            return i;
    return N_GUIDELINE_VARIABLES;
}

static gboolean read_number(GuidelineParser *x, gboolean divides, GuidelineProduct *to)
{
    const size_t n = strspn(x->at, "0123456789KMGTkmgt");
    g_autofree char *text = g_strndup(x->at, n);
    size_t *part = divides ? &to->over : &to->times, number;
    if (!g_ascii_isdigit(*x->at) || !units_parse_size(text, &number, NULL) || number == 0 || !multiply(part, number, 1))
        return refuse(x, "a number from 1 to 2^50, m, next(m), k, p, nodes or per_node");
    x->at += n;
    return TRUE;
}

static gboolean read_factor(GuidelineParser *x, gboolean divides, GuidelineProduct *to)
{
    skip(x);
    const char *begin = x->at;
    const int variable = take_variable(x);
    if (variable == N_GUIDELINE_VARIABLES)
        return read_number(x, divides, to);
    to->power[variable] += divides ? -1 : 1;
    if (ABS(to->power[variable]) <= MOST_POWER)
        return TRUE;
    x->at = begin;
    return refuse(x, "a variable at most four times");
}

static gboolean read_product(GuidelineParser *x, GuidelineProduct *to)
{
    if (!read_factor(x, FALSE, to))
        return FALSE;
    for (;;) {
        const gboolean times = take(x, "*");
        if (!times && !take(x, "/"))
            return TRUE;
        if (!read_factor(x, !times, to))
            return FALSE;
    }
}

// Takes the name of a collective in front of a bracket. Returns FALSE without an error if none stands here.
static gboolean take_collective(GuidelineParser *x, int *collective)
{
    const char *begin = x->at;
    for (int i = 0; i <= GUIDELINE_EACH; i++) {
        if (take(x, guideline_collective(i)) && take(x, "(")) {
            *collective = i;
            return TRUE;
        }
        x->at = begin;
    }
    return FALSE;
}

static const GuidelineProduct one = {.times = 1, .over = 1};

// Reads the number of calls in front of a term, if there is one: a product, and "*".
static gboolean read_count(GuidelineParser *x, GuidelineTerm *to)
{
    for (;;) {
        skip(x);
        const char *begin = x->at;
        int collective;
        if (take_collective(x, &collective)) {
            x->at = begin;
            return TRUE;
        }
        if (!g_ascii_isdigit(*x->at) && !take(x, "k") && !take(x, "p") && !take(x, "nodes") && !take(x, "per_node"))
            return refuse(x, "a collective of `collsim list`, each or reduce_local, with a size in brackets, as "
                             "gather(m), or a number of calls before it, as 2*gather(m)");
        x->at = begin;
        if (!read_factor(x, FALSE, &to->count))
            return FALSE;
        if (!take(x, "*"))
            return refuse(x, "* and a collective");
    }
}

static gboolean read_term(GuidelineParser *x, GuidelineTerm *to)
{
    *to = (GuidelineTerm){.count = one, .size = one};
    if (!read_count(x, to) || !take_collective(x, &to->collective))
        return FALSE;
    if (!take(x, ")")) {
        to->sized = TRUE;
        if (!read_product(x, &to->size))
            return FALSE;
        if (!take(x, ")"))
            return refuse(x, "*, / or )");
    }
    if (!take(x, "on"))
        return TRUE;
    skip(x);
    to->on = take_next(x, "p") ? GUIDELINE_ON_NEXT : take(x, "nodes") ? GUIDELINE_ON_NODES : GUIDELINE_ON_SAME;
    return to->on != GUIDELINE_ON_SAME || refuse(x, "next(p) or nodes");
}

static const GuidelineTerm *right_of(const Guideline *g, guint i)
{
    return &g_array_index(g->right, GuidelineTerm, i);
}

// Returns what is wrong with a term, as what is allowed; NULL if nothing is.
static const char *fault_of(const Guideline *g, const GuidelineTerm *t)
{
    const gboolean left = t == &g->left, free_m = g->left.size.power[GUIDELINE_M] == 1;
    const int *power = t->size.power;
    if ((t->collective == COLL_BARRIER) == t->sized)
        return "barrier() without a size, and other collectives with one";
    if ((t->collective == GUIDELINE_EACH) != (g->left.collective == GUIDELINE_EACH))
        return "each on both sides or on none";
    if (left && (t->collective == GUIDELINE_LOCAL || t->count.times != 1 || t->count.power[GUIDELINE_K] ||
                 t->count.power[GUIDELINE_P] || t->count.power[GUIDELINE_NODES] || t->count.power[GUIDELINE_PER_NODE]))
        return "one call of a collective on the left";
    if (left && (power[GUIDELINE_NEXT] != 0 || t->on == GUIDELINE_ON_NEXT))
        return "next(m) and next(p) on the right";
    if (left && power[GUIDELINE_M] != 0 && !free_m)
        return "m once on the left, not below /";
    if (!left && !free_m && (power[GUIDELINE_M] != 0 || power[GUIDELINE_NEXT] != 0))
        return "m on the right where it is on the left";
    if (!left &&
        (power[GUIDELINE_M] < 0 || power[GUIDELINE_NEXT] < 0 || power[GUIDELINE_M] + power[GUIDELINE_NEXT] > 1))
        return "m or next(m) at most once in a size, not below /";
    if ((power[GUIDELINE_K] != 0 || t->count.power[GUIDELINE_K] != 0) && g->left.size.power[GUIDELINE_K] != 1)
        return "k where the left has k*m";
    return left && power[GUIDELINE_K] != 0 && (power[GUIDELINE_K] != 1 || !free_m) ? "k*m on the left" : NULL;
}

static GuidelineKind kind_of(const Guideline *g)
{
    gboolean nodes = g->left.on == GUIDELINE_ON_NODES, next = FALSE, ranks = FALSE;
    for (guint i = 0; i < g->right->len; i++) {
        nodes |= right_of(g, i)->on == GUIDELINE_ON_NODES;
        ranks |= right_of(g, i)->on == GUIDELINE_ON_NEXT;
        next |= right_of(g, i)->size.power[GUIDELINE_NEXT] != 0;
    }
    return nodes                             ? GUIDELINE_BY_NODES
           : g->left.size.power[GUIDELINE_K] ? GUIDELINE_SPLIT
           : ranks                           ? GUIDELINE_RANKS
           : next                            ? GUIDELINE_SIZES
                                             : GUIDELINE_MOCK_UP;
}

static gboolean check(const Guideline *g, const char *what, GError **error)
{
    const char *fault = fault_of(g, &g->left);
    for (guint i = 0; i < g->right->len && !fault; i++)
        fault = fault_of(g, right_of(g, i));
    return !fault || bad_input(error, "%s: %s; allowed: %s", what, g->text, fault);
}

static gboolean read_all(GuidelineParser *x, Guideline *g)
{
    if (!read_term(x, &g->left))
        return FALSE;
    if (!take(x, "<="))
        return refuse(x, "<=");
    do {
        GuidelineTerm term;
        if (g->right->len == MOST_TERMS)
            return refuse(x, "at most 16 terms");
        if (!read_term(x, &term))
            return FALSE;
        g_array_append_val(g->right, term);
    } while (take(x, "+"));
    skip(x);
    return !*x->at || refuse(x, "+ or the end");
}

Guideline *guideline_parse(const char *text, const char *what, GError **error)
{
    GuidelineParser x = {what, text, text, error};
    Guideline *g = g_new0(Guideline, 1);
    g->right = g_array_new(FALSE, FALSE, sizeof(GuidelineTerm));
    g->source = g_strdup("");
    if (read_all(&x, g)) {
        g->text = guideline_text(g);
        g->kind = kind_of(g);
        if (check(g, what, error))
            return g;
    }
    guideline_free(g);
    return NULL;
}

// ---- Writing --------------------------------------------------------------------------------------------------------

// Appends a product; "1" if nothing is in it.
static void append_product(GString *s, const GuidelineProduct *x)
{
    const gsize begin = s->len;
    g_autofree char *times = units_format_size(x->times), *over = units_format_size(x->over);
    if (x->times != 1)
        g_string_append(s, times);
    for (int i = 0; i < N_GUIDELINE_VARIABLES; i++)
        for (int k = 0; k < x->power[i]; k++)
            g_string_append_printf(s, "%s%s", s->len > begin ? "*" : "", variables[i]);
    if (s->len == begin)
        g_string_append(s, "1");
    if (x->over != 1)
        g_string_append_printf(s, "/%s", over);
    for (int i = 0; i < N_GUIDELINE_VARIABLES; i++)
        for (int k = 0; k < -x->power[i]; k++)
            g_string_append_printf(s, "/%s", variables[i]);
}

static void append_term(GString *s, const GuidelineTerm *t)
{
    const gsize begin = s->len;
    append_product(s, &t->count);
    if (strcmp(s->str + begin, "1") == 0)
        g_string_truncate(s, begin);
    else
        g_string_append_c(s, '*');
    g_string_append_printf(s, "%s(", guideline_collective(t->collective));
    if (t->sized)
        append_product(s, &t->size);
    g_string_append(s, t->on == GUIDELINE_ON_NEXT ? ") on next(p)" : t->on == GUIDELINE_ON_NODES ? ") on nodes" : ")");
}

char *guideline_text(const Guideline *g)
{
    GString *s = g_string_new(NULL);
    append_term(s, &g->left);
    g_string_append(s, " <= ");
    for (guint i = 0; i < g->right->len; i++) {
        g_string_append(s, i ? " + " : "");
        append_term(s, right_of(g, i));
    }
    return g_string_free(s, FALSE);
}
