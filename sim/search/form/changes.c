#include "search/form/changes.h"
#include <math.h>

static const Duel *tried(const CrossoverSearch *s, guint i)
{
    return &g_array_index(s->tried, Duel, i);
}

guint changes_place(const CrossoverSearch *s, size_t m)
{
    guint low = 0, high = s->tried->len;
    while (low < high) {
        const guint mid = (low + high) / 2;
        if (tried(s, mid)->m < m)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

const Duel *changes_at(const CrossoverSearch *s, size_t m)
{
    const guint i = changes_place(s, m);
    return i < s->tried->len && tried(s, i)->m == m ? tried(s, i) : NULL;
}

// ---- Crossovers -----------------------------------------------------------------------------------------------------

// One change of winner: two sizes that were tried, between which nobody wins.
typedef struct ChangeSpot {
    const Duel *last, *next;
} ChangeSpot;

static GArray *all_changes(const CrossoverSearch *s)
{
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(ChangeSpot));
    const Duel *before = NULL;
    for (guint i = 0; i < s->tried->len; i++) {
        const Duel *d = tried(s, i);
        if (d->winner < 0)
            continue;
        const ChangeSpot change = {before, d};
        if (before && before->winner != d->winner)
            g_array_append_val(changes, change);
        before = d;
    }
    return changes;
}

static void add_crossover(CrossoverSearch *s, const ChangeSpot *first, int n)
{
    const Crossover x = {.last = *first[n - 1].last, .next = *first[n - 1].next, .before = *first->last, .changes = n};
    g_array_append_val(s->found, x);
}

void changes_find(CrossoverSearch *s)
{
    g_autoptr(GArray) changes = all_changes(s);
    const ChangeSpot *all = (const ChangeSpot *)(const void *)changes->data;
    g_array_set_size(s->found, 0);
    for (guint i = 0, end; i < changes->len; i = end) {
        for (end = i + 1; end < changes->len && all[end].last->m < 2 * all[end - 1].next->m;)
            end++;
        const guint odd = (end - i) % 2 ? 0 : 1; // of an even number, the first is a crossover of its own
        if (odd)
            add_crossover(s, &all[i], 1);
        add_crossover(s, &all[i + odd], (int)(end - i - odd));
    }
}

// ---- Proofs ---------------------------------------------------------------------------------------------------------

// A time as a linear function of the size.
typedef struct ChangeLine {
    double at_0, per_byte;
} ChangeLine;

// Returns TRUE, and the line, if three times of one algorithm lie on it.
static gboolean on_line(const Duel *const point[3], int i, ChangeLine *line)
{
    const double m[] = {(double)point[0]->m, (double)point[1]->m, (double)point[2]->m};
    line->per_byte = (point[2]->time_s[i] - point[0]->time_s[i]) / (m[2] - m[0]);
    line->at_0 = point[0]->time_s[i] - line->per_byte * m[0];
    return line->per_byte >= 0 &&
           fabs(line->at_0 + line->per_byte * m[1] - point[1]->time_s[i]) <= 1e-11 * point[1]->time_s[i];
}

static double line_at(const ChangeLine *line, double m)
{
    return line->at_0 + line->per_byte * m;
}

gboolean changes_prove(const CrossoverSearch *s, const Duel *const point[3], ChangeProof *proof)
{
    ChangeLine line[2];
    for (int k = 0; k < 3; k++)
        if (!point[k]->fair || !point[k]->fixed || point[k]->winner < 0 || point[k]->winner != point[0]->winner)
            return FALSE;
    for (int i = 0; i < 2; i++)
        if (point[0]->sent[i] != point[1]->sent[i] || point[0]->sent[i] != point[2]->sent[i] ||
            !on_line(point, i, &line[i]))
            return FALSE;
    // A part of the winner's messages is as long as at the next multiple, and one of the other's by `blocks` elements
    // shorter than at the one below, which a size that is smaller by blocks^2 elements is sure to give.
    const int winner = point[0]->winner;
    const double unit = (double)s->unit, shorter = (double)s->blocks * (double)s->blocks * (double)s->element;
    for (int k = 0; k < 3; k += 2) {
        const double m = (double)point[k]->m, most = line_at(&line[winner], m + unit),
                     least = line_at(&line[!winner], m - unit - shorter);
        if (!(most * (1 + 1e-9) < least)) // the margin is far above the rounding that on_line allows
            return FALSE;
    }
    *proof = (ChangeProof){point[0]->m, point[2]->m, winner};
    return TRUE;
}

// ---- Stretches ------------------------------------------------------------------------------------------------------

// Returns TRUE if the winner between two neighbours among the tried sizes is known: no size lies between them, or a
// proof covers these.
static gboolean closed(const CrossoverSearch *s, const GArray *proofs, const Duel *low, const Duel *high, int winner)
{
    gboolean known = high->m - low->m <= s->element;
    for (guint i = 0; i < proofs->len && !known; i++) {
        const ChangeProof *proof = &g_array_index(proofs, ChangeProof, i);
        known = proof->winner == winner && proof->from <= low->m && high->m <= proof->to;
    }
    return known;
}

static void add_stretch(CrossoverSearch *s, const GArray *proofs, int winner, size_t from, size_t to)
{
    DuelStretch x = {.winner = winner, .from = from, .to = to};
    const guint first = changes_place(s, from);
    size_t begin = 0; // the winner is known from this size on up to the current one
    for (guint i = first; i < s->tried->len && tried(s, i)->m <= to; i++) {
        const Duel *d = tried(s, i);
        x.tried += d->fair;
        x.ties += d->fair && d->winner < 0;
        if (winner < 0 || d->winner != winner)
            begin = 0;
        else if (begin == 0 || !closed(s, proofs, tried(s, i - 1), d, winner))
            begin = d->m;
        else if (d->m - begin > x.proven_to - x.proven_from) {
            x.proven_from = begin;
            x.proven_to = d->m;
        }
    }
    g_array_append_val(s->stretches, x);
}

void changes_stretches(CrossoverSearch *s, const GArray *proofs)
{
    g_array_set_size(s->stretches, 0);
    size_t from = s->first.m;
    int winner = -1;
    for (guint i = 0; i < s->tried->len && winner < 0; i++)
        winner = tried(s, i)->winner;
    for (guint i = 0; i < s->found->len; i++) {
        const Crossover *c = &g_array_index(s->found, Crossover, i);
        add_stretch(s, proofs, c->before.winner, from, c->before.m);
        from = c->next.m;
        winner = c->next.winner;
    }
    add_stretch(s, proofs, winner, from, s->final.m);
}
