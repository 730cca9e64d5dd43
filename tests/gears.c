#include "gears.h"
#include "model/model.h"
#include <math.h>
#include <string.h>

// ---- One replay is consistent ---------------------------------------------------------------------------------------

void gears_fail(const GearsCase *k, const Replay *r, const char *what)
{
    g_autofree char *where = k->name(k->of);
    g_error("%s cut off %d, %s (%g, %g, %g), start %s, gear %s: %s", where, (int)k->cut_off,
            transfer_names[k->model.transfer], k->model.alpha, k->model.beta, k->model.gamma, k->start ? "skewed" : "0",
            gear_names[r->gear], what);
}

bool gears_is_whole(double x)
{
    return x == floor(x);
}

// Times are compared exactly if all costs are integers, because sums are then exact, and within 1e-12 otherwise.
static bool equal_times(const GearsCase *k, double a, double b)
{
    return gears_is_whole(k->model.alpha) && gears_is_whole(k->model.beta) && gears_is_whole(k->model.gamma)
               ? a == b
               : fabs(a - b) <= 1e-12 * fabs(a);
}

// Returns true if the clock t is the certificate's time, counted from the start of some rank.
static bool explains(const GearsCase *k, const Certificate *c, double t)
{
    const double passed = certificate_time(c, &k->model);
    if (!k->start)
        return equal_times(k, t, passed);
    for (int rank = 0; rank < k->s->p; rank++)
        if (equal_times(k, t, k->start[rank] + passed))
            return true;
    return false;
}

// Fails unless every clock is its certificate's time, and the run's certificate and time are those of the lowest of the
// ranks that end last.
static void check_certificates(const GearsCase *k, const Replay *r)
{
    double last = -1;
    int last_rank = 0;
    for (int rank = 0; rank < k->s->p; rank++) {
        const Stamp *x = &r->clocks[rank];
        const Certificate c = certificate_of(x->n);
        if (!explains(k, &c, x->t))
            gears_fail(k, r, "a clock is not its certificate's time");
        if (x->t > last)
            last = x->t, last_rank = rank;
    }
    const Certificate c = certificate_of(r->clocks[last_rank].n);
    if (!certificate_equal(&c, &r->certificate))
        gears_fail(k, r, "the certificate is not that of the rank that ends last");
    if (r->time_s != (k->start ? last : certificate_time(&c, &k->model)))
        gears_fail(k, r, "time_s is not the last clock");
}

// Fails unless the steps of the path follow each other without a gap, each at a rank that the step before can lead to,
// and add up to the certificate.
static void check_path(const GearsCase *k, const Replay *r)
{
    Certificate all = {0};
    const PathStep *last = NULL;
    for (guint i = 0; i < r->path->len; i++) {
        const PathStep *x = &g_array_index(r->path, PathStep, i);
        const bool reduces = x->kind == OP_REDUCE, receives = x->kind == OP_RECV;
        if (!reduces && !receives && x->kind != OP_SEND)
            gears_fail(k, r, "a step of the path has an unknown kind");
        if (receives && k->model.transfer != TRANSFER_RENDEZVOUS)
            gears_fail(k, r, "an eager path has a receive; only sends are on such paths");
        if (x->rank < 0 || x->rank >= k->s->p || x->peer >= k->s->p || (x->peer < 0) != reduces || x->rank == x->peer)
            gears_fail(k, r, "a step of the path has an impossible rank or peer");
        if (last && x->rank != last->rank && x->rank != last->peer && (reduces || x->peer != last->rank) &&
            (reduces || last->peer < 0 || x->peer != last->peer))
            gears_fail(k, r, "the path goes on at a rank that the step before does not lead to");
        if (reduces) {
            all.gamma += (int64_t)x->bytes;
        } else {
            all.alpha++;
            all.beta += (int64_t)x->bytes;
        }
        if (x->end_s != certificate_time(&all, &k->model))
            gears_fail(k, r, "the path has a gap");
        last = x;
    }
    if (!certificate_equal(&all, &r->certificate))
        gears_fail(k, r, "the path does not end at the certificate");
}

// ---- Two gears ------------------------------------------------------------------------------------------------------

bool gears_same_stuck(const Stuck *a, const Stuck *b)
{
    return a->rank == b->rank && a->peer == b->peer && a->kind == b->kind && a->operation == b->operation &&
           a->bytes == b->bytes && a->left_over == b->left_over;
}

static bool same_step(const PathStep *a, const PathStep *b)
{
    return a->rank == b->rank && a->peer == b->peer && a->kind == b->kind && a->bytes == b->bytes;
}

void gears_compare(const GearsCase *k, const Replay *oracle, const Replay *r)
{
    for (int rank = 0; rank < k->s->p; rank++) {
        const Stamp *a = &oracle->clocks[rank], *b = &r->clocks[rank];
        const Certificate x = certificate_of(a->n), y = certificate_of(b->n);
        if (a->t != b->t || !certificate_equal(&x, &y)) {
            g_autofree char *what = g_strdup_printf(
                "rank %d ends at %.17g (%d, %d, %d), in the event gear at %.17g (%d, %d, %d)", rank, b->t, (int)y.alpha,
                (int)y.beta, (int)y.gamma, a->t, (int)x.alpha, (int)x.beta, (int)x.gamma);
            gears_fail(k, r, what);
        }
    }
    if (!certificate_equal(&oracle->certificate, &r->certificate))
        gears_fail(k, r, "the certificate differs from the event gear's");
    if (oracle->time_s != r->time_s)
        gears_fail(k, r, "the time differs from the event gear's");
    if (oracle->stuck->len != r->stuck->len)
        gears_fail(k, r, "the number of stuck ranks differs from the event gear's");
    for (guint i = 0; i < r->stuck->len; i++)
        if (!gears_same_stuck(&g_array_index(oracle->stuck, Stuck, i), &g_array_index(r->stuck, Stuck, i)))
            gears_fail(k, r, "a stuck rank differs from the event gear's");
    if (!oracle->path || !r->path)
        return;
    if (oracle->path->len != r->path->len)
        gears_fail(k, r, "the length of the path differs from the event gear's");
    for (guint i = 0; i < r->path->len; i++)
        if (!same_step(&g_array_index(oracle->path, PathStep, i), &g_array_index(r->path, PathStep, i)))
            gears_fail(k, r, "a step of the path differs from the event gear's");
}

Replay *gears_replay(const GearsCase *k, Gear gear, bool full, bool path, GearsCounts *n)
{
    const ReplayOptions o = {.gear = gear, .start = k->start, .full = full, .clocks = true, .path = path};
    if (!replay_gear_applies(k->s, &k->model, &o, gear))
        return NULL;
    Replay *r = replay(k->s, &k->model, &o, NULL);
    check_certificates(k, r);
    if (path)
        check_path(k, r);
    n->replays[gear == GEAR_AUTO ? gear : r->gear]++;
    n->paths += path;
    return r;
}

void gears_agree(const GearsCase *k, uint32_t dice, GearsCounts *n)
{
    g_autoptr(Replay) oracle = gears_replay(k, GEAR_EVENT, true, dice & 2, n);
    if (!k->cut_off && oracle->stuck->len)
        gears_fail(k, oracle, "ranks are stuck");
    n->stuck += oracle->stuck->len > 0;
    const bool mirror = !k->start && schedule_period(k->s) < k->s->p;
    for (int gear = GEAR_AUTO; gear <= GEAR_LOCKSTEP; gear++) // GEAR_AUTO may join two gears in one replay
        for (int full = 0; full < 2; full++) {
            if ((gear == GEAR_AUTO || gear == GEAR_BLOCKING || gear == GEAR_CONVOY) && full)
                continue;
            if (gear == GEAR_EVENT ? full || !mirror : gear == GEAR_DATAFLOW && !mirror && full)
                continue;
            const bool path = (dice & 2) && (gear != GEAR_LOCKSTEP || full == (int)(dice & 1));
            g_autoptr(Replay) r = gears_replay(k, (Gear)gear, full, path, n);
            if (r)
                gears_compare(k, oracle, r), n->compared++;
            n->mirrored += r && r->simulated < k->s->p;
        }
}

// ---- Counts ---------------------------------------------------------------------------------------------------------

void gears_report(const GearsCounts *n)
{
    g_test_message("%" G_GINT64_FORMAT " schedules; replays: event %" G_GINT64_FORMAT ", dataflow %" G_GINT64_FORMAT
                   ", blocking %" G_GINT64_FORMAT ", convoy %" G_GINT64_FORMAT ", lockstep %" G_GINT64_FORMAT
                   "; %" G_GINT64_FORMAT " equal to the event gear's; %" G_GINT64_FORMAT " paths; %" G_GINT64_FORMAT
                   " stuck; %" G_GINT64_FORMAT " with fewer ranks than p",
                   n->schedules, n->replays[GEAR_EVENT], n->replays[GEAR_DATAFLOW], n->replays[GEAR_BLOCKING],
                   n->replays[GEAR_CONVOY], n->replays[GEAR_LOCKSTEP], n->compared, n->paths, n->stuck, n->mirrored);
}
