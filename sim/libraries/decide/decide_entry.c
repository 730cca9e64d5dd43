#include "libraries/decide/decide_entry.h"
#include "api/integers.h"
#include "api/make.h"
#include "registry/composition.h"
#include "engine/schedule/variant.h"
#include <string.h>

void decision_free(Decision *d)
{
    if (!d)
        return;
    g_free(d->missing);
    g_ptr_array_unref(d->parts);
    g_free(d);
}

static void free_part(gpointer part)
{
    decision_free(part);
}

Decision *decide_new(const Tables *tables, const DecideCall *call)
{
    Decision *d = g_new0(Decision, 1);
    d->library = tables->library;
    d->collective = call->collective;
    d->p = call->p;
    d->before = decide_has_han(tables, call->collective, &call->han) && !(call->nodes && call->nodes->n == 1);
    d->parts = g_ptr_array_new_with_free_func(free_part);
    return d;
}

void decide_missing(Decision *d, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    g_autofree char *text = g_strdup_vprintf(format, list);
    va_end(list);
    if (d->missing && strstr(d->missing, text))
        return;
    char *all = d->missing ? g_strdup_printf("%s; %s", d->missing, text) : g_strdup(text);
    g_free(d->missing);
    d->missing = all;
}

// ---- Bytes ----------------------------------------------------------------------------------------------------------

size_t decide_total(const DecideCall *c)
{
    size_t sum = 0;
    if (!c->counts)
        return collectives[c->collective].vector ? c->m : c->m * (size_t)c->p;
    for (int i = 0; i < c->p; i++)
        sum += c->counts->len[i];
    return sum;
}

size_t decide_bytes(const DecideCall *c)
{
    switch (c->collective) {
    case COLL_BCAST:
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
    case COLL_REDUCE_SCATTER:
        return decide_total(c);
    case COLL_ALLGATHERV:
        return decide_total(c) / (size_t)c->p;
    case COLL_ALLGATHER:
    case COLL_ALLTOALL:
    case COLL_GATHER:
    case COLL_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        return c->m;
    default:
        return 0; // the others do not look at them
    }
}

// ---- Entries --------------------------------------------------------------------------------------------------------

const CollAlgorithm *decide_alias(Collective collective, const char *prefix, const char *name, CollParams *par)
{
    g_autofree char *alias = g_strconcat(prefix, name, NULL);
    const CollAlgorithm *entry = algorithm_of_alias(collective, alias);
    if (!entry)
        return NULL;
    *par = algorithm_defaults(algorithm_find(collective, alias));
    par->of = entry;
    return entry;
}

gboolean decide_runs(const CollAlgorithm *entry, const CollParams *par, const DecideCall *c, const char **why)
{
    const Coll all = {
        .p = c->p, .elem = c->elem, .commutative = c->commutative, .nodes = c->nodes, .counts = c->counts, .par = *par};
    Coll view = coll_make(c->collective, &all, 0, c->m, NULL);
    *why = NULL;
    return coll_resolve(entry, &view, why) == entry;
}

const CollAlgorithm *decide_entry(const Tables *tables, const LibraryAlgorithm *a, CollParams *par)
{
    const Library *library = tables->library;
    const char *const *prefixes = library_families[library->family].prefixes;
    const gboolean later = library->id == LIBRARY_OMPI_MAIN; // its own meaning of an id comes first
    g_autofree char *name = tables_id(a);
    const CollAlgorithm *entry = *a->nearest ? algorithm_find(a->collective, a->nearest) : NULL;
    if (entry) {
        *par = algorithm_defaults(entry);
        par->of = entry;
        return entry;
    }
    entry = decide_alias(a->collective, prefixes[later], name, par);
    if (!entry && prefixes[!later])
        entry = decide_alias(a->collective, prefixes[!later], name, par);
    return entry;
}

gboolean decide_set(Decision *d, const char *name, int64_t value)
{
    const CollParam *param = algorithm_param(d->entry, name);
    if (param && param->cut)
        value = MIN(value, param_most(param, d->p));
    const gboolean allowed = param && value >= param->min && value <= param->max;
    if (allowed)
        param_set(param, &d->par, value);
    return allowed;
}

void decide_check(Decision *d, const DecideCall *c)
{
    const char *why;
    if (!d->entry || decide_runs(d->entry, &d->par, c, &why))
        return;
    decide_missing(d, "%s of the library runs here, but our %s does not: %s", d->name, d->entry->name, why);
    d->entry = NULL;
}

// ---- Parts ----------------------------------------------------------------------------------------------------------

DecideCall decide_part_call(const DecideCall *c, Collective of, int p, DecideGroup group)
{
    DecideCall part = {.collective = of,
                       .group = group,
                       .tree = c->tree,
                       .from = c->from,
                       .p = p,
                       .elem = c->elem,
                       .commutative = c->commutative,
                       .no_han = c->no_han,
                       .han = c->han,
                       .han_stays = c->han_stays,
                       .no_compositions = c->no_compositions};
    const size_t sum = decide_total(c);
    part.m = c->collective == COLL_BARRIER ? of != COLL_BARRIER // a release is a byte
             : collectives[of].vector      ? sum
                                           : sum / (size_t)c->p;
    part.elem = c->collective == COLL_BARRIER ? 1 : c->elem;
    if (collectives[of].counts && p == c->p)
        part.counts = c->counts;
    return part;
}

void decide_take_part(Decision *d, const CollParam *param, Decision *decided)
{
    if (decided && decided->entry)
        param_set_part(param, &d->par, variant_find(decided->entry, &decided->par));
    if (decided && decided->missing)
        decide_missing(d, "%s", decided->missing);
    if (!decided || !decided->entry)
        decide_missing(d, "our %s takes %s for its %s", d->entry->name, param_part(param, &d->par)->name, param->name);
    g_ptr_array_add(d->parts, decided);
}

const CollParam *decide_part_param(const CollAlgorithm *a, int i)
{
    return i < algorithm_n_params(a) && a->params[i].kind == PARAM_ALGORITHM ? &a->params[i] : NULL;
}

// ---- Needs ----------------------------------------------------------------------------------------------------------

const char *decide_unmet(const LibraryAlgorithm *a, const DecideCall *c, size_t segment)
{
    const Coll call = {.p = c->p,
                       .elem = c->elem,
                       .commutative = c->commutative,
                       .nodes = c->nodes,
                       .counts = c->counts,
                       .in.len = decide_total(c),
                       .par.segment = segment};
    return needs_otherwise(a->needs, &call);
}
