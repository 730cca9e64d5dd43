#include "engine/replay/shared.h"
#include "engine/replay/replay.h"
#include <math.h>

double shared_time(const SharedCertificate *c, const SharedCosts *k)
{
    double sum = 0;
    for (SharedTerm term = 0; term < SHARED_TERMS; term++)
        if (term == SHARED_CROWD)
            sum += (double)c->n[term] * k->read / k->lanes;
        else if (term == SHARED_STREAMS)
            sum += k->streams > 0 ? (double)c->n[term] * k->read / k->streams : 0;
        else
            sum += (double)c->n[term] * shared_value(k, term);
    return sum;
}

Site *shared_site(const SharedCosts *costs, const Mapping *map, const char *const *names)
{
    const int n = map ? map->n_levels : 1;
    g_autofree SiteCharges *charges = g_new(SiteCharges, n);
    for (int k = 0; k < n; k++) {
        site_textbook(charges[k], 0, 0, costs->gamma);
        if (costs->call > 0)
            charges[k][TERM_CALL] = costs->call;
    }
    return site_new(map, names, &(SiteFigures){.charges = charges, .shared = costs});
}

SharedCertificate shared_certificate(const Replay *r, const Site *site)
{
    SharedCertificate c = {.n[SHARED_GAMMA] = r->certificate.gamma};
    for (int i = 0; i < SHARED_OPERATION_TERMS; i++)
        c.n[i] = r->count[site->shared_term + i];
    for (int i = 0; i < site->n_terms; i++)
        if (site->term[i].kind == TERM_CALL)
            c.n[SHARED_CALL] = r->count[i];
    return c;
}

bool shared_limit(SharedCertificate *c, const Totals *totals, const SharedCosts *k)
{
    const SharedCertificate all = {.n[SHARED_STREAMS] = (int64_t)(totals->bytes_written + totals->bytes_read)};
    if (!(k->streams > 0 && shared_time(&all, k) > shared_time(c, k) * (1 + SHARED_ROUNDING)))
        return false;
    *c = all;
    return true;
}

Replay *shared_replay(const Schedule *s, const SharedCosts *costs, const ReplayOptions *o, SharedCertificate *c,
                      GError **error)
{
    g_autoptr(Site) site = shared_site(costs, NULL, NULL);
    const Hockney h = {.transfer = TRANSFER_RENDEZVOUS, .site = site};
    Replay *r = replay(s, &h, o, error);
    if (r)
        *c = shared_certificate(r, site);
    return r;
}
