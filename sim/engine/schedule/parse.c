#include "engine/schedule/parse.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"
#include "engine/schedule/variant.h"
#include <string.h>

// Skips the MPI_ of MPI_Bcast.
static const char *without_prefix(const char *name)
{
    static const char prefix[] = "MPI_";
    return g_ascii_strncasecmp(name, prefix, strlen(prefix)) == 0 ? name + strlen(prefix) : name;
}

gboolean collective_parse(const char *name, Collective *collective, GError **error)
{
    const char *names[N_COLLECTIVES + 1] = {NULL};
    for (int i = 0; i < N_COLLECTIVES; i++)
        names[i] = collectives[i].name;
    const char *meant = without_prefix(name);
    const int index = g_ascii_strcasecmp(meant, "broadcast") == 0 ? COLL_BCAST : nearest_match(meant, names);
    if (index < 0 && algorithm_is_file(name))
        return bad_input(error, "%s is a file; allowed: a collective first, then the file, as in `bcast %s`", name,
                         name);
    if (index < 0)
        return nearest_unknown("collective", name, names, error);
    *collective = (Collective)index;
    return TRUE;
}

gboolean algorithm_is_file(const char *word)
{
    return strchr(word, '/') || g_str_has_suffix(word, ".c") || g_str_has_suffix(word, ".so");
}

// Returns the names of a collective's algorithms, ended by NULL. Free with g_free.
static const char **names_of(Collective collective)
{
    const char **names = g_new0(const char *, n_algorithms + 1);
    int n = 0;
    for (int i = 0; i < n_algorithms; i++)
        if (algorithms[i]->collective == collective)
            names[n++] = algorithms[i]->name;
    return names;
}

char *algorithm_hint(Collective collective, const char *name)
{
    g_autofree const char **names = names_of(collective);
    return nearest_hint(name, names);
}

const CollAlgorithm *algorithm_parse(Collective collective, const char *name, GError **error)
{
    const CollAlgorithm *a = algorithm_find(collective, name);
    if (a)
        return a;
    if (algorithm_is_file(name)) {
        g_autofree char *shown = error_quote(name);
        bad_input(error,
                  "%s is a file, and algorithms of files are not loaded here; allowed: names of algorithms, and "
                  "files where collsim's commands take them",
                  shown);
        return NULL;
    }
    g_autofree const char **names = names_of(collective);
    g_autofree char *kind = g_strdup_printf("%s algorithm", collectives[collective].name);
    int index;
    return nearest_find(kind, name, names, &index, error) ? algorithm_find(collective, names[index]) : NULL;
}

char *param_text(const CollParam *param, int64_t value)
{
    switch (param->kind) {
    case PARAM_SIZE:
        return units_format_size((size_t)value);
    case PARAM_CHOICE:
        return g_strdup(param->choices[value]);
    case PARAM_ALGORITHM:
        return g_strdup(algorithm_at(value)->name);
    case PARAM_INT:
        break;
    }
    return g_strdup_printf("%" G_GINT64_FORMAT, value);
}

char *param_range(const CollParam *param)
{
    if (param->kind == PARAM_ALGORITHM)
        return g_strdup_printf("default %s, an algorithm of %s", param->algorithm, collectives[param->of].name);
    g_autofree char *def = param_text(param, param->def);
    if (param->kind == PARAM_CHOICE) {
        g_autofree char *names = g_strjoinv(" or ", (char **)(uintptr_t)param->choices);
        return g_strdup_printf("default %s, %s", def, names);
    }
    if (param->kind == PARAM_INT && param->max < INT32_MAX)
        return g_strdup_printf("default %s, %" G_GINT64_FORMAT " .. %" G_GINT64_FORMAT, def, param->min, param->max);
    return g_strdup_printf("default %s, %" G_GINT64_FORMAT " or more", def, param->min);
}

// Parses the value of a parameter that the user calls `name`, which may have names of parts before it.
static gboolean parse_value(const CollParam *param, const char *name, const char *value, int64_t *out, GError **error)
{
    if (param->kind == PARAM_CHOICE) {
        g_autofree char *kind = g_strdup_printf("value of %s", name);
        int index = 0;
        const gboolean found = nearest_find(kind, value, param->choices, &index, error);
        *out = index;
        return found;
    }
    if (param->kind == PARAM_ALGORITHM) {
        const CollAlgorithm *part = algorithm_parse(param->of, value, error);
        *out = part ? algorithm_number(part) : 0;
        if (part && !param_allows(param, (int)*out) && !param_shares(param, (int)*out))
            return bad_input(error,
                             "%s %s: only a part within a node can use shared memory; allowed: an algorithm of "
                             "messages",
                             name, part->name);
        return part != NULL;
    }
    size_t size;
    g_autofree char *quoted = error_quote(value), *range = param_range(param);
    if (!units_parse_size(value, &size, NULL) || (int64_t)size < param->min || (int64_t)size > param->max)
        return bad_input(error, "--param %s=%s; allowed: a number such as 4 or 64K (%s)", name, quoted, range);
    *out = (int64_t)size;
    return TRUE;
}

gboolean param_unknown(const CollAlgorithm *a, const char *assignment, GError **error)
{
    const char *names[COLL_MAX_PARAMS + 1] = {NULL};
    for (int i = 0; i < algorithm_n_params(a); i++)
        names[i] = a->params[i].name;
    g_autofree char *wrong = g_strndup(assignment, strcspn(assignment, "=")),
                    *kind = g_strdup_printf("parameter of %s %s", collectives[a->collective].name, a->name);
    return names[0] ? nearest_unknown(kind, wrong, names, error)
                    : bad_input(error, "--param %s: %s %s has no parameters; allowed: no --param", assignment,
                                collectives[a->collective].name, a->name);
}

// Sets the parameter that is called `rest`, which is the end of `name`, of an algorithm or of one of its parts.
static gboolean set_named(const CollAlgorithm *a, const char *name, const char *rest, const char *text, CollParams *par,
                          gboolean *known, GError **error)
{
    const char *dot = strchr(rest, '.');
    g_autofree char *first = dot ? g_strndup(rest, (gsize)(dot - rest)) : g_strdup(rest);
    const CollParam *param = algorithm_param(a, first);
    *known = param && (!dot || param->kind == PARAM_ALGORITHM);
    if (!*known)
        return FALSE;
    if (dot) {
        const CollAlgorithm *part = param_part(param, par);
        CollParams inner = algorithm_defaults(part);
        if (!set_named(part, name, dot + 1, text, &inner, known, error))
            return FALSE;
        param_set_part(param, par, variant_find(part, &inner));
        return TRUE;
    }
    int64_t value = 0;
    if (!parse_value(param, name, text, &value, error))
        return FALSE;
    param_set(param, par, value);
    return TRUE;
}

gboolean param_parse(const CollAlgorithm *a, const char *assignment, CollParams *par, gboolean *known, GError **error)
{
    const char *eq = strchr(assignment, '=');
    *known = TRUE;
    if (!eq || eq == assignment) {
        g_autofree char *quoted = error_quote(assignment);
        return bad_input(error, "--param %s; allowed: NAME=VALUE, such as segment=64K", quoted);
    }
    g_autofree char *name = g_strndup(assignment, (gsize)(eq - assignment));
    return set_named(a, name, name, eq + 1, par, known, error);
}
