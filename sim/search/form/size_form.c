#include "search/form/size_form.h"
#include "api/backend.h"
#include "api/make.h"
#include "base/units.h"
#include "engine/schedule/kept.h"
#include "search/form/closed_form.h"
#include "search/form/text_samples.h"
#include "registry/composition.h"
#include <math.h>
#include <string.h>

void size_form_figures(const Platform *platform, double figure[COSTS])
{
    figure[0] = platform->value[KEY_ALPHA];
    figure[1] = platform->value[KEY_BETA];
    figure[2] = platform->value[KEY_GAMMA];
}

// Makes the operation with m bytes and other parameters. Returns false if the algorithm's needs are not met, so that a
// fallback would run, or if m is too large to be admitted.
static bool resized(const Operation *like, size_t m, const CollParams *par, Operation *op)
{
    if ((double)m * operation_weight(like->algorithm->collective, like->c.p) >= 0x1p62)
        return false;
    const char *why;
    Coll all = like->c;
    all.par = *par;
    *op = (Operation){.algorithm = like->algorithm, .m = m};
    op->c = coll_make(like->algorithm->collective, &all, like->c.root, m, NULL);
    return coll_resolve(like->algorithm, &op->c, &why) == like->algorithm;
}

// Sets n to the counts of alpha, beta and gamma in T. They come from the formula or, if no formula applies and may_run
// is set, from the certificate of a simulated run; eager-port has no formulas. *simulated becomes true if a formula
// does not give them. Returns false if the counts are unknown.
static bool costs_of(const Operation *op, const Platform *platform, Transfer transfer, bool may_run, double n[COSTS],
                     bool *simulated)
{
    int64_t count[COSTS];
    *simulated =
        transfer == TRANSFER_EAGER_PORT || !closed_form_counts(op, platform, transfer == TRANSFER_EAGER, count);
    if (*simulated && !may_run)
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

// ---- T as a function of the size ------------------------------------------------------------------------------------

bool size_form(const Operation *op, const Platform *platform, Transfer transfer, size_t most, SizeForm *form)
{
    // All blocks and all segments divide the unit.
    size_t unit = closed_form_unit(op->c.p, op->c.elem);
    const size_t segment = op->c.par.segment, elements = segment - segment % op->c.elem;
    if (elements > 0)
        unit = unit % elements == 0 ? unit : units_multiply_sizes(unit, elements);
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
    size_form_figures(platform, figure);
    for (int i = 0; i < COSTS; i++) {
        more += (second->fixed[i] - first->fixed[i]) * figure[i];
        less += (first->per_byte[i] - second->per_byte[i]) * figure[i];
    }
    return less != 0 && more / less > 0 ? more / less : NAN;
}

// ---- T as a function of the number of segments ----------------------------------------------------------------------

// The operation at a convenient size: m bytes, which all blocks and segments divide, in place of the size that was
// asked for. The platform's beta and gamma are scaled so that m bytes cost here what the size asked for costs on the
// real one. So alpha and the bytes keep their proportion, and every maximum in a formula picks the same term.
typedef struct Fitting {
    Operation op;
    const CollParam *segment;
    Platform platform;
    Transfer transfer;
    size_t m;
    bool simulated; // a simulation gave some of the costs
    struct {
        size_t segments;
        bool known;
        double n[COSTS];
    } had[8]; // the answers of fit_costs
    int n_had;
} Fitting;

// The largest products of segments and ranks to work with.
enum {
    FIT_MESSAGES = 1 << 17, // in a simulation
    FORM_MESSAGES = 1 << 12 // in segment_form_at, because some formulas step through all messages
};

// Makes the fitting for an operation. Its m is closed_form_unit() times `segments`, so that this number of segments
// divides m too. A barrier has m = 0.
static Fitting fitting(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                       size_t segments)
{
    Fitting f = {*op, segment, *platform, transfer};
    f.op.c.elem = 1;
    if (op->algorithm->collective == COLL_BARRIER)
        return f;
    f.m = units_multiply_sizes(closed_form_unit(op->c.p, 1), segments);
    const double scale = (double)op->m / (double)f.m;
    f.platform.value[KEY_BETA] *= scale;
    f.platform.value[KEY_GAMMA] *= scale;
    return f;
}

static bool costs_at(Fitting *f, size_t segments, double n[COSTS])
{
    CollParams par = f->op.c.par;
    Operation sized;
    bool simulated;
    const bool may_run = f->segment && MAX(segments, 1) * (size_t)f->op.c.p <= FIT_MESSAGES;
    if (f->segment)
        param_set(f->segment, &par, segments > 0 ? (int64_t)(f->m / segments) : 0);
    if (!resized(&f->op, f->m, &par, &sized) || !costs_of(&sized, &f->platform, f->transfer, may_run, n, &simulated))
        return false;
    f->simulated |= simulated;
    for (int i = 1; i < COSTS && f->m > 0; i++)
        n[i] /= (double)f->m;
    return true;
}

// Sets n to the costs with this many segments in the whole message; beta and gamma count bytes per byte of f->m. 0
// segments mean that the parameter is 0, or that the algorithm has none. Returns false if the costs are unknown. An
// answer is kept, because callers ask for the same numbers again.
static bool fit_costs(Fitting *f, size_t segments, double n[COSTS])
{
    int i = 0;
    while (i < f->n_had && f->had[i].segments != segments)
        i++;
    if (i == f->n_had) {
        g_assert(i < (int)G_N_ELEMENTS(f->had));
        f->had[i].segments = segments;
        f->had[i].known = costs_at(f, segments, f->had[i].n);
        f->n_had++;
    }
    memcpy(n, f->had[i].n, sizeof f->had[i].n);
    return f->had[i].known;
}

// Evaluates a path's counts at S.
static void path_at(const SegmentPath *path, double S, double n[COSTS])
{
    for (int i = 0; i < COSTS; i++)
        n[i] = path->fixed[i] + path->varying[i] * (i == 0 ? S : 1 / S);
}

enum { FIT_SEGMENTS = 12 }; // the largest S at which the costs are needed

// Computes a path from the costs at S = few and S = 2 few.
static bool fit(Fitting *f, int parts, int few, SegmentPath *path)
{
    const size_t segments = (size_t)parts * (size_t)few;
    double a[COSTS], b[COSTS];
    if (!fit_costs(f, segments, a) || !fit_costs(f, 2 * segments, b))
        return false;
    for (int i = 0; i < COSTS; i++) {
        path->varying[i] = i == 0 ? (b[i] - a[i]) / few : 2 * few * (a[i] - b[i]);
        path->fixed[i] = a[i] - path->varying[i] * (i == 0 ? few : 1.0 / few);
    }
    return true;
}

// Returns true if the path gives the costs at S.
static bool holds(Fitting *f, int parts, const SegmentPath *path, int S)
{
    double n[COSTS], expected[COSTS];
    path_at(path, S, expected);
    return fit_costs(f, (size_t)parts * (size_t)S, n) && near(n, expected);
}

// Computes a path. If it must be exact, it comes from the costs at S = 1 and 2, and must give those at 3 and 6 too;
// otherwise it comes from the costs at 6 and FIT_SEGMENTS.
static bool fit_path(Fitting *f, int parts, bool exact, SegmentPath *path)
{
    return fit(f, parts, exact ? 1 : 6, path) && (!exact || (holds(f, parts, path, 3) && holds(f, parts, path, 6)));
}

// Computes both paths. The second one is that of a machine whose reductions cost next to nothing, so that messages
// determine T with few segments too.
static bool fit_paths(Fitting *f, bool exact, SegmentForm *form)
{
    SegmentPath *const few = &form->path[0], *const messages = &form->path[1];
    if (!fit_path(f, form->parts, exact, few))
        return false;
    Fitting cheap = *f;
    cheap.n_had = 0;
    cheap.platform.value[KEY_GAMMA] *= 0x1p-20;
    const bool reduces = few->fixed[2] != 0 || few->varying[2] != 0;
    if (!reduces || !fit_path(&cheap, form->parts, exact, messages))
        *messages = *few;
    return true;
}

// Returns true if some ranks have as many messages in an operation as in its fitting one. No figure of a machine changes
// the answer, so it is kept.
static bool fits_messages(const Operation *whole, const Operation *fitted)
{
    struct {
        size_t m; // of the fitting one
        bool same;
    } fact;
    if (!kept_find(whole, KEPT_PROPORTION, &fact, sizeof fact) || fact.m != fitted->m) {
        fact.m = fitted->m;
        fact.same = text_samples_alike(whole, fitted);
        kept_note(whole, KEPT_PROPORTION, &fact, sizeof fact);
    }
    return fact.same;
}

// Does the work of parts_of() for an algorithm without a formula, by the messages of some ranks: runs with a segment for
// each rank take long.
static int parts_of_texts(const Fitting *f, const int parts[], int n)
{
    Operation whole;
    int found = 0;
    for (int i = 0; i < n; i++) {
        Operation cut;
        CollParams par = f->op.c.par;
        param_set(f->segment, &par, (int64_t)(f->m / (size_t)parts[i]));
        if (!resized(&f->op, f->m, &par, &cut))
            continue;
        if (found && !text_samples_alike(&whole, &cut))
            break;
        whole = cut;
        found = parts[i];
    }
    return MAX(found, 1);
}

// Returns true if a formula gives the costs of messages that are not cut.
static bool by_formula(const Fitting *f)
{
    Operation sized;
    CollParams par = f->op.c.par;
    double n[COSTS];
    bool simulated;
    param_set(f->segment, &par, 0);
    return resized(&f->op, f->m, &par, &sized) && costs_of(&sized, &f->platform, f->transfer, false, n, &simulated);
}

// Returns the number of parts that segments cut: 1 if they cut the whole message, 2 if they cut its halves, p if they
// cut the ranks' blocks. A segment as long as a part cuts nothing and costs as much as any longer segment, so the
// function looks for the shortest segment with these costs. The costs of a segment that is longer than a part may be
// unknown, because an algorithm may need shorter ones.
static int parts_of(Fitting *f)
{
    const int parts[] = {1, 2, f->op.c.p};
    double whole[COSTS] = {0}, n[COSTS];
    int found = 0;
    if (f->m > 0 && !by_formula(f))
        return parts_of_texts(f, parts, G_N_ELEMENTS(parts));
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        const bool known = fit_costs(f, (size_t)parts[i], n);
        if (known && found && !near(whole, n))
            break;
        if (known) {
            memcpy(whole, n, sizeof whole);
            found = parts[i];
        }
    }
    return MAX(found, 1);
}

double segment_form_at(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                       int parts, size_t S)
{
    Fitting f = fitting(op, segment, platform, transfer, S);
    double n[COSTS], figure[COSTS];
    if (S * (size_t)parts * (size_t)op->c.p > FORM_MESSAGES || !fit_costs(&f, (size_t)parts * S, n))
        return NAN;
    size_form_figures(platform, figure);
    return n[0] * figure[0] + (double)op->m * (n[1] * figure[1] + n[2] * figure[2]);
}

// The length of a path as a function of S: constant + rounds S + bytes / S, in seconds.
typedef struct SegmentCurve {
    double constant, rounds, bytes;
} SegmentCurve;

static SegmentCurve curve_of(const SegmentPath *path, const double figure[COSTS], size_t m)
{
    const double *fixed = path->fixed, *varying = path->varying;
    return (SegmentCurve){fixed[0] * figure[0] + (double)m * (fixed[1] * figure[1] + fixed[2] * figure[2]),
                          varying[0] * figure[0], (double)m * (varying[1] * figure[1] + varying[2] * figure[2])};
}

// Returns the S at which a path is shortest, between 1 and `most`.
static double curve_best(const SegmentCurve *c, double most)
{
    if (c->bytes <= 0 || c->rounds < 0)
        return 1;
    return CLAMP(sqrt(c->bytes / c->rounds), 1, most); // `most` if rounds is 0: more segments cost nothing
}

// Sets S[] to the two numbers of segments for which both curves are equal, the solutions of
// rounds S^2 + constant S + bytes = 0 for the differences; NAN or infinite where there are fewer.
static void curves_equal(const SegmentCurve *a, const SegmentCurve *b, double S[2])
{
    const double rounds = b->rounds - a->rounds, constant = b->constant - a->constant, bytes = b->bytes - a->bytes;
    const double root = sqrt(constant * constant - 4 * rounds * bytes);
    S[0] = (-constant - root) / (2 * rounds);
    S[1] = (-constant + root) / (2 * rounds);
}

// Returns true if the form also gives T at S = 4, 5 and 7, at the best S, where both paths are equally long, and at the
// S after these. A point at which T is unknown does not count. fit_paths() has checked the form at S = 1, 2, 3 and 6
// only, but a formula may have a kink anywhere, a third path may be longer where both are equal, and some algorithms
// depend on S mod ceil(log2 p).
static bool holds_near_best(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                            const SegmentForm *form)
{
    double figure[COSTS], equal[2];
    size_form_figures(platform, figure);
    const SegmentCurve a = curve_of(&form->path[0], figure, op->m), b = curve_of(&form->path[1], figure, op->m);
    curves_equal(&a, &b, equal);
    const double most = MAX(FORM_MESSAGES / op->c.p / form->parts, 2) - 1;
    const double best = segment_form_best(form, platform, op->m, most),
                 S[] = {4, 5, 7, best, best + 1, equal[0], equal[0] + 1, equal[1], equal[1] + 1};
    bool all = true;
    for (size_t i = 0; i < G_N_ELEMENTS(S) && all; i++) {
        if (!(S[i] >= 1 && S[i] <= most + 1))
            continue;
        const double t = segment_form_at(op, segment, platform, transfer, form->parts, (size_t)S[i]);
        all = isnan(t) || fabs(t - segment_form_time(form, platform, op->m, floor(S[i]))) <= 1e-9 * t;
    }
    return all;
}

// Returns true if messages of the operation have bytes although its vectors are empty: the ranks of an alltoallv send each
// other lengths, for example. A formula may show it. With may_run, texts show it as well: those of a few ranks, because in
// the registry either all ranks send such messages or none does, and for a text that somebody added, those of all ranks.
static bool pays_for_nothing(const Operation *empty, const Fitting *f, bool may_run)
{
    double n[COSTS];
    bool simulated, found = costs_of(empty, &f->platform, f->transfer, false, n, &simulated);
    if (!found && may_run && algorithm_is_added(empty->algorithm))
        found = costs_of(empty, &f->platform, f->transfer, true, n, &simulated);
    if (found || !may_run)
        return found && n[1] != 0;
    return text_samples_send(empty);
}

// Returns true if the bytes of all messages are in proportion to the size, from that of the operation to that of its
// fitting f. They are not if ranks first exchange the lengths of an alltoallv, if a text does something else from some
// size on, or if it does not send empty blocks. Without may_run, only a formula shows the first of these.
static bool in_proportion(const Operation *op, const Fitting *f, bool may_run)
{
    Operation empty, fitted, whole = *op;
    if (f->m == 0 || op->algorithm->shared)
        return true;
    if (f->segment)
        param_set(f->segment, &whole.c.par, 0);
    return (!resized(&f->op, 0, &whole.c.par, &empty) || !pays_for_nothing(&empty, f, may_run)) &&
           resized(&f->op, f->m, &whole.c.par, &fitted) && fits_messages(&whole, &fitted);
}

// Returns true if messages of a rank compete for its port. Then their order decides how long a run takes, and where two are
// nearly equally early, a few bytes more or less change it: T at one size says nothing exact of T at another one.
static bool competes(const Fitting *f)
{
    Operation sized;
    CollParams par = f->op.c.par;
    param_set(f->segment, &par, (int64_t)(f->m / FIT_SEGMENTS));
    if (!resized(&f->op, f->m, &par, &sized))
        return false;
    Schedule *s = schedule_record(&sized, NULL);
    const bool alone = s->one_send && s->one_source;
    schedule_free(s);
    return !alone;
}

bool segment_form(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                  SegmentForm *form)
{
    Fitting f = fitting(op, segment, platform, transfer, 1);
    bool known;
    *form = (SegmentForm){.parts = 1};
    if (!in_proportion(op, &f, segment != NULL))
        return false;
    form->parts = segment ? parts_of(&f) : 1;
    form->simulated = segment && f.m > 0 && !by_formula(&f);
    if (form->simulated && (size_t)(FIT_SEGMENTS * form->parts) * (size_t)op->c.p > FIT_MESSAGES)
        return false;
    if (form->simulated && competes(&f))
        return false;
    if (segment) {
        form->linear = fit_paths(&f, true, form) && holds_near_best(op, segment, platform, transfer, form);
        known = form->linear || fit_paths(&f, false, form);
    } else {
        known = form->linear = fit_costs(&f, 0, form->path[0].fixed);
        form->path[1] = form->path[0];
    }
    form->simulated = f.simulated;
    return known;
}

bool segment_form_needs_run(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                            SegmentForm *form)
{
    Fitting f = fitting(op, segment, platform, transfer, 1);
    *form = (SegmentForm){.parts = 1};
    if (f.m == 0 || by_formula(&f))
        return false;
    if (in_proportion(op, &f, false)) {
        form->parts = parts_of(&f);
        form->simulated = true;
    }
    return true;
}

// Returns the length of a path, in seconds.
static double path_time(const SegmentPath *path, const double figure[COSTS], size_t m, double S)
{
    double n[COSTS];
    path_at(path, S, n);
    return n[0] * figure[0] + (double)m * (n[1] * figure[1] + n[2] * figure[2]);
}

double segment_form_time(const SegmentForm *form, const Platform *platform, size_t m, double S)
{
    double figure[COSTS];
    size_form_figures(platform, figure);
    return fmax(path_time(&form->path[0], figure, m, S), path_time(&form->path[1], figure, m, S));
}

double segment_form_best(const SegmentForm *form, const Platform *platform, size_t m, double most)
{
    double figure[COSTS], equal[2];
    size_form_figures(platform, figure);
    const SegmentCurve a = curve_of(&form->path[0], figure, m), b = curve_of(&form->path[1], figure, m);
    curves_equal(&a, &b, equal);
    const double S[] = {curve_best(&a, most), curve_best(&b, most), equal[0], equal[1]};
    double best = S[0];
    for (size_t i = 1; i < G_N_ELEMENTS(S); i++)
        if (S[i] >= 1 && S[i] <= most &&
            segment_form_time(form, platform, m, S[i]) < segment_form_time(form, platform, m, best))
            best = S[i];
    return best;
}

size_t segment_form_bytes(const SegmentForm *form, size_t m, size_t elem, size_t S)
{
    const size_t count = m / elem, parts = (size_t)form->parts, part = (count + parts - 1) / parts;
    return (part + S - 1) / S * elem;
}
