#include "judge/prove/gears_proof.h"
#include "engine/model/model.h"
#include <math.h>
#include <string.h>

// ---- One replay is consistent ---------------------------------------------------------------------------------------

void gears_fail(const GearsCase *k, const Replay *r, const char *what)
{
    g_autofree char *where = k->name(k->of);
    char *wrong =
        g_strdup_printf("%s cut off %d, %s (%g, %g, %g), start %s, gear %s: %s", where, (int)k->cut_off,
                        cost_is_measured(&k->model) ? "measured" : transfer_names[k->model.transfer], k->model.alpha,
                        k->model.beta, k->model.gamma, k->start ? "skewed" : "0", gear_names[r->gear], what);
    if (!k->wrong)
        g_error("%s", wrong);
    if (*k->wrong)
        g_free(wrong);
    else
        *k->wrong = wrong;
}

bool gears_is_whole(double x)
{
    return x == floor(x);
}

// Times are compared exactly if all costs are integers, because sums are then exact, and within 1e-12 otherwise.
static bool equal_times(const GearsCase *k, double a, double b)
{
    const Site *site = k->model.site;
    bool whole = gears_is_whole(k->model.alpha) && gears_is_whole(k->model.beta) && gears_is_whole(k->model.gamma);
    for (int i = 0; site && i < site->n_terms; i++)
        whole = whole && gears_is_whole(site->term[i].value);
    return whole ? a == b : fabs(a - b) <= 1e-12 * fabs(a);
}

int gears_terms(const GearsCase *k, const Replay *r, const Stamp *x, int64_t *count)
{
    const Site *site = k->model.site;
    if (!site) {
        const Certificate c = certificate_of(x->n);
        certificate_counts(&c, count);
        return COST_TERMS;
    }
    g_assert_cmpint(site->n_terms, <=, GEARS_TERMS);
    memset(count, 0, (size_t)site->n_terms * sizeof *count);
    Site then = *site; // under measured, later replays of the case may have added terms
    then.n_terms = r->n_terms;
    site_counts(&then, r->field, x->n, count);
    for (int i = 0; i < r->n_terms; i++)
        if (r->field[i].word > 2)
            count[i] = -1;
    return site->n_terms;
}

// Returns the value of the counts in s, or -1 if some are not known.
static double value_of(const GearsCase *k, const int64_t *count, int n)
{
    for (int i = 0; i < n; i++)
        if (count[i] < 0)
            return -1;
    const Certificate c = {count[0], count[1], count[2]};
    return k->model.site ? site_time(k->model.site, count) : certificate_time(&c, &k->model);
}

// Returns true if the clock t is the certificate's time, counted from the start of some rank.
static bool explains(const GearsCase *k, double passed, double t)
{
    if (passed < 0)
        return true;
    if (!k->start)
        return equal_times(k, t, passed);
    for (int rank = 0; rank < k->s->p; rank++)
        if (equal_times(k, t, k->start[rank] + passed))
            return true;
    return false;
}

// Writes the replay's certificate to count[], by term.
static int run_terms(const GearsCase *k, const Replay *r, int64_t *count)
{
    const int n = k->model.site ? k->model.site->n_terms : COST_TERMS;
    if (k->model.site) {
        memset(count, 0, (size_t)n * sizeof *count);
        memcpy(count, r->count, (size_t)r->n_terms * sizeof *count);
    } else {
        certificate_counts(&r->certificate, count);
    }
    return n;
}

bool gears_same_terms(const int64_t *a, const int64_t *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != b[i] && a[i] >= 0 && b[i] >= 0)
            return false;
    return true;
}

// Fails unless every clock is its certificate's time, and the run's certificate and time are those of the lowest of the
// ranks that end last.
static void check_certificates(const GearsCase *k, const Replay *r)
{
    double last = -1;
    int last_rank = 0;
    int64_t count[GEARS_TERMS], run[GEARS_TERMS];
    for (int rank = 0; rank < k->s->p; rank++) {
        const Stamp *x = &r->clocks[rank];
        const int n = gears_terms(k, r, x, count);
        if (!explains(k, value_of(k, count, n), x->t))
            gears_fail(k, r, "a clock is not its certificate's time");
        if (x->t > last)
            last = x->t, last_rank = rank;
    }
    const int n = gears_terms(k, r, &r->clocks[last_rank], count);
    run_terms(k, r, run);
    if (!gears_same_terms(count, run, n))
        gears_fail(k, r, "the certificate is not that of the rank that ends last");
    if (r->time_s != (k->start ? last : value_of(k, run, n)))
        gears_fail(k, r, "time_s is not the last clock");
    if (cost_is_measured(&k->model))
        return;
    Certificate sum = {0};
    for (int i = 0; k->model.site && i < n; i++) {
        const TermKind kind = k->model.site->term[i].kind;
        int64_t *const of = kind == TERM_ALPHA ? &sum.alpha : kind == TERM_BETA ? &sum.beta : &sum.gamma;
        *of += kind == TERM_ALPHA || kind == TERM_BETA || kind == TERM_GAMMA ? run[i] : 0;
    }
    if (k->model.site && !certificate_equal(&sum, &r->certificate))
        gears_fail(k, r, "the certificate is not the sum of its levels");
}

// Returns true if ranks a and b are on one node.
static bool near(const Site *site, int a, int b)
{
    return site->map->nodes->of[a] == site->map->nodes->of[b];
}

// Returns true if the path can go on from a step to the next one: the rank of either took part in the other, or a
// node's resource served both.
static bool follows(const GearsCase *k, const PathStep *last, const PathStep *x)
{
    if (last->kind >= PATH_NIC || x->kind >= PATH_NIC)
        for (int i = 0; i < 4; i++) {
            const int a = i % 2 ? last->peer : last->rank, b = i / 2 ? x->peer : x->rank;
            if (a >= 0 && b >= 0 && near(k->model.site, a, b))
                return true;
        }
    const bool reduces = op_works(x->kind);
    return x->rank == last->rank || x->rank == last->peer || (!reduces && x->peer == last->rank) ||
           (!reduces && last->peer >= 0 && x->peer == last->peer);
}

// Returns the term of work that has a table.
static int work_term(const struct SitePrices *prices, WorkKind kind, uint64_t bytes)
{
    const WorkPrice *work = g_hash_table_lookup(prices->sized[kind], &bytes);
    return work->price.term;
}

// The same under measured. Shares are left out, because a step may have shares of several lengths.
static void pay_measured(const Site *site, const PathStep *x, int64_t *count)
{
    const struct SitePrices *prices = site->prices;
    if (op_works(x->kind)) {
        const WorkKind kind = (WorkKind)(x->kind - OP_REDUCE);
        if (prices->work[kind] < 0)
            count[work_term(prices, kind, x->bytes)]++;
        else if (x->value_s > 0)
            count[prices->work[kind]] += (int64_t)x->bytes;
    } else if (x->kind == PATH_NIC) {
        const bool limited = cost_nic_by_bytes(site, x->bytes);
        count[prices->nic + (limited ? 0 : 1)] += limited ? (int64_t)x->bytes : 1;
    } else if (x->price != PRICE_SHARE) {
        const bool far = x->price >= PRICE_FAR;
        const int term = prices_at((Site *)site, x->level, x->bytes)->of[far ? x->price - PRICE_FAR : x->price].term;
        g_assert_cmpint(term, >=, 0);
        if (far)
            count[prices->far_term]++;
        count[term]++;
    }
}

// Returns true if a path may go on anywhere: with several ports, a message may wait until the one before it in its
// rank's queue begins, which may be when that one's receiver is ready.
static bool may_jump(const GearsCase *k)
{
    return cost_is_measured(&k->model) && k->model.site->measured->ports > 1;
}

// Adds what a step pays to count[], by term.
static void pay(const GearsCase *k, const PathStep *x, int64_t *count)
{
    if (cost_is_measured(&k->model)) {
        pay_measured(k->model.site, x, count);
        return;
    }
    const Site *site = k->model.site;
    const int64_t bytes = (int64_t)x->bytes;
    if (!site) {
        count[0] += x->kind != OP_REDUCE;
        count[x->kind == OP_REDUCE ? 2 : 1] += bytes;
    } else if (x->kind == PATH_NIC) {
        const bool limited = (double)bytes * site->nic_byte >= site->nic_message;
        count[site->nic_term + !limited] += limited ? bytes : 1;
    } else if (x->kind == PATH_MEMORY) {
        count[site->memory_term + x->level] += (int64_t)cost_memory_bytes(site, x->bytes);
    } else {
        const Charge *c = x->kind == OP_REDUCE ? &site->work : &site->link[x->level].message;
        site_count_charge(site, c, x->bytes, count);
    }
}

static bool is_share(const GearsCase *k, int term)
{
    return cost_is_measured(&k->model) && k->model.site->term[term].kind == TERM_SHARE;
}

// Fails unless the steps of the path follow each other without a gap, each at a rank that the step before can lead to,
// and add up to the certificate.
static void check_path(const GearsCase *k, const Replay *r)
{
    const PathStep *last = NULL;
    const double begin = k->start ? k->start[r->origin] : 0;
    double end = 0;
    int64_t count[GEARS_TERMS] = {0}, run[GEARS_TERMS];
    const int n = run_terms(k, r, run);
    for (guint i = 0; i < r->path->len; i++) {
        const PathStep *x = &g_array_index(r->path, PathStep, i);
        const bool reduces = op_works(x->kind), receives = x->kind == OP_RECV;
        if (!reduces && !receives && x->kind != OP_SEND && x->kind != PATH_NIC && x->kind != PATH_MEMORY)
            gears_fail(k, r, "a step of the path has an unknown kind");
        if (receives && (k->model.transfer == TRANSFER_EAGER || k->model.transfer == TRANSFER_EAGER_PORT))
            gears_fail(k, r, "an eager path has a receive; only sends are on such paths");
        if (x->rank < 0 || x->rank >= k->s->p || x->peer >= k->s->p || (x->peer < 0) != reduces || x->rank == x->peer) {
            gears_fail(k, r, "a step of the path has an impossible rank or peer");
            return;
        }
        if (last && !may_jump(k) && !follows(k, last, x))
            gears_fail(k, r, "the path goes on at a rank that the step before does not lead to");
        pay(k, x, count);
        end += x->value_s;
        if (x->end_s != begin + (cost_is_measured(&k->model) ? end : value_of(k, count, n)))
            gears_fail(k, r, "the path has a gap");
        last = x;
    }
    if (cost_is_measured(&k->model) && !equal_times(k, end, k->start ? end : r->time_s))
        gears_fail(k, r, "the path does not end at the clock");
    for (int i = 0; i < n; i++)
        run[i] = is_share(k, i) ? 0 : run[i];
    if (!gears_same_terms(count, run, n))
        gears_fail(k, r, "the path does not end at the certificate");
}

// ---- Two gears ------------------------------------------------------------------------------------------------------

bool gears_same_stuck(const Stuck *a, const Stuck *b)
{
    return a->rank == b->rank && a->peer == b->peer && a->kind == b->kind && a->operation == b->operation &&
           a->bytes == b->bytes && a->left_over == b->left_over;
}

static bool same_step(const GearsCase *k, const PathStep *a, const PathStep *b)
{
    return a->rank == b->rank && a->peer == b->peer && a->kind == b->kind && a->bytes == b->bytes &&
           a->level == b->level && a->end_s == b->end_s &&
           (!cost_is_measured(&k->model) || (a->price == b->price && a->value_s == b->value_s));
}

static char *step_text(const PathStep *x)
{
    return g_strdup_printf("%d->%d kind %d price %d %d bytes level %d until %g", x->rank, x->peer, x->kind,
                           (int)x->price, (int)x->bytes, x->level, x->end_s);
}

char *gears_terms_text(const int64_t *count, int n)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; i < n; i++)
        g_string_append_printf(s, "%s%d", i ? ", " : "", (int)count[i]);
    return g_string_free(s, FALSE);
}

void gears_compare(const GearsCase *k, const Replay *oracle, const Replay *r)
{
    int64_t expected[GEARS_TERMS], got[GEARS_TERMS];
    for (int rank = 0; rank < k->s->p; rank++) {
        const Stamp *a = &oracle->clocks[rank], *b = &r->clocks[rank];
        const int n = gears_terms(k, oracle, a, expected);
        gears_terms(k, r, b, got);
        if (a->t != b->t || !gears_same_terms(expected, got, n)) {
            g_autofree char *of_a = gears_terms_text(expected, n), *of_b = gears_terms_text(got, n);
            g_autofree char *what = g_strdup_printf("rank %d ends at %.17g (%s), in the event gear at %.17g (%s)", rank,
                                                    b->t, of_b, a->t, of_a);
            gears_fail(k, r, what);
        }
    }
    const int n = run_terms(k, oracle, expected);
    run_terms(k, r, got);
    if (!gears_same_terms(expected, got, n))
        gears_fail(k, r, "the certificate differs from the event gear's");
    if (oracle->time_s != r->time_s)
        gears_fail(k, r, "the time differs from the event gear's");
    if (oracle->stuck->len != r->stuck->len) {
        gears_fail(k, r, "the number of stuck ranks differs from the event gear's");
        return;
    }
    for (guint i = 0; i < r->stuck->len; i++)
        if (!gears_same_stuck(&g_array_index(oracle->stuck, Stuck, i), &g_array_index(r->stuck, Stuck, i)))
            gears_fail(k, r, "a stuck rank differs from the event gear's");
    if (!oracle->path || !r->path)
        return;
    if (oracle->path->len != r->path->len) {
        gears_fail(k, r, "the length of the path differs from the event gear's");
        return;
    }
    for (guint i = 0; i < r->path->len; i++)
        if (!same_step(k, &g_array_index(oracle->path, PathStep, i), &g_array_index(r->path, PathStep, i))) {
            const PathStep *x = &g_array_index(oracle->path, PathStep, i), *y = &g_array_index(r->path, PathStep, i);
            g_autofree char *of_x = step_text(x), *of_y = step_text(y);
            g_autofree char *what = g_strdup_printf("step %u of the path is %s, in the event gear %s", i, of_y, of_x);
            gears_fail(k, r, what);
        }
}

bool gears_convoys(const Replay *r)
{
    return r->gear == GEAR_CHAIN && strstr(r->why, "neighbours");
}

Replay *gears_replay(const GearsCase *k, Gear gear, bool full, bool path, GearsCounts *n)
{
    const ReplayOptions o = {.gear = gear,
                             .start = k->start,
                             .full = full && gear != GEAR_CHAIN,
                             .convoys = full,
                             .clocks = true,
                             .path = path};
    if (!replay_gear_applies(k->s, &k->model, &o, gear))
        return NULL;
    Replay *r = replay(k->s, &k->model, &o, NULL);
    check_certificates(k, r);
    if (path)
        check_path(k, r);
    n->replays[gear == GEAR_AUTO ? gear : r->gear]++;
    n->convoys += gear == GEAR_CHAIN && gears_convoys(r);
    n->paths += path;
    return r;
}

void gears_agree(const GearsCase *k, uint32_t dice, GearsCounts *n)
{
    g_autoptr(Replay) oracle = gears_replay(k, GEAR_EVENT, true, dice & 2, n);
    if (!k->cut_off && oracle->stuck->len)
        gears_fail(k, oracle, "ranks are stuck");
    n->stuck += oracle->stuck->len > 0;
    const int period = schedule_period(k->s);
    const bool mirror =
        !k->start && period < k->s->p && (!k->model.site || site_period(k->model.site, k->s, period) < k->s->p);
    for (int gear = GEAR_AUTO; gear <= GEAR_LOCKSTEP; gear++) // GEAR_AUTO may join two gears in one replay
        for (int full = 0; full < 2; full++) {
            if ((gear == GEAR_AUTO && full) || (gear == GEAR_EVENT && (full || !mirror)) ||
                (gear == GEAR_FLOW && full && !mirror))
                continue;
            const bool path = (dice & 2) && (gear != GEAR_LOCKSTEP || full == (int)(dice & 1));
            g_autoptr(Replay) r = gears_replay(k, (Gear)gear, full, path, n);
            if (r)
                gears_compare(k, oracle, r), n->compared++;
            n->mirrored += r && r->simulated < k->s->p;
        }
}
