// The model hockney: a message of n bytes takes alpha + n beta, and reducing n bytes takes n gamma.
// engine/replay/replay.h runs it.
#include "engine/model/replayed.h"

const char *const transfer_names[] = {"rendezvous", "eager", "eager-port", NULL};

// Returns FALSE and an error if the platform lacks a figure that the part in shared memory needs.
static gboolean needs_shared(const Operation *op, const CollParam *part, const Platform *platform, GError **error)
{
    static const PlatformKey needed[] = {KEY_WRITE, KEY_READ, KEY_LANES, KEY_FLAG};
    g_autofree char *who =
        g_strdup_printf("shared, for %s=%s,", part->name, algorithm_at(param_get(part, &op->c.par))->name);
    return platform_need(platform, needed, G_N_ELEMENTS(needed), who, error);
}

static Site *make_site(const Operation *op, const Platform *platform, const PredictOptions *o)
{
    const CollParam *part = algorithm_shared_part(op->algorithm, &op->c.par);
    Site *site = o->network ? site_on_network(platform, o->map, o->transfer, part != NULL)
                 : part     ? site_with_shared(platform, o->map, o->transfer)
                            : site_of_platform(platform, o->map, o->transfer);
    const bool noisy = o->skew && skew_is_noisy(o->skew);
    if (noisy && !site)
        site = site_on_network(platform, NULL, o->transfer, false);
    if (noisy)
        noise_add(site, &o->skew->noise, op->c.p);
    return site;
}

static Prediction *predict(const Model *model, const Operation *op, const Platform *platform, const PredictOptions *o,
                           GError **error)
{
    const CollParam *part = algorithm_shared_part(op->algorithm, &op->c.par);
    if (part && !needs_shared(op, part, platform, error))
        return NULL;
    g_autoptr(Site) site = make_site(op, platform, o);
    Hockney h = hockney_figures(platform, o->transfer);
    h.site = site;
    const RecordOptions record = {.mixes = true, .local = part && shared_needs_local(&site->shared)};
    return replayed_predict(model, op, platform, &h, make_site, &record, o, error);
}

static const PlatformKey keys[] = {HOCKNEY_KEYS};
static const TermKind terms[] = {HOCKNEY_TERMS};
_Static_assert(G_N_ELEMENTS(terms) <= MODEL_MAX_TERMS, "a prediction has room for the certificate");

const Model hockney_model = {
    .name = "hockney",
    .summary = "a message of n bytes takes alpha + n beta, reducing n bytes takes n gamma; one port each way",
    .transfers = true,
    .keys = keys,
    .n_keys = G_N_ELEMENTS(keys),
    .terms = terms,
    .n_terms = G_N_ELEMENTS(terms),
    .predict = predict,
};
