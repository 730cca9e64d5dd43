#include "search/form/crossover.h"
#include "search/form/changes.h"
#include <float.h>
#include <math.h>

int duel_winner(const int64_t *first, const int64_t *second, const double *figure, int n)
{
    double lead = 0, all = 0;
    for (int i = 0; i < n; i++) {
        const double x = (double)(first[i] - second[i]) * figure[i];
        lead += x;
        all += fabs(x);
    }
    return fabs(lead) <= 8 * DBL_EPSILON * all ? -1 : lead > 0;
}

// A step is a size of the doubling.
enum {
    MOST_MESSAGES = 4000000, // a step with more messages is the last one if messages grow with the size
    ROUNDS = 16,             // of tries near crossovers
    NEAR = 8                 // tries of a round in each range near a crossover
};

// How many messages may be simulated for sizes between steps, and how many of them a size counts for at least.
enum {
    CHANGE = 500000000, // between each two steps that different algorithms win, to find all changes if no time falls
    CHANGE_SIZE = 250000,
    SAME = 10000000, // the same between all other steps together
    SAME_SIZE = 25000,
    BLIND = 20000000, // for sizes that find changes if a time falls, all together
    BLIND_SIZE = 25000
};

static uint64_t messages(const Duel *d)
{
    return d->sent[0] + d->sent[1];
}

// Runs both at size m, unless they ran there before.
static gboolean duel_at(CrossoverSearch *s, size_t m, Duel *duel, GError **error)
{
    const guint i = changes_place(s, m);
    const Duel *known = changes_at(s, m);
    if (known) {
        *duel = *known;
        return TRUE;
    }
    *duel = (Duel){.m = m};
    if (!s->run(duel, s->data, error))
        return FALSE;
    if (!duel->fair)
        duel->winner = -1;
    g_array_insert_val(s->tried, i, *duel);
    return TRUE;
}

// ---- Bisection ------------------------------------------------------------------------------------------------------

// Returns a size between two that are more than one element apart.
static size_t middle(const CrossoverSearch *s, size_t low, size_t high)
{
    const size_t step = high - low > 2 * s->blocks * s->element ? s->blocks * s->element : s->element;
    return (low + (high - low) / 2) / step * step;
}

// Bisects until low and high are one element apart. what(duel, of) is true at `high` and false at `low`, and stays so.
static gboolean halve(CrossoverSearch *s, Duel *low, Duel *high, gboolean (*what)(const Duel *d, int of), int of,
                      GError **error)
{
    while (high->m - low->m > s->element) {
        Duel mid;
        if (!duel_at(s, middle(s, low->m, high->m), &mid, error))
            return FALSE;
        *(what(&mid, of) ? high : low) = mid;
    }
    return TRUE;
}

static gboolean is_fair(const Duel *d, int of)
{
    (void)of;
    return d->fair;
}

static gboolean wins(const Duel *d, int of)
{
    return d->winner == of;
}

static gboolean does_not_win(const Duel *d, int of)
{
    return d->winner != of;
}

// Tries sizes between two that different algorithms win, until one with another winner is next to each. Sets *changed
// if it tries any.
static gboolean sharpen(CrossoverSearch *s, const Duel *last, const Duel *next, gboolean *changed, GError **error)
{
    if (next->m - last->m <= s->element || (changes_at(s, last->m + s->element) && changes_at(s, next->m - s->element)))
        return TRUE;
    Duel low = *last, high = *next, after;
    *changed = TRUE;
    if (!halve(s, &low, &high, wins, next->winner, error))
        return FALSE;
    after = low;
    low = *last;
    return after.winner == last->winner || halve(s, &low, &after, does_not_win, last->winner, error);
}

// Sharpens both ends of each crossover, as often as new crossovers appear.
static gboolean sharpen_all(CrossoverSearch *s, GError **error)
{
    for (gboolean changed = TRUE; changed;) {
        changed = FALSE;
        changes_find(s);
        for (guint i = 0; i < s->found->len; i++) {
            const Crossover *c = &g_array_index(s->found, Crossover, i);
            const Duel *next = &g_array_index(s->tried, Duel, changes_place(s, c->before.m));
            const Duel first = c->before;
            do // the change after `before`
                next++;
            while (next->winner < 0 || next->winner == first.winner);
            const Duel second = *next; // trying a size moves the array
            if (!sharpen(s, &c->last, &c->next, &changed, error) || !sharpen(s, &first, &second, &changed, error))
                return FALSE;
        }
    }
    return TRUE;
}

// ---- Sizes between the steps ----------------------------------------------------------------------------------------

// Returns true if no size between the two needs a try if no time falls: one algorithm wins at all of them, or neither
// time changes.
static gboolean settled(const Duel *low, const Duel *high)
{
    return low->fair && high->fair &&
           (high->time_s[0] < low->time_s[1] || high->time_s[1] < low->time_s[0] ||
            (low->time_s[0] == high->time_s[0] && low->time_s[1] == high->time_s[1] && low->winner == high->winner));
}

// Tries sizes until the winner at every size between the two is known if no time falls, or until the messages in *open
// are used up. Each size uses at least `least` messages.
static gboolean settle(CrossoverSearch *s, const Duel *low, const Duel *high, int64_t least, int64_t *open,
                       GError **error)
{
    if (high->m - low->m <= s->element || settled(low, high) || *open <= 0)
        return TRUE;
    Duel mid;
    *open -= MAX((int64_t)MAX(messages(low), messages(high)), least);
    return duel_at(s, middle(s, low->m, high->m), &mid, error) && settle(s, low, &mid, least, open, error) &&
           settle(s, &mid, high, least, open, error);
}

// Tries n sizes spread between two. Every second one is a multiple of `blocks` elements, and the others have remainders
// that depend on `seed`.
static gboolean spread(CrossoverSearch *s, size_t low, size_t high, guint n, guint seed, int64_t *open, GError **error)
{
    const size_t first = low / s->element, elements = high / s->element - first;
    for (guint i = 1; i <= n && *open > 0 && elements > 1; i++) {
        Duel d;
        size_t at = elements <= n + 1 ? first + i : first + elements * i / (n + 1);
        if (elements > n + 1)
            at = at / s->blocks * s->blocks + (i % 2 ? (i + n * seed) * 2654435761u % s->blocks : 0);
        if (at <= first || at >= first + elements)
            continue;
        if (!duel_at(s, at * s->element, &d, error))
            return FALSE;
        *open -= (int64_t)MAX(messages(&d), BLIND_SIZE);
    }
    return TRUE;
}

static gboolean is_proven(const GArray *proofs, const Duel *low, const Duel *high)
{
    gboolean known = FALSE;
    for (guint i = 0; i < proofs->len; i++) {
        const ChangeProof *proof = &g_array_index(proofs, ChangeProof, i);
        known |= proof->from <= low->m && high->m <= proof->to;
    }
    return known;
}

// Proves who wins as many sizes as possible, step by step.
static gboolean prove(CrossoverSearch *s, const GArray *steps, GArray *proofs, GError **error)
{
    Duel point[3] = {{.m = 0}};
    guint n = 0;
    for (guint i = 0; i < steps->len && s->unit > 0; i++) {
        const Duel *step = &g_array_index(steps, Duel, i);
        const size_t up = step->m % s->unit > 0 && i + 1 < steps->len, m = (step->m / s->unit + up) * s->unit;
        if (!step->fixed || m < s->first.m || m > s->final.m || (n > 0 && m == point[(n - 1) % 3].m))
            continue;
        if (!duel_at(s, m, &point[n++ % 3], error))
            return FALSE;
        const Duel *const three[] = {&point[n % 3], &point[(n + 1) % 3], &point[(n + 2) % 3]};
        ChangeProof proof;
        if (n < 3 || !changes_prove(s, three, &proof))
            continue;
        ChangeProof *last = proofs->len ? &g_array_index(proofs, ChangeProof, proofs->len - 1) : NULL;
        if (last && last->winner == proof.winner && last->to >= proof.from)
            last->to = proof.to;
        else
            g_array_append_val(proofs, proof);
    }
    return TRUE;
}

// Messages that may be simulated for sizes of each kind.
typedef struct Budget {
    int64_t same;  // between steps that one algorithm wins, if no time falls
    int64_t blind; // where a time may fall
} Budget;

// Tries sizes between all steps. What is left of a budget is shared by the steps that are left.
static gboolean explore(CrossoverSearch *s, const GArray *steps, const GArray *proofs, Budget *budget, GError **error)
{
    for (guint i = 0; i + 1 < steps->len; i++) {
        const Duel *low = &g_array_index(steps, Duel, i), *high = low + 1;
        const gboolean same = low->winner == high->winner, rely = s->tries == 0, fixed = low->fixed && high->fixed;
        const int64_t left = steps->len - i, settling = same ? budget->same / left : CHANGE,
                      blind = budget->blind / left;
        int64_t open = settling, open_blind = blind;
        if (is_proven(proofs, low, high) || (rely && same))
            continue;
        if (((fixed || rely) && (!same || (int64_t)messages(high) <= settling) &&
             !settle(s, low, high, same ? SAME_SIZE : CHANGE_SIZE, &open, error)) ||
            ((int64_t)messages(high) <= blind &&
             !spread(s, low->m, high->m, fixed ? s->tries / 4 : s->tries, 0, &open_blind, error)))
            return FALSE;
        budget->same -= same ? settling - open : 0;
        budget->blind -= blind - open_blind;
    }
    return TRUE;
}

// Tries more sizes on both sides of each crossover, until no round shows another change.
static gboolean look_around(CrossoverSearch *s, Budget *budget, GError **error)
{
    guint found = 0;
    for (guint round = 1; round <= ROUNDS && budget->blind > 0; round++) {
        const guint before = s->tried->len;
        guint changes = 0;
        for (guint i = 0; i < s->found->len; i++)
            changes += (guint)g_array_index(s->found, Crossover, i).changes;
        if (round > 2 && changes == found)
            return TRUE;
        found = changes;
        for (guint i = 0; i < s->found->len; i++) {
            const Crossover c = g_array_index(s->found, Crossover, i);
            const size_t near = (NEAR + 1) * s->element, least = s->first.m, most = s->final.m;
            const size_t down = c.before.m, up = c.next.m;
            const size_t ranges[][2] = {{down - MIN(near, down - least), down},
                                        {down - MIN(down / 2, down - least), down},
                                        {up, up + MIN(near, most - up)},
                                        {up, up + MIN(up, most - up)}};
            for (guint k = 0; k < G_N_ELEMENTS(ranges); k++)
                if (!spread(s, ranges[k][0], ranges[k][1], NEAR, round, &budget->blind, error))
                    return FALSE;
        }
        if (s->tried->len == before)
            return TRUE;
        if (!sharpen_all(s, error))
            return FALSE;
    }
    return TRUE;
}

// ---- The search -----------------------------------------------------------------------------------------------------

// Finds the smallest size at which both run. `step` is the first step at which they do, `before` is the step before it.
static gboolean begin(CrossoverSearch *s, const Duel *before, const Duel *step, GError **error)
{
    s->first = *step;
    s->alone = *before;
    return before->m == 0 || halve(s, &s->alone, &s->first, is_fair, 0, error);
}

// Runs both at all steps. Appends those at which both run to `steps`; the first of these is the smallest size at which
// both run.
static gboolean double_up(CrossoverSearch *s, GArray *steps, GError **error)
{
    Duel before = {.winner = -1}; // the step before
    for (size_t m = s->element; m <= s->most; m *= 2) {
        Duel step;
        if (!duel_at(s, m, &step, error))
            return FALSE;
        if (step.fair && !s->first.fair) {
            if (!begin(s, &before, &step, error))
                return FALSE;
            if (s->first.m < step.m)
                g_array_append_val(steps, s->first);
        }
        if (step.fair) {
            g_array_append_val(steps, step);
            *(step.winner < 0 ? &s->equal : &s->wins[step.winner]) += 1;
        }
        const gboolean growing = before.fair && messages(&step) > messages(&before) + messages(&before) / 2;
        s->final = before = step;
        if (messages(&step) > MOST_MESSAGES && growing)
            break;
    }
    return TRUE;
}

gboolean crossover_search(CrossoverSearch *s, GError **error)
{
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(Duel)),
                      proofs = g_array_new(FALSE, FALSE, sizeof(ChangeProof));
    Budget budget = {SAME, BLIND};
    s->found = g_array_new(FALSE, FALSE, sizeof(Crossover));
    s->stretches = g_array_new(FALSE, FALSE, sizeof(DuelStretch));
    s->tried = g_array_new(FALSE, FALSE, sizeof(Duel));
    if (!double_up(s, steps, error))
        return FALSE;
    if (!s->first.fair)
        return TRUE;
    if (!prove(s, steps, proofs, error) || !explore(s, steps, proofs, &budget, error) || !sharpen_all(s, error) ||
        (s->tries > 0 && !look_around(s, &budget, error)))
        return FALSE;
    changes_stretches(s, proofs);
    return TRUE;
}

void crossover_search_clear(CrossoverSearch *s)
{
    g_clear_pointer(&s->found, g_array_unref);
    g_clear_pointer(&s->stretches, g_array_unref);
    g_clear_pointer(&s->tried, g_array_unref);
}
