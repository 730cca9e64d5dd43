// The model hockney: a message of n bytes takes alpha + n beta, and reducing n bytes takes n gamma. replay/replay.h
// runs it.
#include "model/replayed.h"

const char *const transfer_names[] = {"rendezvous", "eager", "eager-port", NULL};

static Prediction *predict(const Model *model, const Operation *op, const Platform *platform, const PredictOptions *o,
                           GError **error)
{
    (void)model;
    g_autoptr(Site) site = site_of_platform(platform, o->map, o->transfer);
    Hockney h = hockney_figures(platform, o->transfer);
    h.site = site;
    return replayed_predict(op, platform, &h, NULL, o, error);
}

_Static_assert((int)COST_TERMS <= (int)MODEL_MAX_TERMS, "a prediction has room for the certificate");

const Model hockney_model = {
    .name = "hockney",
    .summary = "a message of n bytes takes alpha + n beta, reducing n bytes takes n gamma; one port each way",
    .transfers = true,
    .keys = cost_keys,
    .n_keys = COST_TERMS,
    .terms = cost_terms,
    .n_terms = COST_TERMS,
    .predict = predict,
};
