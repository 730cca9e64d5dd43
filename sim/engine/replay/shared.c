#include "engine/replay/shared.h"
#include "engine/replay/replay.h"

double shared_time(const SharedCertificate *c, const SharedCosts *k)
{
    return (double)c->n[SHARED_WRITE] * k->write + (double)c->n[SHARED_READ] * k->read +
           (double)c->n[SHARED_CROWD] * k->read / k->lanes + (double)c->n[SHARED_FLAG] * k->flag +
           (double)c->n[SHARED_GAMMA] * k->gamma;
}

Site *shared_site(const SharedCosts *costs)
{
    SiteCharges charges;
    site_textbook(charges, 0, 0, costs->gamma);
    return site_new(NULL, NULL, &(SiteFigures){.charges = &charges, .shared = costs});
}

SharedCertificate shared_certificate(const Replay *r, const Site *site)
{
    SharedCertificate c = {.n[SHARED_GAMMA] = r->certificate.gamma};
    for (int i = 0; i < SHARED_GAMMA; i++)
        c.n[i] = r->count[site->shared_term + i];
    return c;
}

Replay *shared_replay(const Schedule *s, const SharedCosts *costs, const ReplayOptions *o, SharedCertificate *c,
                      GError **error)
{
    g_autoptr(Site) site = shared_site(costs);
    const Hockney h = {.transfer = TRANSFER_RENDEZVOUS, .site = site};
    Replay *r = replay(s, &h, o, error);
    if (r)
        *c = shared_certificate(r, site);
    return r;
}
