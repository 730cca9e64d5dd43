#include "form/crossover.h"
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
    OPEN = 500000000,       // messages to simulate between two steps when looking for further changes
    OPEN_SIZE = 250000,     // a size counts for at least this many of them
    MOST_MESSAGES = 4000000 // a step with more messages is the last one if messages grow with the size
};

// Returns the index of size m in s->tried, or the index at which to insert it.
static guint place_of(const CrossoverSearch *s, size_t m)
{
    guint low = 0, high = s->tried->len;
    while (low < high) {
        const guint mid = (low + high) / 2;
        if (g_array_index(s->tried, Duel, mid).m < m)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

// Runs both at size m, unless they ran there before.
static gboolean duel_at(CrossoverSearch *s, size_t m, Duel *duel, GError **error)
{
    const guint i = place_of(s, m);
    if (i < s->tried->len && g_array_index(s->tried, Duel, i).m == m) {
        *duel = g_array_index(s->tried, Duel, i);
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

// Returns true if no size between the two needs a try: one algorithm wins at all of them, or neither time changes.
static gboolean settled(const Duel *low, const Duel *high)
{
    return low->fair && high->fair &&
           (high->time_s[0] < low->time_s[1] || high->time_s[1] < low->time_s[0] ||
            (low->time_s[0] == high->time_s[0] && low->time_s[1] == high->time_s[1] && low->winner == high->winner));
}

// Tries sizes until the winner at every size between the two is known, or until the messages in *open are used up.
static gboolean settle(CrossoverSearch *s, const Duel *low, const Duel *high, int64_t *open, GError **error)
{
    if (high->m - low->m <= s->element || settled(low, high) || *open <= 0)
        return TRUE;
    Duel mid;
    *open -= (int64_t)MAX(MAX(low->messages, high->messages), OPEN_SIZE);
    return duel_at(s, middle(s, low->m, high->m), &mid, error) && settle(s, low, &mid, open, error) &&
           settle(s, &mid, high, open, error);
}

// Finds the crossover between two sizes that different algorithms win.
static gboolean cross(CrossoverSearch *s, const Duel *low, const Duel *high, GError **error)
{
    Crossover x = {.last = *low, .next = *high};
    if (!halve(s, &x.last, &x.next, wins, high->winner, error))
        return FALSE;
    if (x.last.winner != low->winner) { // between the two lie sizes at which they tie or do not both run
        Duel after = x.last;
        x.last = *low;
        if (!halve(s, &x.last, &after, does_not_win, low->winner, error))
            return FALSE;
    }
    x.before = x.last;
    int64_t open = OPEN;
    if (!settle(s, low, high, &open, error))
        return FALSE;
    // Now the sizes that were tried show every change of winner.
    const Duel *before = NULL;
    for (guint i = place_of(s, low->m); open > 0 && g_array_index(s->tried, Duel, i).m <= high->m; i++) {
        const Duel *d = &g_array_index(s->tried, Duel, i);
        if (d->winner < 0)
            continue;
        if (before && d->winner != before->winner) {
            x.last = *before;
            x.next = *d;
            if (x.changes++ == 0)
                x.before = *before;
        }
        before = d;
        if (i + 1 == s->tried->len)
            break;
    }
    g_array_append_val(s->found, x);
    return TRUE;
}

// Finds the smallest size at which both run. `step` is the first step at which they do, `before` is the step before it.
static gboolean begin(CrossoverSearch *s, const Duel *before, const Duel *step, GError **error)
{
    s->first = *step;
    s->alone = *before;
    return before->m == 0 || halve(s, &s->alone, &s->first, is_fair, 0, error);
}

gboolean crossover_search(CrossoverSearch *s, GError **error)
{
    Duel before = {.winner = -1}, winner = {.winner = -1}; // the step before; the last size that one of them won
    s->found = g_array_new(FALSE, FALSE, sizeof(Crossover));
    s->tried = g_array_new(FALSE, FALSE, sizeof(Duel));
    for (size_t m = s->element; m <= s->most; m *= 2) {
        Duel step;
        if (!duel_at(s, m, &step, error))
            return FALSE;
        if (step.fair && !s->first.fair && !begin(s, &before, &step, error))
            return FALSE;
        if (step.fair) {
            if (winner.winner < 0)
                winner = s->first;
            if (winner.winner >= 0 && step.winner >= 0 && step.winner != winner.winner &&
                !cross(s, &winner, &step, error))
                return FALSE;
            if (step.winner >= 0)
                winner = step;
            *(step.winner < 0 ? &s->equal : &s->wins[step.winner]) += 1;
        }
        const gboolean growing = before.fair && step.messages > before.messages + before.messages / 2;
        s->final = before = step;
        if (step.messages > MOST_MESSAGES && growing)
            break;
    }
    return TRUE;
}

void crossover_search_clear(CrossoverSearch *s)
{
    g_clear_pointer(&s->found, g_array_unref);
    g_clear_pointer(&s->tried, g_array_unref);
}
