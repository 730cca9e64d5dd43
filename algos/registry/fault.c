#include "registry/fault.h"
#include "registry/registry.h"
#include <glib.h>
#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

// Returns true if the text needs no quotes on a command line.
static bool is_name(const char *text)
{
    return text && g_ascii_islower(*text) && !text[strspn(text, letters)];
}

// Returns true if commands take the word for something else than an algorithm.
static bool is_reserved(const char *word)
{
    return strcmp(word, "all") == 0 || strcmp(word, "library") == 0;
}

bool fault_is_name(const char *text)
{
    return is_name(text) && !is_reserved(text);
}

static bool is_line(const char *text)
{
    return text && *text && !strpbrk(text, "\n\r\t");
}

// Returns a line of an entry that would be right where the name `name` is wrong: the same letters, so far as names have
// them. Free with g_free.
static char *right_name(const char *name, const char *otherwise)
{
    g_autofree char *right = g_ascii_strdown(name ? name : "", -1);
    g_strcanon(right, letters, '_');
    return g_strdup_printf(".name = \"%s\"", is_name(right) ? right : otherwise);
}

// The kinds of parameters that have a value, as an entry writes them, and a member of CollParams for each.
static const struct {
    const char *kind, *member;
} values[] = {
    [PARAM_SIZE] = {"PARAM_SIZE", "segment"},
    [PARAM_INT] = {"PARAM_INT", "radix"},
    [PARAM_CHOICE] = {"PARAM_CHOICE", "choice"},
};

// Finds a fault in what a parameter's value is: its place in CollParams, its range, its choices.
static char *value_fault(const CollParam *param)
{
    const size_t unit = param->kind == PARAM_SIZE ? sizeof(size_t) : sizeof(int), last = sizeof(CollParams) - unit;
    const size_t first_part = offsetof(CollParams, part);
    const int64_t most = param->kind == PARAM_SIZE ? INT64_MAX : INT32_MAX;
    if (param->field > last || param->field >= first_part || param->field % unit)
        return g_strdup_printf("param %s: its field is not a member of CollParams of this kind; allowed: .kind = %s, "
                               ".field = offsetof(CollParams, %s), and other members of its type in api/view.h",
                               param->name, values[param->kind].kind, values[param->kind].member);
    if (param->min < 0 || param->max < param->min)
        return g_strdup_printf("param %s: its range is %" G_GINT64_FORMAT " .. %" G_GINT64_FORMAT
                               "; allowed: .min = 0 or more, .max = .min or more",
                               param->name, param->min, param->max);
    if (param->max > most)
        return g_strdup_printf("param %s: its range goes beyond %d; allowed: .max = INT32_MAX or less", param->name,
                               INT32_MAX);
    if (param->def < param->min || param->def > param->max)
        return g_strdup_printf("param %s: its default %" G_GINT64_FORMAT " is outside of its range %" G_GINT64_FORMAT
                               " .. %" G_GINT64_FORMAT "; allowed: .def = %" G_GINT64_FORMAT ", or a wider .min, .max",
                               param->name, param->def, param->min, param->max,
                               CLAMP(param->def, param->min, param->max));
    for (int64_t i = 0; param->kind == PARAM_CHOICE && i <= param->max; i++)
        if (!param->choices || !is_line(param->choices[i]))
            return g_strdup_printf("param %s: it has no name for choice %d; allowed: .choices = (const char *const[])"
                                   "{\"one\", \"other\", NULL} with .max = 1, a name for each value from 0 to .max",
                                   param->name, (int)i);
    return NULL;
}

static char *param_fault(const CollParam *param)
{
    const size_t first_part = offsetof(CollParams, part), end_part = offsetof(CollParams, of);
    if (!is_name(param->name)) {
        g_autofree char *right = right_name(param->name, "radix");
        return g_strdup_printf("a parameter has a name that is not made of a-z, 0-9 and _; allowed: %s", right);
    }
    if (!is_line(param->help))
        return g_strdup_printf("param %s: it has no help of one line; allowed: .help = \"what it sets, in one line\"",
                               param->name);
    if (param->kind < PARAM_SIZE || param->kind > PARAM_ALGORITHM)
        return g_strdup_printf("param %s: its kind %d is not known; allowed: .kind = PARAM_SIZE, PARAM_INT, "
                               "PARAM_CHOICE or PARAM_ALGORITHM",
                               param->name, (int)param->kind);
    if (param->kind != PARAM_ALGORITHM)
        return value_fault(param);
    if (param->field < first_part || param->field >= end_part || (param->field - first_part) % sizeof(void *))
        return g_strdup_printf("param %s: its field is none of CollParams.part; allowed: .field = "
                               "offsetof(CollParams, part[0]), with 0 to %d in place of 0",
                               param->name, COLL_MAX_PARTS - 1);
    if (param->of < 0 || param->of >= N_COLLECTIVES || !param->algorithm)
        return g_strdup_printf("param %s: it has no collective, or no default algorithm; allowed: .of = COLL_BCAST, "
                               ".algorithm = \"binomial\", and others of `collsim list`",
                               param->name);
    return NULL;
}

// Reductions either keep the ranks' order, or need an operation that commutes.
static bool says_order(const CollAlgorithm *a)
{
    bool says = a->ordered || !collectives[a->collective].reduces;
    for (int i = 0; i < algorithm_n_needs(a); i++)
        says |= a->needs[i] == &need_commutative;
    return says;
}

// Finds a fault in what an entry is called, and in the texts that people read.
static char *text_fault(const CollAlgorithm *a)
{
    if (!is_name(a->name)) {
        g_autofree char *right = right_name(a->name, "mine");
        return g_strdup_printf("its name is not made of a-z, 0-9 and _; allowed: %s", right);
    }
    if (is_reserved(a->name))
        return g_strdup_printf("%s is a word of the commands; allowed: .name = \"my_%s\"", a->name, a->name);
    if (!is_line(a->summary))
        return g_strdup("its summary is missing, or not one line; allowed: .summary = \"what it does, in one line\"");
    if (!is_line(a->cost))
        return g_strdup("its cost is missing, or not one line; allowed: .cost = \"(p-1) (alpha + m beta)\", or "
                        ".cost = \"not known\"");
    if (!is_line(a->source))
        return g_strdup("its source is missing, or not one line; allowed: .source = \"author, title, year\"");
    for (int i = 0; i < COLL_MAX_ALIASES && a->aliases[i]; i++)
        if (!is_line(a->aliases[i]) || strpbrk(a->aliases[i], " ,/"))
            return g_strdup_printf("alias %d is not a word; allowed: .aliases = {\"lab:mine\"}, or none", i);
    return NULL;
}

// Finds a fault in the parameters, by themselves and together.
static char *params_fault(const CollAlgorithm *a)
{
    for (int i = 0; i < algorithm_n_params(a); i++) {
        char *fault = param_fault(&a->params[i]);
        if (fault)
            return fault;
        if (algorithm_param(a, a->params[i].name) != &a->params[i])
            return g_strdup_printf("param %s is there twice; allowed: .name = \"%s_2\" for one of them",
                                   a->params[i].name, a->params[i].name);
    }
    return NULL;
}

// Finds a fault in what an entry promises: its needs, its order, its symmetry.
static char *promise_fault(const CollAlgorithm *a)
{
    const bool nodes = algorithm_needs_nodes(a);
    for (int i = 0; i < algorithm_n_needs(a); i++)
        if (!a->needs[i]->holds || !a->needs[i]->otherwise)
            return g_strdup_printf("need %d has no function, or no text; allowed: .needs = {&need_pow2} and others of "
                                   "registry/needs.h, or a CollNeed with .holds and .otherwise",
                                   i);
    if (!says_order(a))
        return g_strdup("it says neither that it keeps the order of the ranks nor that its operation must commute; "
                        "allowed: .ordered = true, or .needs = {&need_commutative}");
    // Which ranks are in a row would depend on the map, and no entry declares that.
    if (nodes && a->row_of)
        return g_strdup("row_of is not for algorithms that need nodes; allowed: .row_of = NULL");
    if (!nodes && a->levels)
        return g_strdup("levels is for algorithms that need nodes; allowed: .levels = false, or .needs = "
                        "{&need_nodes}");
    return NULL;
}

char *fault_in_entry(const CollAlgorithm *a)
{
    if (a->collective < 0 || a->collective >= N_COLLECTIVES)
        return g_strdup_printf("its collective %d is not known; allowed: .collective = COLL_BCAST and others of "
                               "api/collective.h",
                               (int)a->collective);
    char *fault = text_fault(a);
    if (fault)
        return fault;
    if (!a->run)
        return g_strdup("it has no text; allowed: .run = FUNCTION, with `static void FUNCTION(const Coll *c)` above");
    if (a->peers < PEERS_SHIFT || a->peers > PEERS_ABSOLUTE)
        return g_strdup_printf("its peers %d are not known; allowed: .peers = PEERS_SHIFT, PEERS_XOR or PEERS_ABSOLUTE",
                               (int)a->peers);
    if (!a->formula && !a->unknown)
        return g_strdup("it has neither a formula nor a reason why there is none; allowed: .formula = FUNCTION, or "
                        ".unknown = \"no formula is known yet\"");
    if (a->variant_of || a->defaults)
        return g_strdup("variant_of and defaults are not for entries; allowed: .variant_of = NULL, .defaults = NULL");
    fault = params_fault(a);
    return fault ? fault : promise_fault(a);
}

// Returns the first algorithm of the collective that needs nothing, so that it can be a fallback.
static const char *first_other(const CollAlgorithm *a)
{
    for (int i = 0; i < n_algorithms; i++)
        if (algorithms[i]->collective == a->collective && algorithms[i] != a && algorithm_n_needs(algorithms[i]) == 0)
            return algorithms[i]->name;
    return "linear";
}

char *fault_in_names(const CollAlgorithm *a)
{
    const CollAlgorithm *other = a;
    for (int i = 0; other->otherwise; i++) {
        const CollAlgorithm *next = algorithm_find(a->collective, other->otherwise);
        if (!next)
            return g_strdup_printf(
                "its fallback %s is not an algorithm of %s; allowed: .otherwise = \"%s\", and others "
                "of `collsim list %s`",
                other->otherwise, collectives[a->collective].name, first_other(a), collectives[a->collective].name);
        if (i == n_algorithms)
            return g_strdup_printf("its fallback %s leads back to itself; allowed: .otherwise = \"%s\", or "
                                   "another algorithm without needs",
                                   a->otherwise, first_other(a));
        other = next;
    }
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        if (param->kind == PARAM_ALGORITHM && !algorithm_find(param->of, param->algorithm))
            return g_strdup_printf(
                "param %s: its default %s is not an algorithm of %s; allowed: .algorithm = \"NAME\", "
                "one of `collsim list %s`",
                param->name, param->algorithm, collectives[param->of].name, collectives[param->of].name);
    }
    return NULL;
}
