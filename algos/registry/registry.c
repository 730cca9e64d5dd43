#include "registry/registry.h"
#include "api/integers.h"
#include <glib.h>
#include <string.h>

#define ENTRY(name) &name##_algorithm,
static const CollAlgorithm *const built_in[] = {ALGORITHMS(ENTRY)};
const CollAlgorithm *const *algorithms = built_in;
int n_algorithms = G_N_ELEMENTS(built_in);

// ---- Copies for the names that set parameters -----------------------------------------------------------------------

// Sets a parameter's default in a copy. An entry that lacks the parameter stays as it is.
static void preset(CollAlgorithm *copy, const char *param, int64_t value, const char *part)
{
    for (int i = 0; i < algorithm_n_params(copy); i++) {
        if (strcmp(copy->params[i].name, param) != 0)
            continue;
        copy->params[i].def = value;
        copy->params[i].algorithm = part;
    }
}

// Returns the entry under one of its aliases, with the parameters that this name sets; NULL if it sets none.
static CollAlgorithm *copy_for(const CollAlgorithm *a, const char *alias)
{
    CollAlgorithm copy = *a;
    bool sets = false;
    copy.name = alias;
    for (int i = 0; i < COLL_MAX_PRESETS && a->presets[i].alias; i++) {
        if (strcmp(a->presets[i].alias, alias) != 0)
            continue;
        preset(&copy, a->presets[i].param, a->presets[i].value, a->presets[i].part);
        sets = true;
    }
    return sets ? g_memdup2(&copy, sizeof copy) : NULL;
}

static void add_copies(GPtrArray *all, const CollAlgorithm *a)
{
    for (int j = 0; j < COLL_MAX_ALIASES && a->aliases[j]; j++) {
        CollAlgorithm *copy = copy_for(a, a->aliases[j]);
        if (copy)
            g_ptr_array_add(all, copy);
    }
}

// Returns the copies (const CollAlgorithm *): those of the built-in entries in their order, then those of entries that
// were added. They live as long as the program.
static GPtrArray *copies(void)
{
    static gsize made;
    if (g_once_init_enter(&made)) {
        GPtrArray *all = g_ptr_array_new();
        for (size_t i = 0; i < G_N_ELEMENTS(built_in); i++)
            add_copies(all, built_in[i]);
        g_once_init_leave(&made, (gsize)all);
    }
    return (GPtrArray *)made;
}

// The list, if entries were added; it lives until another is.
static const CollAlgorithm **added;
static guint n_built_in_copies;

// Returns the number of the first entry that does not come before this name of the collective in the list, which is sorted.
static int place_of(Collective collective, const char *name)
{
    int low = 0, high = n_algorithms;
    while (low < high) {
        const int middle = (low + high) / 2;
        const CollAlgorithm *a = algorithms[middle];
        if (a->collective < collective || (a->collective == collective && strcmp(a->name, name) < 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void algorithm_add(const CollAlgorithm *a)
{
    const CollAlgorithm **all = g_new(const CollAlgorithm *, n_algorithms + 1);
    const int place = place_of(a->collective, a->name);
    for (int i = 0; i <= n_algorithms; i++)
        all[i] = i == place ? a : algorithms[i - (i > place)];
    if (!added)
        n_built_in_copies = copies()->len;
    add_copies(copies(), a);
    algorithms = all;
    n_algorithms++;
    g_free(added);
    added = all;
}

void algorithm_remove_added(void)
{
    if (!added)
        return;
    for (guint i = n_built_in_copies; i < copies()->len; i++)
        g_free(copies()->pdata[i]);
    g_ptr_array_set_size(copies(), (int)n_built_in_copies);
    algorithms = built_in;
    n_algorithms = G_N_ELEMENTS(built_in);
    g_free(added);
    added = NULL;
}

const CollAlgorithm *algorithm_at(int64_t i)
{
    return i < n_algorithms ? algorithms[i] : copies()->pdata[i - n_algorithms];
}

const CollAlgorithm *algorithm_entry(const CollAlgorithm *a)
{
    return a->variant_of ? a->variant_of : a;
}

bool algorithm_is_added(const CollAlgorithm *a)
{
    const CollAlgorithm *entry = algorithm_entry(a);
    for (size_t i = 0; i < G_N_ELEMENTS(built_in); i++)
        if (built_in[i] == entry)
            return false;
    return true;
}

bool algorithm_any_added(void)
{
    return algorithms != built_in;
}

int algorithm_number(const CollAlgorithm *a)
{
    const CollAlgorithm *entry = algorithm_entry(a);
    int i = place_of(entry->collective, entry->name);
    if (i < n_algorithms && algorithms[i] == entry)
        return i;
    for (i = n_algorithms; algorithm_at(i) != entry;)
        i++;
    return i;
}

static bool has_alias(const CollAlgorithm *a, const char *name)
{
    for (int i = 0; i < COLL_MAX_ALIASES && a->aliases[i]; i++)
        if (strcmp(a->aliases[i], name) == 0)
            return true;
    return false;
}

const CollAlgorithm *algorithm_of_alias(Collective collective, const char *alias)
{
    for (int i = place_of(collective, ""); i < n_algorithms && algorithms[i]->collective == collective; i++)
        if (has_alias(algorithms[i], alias))
            return algorithms[i];
    return NULL;
}

const CollAlgorithm *algorithm_find(Collective collective, const char *name)
{
    const int i = place_of(collective, name);
    if (i < n_algorithms && algorithms[i]->collective == collective && strcmp(algorithms[i]->name, name) == 0)
        return algorithms[i];
    for (guint k = 0; k < copies()->len; k++) {
        const CollAlgorithm *copy = copies()->pdata[k];
        if (copy->collective == collective && strcmp(copy->name, name) == 0)
            return copy;
    }
    return algorithm_of_alias(collective, name);
}

// ---- Parameters -----------------------------------------------------------------------------------------------------

const CollAlgorithm *param_part(const CollParam *param, const CollParams *par)
{
    const char *at = (const char *)par + param->field;
    return param->kind == PARAM_ALGORITHM ? *(const CollAlgorithm *const *)(const void *)at : NULL;
}

void param_set_part(const CollParam *param, CollParams *par, const CollAlgorithm *part)
{
    char *at = (char *)par + param->field;
    *(const CollAlgorithm **)(void *)at = part;
}

int64_t param_get(const CollParam *param, const CollParams *par)
{
    const char *at = (const char *)par + param->field;
    if (param->kind == PARAM_ALGORITHM)
        return algorithm_number(param_part(param, par));
    return param->kind == PARAM_SIZE ? (int64_t) * (const size_t *)(const void *)at : *(const int *)(const void *)at;
}

int64_t param_most(const CollParam *param, int p)
{
    switch (param->cut) {
    case CUT_PEERS:
        return MAX(p - 1, 1);
    case CUT_ROUNDS:
        return MAX(log2_ceil(p), param->min);
    case CUT_TWO_GROUPS:
        return MAX(log2_floor(p) - 1, 0);
    case CUT_NOT:
        break;
    }
    return param->max;
}

bool algorithm_needs_nodes(const CollAlgorithm *a)
{
    bool needs = false;
    for (int i = 0; i < algorithm_n_needs(a); i++)
        needs |= a->needs[i] == &need_nodes;
    return needs;
}

bool param_allows(const CollParam *param, int i)
{
    return algorithm_at(i)->collective == param->of && !algorithm_at(i)->shared;
}

bool param_shares(const CollParam *param, int i)
{
    return param->within && algorithm_at(i)->collective == param->of && algorithm_at(i)->shared;
}

const CollParam *algorithm_shared_part(const CollAlgorithm *a, const CollParams *par)
{
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollAlgorithm *part = param_part(&a->params[i], par);
        if (part && part->shared)
            return &a->params[i];
    }
    return NULL;
}

void param_set(const CollParam *param, CollParams *par, int64_t value)
{
    char *at = (char *)par + param->field;
    if (param->kind == PARAM_ALGORITHM)
        param_set_part(param, par, algorithm_at(value));
    else if (param->kind == PARAM_SIZE)
        *(size_t *)(void *)at = (size_t)value;
    else
        *(int *)(void *)at = (int)value;
}

CollParams algorithm_defaults(const CollAlgorithm *a)
{
    CollParams par = {.of = a};
    if (a->defaults)
        return *a->defaults;
    for (int i = 0; i < COLL_MAX_PARAMS && a->params[i].name; i++) {
        const CollParam *param = &a->params[i];
        if (param->kind == PARAM_ALGORITHM)
            param_set_part(param, &par, algorithm_find(param->of, param->algorithm));
        else
            param_set(param, &par, param->def);
    }
    return par;
}

// Returns true if two parts are one entry that runs with the same parameters.
static bool parts_same(const CollAlgorithm *x, const CollAlgorithm *y)
{
    if (x == y)
        return true;
    if (algorithm_entry(x) != algorithm_entry(y))
        return false;
    const CollParams one = algorithm_defaults(x), two = algorithm_defaults(y);
    return params_same(algorithm_entry(x), &one, &two);
}

// Returns the first parameter of the algorithm that differs, or -1 if none does.
static int first_difference(const CollAlgorithm *a, const CollParams *x, const CollParams *y)
{
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollAlgorithm *one = param_part(&a->params[i], x), *two = param_part(&a->params[i], y);
        if (one && two ? !parts_same(one, two) : param_get(&a->params[i], x) != param_get(&a->params[i], y))
            return i;
    }
    return -1;
}

bool params_same(const CollAlgorithm *a, const CollParams *x, const CollParams *y)
{
    return first_difference(a, x, y) < 0;
}

// Compares two parts as params_compare does: by their entries, and then by the parameters that they run with.
static int parts_compare(const CollAlgorithm *x, const CollAlgorithm *y)
{
    if (algorithm_entry(x) != algorithm_entry(y))
        return algorithm_number(x) < algorithm_number(y) ? -1 : 1;
    const CollParams one = algorithm_defaults(x), two = algorithm_defaults(y);
    return params_compare(algorithm_entry(x), &one, &two);
}

int params_compare(const CollAlgorithm *a, const CollParams *x, const CollParams *y)
{
    const int i = first_difference(a, x, y);
    if (i < 0)
        return 0;
    const CollAlgorithm *one = param_part(&a->params[i], x), *two = param_part(&a->params[i], y);
    if (one && two)
        return parts_compare(one, two);
    return param_get(&a->params[i], x) < param_get(&a->params[i], y) ? -1 : 1;
}

// Returns a value in plain numbers. Free with g_free.
static char *plain_text(const CollParam *param, int64_t value)
{
    return param->kind == PARAM_CHOICE      ? g_strdup(param->choices[value])
           : param->kind == PARAM_ALGORITHM ? g_strdup(algorithm_at(value)->name)
                                            : g_strdup_printf("%" G_GINT64_FORMAT, value);
}

char *params_part_text(const char *name, const CollAlgorithm *part, const char *separator, ParamText *text)
{
    const CollAlgorithm *entry = algorithm_entry(part);
    const CollParams usual = algorithm_defaults(entry), par = algorithm_defaults(part);
    GString *s = g_string_new(NULL);
    for (int i = 0; part != entry && i < algorithm_n_params(entry); i++) {
        const CollParam *param = &entry->params[i];
        const int64_t value = param_get(param, &par);
        g_autofree char *shown = text(param, value), *inner = g_strconcat(name, ".", param->name, NULL);
        if (value != param_get(param, &usual))
            g_string_append_printf(s, "%s%s=%s", separator, inner, shown);
        g_autofree char *parts =
            param_part(param, &par) ? params_part_text(inner, param_part(param, &par), separator, text) : NULL;
        g_string_append(s, parts ? parts : "");
    }
    return g_string_free(s, FALSE);
}

char *params_text(const CollAlgorithm *a, const CollParams *par)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        const CollAlgorithm *part = param_part(param, par);
        g_autofree char *value = plain_text(param, param_get(param, par)),
                        *inner = part ? params_part_text(param->name, part, " ", plain_text) : NULL;
        g_string_append_printf(s, "%s%s=%s%s", i ? " " : "", param->name, value, inner ? inner : "");
    }
    return g_string_free(s, FALSE);
}

char *algorithm_aliases(const CollAlgorithm *a)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; i < COLL_MAX_ALIASES && a->aliases[i]; i++)
        g_string_append_printf(s, "%s%s", i ? " " : "", a->aliases[i]);
    return g_string_free(s, FALSE);
}

int algorithm_n_params(const CollAlgorithm *a)
{
    int n = 0;
    while (n < COLL_MAX_PARAMS && a->params[n].name)
        n++;
    return n;
}

int algorithm_n_needs(const CollAlgorithm *a)
{
    int n = 0;
    while (n < COLL_MAX_NEEDS && a->needs[n])
        n++;
    return n;
}

int64_t algorithm_time(const CollAlgorithm *a, const CollPoint *x)
{
    return a->formula ? a->formula(x) : -1;
}

const CollParam *algorithm_param(const CollAlgorithm *a, const char *name)
{
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (strcmp(a->params[i].name, name) == 0)
            return &a->params[i];
    return NULL;
}
