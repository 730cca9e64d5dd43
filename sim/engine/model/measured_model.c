// The model measured: a message takes a time from tables over its bytes, and its ports are free after a gap
// (docs/MODEL.md, "The rules of measured"). engine/replay/replay.h runs it.
#include "engine/model/replayed.h"

static Site *make_site(const Operation *op, const Platform *platform, const PredictOptions *o)
{
    Site *site = site_of_measured(platform, o->map);
    if (o->skew && skew_is_noisy(o->skew))
        noise_add(site, &o->skew->noise, op->c.p);
    return site;
}

static Prediction *predict(const Model *model, const Operation *op, const Platform *platform, const PredictOptions *o,
                           GError **error)
{
    const Measured *figures = platform->measured;
    g_autoptr(Site) site = make_site(op, platform, o);
    Hockney h = {.transfer = TRANSFER_MEASURED, .site = site};
    RecordOptions record = {.copies = measured_charges(&figures->work[WORK_COPY]),
                            .fresh = measured_charges(&figures->work[WORK_FRESH]),
                            .isends = figures->ports > 1};
    for (int k = 0; k < figures->n_levels; k++)
        record.isends |= figures->level[k].lambda > 0;
    return replayed_predict(model, op, platform, &h, make_site, &record, o, error);
}

static const PlatformKey keys[] = {KEY_ONE,   KEY_STEP,   KEY_GAP,   KEY_TAKE,   KEY_FAR,  KEY_SWAP,
                                   KEY_EAGER, KEY_LAMBDA, KEY_PORTS, KEY_REDUCE, KEY_COPY, KEY_FRESH};

const Model measured_model = {
    .name = "measured",
    .summary = "a message takes a time from measured tables over its bytes; its ports are free after a gap",
    .keys = keys,
    .n_keys = G_N_ELEMENTS(keys),
    .predict = predict,
};
