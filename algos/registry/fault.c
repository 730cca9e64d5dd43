#include "registry/fault.h"
#include "registry/registry.h"
#include <glib.h>
#include <string.h>

// Returns true if the text can be the name of an algorithm or a parameter: it needs no quotes on a command line.
static bool is_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    return text && g_ascii_islower(*text) && !text[strspn(text, letters)];
}

static bool is_line(const char *text)
{
    return text && *text && !strpbrk(text, "\n\r\t");
}

static char *param_fault(const CollParam *param)
{
    const size_t last = sizeof(CollParams) - (param->kind == PARAM_SIZE ? sizeof(size_t) : sizeof(int));
    const size_t first_part = offsetof(CollParams, part), end_part = offsetof(CollParams, of);
    if (!is_name(param->name))
        return g_strdup("a parameter has a name that is not made of a-z, 0-9 and _");
    if (!is_line(param->help))
        return g_strdup_printf("param %s: it has no help of one line", param->name);
    if (param->kind < PARAM_SIZE || param->kind > PARAM_ALGORITHM)
        return g_strdup_printf("param %s: its kind %d is none of PARAM_SIZE .. PARAM_ALGORITHM", param->name,
                               (int)param->kind);
    if (param->kind == PARAM_ALGORITHM)
        return param->field < first_part || param->field >= end_part || (param->field - first_part) % sizeof(void *)
                   ? g_strdup_printf("param %s: its field is none of CollParams.part", param->name)
               : param->of < 0 || param->of >= N_COLLECTIVES || !param->algorithm
                   ? g_strdup_printf("param %s: it has no collective, or no default algorithm", param->name)
                   : NULL;
    if (param->field > last || (param->field >= first_part && param->field < sizeof(CollParams)) ||
        param->field % (param->kind == PARAM_SIZE ? sizeof(size_t) : sizeof(int)))
        return g_strdup_printf("param %s: its field is not a member of CollParams of this kind", param->name);
    if (param->def < param->min || param->def > param->max || param->min < 0)
        return g_strdup_printf("param %s: its default %" G_GINT64_FORMAT " is outside of its range %" G_GINT64_FORMAT
                               " .. %" G_GINT64_FORMAT,
                               param->name, param->def, param->min, param->max);
    if (param->kind != PARAM_SIZE && param->max > INT32_MAX)
        return g_strdup_printf("param %s: its range goes beyond %d", param->name, INT32_MAX);
    for (int64_t i = 0; param->kind == PARAM_CHOICE && i <= param->max; i++)
        if (!param->choices || !is_line(param->choices[i]))
            return g_strdup_printf("param %s: it has no name for choice %d", param->name, (int)i);
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

char *fault_in_entry(const CollAlgorithm *a)
{
    const bool nodes = a->collective >= 0 && a->collective < N_COLLECTIVES && algorithm_needs_nodes(a);
    if (a->collective < 0 || a->collective >= N_COLLECTIVES)
        return g_strdup_printf("its collective %d is none of COLL_ALLGATHER ..", (int)a->collective);
    if (!is_name(a->name))
        return g_strdup("its name is not made of a-z, 0-9 and _");
    if (strcmp(a->name, "all") == 0 || strcmp(a->name, "library") == 0)
        return g_strdup_printf("%s is a word of the commands", a->name);
    if (!a->run)
        return g_strdup("it has no text (run)");
    if (!is_line(a->summary) || !is_line(a->cost) || !is_line(a->source))
        return g_strdup_printf("its %s is missing, or not one line", !is_line(a->summary) ? "summary"
                                                                     : !is_line(a->cost)  ? "cost"
                                                                                          : "source");
    if (a->peers < PEERS_SHIFT || a->peers > PEERS_ABSOLUTE)
        return g_strdup_printf("its peers %d are none of PEERS_SHIFT, PEERS_XOR, PEERS_ABSOLUTE", (int)a->peers);
    if (!a->formula && !a->unknown)
        return g_strdup("it has neither a formula nor a reason (unknown) why there is none");
    if (a->variant_of || a->defaults)
        return g_strdup("variant_of and defaults are not for entries");
    for (int i = 0; i < algorithm_n_needs(a); i++)
        if (!a->needs[i]->holds || !a->needs[i]->otherwise)
            return g_strdup_printf("need %d has no function, or no text", i);
    for (int i = 0; i < COLL_MAX_ALIASES && a->aliases[i]; i++)
        if (!is_line(a->aliases[i]) || strpbrk(a->aliases[i], " ,/"))
            return g_strdup_printf("alias %d is not a word", i);
    for (int i = 0; i < algorithm_n_params(a); i++) {
        char *fault = param_fault(&a->params[i]);
        if (fault)
            return fault;
        if (algorithm_param(a, a->params[i].name) != &a->params[i])
            return g_strdup_printf("param %s is there twice", a->params[i].name);
    }
    if (!says_order(a))
        return g_strdup("it says neither that it is ordered nor that it needs need_commutative");
    // Which ranks are in a row would depend on the map, and no entry declares that.
    if (nodes && a->row_of)
        return g_strdup("row_of is not for algorithms that need nodes");
    if (!nodes && a->levels)
        return g_strdup("levels is for algorithms that need nodes");
    return NULL;
}

char *fault_in_names(const CollAlgorithm *a)
{
    const CollAlgorithm *other = a;
    for (int i = 0; other->otherwise; i++) {
        const CollAlgorithm *next = algorithm_find(a->collective, other->otherwise);
        if (!next)
            return g_strdup_printf("its fallback %s is not an algorithm of %s", other->otherwise,
                                   collectives[a->collective].name);
        if (i == n_algorithms)
            return g_strdup_printf("its fallback %s leads back to itself", a->otherwise);
        other = next;
    }
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        if (param->kind == PARAM_ALGORITHM && !algorithm_find(param->of, param->algorithm))
            return g_strdup_printf("param %s: its default %s is not an algorithm of %s", param->name, param->algorithm,
                                   collectives[param->of].name);
    }
    return NULL;
}
