#include "size_form.h"
#include "backend.h"
#include "closed_form.h"
#include <math.h>

void cost_figures(const Platform *platform, double figure[COSTS])
{
    figure[0] = platform->value[KEY_ALPHA];
    figure[1] = platform->value[KEY_BETA];
    figure[2] = platform->value[KEY_GAMMA];
}

// The same operation with so many bytes, and in place of its parameters with these. False where it does not run itself.
static bool resized(const Operation *like, size_t m, const CollParams *par, Operation *op)
{
    const char *why;
    Coll all = like->c;
    all.par = *par;
    *op = (Operation){.algorithm = like->algorithm, .m = m};
    op->c = coll_make(like->algorithm->collective, &all, like->c.root, m, NULL);
    return coll_resolve(like->algorithm, &op->c, &why) == like->algorithm;
}

// What its time is made of: by the formula, else, if it may be run, by the certificate.
static bool costs_of(const Operation *op, const Platform *platform, Transfer transfer, bool may_run, double n[COSTS],
                     bool *simulated)
{
    int64_t count[COSTS];
    *simulated =
        transfer == TRANSFER_EAGER_PORT || !closed_form_counts(op, platform, transfer == TRANSFER_EAGER, count);
    const double p = op->c.p, bytes = (double)op->m * p * (collectives[op->algorithm->collective].vector ? 64 : p);
    if (*simulated && (!may_run || bytes >= 0x1p62))
        return false;
    if (*simulated) {
        g_autoptr(Prediction) x =
            hockney_model.predict(&hockney_model, op, platform, &(PredictOptions){.transfer = transfer}, NULL);
        if (!x || x->stuck->len > 0)
            return false;
        for (int i = 0; i < COSTS; i++)
            count[i] = x->count[i];
    }
    for (int i = 0; i < COSTS; i++)
        n[i] = (double)count[i];
    return true;
}

static bool near(const double a[COSTS], const double b[COSTS])
{
    bool all = true;
    for (int i = 0; i < COSTS; i++)
        all &= fabs(a[i] - b[i]) <= 1e-9 * fmax(fabs(a[i]), fabs(b[i]));
    return all;
}

// ---- In the size -----------------------------------------------------------------------------------------------------

bool size_form(const Operation *op, const Platform *platform, Transfer transfer, size_t most, SizeForm *form)
{
    // A multiple of what all blocks, and all segments, divide.
    size_t unit = closed_form_unit(op->c.p, op->c.elem);
    const size_t segment = op->c.par.segment, elements = segment - segment % op->c.elem;
    if (elements > 0)
        unit = unit % elements == 0 ? unit : unit * elements;
    const size_t first = unit * MAX((op->m + unit / 2) / unit, 1);
    if (first / unit > most / 3 / unit)
        return false;
    double n[3][COSTS];
    *form = (SizeForm){.simulated = false};
    for (size_t i = 0; i < 3; i++) {
        Operation sized;
        bool simulated;
        if (!resized(op, (i + 1) * first, &op->c.par, &sized) ||
            !costs_of(&sized, platform, transfer, true, n[i], &simulated))
            return false;
        form->simulated |= simulated;
    }
    double third[COSTS];
    for (int i = 0; i < COSTS; i++) {
        const double more = n[1][i] - n[0][i];
        form->per_byte[i] = more / (double)first;
        form->fixed[i] = n[0][i] - more;
        third[i] = n[0][i] + 2 * more;
    }
    return near(third, n[2]);
}

double size_forms_meet(const SizeForm *first, const SizeForm *second, const Platform *platform)
{
    double figure[COSTS], more = 0, less = 0;
    cost_figures(platform, figure);
    for (int i = 0; i < COSTS; i++) {
        more += (second->fixed[i] - first->fixed[i]) * figure[i];
        less += (first->per_byte[i] - second->per_byte[i]) * figure[i];
    }
    return less != 0 && more / less > 0 ? more / less : NAN;
}

// ---- In the number of segments ---------------------------------------------------------------------------------------

// An operation with messages that all blocks and segments divide, and a machine of which m bytes there cost as much as
// op->m here: so the formulas' maxima are the same ones.
typedef struct Fitting {
    const Operation *op;
    const CollParam *segment;
    Platform platform;
    Transfer transfer;
    size_t m;
    bool simulated;
} Fitting;

enum { FIT_MESSAGES = 1 << 22 }; // that are simulated at most

// With so many segments of the whole message, 0: no parameter for that; bytes count per byte of it.
static bool fit_costs(Fitting *f, size_t segments, double n[COSTS])
{
    CollParams par = f->op->c.par;
    Operation sized;
    bool simulated;
    const bool may_run = segments > 0 && segments * (size_t)f->op->c.p <= FIT_MESSAGES;
    if (segments > 0)
        param_set(f->segment, &par, (int64_t)(f->m / segments));
    if (!resized(f->op, f->m, &par, &sized) || !costs_of(&sized, &f->platform, f->transfer, may_run, n, &simulated))
        return false;
    f->simulated |= simulated;
    for (int i = 1; i < COSTS && f->m > 0; i++)
        n[i] /= (double)f->m;
    return true;
}

static void form_at(const SegmentForm *form, double S, double n[COSTS])
{
    for (int i = 0; i < COSTS; i++)
        n[i] = form->fixed[i] + form->varying[i] * (i == 0 ? S : 1 / S);
}

// From S = `few` and twice as many.
static bool fit(Fitting *f, int parts, int few, SegmentForm *form)
{
    const size_t segments = (size_t)parts * (size_t)few;
    double a[COSTS], b[COSTS];
    form->parts = parts;
    if (!fit_costs(f, segments, a) || !fit_costs(f, 2 * segments, b))
        return false;
    for (int i = 0; i < COSTS; i++) {
        form->varying[i] = i == 0 ? (b[i] - a[i]) / few : 2 * few * (a[i] - b[i]);
        form->fixed[i] = a[i] - form->varying[i] * (i == 0 ? few : 1.0 / few);
    }
    return true;
}

static bool holds(Fitting *f, const SegmentForm *form, int S)
{
    double n[COSTS], expected[COSTS];
    form_at(form, S, expected);
    return fit_costs(f, (size_t)form->parts * (size_t)S, n) && near(n, expected);
}

bool segment_form(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                  SegmentForm *form)
{
    const bool nothing = op->algorithm->collective == COLL_BARRIER;
    Fitting f = {op, segment, *platform, transfer, nothing ? 0 : closed_form_unit(op->c.p, 1), false};
    const double scale = nothing ? 1 : (double)op->m / (double)f.m;
    Operation copy = *op;
    copy.c.elem = 1;
    f.op = &copy;
    f.platform.value[KEY_BETA] *= scale;
    f.platform.value[KEY_GAMMA] *= scale;
    *form = (SegmentForm){.parts = 1};
    if (!segment)
        return fit_costs(&f, 0, form->fixed) && (form->simulated = f.simulated, form->linear = true);
    // Segments are of the message, of its halves, or of the ranks' blocks.
    const int parts[] = {1, 2, op->c.p};
    for (size_t i = 0; i < G_N_ELEMENTS(parts) && !form->linear; i++)
        form->linear = fit(&f, parts[i], 1, form) && holds(&f, form, 3) && holds(&f, form, 6);
    const bool known = form->linear || fit(&f, 1, 6, form);
    form->simulated = f.simulated;
    return known;
}

double segment_form_time(const SegmentForm *form, const Platform *platform, size_t m, double S)
{
    double figure[COSTS], n[COSTS];
    cost_figures(platform, figure);
    form_at(form, S, n);
    return n[0] * figure[0] + (double)m * (n[1] * figure[1] + n[2] * figure[2]);
}

double segment_form_best(const SegmentForm *form, const Platform *platform, size_t m, double most)
{
    double figure[COSTS];
    cost_figures(platform, figure);
    const double bytes = (double)m * (form->varying[1] * figure[1] + form->varying[2] * figure[2]);
    const double rounds = form->varying[0] * figure[0];
    if (bytes <= 0 || rounds < 0)
        return 1;
    return CLAMP(sqrt(bytes / rounds), 1, most); // rounds 0: as many as there can be
}

size_t segment_size(const SegmentForm *form, size_t m, size_t elem, size_t S)
{
    const size_t count = m / elem, parts = (size_t)form->parts, part = (count + parts - 1) / parts;
    return (part + S - 1) / S * elem;
}
