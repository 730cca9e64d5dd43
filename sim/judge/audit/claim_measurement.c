#include "judge/audit/claim_measurement.h"
#include "base/error.h"
#include "base/units.h"
#include "engine/model/model.h"
#include "engine/replay/replay.h"
#include "engine/schedule/record.h"
#include <math.h>
#include <string.h>

// The point of a measurement is simulated up to these limits. They are far above what a claim about MPI needs, and keep
// a table that somebody else wrote from occupying the machine.
static const double most_ranks = 1 << 16, most_bytes = 0x1p40;
static const uint64_t most_messages = 1 << 22;

// ---- The point ------------------------------------------------------------------------------------------------------

// Sets *value to a letter of `let`, or to `missing` if it does not define it. Returns FALSE and an error unless it is
// an integer from `least` to `most`.
static gboolean letter(const Claim *c, const char *name, double missing, double least, double most, double *value,
                       GError **error)
{
    double values[MAX_SYMBOLS] = {0};
    *value = missing;
    for (guint i = 0; i < c->readings->len; i++) {
        const Reading *r = &g_array_index(c->readings, Reading, i);
        values[r->symbol] = expression_value(r->value, values);
        if (strcmp(c->names[r->symbol], name) == 0)
            *value = values[r->symbol];
    }
    return (*value >= least && *value <= most && *value == floor(*value)) ||
           bad_input(error, "%s: let: %s is %g; allowed: an integer from %.0f to %.0f", c->id, name, *value, least,
                     most);
}

// ---- One side -------------------------------------------------------------------------------------------------------

// What the model says of one of the algorithms.
typedef struct Side {
    const CollAlgorithm *algorithm;
    double part[3]; // T where alpha alone costs 1, or beta, or gamma; 0 in shared memory
    double time_s;  // T in shared memory; 0 for an algorithm that sends messages
} Side;

static gboolean message_parts(const Operation *op, Side *side, GError **error)
{
    Schedule *s = schedule_admit(op, NULL, most_messages, NULL, error);
    gboolean good = s != NULL;
    for (int i = 0; i < 3 && good; i++) {
        const Hockney h = {.alpha = i == 0, .beta = i == 1, .gamma = i == 2, .transfer = TRANSFER_RENDEZVOUS};
        g_autoptr(Replay) r = replay(s, &h, &(ReplayOptions){0}, error);
        good = r != NULL;
        side->part[i] = r ? r->time_s : 0;
    }
    schedule_free(s);
    return good;
}

static gboolean side_of(const Claim *c, const CollAlgorithm *a, const CollParams *par, double p, double m,
                        const Platform *platform, Side *side, GError **error)
{
    const char *why;
    *side = (Side){.algorithm = a};
    const Operation op = claim_grid_operation(a, par, (int)p, m, &why);
    if (op.algorithm != a)
        return bad_input(error, "%s: %s cannot run at p = %.0f (%s); allowed: a point at which it runs", c->id, a->name,
                         p, why);
    if (!a->shared) {
        const gboolean good = message_parts(&op, side, error);
        if (!good)
            g_prefix_error(error, "%s: ", c->id);
        return good;
    }
    g_autoptr(Prediction) x = shared_model.predict(&shared_model, &op, platform, &(PredictOptions){0}, error);
    side->time_s = x ? x->time_s : 0;
    return x != NULL;
}

// ---- The verdict ----------------------------------------------------------------------------------------------------

// A measured ratio outside the model's range needs messages of one algorithm that cost more than the other's.
static char *outside(const Claim *c, double ratio, double low, double high)
{
    const bool above = ratio > high;
    const double bound = above ? high : low, factor = above ? ratio / high : low / ratio;
    const char *dear = above ? c->against->name : c->algorithm->name,
               *cheap = above ? c->algorithm->name : c->against->name;
    if (bound == 0 || isinf(bound) || !isfinite(factor))
        return g_strdup("measured; not by this model");
    return c->algorithm == c->against
               ? g_strdup_printf("measured; not by this model; implied cost a message: %.4g times that of the %s case",
                                 factor, above ? "first" : "second")
               : g_strdup_printf("measured; not by this model; implied cost a message: in %s %.4g times that in %s",
                                 dear, factor, cheap);
}

// Returns the beta, in units of alpha a byte, at which alpha and beta alone give the ratio; NAN if none does.
static double implied_beta(const Side *a, const Side *b, double ratio)
{
    const double beta = (ratio * a->part[0] - b->part[0]) / (b->part[1] - ratio * a->part[1]);
    return isfinite(beta) && beta >= 0 ? fabs(beta) : NAN; // never -0
}

// Judges the ratio T of b / T of a, both of messages.
static void judge_ratio(const Claim *c, const Side *a, const Side *b, double ratio, Audited *r)
{
    double low = INFINITY, high = 0;
    for (int i = 0; i < 3; i++) {
        if (a->part[i] == 0 && b->part[i] == 0)
            continue;
        const double x = a->part[i] > 0 ? b->part[i] / a->part[i] : INFINITY;
        low = fmin(low, x);
        high = fmax(high, x);
    }
    const bool within = (ratio >= low || same_value(ratio, low)) && (ratio <= high || same_value(ratio, high));
    const double beta = implied_beta(a, b, ratio);
    r->verdict.kind = within ? VERDICT_EXPLAINED : VERDICT_UNEXPLAINED;
    r->verdict_text = !within       ? outside(c, ratio, low, high)
                      : isnan(beta) ? g_strdup("measured; the model allows it")
                                    : g_strdup_printf("measured; the model allows it, if beta is %.3g alpha", beta);
    r->truth = same_value(low, high) ? g_strdup_printf("%.6g", low) : g_strdup_printf("from %.6g to %.6g", low, high);
}

// Judges the ratio of two times. At least one of them is a time in shared memory. If the other one is that of messages,
// no model has both times, and r->truth stays NULL.
static void judge_mixed(const Side *a, const Side *b, double ratio, Audited *r)
{
    if (a->time_s > 0 && b->time_s > 0) {
        r->verdict.kind = VERDICT_EXPLAINED;
        r->verdict_text = g_strdup_printf("measured; on this platform the model gives %.3g", b->time_s / a->time_s);
        r->truth = g_strdup_printf("%.6g", b->time_s / a->time_s);
        return;
    }
    const Side *messages = a->time_s > 0 ? b : a;
    const double time = a->time_s > 0 ? ratio * a->time_s : b->time_s / ratio;
    r->verdict.kind = VERDICT_UNEXPLAINED;
    g_autofree char *each = units_format_time(messages->part[0] > 0 ? time / messages->part[0] : NAN);
    r->verdict_text = messages->part[0] > 0 ? g_strdup_printf("measured; not by this model; implied cost a message: "
                                                              "%s, with %.0f in a row in %s",
                                                              each, messages->part[0], messages->algorithm->name)
                                            : g_strdup("measured; not by this model");
}

static void judge_time(const Side *a, double seconds, Audited *r)
{
    r->verdict.kind = VERDICT_EXPLAINED;
    if (a->algorithm->shared) {
        r->truth = units_format_time(a->time_s);
        r->verdict_text = g_strdup_printf("measured; on this platform the model gives %s", r->truth);
        return;
    }
    g_autofree char *each = units_format_time(a->part[0] > 0 ? seconds / a->part[0] : seconds);
    r->verdict_text = a->part[0] > 0 ? g_strdup_printf("measured; implied cost a message: %s", each)
                                     : g_strdup("measured; no message is sent");
    r->truth = claim_costs_text(COSTS_HOCKNEY, a->part);
}

gboolean claim_measurement_judge(const Claim *c, const Platform *platform, Audited *r, GError **error)
{
    double p, m, m_against, values[MAX_SYMBOLS] = {0};
    const bool speedup = c->quantity == QUANTITY_SPEEDUP;
    Side a, b;
    if (!letter(c, "p", 0, 2, most_ranks, &p, error) || !letter(c, "m", 0, 0, most_bytes, &m, error) ||
        !letter(c, "m_against", m, 0, most_bytes, &m_against, error) ||
        !side_of(c, c->algorithm, &c->par, p, m, platform, &a, error))
        return FALSE;
    if (speedup) {
        if (!side_of(c, c->against, &c->against_par, p, m_against, platform, &b, error))
            return FALSE;
    }
    const double claimed = claim_value(c, (const double[SAMPLE_PARTS]){0}, values);
    if (!isfinite(claimed) || claimed <= 0)
        return bad_input(error, "%s: %g was measured; allowed: a number above 0", c->id, claimed);
    r->points = 1;
    r->point = g_strdup_printf("p=%.0f m=%.0f", p, m);
    r->claimed = speedup ? g_strdup_printf("%.10g", claimed) : units_format_time(claimed);
    if (!speedup)
        judge_time(&a, claimed, r);
    else if (a.algorithm->shared || b.algorithm->shared)
        judge_mixed(&a, &b, claimed, r);
    else
        judge_ratio(c, &a, &b, claimed, r);
    return TRUE;
}
