#include "libraries/decide/decide_ways.h"

Decision *decide_call(Tables *tables, const DecideCall *c)
{
    const gboolean part = c->group != DECIDE_ON_ALL;
    Decision *d = decide_new(tables, c);
    d->bytes = decide_bytes(c);
    if (tables->library->family == LIBRARY_MPICH) {
        if (part || c->no_compositions || !decide_composition(tables, c, d))
            decide_tree(tables, c, d);
    } else if (c->p == 1) { // the component self, which sends nothing
        d->name = "self";
        d->entry = decide_alias(c->collective, "ompi:", "1", &d->par);
        if (!d->entry)
            decide_missing(d, "no algorithm here is %s's on one rank", d->library->title);
    } else if (part || !decide_han(tables, c, d)) {
        decide_tuned(tables, c, d);
    }
    return d;
}

Decision *decide_told(Tables *tables, const DecideCall *call, const LibraryAlgorithm *a)
{
    return decide_passing(tables, call, a, NULL);
}

Decision *decide_passing(Tables *tables, const DecideCall *call, const LibraryAlgorithm *a, const DecidePassed *passed)
{
    DecideCall without = *call;
    const DecideCall *c = &without;
    Decision *d = decide_new(tables, c);
    without.no_han = !call->han_stays;
    d->bytes = decide_bytes(c);
    d->told = TRUE;
    d->chosen = a->id;
    if (passed) {
        d->segment = passed->segment;
        d->fanout = passed->fanout;
        d->max_requests = passed->max_requests;
    }
    if (tables->library->family == LIBRARY_OMPI)
        decide_run_tuned(tables, c, d, a->id);
    else if ((d->why = decide_unmet(a, c, 0)))
        decide_tree(tables, c, d);
    else {
        d->name = a->name;
        decide_run_tree(tables, c, d, a, "");
    }
    return d;
}

const char *decide_cannot(const LibraryAlgorithm *algorithm, const DecideCall *c)
{
    LibraryAlgorithm a = *algorithm;
    a.needs &= ~(LIBRARY_NEEDS_SEGMENTS | LIBRARY_NEEDS_HALVES);
    return decide_unmet(&a, c, 0);
}

gboolean decide_can(const LibraryAlgorithm *algorithm, const DecideCall *c)
{
    return !decide_cannot(algorithm, c);
}

gboolean decide_has_han(const Tables *tables, Collective collective, const DecideHan *han)
{
    enum { TUNED_PRIORITY = 30 };
    const gboolean first = han->priority ? han->priority > TUNED_PRIORITY : !tables->han_low;
    return first && tables->han[collective];
}

gboolean decide_asks_nodes(const Tables *tables, gboolean no_han, const DecideHan *han)
{
    gboolean asks = tables->library->family == LIBRARY_MPICH;
    for (int i = 0; i < N_COLLECTIVES && !no_han; i++)
        asks |= decide_has_han(tables, (Collective)i, han);
    return asks;
}
