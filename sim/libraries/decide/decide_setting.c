// What a user calls and sets: decisions as text, and the settings by which a library runs an algorithm.
#include "libraries/decide/decide_entry.h"
#include "libraries/decide/tuned.h"
#include "libraries/decide/ucc.h"
#include <string.h>

// ---- Text -----------------------------------------------------------------------------------------------------------

// Returns TRUE if users know the library's algorithms by their ids.
static gboolean has_ids(const Decision *d)
{
    return library_families[d->library->family].ids;
}

char *decision_id(const Decision *d)
{
    return d->id && has_ids(d) ? g_strdup_printf("%d", d->id) : g_strdup(tables_short_name(d->name));
}

char *decision_text(const Decision *d)
{
    g_autoptr(GString) s = g_string_new(NULL);
    if (d->id && has_ids(d))
        g_string_append_printf(s, "%d ", d->id);
    g_string_append(s, tables_short_name(d->name));
    if (d->chosen != d->id && has_ids(d))
        g_string_append_printf(s, " (chosen %d: %s)", d->chosen, d->why);
    else if (d->why && d->id)
        g_string_append_printf(s, " (%s)", d->why);
    int known = 0;
    for (guint i = 0; i < d->parts->len; i++) {
        const Decision *part = d->parts->pdata[i];
        if (!part)
            continue;
        g_autofree char *text = decision_text(part);
        g_string_append_printf(s, "%s%s: %s", known++ ? "; " : " (", collectives[part->collective].name, text);
    }
    if (known)
        g_string_append_c(s, ')');
    return g_strdup(s->str);
}

gboolean decide_alike(const Decision *a, const Decision *b)
{
    gboolean alike = a->entry == b->entry && (!a->entry || params_same(a->entry, &a->par, &b->par));
    for (int i = 0; i < COLL_MAX_PARTS && alike && a->entry; i++)
        alike = a->par.part[i] == b->par.part[i];
    g_autofree char *one = decision_text(a), *two = decision_text(b);
    return alike && (a->entry || strcmp(one, two) == 0);
}

// ---- Settings -------------------------------------------------------------------------------------------------------

gboolean decide_takes(const LibraryAlgorithm *a, const CollParam *param)
{
    static const struct {
        const char *name;
        int takes;
    } names[] = {{"segment", TAKES_SEGMENT},
                 {"first_segment", TAKES_SEGMENT},
                 {"chains", TAKES_FANOUT},
                 {"radix", TAKES_FANOUT | TAKES_RADIX},
                 {"max_requests", TAKES_MAX_REQUESTS}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i].name, param->name) == 0)
            return (a->takes & names[i].takes) != 0;
    return FALSE;
}

gboolean decide_file_takes(const Tables *tables, const LibraryAlgorithm *a, const CollParam *param)
{
    // Lines of version 1 have no field for it, and neither have the files of MPICH.
    const LibraryFamily family = tables->library->family;
    const gboolean lacks = tables->library->id == LIBRARY_OMPI_41 || family == LIBRARY_MPICH,
                   unsaid = lacks && strcmp(param->name, "max_requests") == 0;
    return decide_takes(a, param) && !unsaid && family != LIBRARY_UCC; // whose strings say the algorithm alone
}

// Adds the options of Open MPI for the parameters that an id takes. An entry without chains has one chain.
static void add_parameters(GString *s, const LibraryAlgorithm *a, const CollAlgorithm *entry, const CollParams *par)
{
    static const struct {
        const char *param, *ending;
    } endings[] = {{"segment", "segmentsize"},
                   {"first_segment", "segmentsize"},
                   {"chains", "chain_fanout"},
                   {"max_requests", "max_requests"}};
    const char *collective = collectives[a->collective].name;
    for (size_t i = 0; i < G_N_ELEMENTS(endings); i++) {
        const CollParam *param = algorithm_param(entry, endings[i].param);
        if (param && decide_takes(a, param))
            g_string_append_printf(s, " --mca coll_tuned_%s_algorithm_%s %" G_GINT64_FORMAT, collective,
                                   endings[i].ending, param_get(param, par));
    }
    if (a->one_fanout && !algorithm_param(entry, "chains"))
        g_string_append_printf(s, " --mca coll_tuned_%s_algorithm_chain_fanout 1", collective);
}

// Returns UCC's setting, in which the parameter that the algorithm takes has a variable of its own.
static char *ucc_setting(const LibraryAlgorithm *a, const CollAlgorithm *entry, const CollParams *par)
{
    const int of = ucc_of_tuned(tuned_collective(collectives[a->collective].name));
    GString *s = g_string_new(NULL);
    if (of >= 0 && ucc_collectives[of].chooses)
        g_string_append_printf(s, "UCC_TL_UCP_TUNE=%s:host:@%s", ucc_collectives[of].name, a->name);
    for (int i = 0; i < algorithm_n_params(entry); i++)
        if (decide_takes(a, &entry->params[i]))
            g_string_append_printf(s, "%sUCC_TL_UCP_%s=%" G_GINT64_FORMAT, s->len ? " " : "", a->variable,
                                   param_get(&entry->params[i], par));
    return g_string_free(s, s->len == 0);
}

char *decide_setting(const Tables *tables, const LibraryAlgorithm *a, const CollAlgorithm *entry, const CollParams *par,
                     gboolean before)
{
    CollParams usual;
    if (tables->library->family == LIBRARY_OMPI) {
        GString *s = g_string_new(before ? "--mca coll ^han " : "");
        g_string_append_printf(s, "--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_%s_algorithm %d",
                               collectives[a->collective].name, a->id);
        add_parameters(s, a, entry, par);
        return g_string_free(s, FALSE);
    }
    if (tables->library->family == LIBRARY_UCC)
        return ucc_setting(a, entry, par);
    g_autofree char *collective = g_ascii_strup(collectives[a->collective].name, -1);
    if (decide_entry(tables, a, &usual) != entry || !params_same(entry, &usual, par))
        return NULL;
    return g_strdup_printf("MPIR_CVAR_DEVICE_COLLECTIVES=none MPIR_CVAR_%s_INTRA_ALGORITHM=%s", collective, a->name);
}

char *decision_setting(const Decision *d, const Tables *tables)
{
    const gboolean tuned = d->library->family != LIBRARY_MPICH;
    const LibraryAlgorithm *a = tuned ? tables_algorithm(tables, d->collective, d->id)
                                      : tables_named(tables, d->collective, tables_short_name(d->name));
    return a && d->entry && (tuned || d->parts->len == 0) ? decide_setting(tables, a, d->entry, &d->par, d->before)
                                                          : NULL;
}

const LibraryAlgorithm *decide_algorithm(const Tables *tables, const CollAlgorithm *entry, const CollParams *par)
{
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        CollParams usual;
        if (a->collective != entry->collective || decide_entry(tables, a, &usual) != entry)
            continue;
        gboolean fits = TRUE;
        for (int k = 0; k < algorithm_n_params(entry); k++) {
            const CollParam *param = &entry->params[k];
            fits &= param->kind == PARAM_ALGORITHM || decide_takes(a, param) ||
                    param_get(param, &usual) == param_get(param, par);
        }
        if (fits)
            return a;
    }
    return NULL;
}
