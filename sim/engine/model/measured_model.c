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
    g_autofree int64_t *eager = g_new(int64_t, figures->n_levels);
    for (int k = 0; k < figures->n_levels; k++)
        eager[k] = figures->level[k].eager;
    const MessagesWork work = {.connects = measured_charges(&figures->work[WORK_CONNECT]),
                               .matches = measured_charges(&figures->work[WORK_MATCH]),
                               .eager = measured_charges(&figures->work[WORK_BOUNCE]) ? eager : NULL,
                               .far = figures->n_levels - 1,
                               .map = o->map};
    if (work.connects || work.matches || work.eager)
        record.messages = &work;
    for (int k = 0; k < figures->n_levels; k++)
        record.isends |= figures->level[k].lambda > 0;
    return replayed_predict(model, op, platform, &h, make_site, &record, o, error);
}

static const PlatformKey keys[] = {KEY_ONE,  KEY_STEP,  KEY_GAP,     KEY_TAKE,  KEY_FAR,
                                   KEY_SWAP, KEY_EAGER, KEY_LAMBDA,  KEY_PORTS, KEY_REDUCE,
                                   KEY_COPY, KEY_FRESH, KEY_CONNECT, KEY_MATCH, KEY_BOUNCE};

const Model measured_model = {
    .name = "measured",
    .summary = "a message takes a time from measured tables over its bytes; its ports are free after a gap",
    .keys = keys,
    .n_keys = G_N_ELEMENTS(keys),
    .predict = predict,
};
