#include "libraries/decide/decide_ways.h"
#include "libraries/decide/decide_entry.h"
#include "libraries/decide/rules_call.h"
#include "libraries/decide/rules_han.h"
#include "libraries/decide/selection_words.h"
#include "libraries/decide/tuned.h"
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

// Returns what HAN's files can say of a collective; NULL if HAN does not come first.
static const HanFile *han_file(const Tables *tables, Collective collective)
{
    return rules_han_served(tables, tuned_collective(collectives[collective].name));
}

GArray *decide_ways(const Tables *tables, Collective collective, const DecideHan *han)
{
    GArray *ways = g_array_new(FALSE, FALSE, sizeof(DecideWay));
    if (tables->library->family == LIBRARY_MPICH) {
        add_compositions(ways, tables, collective);
        return ways;
    }
    const HanFile *served = han_file(tables, collective);
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

// Returns TRUE if the words of a list have this one.
static gboolean has_word(const char *list, const char *word)
{
    g_auto(GStrv) words = g_strsplit(list, " ", -1);
    return g_strv_contains((const char *const *)words, word);
}

// Returns HAN's algorithm that an entry is with these parameters, of two that send the same messages the one whose
// parts go by rules for levels; NULL if it is none.
static const char *han_name(const Tables *tables, const CollAlgorithm *entry, const CollParams *par)
{
    static const char prefix[] = "han:";
    const HanFile *served = han_file(tables, entry->collective);
    const char *found = NULL;
    for (int i = 0; served && i < COLL_MAX_ALIASES && entry->aliases[i]; i++) {
        const char *name = entry->aliases[i] + strlen(prefix);
        CollParams usual;
        if (!g_str_has_prefix(entry->aliases[i], prefix) || !has_word(served->algorithms, name))
            continue;
        decide_alias(entry->collective, prefix, name, &usual);
        if ((usual.segment > 0) == (par->segment > 0) && (!found || has_word(served->by_levels, name)))
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

// Returns TRUE if the library can be told what a part of an entry with these parameters is.
static gboolean tells_part(const Tables *tables, const CollAlgorithm *entry, const CollParams *par,
                           const CollParam *param)
{
    if (entry->branch || param->kind != PARAM_ALGORITHM)
        return FALSE;
    const char *han = tables->library->family == LIBRARY_OMPI ? han_name(tables, entry, par) : NULL;
    return !han || param->within || has_word(han_file(tables, entry->collective)->by_levels, han);
}

// Returns the most ranks that run a part at a call.
static int ranks_of(const DecideCall *call, const CollAlgorithm *entry, const CollParam *param)
{
    int most = 0;
    if (!algorithm_needs_nodes(entry) || !call->nodes)
        return call->p;
    for (int i = 0; i < call->nodes->n_sizes; i++)
        most = MAX(most, coll_nodes_size(call->nodes, call->nodes->sized[i]));
    return param->within || param->of != entry->collective ? most : call->nodes->n;
}

static gboolean has_parts(const CollAlgorithm *entry)
{
    for (int i = 0; i < algorithm_n_params(entry); i++)
        if (entry->params[i].kind == PARAM_ALGORITHM)
            return TRUE;
    return FALSE;
}

GArray *decide_parts_told(const Tables *tables, const DecideCall *call, const CollAlgorithm *entry,
                          const CollParams *par, const CollParam *param, gboolean any_operation)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(const CollAlgorithm *));
    if (!tells_part(tables, entry, par, param))
        return parts;
    DecideCall part = decide_part_call(call, param->of, ranks_of(call, entry, param), DECIDE_ON_ALL);
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        CollParams own;
        const CollAlgorithm *runs = a->collective == param->of ? decide_entry(tables, a, &own) : NULL;
        if (!runs || has_parts(runs) || !param_allows(param, algorithm_number(runs)) || !decide_can(a, &part) ||
            (any_operation && a->ordered))
            continue;
        const CollAlgorithm *variant = variant_find(runs, &own);
        g_array_append_val(parts, variant);
    }
    return parts;
}

char *decide_unknown_parts(const Tables *tables, const CollAlgorithm *entry, const CollParams *par)
{
    g_autoptr(GString) s = g_string_new(NULL);
    if (tables->library->family != LIBRARY_OMPI || !han_name(tables, entry, par))
        return NULL;
    for (int i = 0; i < algorithm_n_params(entry); i++)
        if (entry->params[i].kind == PARAM_ALGORITHM && !tells_part(tables, entry, par, &entry->params[i]))
            g_string_append_printf(s, "%s%s=%s", s->len ? " and " : "", entry->params[i].name,
                                   param_part(&entry->params[i], par)->name);
    return s->len ? g_strdup(s->str) : NULL;
}

gboolean decide_tells_segment(const Tables *tables, const CollAlgorithm *entry, const CollParams *par)
{
    return tables->library->family == LIBRARY_OMPI && han_name(tables, entry, par) && par->segment > 0 &&
           tables->han_segments[entry->collective] > 0;
}

gboolean decide_tells(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, const CollParams *others)
{
    const gboolean way = decide_way_name(tables, entry, par) != NULL;
    gboolean tells = TRUE;
    for (int i = 0; i < algorithm_n_params(entry) && tells; i++) {
        const CollParam *param = &entry->params[i];
        if (param->kind == PARAM_ALGORITHM) {
            const CollAlgorithm *now = param_part(param, par), *runs = algorithm_entry(now);
            const CollParams own = algorithm_defaults(now);
            tells = now == param_part(param, others) ||
                    (tells_part(tables, entry, par, param) && !has_parts(runs) && decide_algorithm(tables, runs, &own));
        } else {
            const gboolean segment = param->kind == PARAM_SIZE && decide_tells_segment(tables, entry, par);
            tells = !way || segment || param_get(param, par) == param_get(param, others);
        }
    }
    return tells && (way || decide_algorithm(tables, entry, par));
}

// ---- Settings -------------------------------------------------------------------------------------------------------

static const char dynamic_rules[] = " --mca coll_tuned_use_dynamic_rules 1";

// Adds the options that make tuned run a part, unless they are there. Returns FALSE if tuned cannot be told, or is told
// something else for the part's collective.
static gboolean set_part(GString *s, const Tables *tables, const CollAlgorithm *part)
{
    const CollParams own = algorithm_defaults(part);
    const LibraryAlgorithm *a = decide_algorithm(tables, algorithm_entry(part), &own);
    g_autofree char *setting = a ? decide_setting(tables, a, algorithm_entry(part), &own, FALSE) : NULL,
                    *of = g_strdup_printf(" --mca coll_tuned_%s_algorithm ", collectives[part->collective].name);
    if (!setting)
        return FALSE;
    const char *options = setting + strlen(dynamic_rules) - 1; // those behind it
    if (!strstr(s->str, dynamic_rules))
        g_string_append(s, dynamic_rules);
    if (strstr(s->str, options))
        return TRUE;
    const gboolean free = !strstr(s->str, of);
    if (free)
        g_string_append(s, options);
    return free;
}

// Adds the options for all parts of an entry that can be told.
static gboolean set_parts(GString *s, const Tables *tables, const CollAlgorithm *entry, const CollParams *par)
{
    gboolean sets = TRUE;
    for (int i = 0; i < algorithm_n_params(entry) && sets; i++)
        if (tells_part(tables, entry, par, &entry->params[i]))
            sets = set_part(s, tables, param_part(&entry->params[i], par));
    return sets;
}

char *decide_whole_setting(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, gboolean before)
{
    const gboolean tuned = tables->library->family == LIBRARY_OMPI;
    const LibraryAlgorithm *a = decide_algorithm(tables, entry, par);
    const char *han = tuned ? han_name(tables, entry, par) : NULL, *collective = collectives[entry->collective].name;
    g_autofree char *whole = a ? decide_setting(tables, a, entry, par, before) : NULL;
    if ((!whole && !han) || !tuned)
        return g_steal_pointer(&whole);
    g_autoptr(GString) s = g_string_new(whole);
    if (!whole && tables->han_low) // 4.1 does not have the other variable
        g_string_append_printf(s, "--mca coll_han_use_simple_%s %d", collective, strcmp(han, "simple") == 0);
    else if (!whole)
        g_string_append_printf(s, "--mca coll_han_use_%s_algorithm %s", collective, han);
    if (!whole && decide_tells_segment(tables, entry, par))
        g_string_append_printf(s, " --mca coll_han_%s_segsize %zu", collective, par->segment);
    return set_parts(s, tables, entry, par) ? g_strdup(s->str) : NULL;
}
