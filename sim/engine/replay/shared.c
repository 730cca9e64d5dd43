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
            sum += shared_streams_time((uint64_t)c->n[term], k);
        else
            sum += (double)c->n[term] * shared_value(k, term);
    return sum;
}

Site *shared_site(const SharedCosts *costs, const Mapping *map, const char *const *names)
{
    const int n = map ? map->n_levels : 1;
    g_autofree SiteCharges *charges = g_new(SiteCharges, n);
    for (int k = 0; k < n; k++)
        site_textbook(charges[k], 0, 0, costs->gamma);
    return site_new(map, names, &(SiteFigures){.charges = charges, .shared = costs});
}

SharedCertificate shared_certificate(const Replay *r, const Site *site)
{
    SharedCertificate c = {.n[SHARED_GAMMA] = r->certificate.gamma};
    for (int i = 0; i < SHARED_OPERATION_TERMS; i++)
        c.n[i] = r->count[site->shared_term + i];
    return c;
}

uint64_t shared_most_bytes(const Schedule *s, const Site *site)
{
    const int *node = s->shared ? NULL : site->node;
    g_autofree uint64_t *sum = g_new0(uint64_t, node ? site->n_nodes : 1), *of = g_new(uint64_t, s->n_classes);
    uint64_t most = 0;
    for (uint32_t k = 0; k < s->n_classes; k++)
        of[k] = schedule_bytes_shared(&s->classes[k]);
    for (int v = 0; v < s->p; v++) {
        uint64_t *bytes = &sum[node ? node[v] : 0];
        *bytes += of[s->class_of ? s->class_of[v] : 0];
        most = MAX(most, *bytes);
    }
    return most;
}

double shared_streams_time(uint64_t bytes, const SharedCosts *k)
{
    return k->streams > 0 ? (double)bytes * k->read / k->streams : 0;
}

bool shared_limit(SharedCertificate *c, uint64_t bytes, const SharedCosts *k)
{
    if (shared_streams_time(bytes, k) <= shared_time(c, k) * (1 + SHARED_ROUNDING))
        return false;
    *c = (SharedCertificate){.n[SHARED_STREAMS] = (int64_t)bytes};
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
