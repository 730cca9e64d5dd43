#include "libraries/decide/decide_ways.h"
#include "registry/composition.h"
#include "libraries/decide/decide_entry.h"
#include "libraries/decide/rules_call.h"
#include "libraries/decide/rules_han.h"
#include "libraries/decide/selection_words.h"
#include "engine/schedule/variant.h"
#include <string.h>

// ---- The ways -------------------------------------------------------------------------------------------------------

static void add_way(GArray *ways, const char *runs, const char *params)
{
    const DecideWay way = {g_intern_string(runs), g_intern_string(params)};
    g_array_append_val(ways, way);
}

// Adds the compositions that MPICH itself has for the collective on several nodes.
static void add_compositions(GArray *ways, const Tables *tables, Collective collective)
{
    const int number = selection_collective(collectives[collective].name);
    for (guint i = 0; i < tables->compositions->len; i++) {
        const LibraryRule *row = &g_array_index(tables->compositions, LibraryRule, i);
        gboolean known = row->collective != number || !(row->when.hierarchies & SELECT_PARENT) ||
                         !(row->when.flags[SELECT_ONE_NODE] & RULE_NO);
        for (guint k = 0; k < ways->len; k++)
            known |= strcmp(g_array_index(ways, DecideWay, k).runs, row->runs) == 0;
        if (!known)
            add_way(ways, row->runs, "");
    }
}

GArray *decide_ways(const Tables *tables, Collective collective, const DecideHan *han)
{
    GArray *ways = g_array_new(FALSE, FALSE, sizeof(DecideWay));
    if (tables->library->family == LIBRARY_MPICH) {
        add_compositions(ways, tables, collective);
        return ways;
    }
    const HanFile *served = rules_han_of(tables, collective);
    if (!served || !decide_has_han(tables, collective, han))
        return ways;
    add_way(ways, "han", "");
    g_auto(GStrv) all = g_strsplit(served->algorithms, " ", -1);
    for (char **name = all; *name && !tables->han_low && !han->algorithm;
         name++) // 4.1 reads none; a variable comes first
        if (strcmp(*name, tables->han[collective]) != 0 && decide_han_has(collective, *name))
            add_way(ways, "han", *name);
    return ways;
}

Decision *decide_way(Tables *tables, const DecideCall *call, const DecideWay *way)
{
    const LibraryRule rule = {.runs = way->runs, .params = way->params};
    if (!call->nodes || call->nodes->n == 1 || call->nodes->n == call->p)
        return NULL;
    g_autoptr(Decision) d = rules_serve(tables, call, &rule);
    const gboolean served = strcmp(d->name, way->runs) == 0 && d->entry && algorithm_needs_nodes(d->entry);
    return served ? g_steal_pointer(&d) : NULL;
}

// ---- What an entry is -----------------------------------------------------------------------------------------------

// Returns HAN's algorithm that an entry is with these parameters, of two that send the same messages the one whose
// parts go by rules for levels; NULL if it is none.
static const char *han_name(const Tables *tables, const CollAlgorithm *entry, const CollParams *par)
{
    static const char prefix[] = "han:";
    const HanFile *served = rules_han_of(tables, entry->collective);
    const char *found = NULL;
    for (int i = 0; served && i < COLL_MAX_ALIASES && entry->aliases[i]; i++) {
        const char *name = entry->aliases[i] + strlen(prefix);
        CollParams usual;
        if (!g_str_has_prefix(entry->aliases[i], prefix) || !rules_han_lists(served->algorithms, name))
            continue;
        decide_alias(entry->collective, prefix, name, &usual);
        if ((usual.segment > 0) == (par->segment > 0) && (!found || rules_han_lists(served->by_levels, name)))
            found = name;
    }
    return found;
}

// Returns the composition of ch4 that an entry is; NULL if it is none, or if the library does not have it.
static const char *composition_name(const Tables *tables, const CollAlgorithm *entry)
{
    const int number = selection_collective(collectives[entry->collective].name);
    for (guint i = 0; i < tables->compositions->len; i++) {
        const LibraryRule *row = &g_array_index(tables->compositions, LibraryRule, i);
        const char *name = tables_short_name(row->runs);
        CollParams usual;
        if (row->collective == number && strcmp(row->params, "all ranks") != 0 &&
            decide_alias(entry->collective, "mpich-ch4:", name, &usual) == entry)
            return name;
    }
    return NULL;
}

const char *decide_way_name(const Tables *tables, const CollAlgorithm *entry, const CollParams *par)
{
    return tables->library->family == LIBRARY_MPICH ? composition_name(tables, entry) : han_name(tables, entry, par);
}

// ---- Parts ----------------------------------------------------------------------------------------------------------

// Returns TRUE if HAN runs a part between the nodes by nonblocking calls, which tuned does not have, at a call of m
// bytes (-m).
static gboolean is_between(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, size_t m,
                           const CollParam *param)
{
    const char *han = tables->library->family == LIBRARY_OMPI ? han_name(tables, entry, par) : NULL;
    return han && !param->within && !decide_han_blocks(tables, entry->collective, han, m <= par->segment);
}

// Returns the most ranks that run a part at a call.
static int ranks_of(const DecideCall *call, const CollAlgorithm *entry, const CollParam *param)
{
    if (!algorithm_needs_nodes(entry) || !call->nodes)
        return call->p;
    const gboolean inside = param->within || param->of != entry->collective;
    return inside ? coll_nodes_largest(call->nodes) : call->nodes->n;
}

DecideCall decide_call_of_part(const DecideCall *call, const CollAlgorithm *entry, const CollParam *param)
{
    return decide_part_call(call, param->of, ranks_of(call, entry, param), DECIDE_ON_ALL);
}

static const char libnbc[] = "libnbc:";

// Returns TRUE if libnbc runs all of such a part. HAN's own broadcast sends the first segment by a blocking call, and
// only those behind it by libnbc.
static gboolean is_libnbc(const CollAlgorithm *entry)
{
    return entry->collective != COLL_BCAST;
}

// Returns the name of libnbc for a part of an entry between the nodes, as coll_libnbc_ireduce_algorithm and the like
// take it; NULL if it has none. A variable also sets the radix of its k-nomial tree.
static const char *libnbc_name(const CollAlgorithm *of, const CollAlgorithm *part)
{
    const CollAlgorithm *entry = algorithm_entry(part);
    const CollParams own = algorithm_defaults(part);
    for (int i = 0; is_libnbc(of) && i < COLL_MAX_ALIASES && entry->aliases[i]; i++) {
        const char *name = entry->aliases[i] + strlen(libnbc);
        CollParams usual;
        if (!g_str_has_prefix(entry->aliases[i], libnbc))
            continue;
        decide_alias(entry->collective, libnbc, name, &usual);
        if (strcmp(name, "knomial") == 0)
            usual.radix = own.radix;
        if (params_same(entry, &usual, &own))
            return name;
    }
    return NULL;
}

// Appends the algorithms of libnbc for a collective.
static void add_libnbc(GArray *parts, Collective collective)
{
    for (int i = 0; i < n_algorithms; i++)
        for (int k = 0; k < COLL_MAX_ALIASES && algorithms[i]->aliases[k]; k++) {
            CollParams own;
            if (algorithms[i]->collective != collective || !g_str_has_prefix(algorithms[i]->aliases[k], libnbc))
                continue;
            decide_alias(collective, libnbc, algorithms[i]->aliases[k] + strlen(libnbc), &own);
            const CollAlgorithm *variant = variant_find(algorithms[i], &own);
            g_array_append_val(parts, variant);
        }
}

// Returns TRUE if the library has an algorithm that a part is, and one for each of the part's own parts.
static gboolean tells_all(const Tables *tables, const CollAlgorithm *part)
{
    const CollAlgorithm *entry = algorithm_entry(part);
    const CollParams own = algorithm_defaults(part);
    gboolean tells = decide_algorithm(tables, entry, &own) != NULL;
    for (int i = 0; i < algorithm_n_params(entry) && tells; i++)
        if (entry->params[i].kind == PARAM_ALGORITHM)
            tells = !entry->branch && tells_all(tables, param_part(&entry->params[i], &own));
    return tells;
}

// Returns TRUE if an algorithm may be a part of the entry. A composition of nodes does not run within another one: the
// ranks of a node, or one rank of each node, are not on several nodes of several ranks.
static gboolean may_be_part(const CollAlgorithm *entry, const CollAlgorithm *part)
{
    return !algorithm_needs_nodes(entry) || !algorithm_needs_nodes(algorithm_entry(part));
}

// Returns TRUE if the library can be told to run `part` as a part of an entry with these parameters.
static gboolean tells_part(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, size_t m,
                           const CollParam *param, const CollAlgorithm *part)
{
    return !entry->branch && may_be_part(entry, part) &&
           (is_between(tables, entry, par, m, param) ? libnbc_name(entry, part) != NULL : tells_all(tables, part));
}

static gboolean give_parts(const Tables *tables, const DecideCall *call, const CollAlgorithm *entry, CollParams *par,
                           gboolean any_operation);

// Appends the library's algorithms that can run as a part of the entry at a call of that part, those that have parts of
// their own only if `composed`.
static void add_parts(GArray *parts, const Tables *tables, const DecideCall *call, const CollAlgorithm *entry,
                      const CollParam *param, gboolean any_operation, gboolean composed)
{
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        CollParams own;
        const CollAlgorithm *runs = a->collective == param->of ? decide_entry(tables, a, &own) : NULL;
        if (!runs || !param_allows(param, algorithm_number(runs)) || !may_be_part(entry, runs) ||
            !decide_can(a, call) || (any_operation && a->ordered) ||
            (algorithm_has_parts(runs) && (!composed || !give_parts(tables, call, runs, &own, any_operation))))
            continue;
        const CollAlgorithm *variant = variant_find(runs, &own);
        g_array_append_val(parts, variant);
    }
}

// Gives those parts of an entry that the library cannot be told the first algorithm that it can. Returns FALSE if there
// is none.
static gboolean give_parts(const Tables *tables, const DecideCall *call, const CollAlgorithm *entry, CollParams *par,
                           gboolean any_operation)
{
    gboolean gives = !entry->branch;
    for (int i = 0; i < algorithm_n_params(entry) && gives; i++) {
        const CollParam *param = &entry->params[i];
        if (param->kind != PARAM_ALGORITHM || tells_all(tables, param_part(param, par)))
            continue;
        const DecideCall part = decide_call_of_part(call, entry, param);
        g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(const CollAlgorithm *));
        add_parts(parts, tables, &part, entry, param, any_operation, FALSE);
        gives = parts->len > 0;
        if (gives)
            param_set_part(param, par, g_array_index(parts, const CollAlgorithm *, 0));
    }
    return gives;
}

GArray *decide_parts_told(const Tables *tables, const DecideCall *call, const CollAlgorithm *entry,
                          const CollParams *par, const CollParam *param, gboolean any_operation)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(const CollAlgorithm *));
    if (entry->branch || param->kind != PARAM_ALGORITHM)
        return parts;
    const DecideCall part = decide_call_of_part(call, entry, param);
    const gboolean between = is_between(tables, entry, par, call->m, param);
    if (between && is_libnbc(entry))
        add_libnbc(parts, param->of);
    else if (!between)
        add_parts(parts, tables, &part, entry, param, any_operation, TRUE);
    return parts;
}

char *decide_unknown_parts(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, size_t m)
{
    g_autoptr(GString) s = g_string_new(NULL);
    for (int i = 0; i < algorithm_n_params(entry); i++) {
        const CollParam *param = &entry->params[i];
        const CollAlgorithm *part = param->kind == PARAM_ALGORITHM ? param_part(param, par) : NULL;
        if (part && is_between(tables, entry, par, m, param) && !libnbc_name(entry, part))
            g_string_append_printf(s, "%s%s=%s", s->len ? " and " : "", param->name, part->name);
    }
    return s->len ? g_strdup(s->str) : NULL;
}

void decide_tell_between(const Tables *tables, const CollAlgorithm *entry, CollParams *par, size_t m)
{
    for (int i = 0; i < algorithm_n_params(entry); i++) {
        const CollParam *param = &entry->params[i];
        CollParams own;
        if (param->kind != PARAM_ALGORITHM || !is_libnbc(entry) || !is_between(tables, entry, par, m, param))
            continue;
        const CollAlgorithm *told = decide_alias(param->of, libnbc, param_part(param, par)->name, &own);
        if (told)
            param_set_part(param, par, variant_find(told, &own));
    }
}

gboolean decide_tells_segment(const Tables *tables, const CollAlgorithm *entry, const CollParams *par)
{
    return tables->library->family == LIBRARY_OMPI && han_name(tables, entry, par) && par->segment > 0 &&
           tables->han_segments[entry->collective] > 0;
}

gboolean decide_tells(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, size_t m,
                      const CollParams *others)
{
    const gboolean way = decide_way_name(tables, entry, par) != NULL;
    gboolean tells = TRUE;
    for (int i = 0; i < algorithm_n_params(entry) && tells; i++) {
        const CollParam *param = &entry->params[i];
        const gboolean segment = param->kind == PARAM_SIZE && decide_tells_segment(tables, entry, par);
        tells = param->kind == PARAM_ALGORITHM ? param_part(param, par) == param_part(param, others) ||
                                                     tells_part(tables, entry, par, m, param, param_part(param, par))
                                               : !way || segment || param_get(param, par) == param_get(param, others);
    }
    return tells && (way || decide_algorithm(tables, entry, par));
}

// ---- Settings -------------------------------------------------------------------------------------------------------

static const char dynamic_rules[] = " --mca coll_tuned_use_dynamic_rules 1";

static const CollAlgorithm *set_parts(GString *s, const Tables *tables, const CollAlgorithm *entry,
                                      const CollParams *par, size_t m);

// Adds the options that make tuned run a part, and the part's own parts, unless they are there. Returns the first
// part that tuned cannot be told, or for whose collective it is told something else; NULL if there is none.
static const CollAlgorithm *set_part(GString *s, const Tables *tables, const CollAlgorithm *part, size_t m)
{
    const CollParams own = algorithm_defaults(part);
    const LibraryAlgorithm *a = decide_algorithm(tables, algorithm_entry(part), &own);
    g_autofree char *setting = a ? decide_setting(tables, a, algorithm_entry(part), &own, FALSE) : NULL,
                    *of = g_strdup_printf(" --mca coll_tuned_%s_algorithm ", collectives[part->collective].name);
    if (!setting)
        return part;
    const char *options = setting + strlen(dynamic_rules) - 1; // those behind it
    if (!strstr(s->str, dynamic_rules))
        g_string_append(s, dynamic_rules);
    const gboolean known = strstr(s->str, options) != NULL, free = !strstr(s->str, of);
    if (free)
        g_string_append(s, options);
    return known || free ? set_parts(s, tables, algorithm_entry(part), &own, m) : part;
}

// Adds the options that make libnbc run a part. Where it has no name for the part, the library decides by itself.
static void set_libnbc(GString *s, const CollAlgorithm *of, const CollAlgorithm *part)
{
    const char *name = libnbc_name(of, part), *collective = collectives[part->collective].name;
    const CollParams own = algorithm_defaults(part);
    if (name)
        g_string_append_printf(s, " --mca coll_libnbc_i%s_algorithm %s", collective, name);
    if (g_strcmp0(name, "knomial") == 0)
        g_string_append_printf(s, " --mca coll_libnbc_i%s_knomial_radix %d", collective, own.radix);
}

// Adds the options for all parts of an entry that can be told. Returns what set_part() does.
static const CollAlgorithm *set_parts(GString *s, const Tables *tables, const CollAlgorithm *entry,
                                      const CollParams *par, size_t m)
{
    const CollAlgorithm *unset = NULL;
    for (int i = 0; i < algorithm_n_params(entry) && !unset; i++) {
        const CollParam *param = &entry->params[i];
        if (param->kind != PARAM_ALGORITHM || entry->branch)
            continue;
        if (is_between(tables, entry, par, m, param))
            set_libnbc(s, entry, param_part(param, par));
        else
            unset = set_part(s, tables, param_part(param, par), m);
    }
    return unset;
}

// Adds a variable of MPICH, unless it is there with the same value. Returns FALSE if it has another value.
static gboolean set_variable(GString *s, const char *collective, const char *which, const char *value)
{
    g_autofree char *of = g_ascii_strup(collective, -1), *name = g_strdup_printf("MPIR_CVAR_%s_%s=", of, which),
                    *whole = g_strconcat(name, value, NULL);
    g_auto(GStrv) known = g_strsplit(s->str, " ", -1);
    if (g_strv_contains((const char *const *)known, whole))
        return TRUE;
    if (strstr(s->str, name))
        return FALSE;
    g_string_append_printf(s, "%s%s", s->len ? " " : "", whole);
    return TRUE;
}

// Adds the variables that make MPICH run a part of a composition. Within a node, ch4 may have an algorithm of its own
// in shared memory, in place of what the tree and these variables name. Returns FALSE if MPICH has no such variables;
// *unset is then the part if its collective has other settings.
static gboolean set_mpich_part(GString *s, const Tables *tables, gboolean within, const CollAlgorithm *part,
                               const CollAlgorithm **unset)
{
    static const char *const in_shared_memory[] = {"barrier", "bcast", "reduce", "allreduce", NULL};
    const CollAlgorithm *entry = algorithm_entry(part);
    const char *collective = collectives[part->collective].name;
    const CollParams own = algorithm_defaults(part);
    CollParams usual;
    const LibraryAlgorithm *a = algorithm_has_parts(entry) ? NULL : decide_algorithm(tables, entry, &own);
    if (!a || decide_entry(tables, a, &usual) != entry || !params_same(entry, &usual, &own))
        return FALSE;
    if (!set_variable(s, collective, "INTRA_ALGORITHM", a->name)) {
        *unset = part;
        return FALSE;
    }
    return !within || !g_strv_contains(in_shared_memory, collective) ||
           set_variable(s, collective, "POSIX_INTRA_ALGORITHM", "mpir");
}

// Returns TRUE if variables choose compositions, as MPIR_CVAR_BCAST_COMPOSITION does. 4.0 has none, only files.
static gboolean numbers_compositions(const Tables *tables)
{
    return tables->library->id == LIBRARY_MPICH_43;
}

// Returns the variables that make MPICH's device run a composition with its parts; NULL if it has none for them, as
// set_mpich_part() says.
static char *composition_setting(const Tables *tables, const CollAlgorithm *entry, const CollParams *par,
                                 const CollAlgorithm **unset)
{
    static const char *const numbered[] = {"alpha", "beta", "gamma", "delta", NULL}; // from 1 on
    const char *name = composition_name(tables, entry);
    int number = 0;
    while (name && numbered[number] && strcmp(numbered[number], name) != 0)
        number++;
    if (!name || !numbered[number] || entry->branch || !numbers_compositions(tables))
        return NULL;
    g_autofree char *value = g_strdup_printf("%d", number + 1);
    g_autoptr(GString) s = g_string_new(NULL);
    set_variable(s, collectives[entry->collective].name, "COMPOSITION", value);
    for (int i = 0; i < algorithm_n_params(entry); i++) {
        const CollParam *param = &entry->params[i];
        const gboolean within = param->within || param->of != entry->collective; // as the release of a barrier
        if (param->kind == PARAM_ALGORITHM && !set_mpich_part(s, tables, within, param_part(param, par), unset))
            return NULL;
    }
    return g_strdup(s->str);
}

// Does what decide_whole_setting() says, and sets *unset to a part that keeps it from being set; NULL if there is none.
static char *find_setting(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, size_t m,
                          gboolean before, const CollAlgorithm **unset)
{
    *unset = NULL;
    const gboolean tuned = tables->library->family == LIBRARY_OMPI;
    const LibraryAlgorithm *a = decide_algorithm(tables, entry, par);
    const char *han = tuned ? han_name(tables, entry, par) : NULL, *collective = collectives[entry->collective].name;
    g_autofree char *whole = a ? decide_setting(tables, a, entry, par, before) : NULL;
    if (!whole && tables->library->family == LIBRARY_MPICH)
        return composition_setting(tables, entry, par, unset);
    if ((!whole && !han) || !tuned)
        return g_steal_pointer(&whole);
    g_autoptr(GString) s = g_string_new(whole);
    if (!whole && tables->han_low) // 4.1 does not have the other variable
        g_string_append_printf(s, "--mca coll_han_use_simple_%s %d", collective, strcmp(han, "simple") == 0);
    else if (!whole)
        g_string_append_printf(s, "--mca coll_han_use_%s_algorithm %s", collective, han);
    if (!whole && decide_tells_segment(tables, entry, par))
        g_string_append_printf(s, " --mca coll_han_%s_segsize %zu", collective, par->segment);
    *unset = set_parts(s, tables, entry, par, m);
    return *unset ? NULL : g_strdup(s->str);
}

char *decide_whole_setting(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, size_t m,
                           gboolean before)
{
    const CollAlgorithm *unset;
    return find_setting(tables, entry, par, m, before, &unset);
}

char *decide_no_setting(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, size_t m)
{
    const CollAlgorithm *unset;
    g_autofree char *setting = find_setting(tables, entry, par, m, FALSE, &unset);
    if (setting)
        return NULL;
    if (!unset && tables->library->family == LIBRARY_MPICH && composition_name(tables, entry) &&
        !numbers_compositions(tables))
        return g_strdup_printf("%s has no variable for a composition; a tuning file, as tune writes it, can name it",
                               tables->library->title);
    if (!unset)
        return g_strdup_printf("%s has no option or variable for it with these parts", tables->library->title);
    return g_strdup_printf("its parts need different settings of %s, and an option is one for all of them; a rules "
                           "file can tell them apart where they run on different numbers of ranks",
                           collectives[unset->collective].name);
}
