#include "engine/model/same_path.h"
#include "engine/schedule/kept.h"
#include <float.h>
#include <string.h>

// A run of so few messages goes to its end although the caller has no use for more, because its certificate may serve
// the caller the next time.
enum { FEW_MESSAGES = 1 << 16 };

// What is kept of a run.
typedef struct SamePath {
    Transfer transfer;
    Gear gear;
    const char *why;
    int64_t simulated;
    Certificate certificate;
    bool same; // the certificate is the same with all figures
} SamePath;
_Static_assert(sizeof(SamePath) <= KEPT_FACT, "kept as a fact");

// Returns true if the clocks of a run with these counts are exact enough to show its longest chain. Any other chain pays
// at least a message or a byte less, and clocks are sums whose roundings must not add up to that.
static bool shows_chain(const Certificate *c, const Hockney *h)
{
    const double rounding_s = 4 * (double)c->alpha * DBL_EPSILON * certificate_time(c, h);
    return h->alpha > rounding_s && h->beta > rounding_s && (c->gamma == 0 || h->gamma > rounding_s);
}

// Returns the most that a chain pays of each of the three, in *most. Each comes from a run in which nothing else costs
// anything. Returns false if these cannot run.
static bool most_of_each(const Schedule *s, Transfer transfer, Certificate *most)
{
    int64_t *const count[] = {&most->alpha, &most->beta, &most->gamma};
    *most = (Certificate){0};
    for (int k = 0; k < (s->kinds & 1u << OP_REDUCE ? 3 : 2); k++) {
        const Hockney one = {k == 0, k == 1, k == 2, transfer, NULL};
        g_autoptr(Replay) r = replay(s, &one, &(ReplayOptions){.clock_only = true}, NULL);
        if (!r)
            return false;
        *count[k] = (int64_t)r->clock_s;
    }
    return true;
}

static Replay *replay_known(const SamePath *known, const Hockney *h)
{
    Replay *const r = replay_new((int)known->simulated, false);
    r->gear = known->gear;
    r->why = known->why;
    r->fixed = true;
    r->certificate = known->certificate;
    r->time_s = certificate_time(&known->certificate, h);
    return r;
}

// Keeps a run, and whether its certificate is the same with all figures.
static void keep_path(const Operation *op, const Schedule *s, const Hockney *h, const Replay *r)
{
    SamePath known = {h->transfer, r->gear, r->why, r->simulated, r->certificate, false};
    Certificate most;
    if (r->fixed && r->stuck->len == 0 && shows_chain(&r->certificate, h) && most_of_each(s, h->transfer, &most))
        known.same = memcmp(&most, &r->certificate, sizeof most) == 0;
    kept_note(op, KEPT_PATH, &known, sizeof known);
}

// Finds a run of these messages whose certificate is the same with these figures. Sets *seen to whether any was kept.
static bool find(const Operation *op, const Hockney *h, SamePath *known, bool *seen)
{
    *seen = kept_find(op, KEPT_PATH, known, sizeof *known) && known->transfer == h->transfer;
    return *seen && known->same && shows_chain(&known->certificate, h);
}

bool same_path_time(const Operation *op, const Hockney *h, double *time_s)
{
    SamePath known;
    bool seen;
    if (h->site || !find(op, h, &known, &seen))
        return false;
    *time_s = certificate_time(&known.certificate, h);
    return true;
}

Replay *same_path_replay(const Operation *op, const Schedule *s, const Hockney *h, const ReplayOptions *o,
                         GError **error)
{
    SamePath known;
    bool seen;
    if (h->site || o->start || o->full || o->clocks || o->clock_only || o->path || !kept_takes(op))
        return replay(s, h, o, error);
    if (find(op, h, &known, &seen))
        return replay_known(&known, h);
    ReplayOptions options = *o;
    if (!seen && schedule_totals(s).messages <= FEW_MESSAGES)
        options.enough_s = 0;
    Replay *const r = replay(s, h, &options, error);
    if (r && !seen && !r->beyond)
        keep_path(op, s, h, r);
    return r;
}
