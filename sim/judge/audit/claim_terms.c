// Searches for a few terms that add up to given values: tries all sets of one atom, then of two, up to MAX_SUM.
//
// This is a depth-first search with Gaussian elimination. When an atom is chosen, it is eliminated from the values y
// and from all later atoms. In the end what is left of y must be a multiple of what is left of the last atom, so that
// the search only compares values, and solves equations only for a set that fits.
//
// Example: y = 7, 9, 11, 13 at p = 2, 3, 4, 5, with the atoms 1 and p. The search chooses 1 and eliminates it so that
// the first row becomes 0: it takes 7 times 1 from y, which leaves 0, 2, 4, 6, and 2 times 1 from p, which leaves 0, 1,
// 2, 3. The first is twice the second, so 1 and p fit; then solve() finds y = 3 + 2*p.
#include "judge/audit/grammar.h"
#include <glib.h>
#include <math.h>
#include <string.h>

enum { MAX_FIT = 12 };
static const double slack = 1e-8; // relative; the search is generous, because holds() checks what it finds

typedef struct TermSearch {
    const Words *w;
    const double *y;
    int n, row[MAX_FIT];            // the places that are fitted, one row for each
    double norm[MAX_ATOMS], y_norm; // the largest absolute value in the rows of each atom, and of y
    double left[MAX_SUM][MAX_ATOMS][MAX_FIT], y_left[MAX_SUM][MAX_FIT]; // the rows after each number of eliminations
    int size, chosen[MAX_SUM]; // the size of the sets that are tried now, and the words in the set
    Term best[MAX_SUM];        // the best sum so far
    double weight;             // the weight of `best`; INFINITY if none was found yet
} TermSearch;

// Returns the row with the largest absolute value.
static int largest_row(const double *x, int n)
{
    int r = 0;
    for (int i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[r]))
            r = i;
    return r;
}

// ---- A set that fits ------------------------------------------------------------------------------------------------

// Sets num and den of the term to the fraction that x is. Returns false if x is 0, or is not a fraction with a
// denominator of 1, 2, 3, 4 or 8 and a numerator of at most `most`.
static bool fraction(double x, int most, Term *t)
{
    static const int dens[] = {1, 2, 3, 4, 8};
    for (size_t i = 0; i < G_N_ELEMENTS(dens); i++) {
        const double num = rint(x * dens[i]);
        if (fabs(x * dens[i] - num) <= 1e-6 * fmax(1, fabs(num)) && num != 0) {
            t->num = (int)num;
            t->den = dens[i];
            return fabs(num) <= most;
        }
    }
    return false;
}

static double term_weight(const Term *t)
{
    return atoms[t->atom].weight + (abs(t->num) > 1 ? 0.2 + 0.05 * log2(abs(t->num)) : 0) + (t->den > 1 ? 0.3 : 0) +
           (t->num < 0 ? 0.05 : 0);
}

// Solves for the coefficients x of the chosen atoms that give y in the fitted rows, by Gaussian elimination with
// pivots. Returns false if the atoms are linearly dependent in these rows.
static bool solve(const TermSearch *s, double *x)
{
    double a[MAX_FIT][MAX_SUM + 1];
    const int n = s->size;
    for (int r = 0; r < s->n; r++) {
        for (int j = 0; j < n; j++)
            a[r][j] = s->w->value[s->chosen[j]][s->row[r]];
        a[r][n] = s->y[s->row[r]];
    }
    for (int j = 0; j < n; j++) {
        int pivot = j;
        for (int r = j; r < s->n; r++)
            if (fabs(a[r][j]) > fabs(a[pivot][j]))
                pivot = r;
        if (a[pivot][j] == 0)
            return false;
        double row[MAX_SUM + 1];
        memcpy(row, a[pivot], sizeof row);
        memcpy(a[pivot], a[j], sizeof row);
        memcpy(a[j], row, sizeof row);
        for (int r = 0; r < s->n; r++) {
            const double f = a[r][j] / a[j][j];
            for (int c = j; c <= n && r != j; c++)
                a[r][c] -= f * a[j][c];
        }
    }
    for (int j = 0; j < n; j++)
        x[j] = a[j][n] / a[j][j];
    return true;
}

// Returns true if the terms add up to y at all places, also at those that were not fitted.
static bool holds(const TermSearch *s, const Term *terms)
{
    for (int i = 0; i < s->w->n_places; i++) {
        double sum = 0, size = fabs(s->y[i]);
        for (int j = 0; j < s->size; j++) {
            const double x = s->w->value[s->chosen[j]][i] * terms[j].num / terms[j].den;
            sum += x;
            size += fabs(x);
        }
        if (fabs(sum - s->y[i]) > 1e-10 * size) // a comparison with NAN is false, so a place where y is NAN fits
            return false;
    }
    return true;
}

// Keeps the chosen set as the best sum if its coefficients are simple fractions, it holds, and it weighs less.
// Numerators above 64 are accepted only in sums of one or two terms; in longer ones they are probably a coincidence.
static void take(TermSearch *s)
{
    double x[MAX_SUM], weight = 0;
    Term terms[MAX_SUM];
    if (!solve(s, x))
        return;
    for (int j = 0; j < s->size; j++) {
        terms[j].atom = s->w->atom[s->chosen[j]];
        if (!fraction(x[j], s->size <= 2 ? 1 << 30 : 64, &terms[j]))
            return;
        weight += term_weight(&terms[j]);
    }
    if (weight < s->weight && holds(s, terms)) {
        s->weight = weight;
        memcpy(s->best, terms, sizeof terms);
    }
}

// ---- All sets -------------------------------------------------------------------------------------------------------

// Chooses the last atom of a set, from word `from` on. The atom chosen before it, `by`, with its pivot row, is
// eliminated from y but not yet from the later atoms. We do that row by row during the comparison, because most atoms
// differ from y in the first rows already.
static void choose_last(TermSearch *s, int depth, int from, const double *by, int pivot)
{
    const double *y = s->y_left[depth];
    const int row = largest_row(y, s->n);
    if (fabs(y[row]) <= slack * s->y_norm)
        return; // the atoms chosen so far suffice, and that smaller set was tried before
    for (int i = from; i < s->w->n; i++) {
        const double *atom = s->left[MAX(0, depth - 1)][i], f = depth ? atom[pivot] / by[pivot] : 0;
        const double left = atom[row] - f * by[row];
        if (fabs(left) <= slack * s->norm[i])
            continue;
        int r = 0;
        while (r < s->n && fabs(y[r] - y[row] / left * (atom[r] - f * by[r])) <= slack * s->y_norm)
            r++;
        s->chosen[depth] = i;
        if (r == s->n)
            take(s);
    }
}

// Tries all sets that continue the chosen atoms 0 .. depth-1 with words from `from` on.
static void choose(TermSearch *s, int depth, int from)
{
    for (int i = from; i < s->w->n; i++) {
        const double *atom = s->left[depth][i];
        const int pivot = largest_row(atom, s->n);
        if (fabs(atom[pivot]) <= slack * s->norm[i])
            continue;
        s->chosen[depth] = i;
        const double f = s->y_left[depth][pivot] / atom[pivot];
        for (int r = 0; r < s->n; r++)
            s->y_left[depth + 1][r] = s->y_left[depth][r] - f * atom[r];
        if (depth + 2 == s->size || depth + 2 == MAX_SUM) {
            choose_last(s, depth + 1, i + 1, atom, pivot);
            continue;
        }
        for (int j = i + 1; j < s->w->n; j++) {
            const double times = s->left[depth][j][pivot] / atom[pivot];
            for (int r = 0; r < s->n; r++)
                s->left[depth + 1][j][r] = s->left[depth][j][r] - times * atom[r];
        }
        choose(s, depth + 1, i + 1);
    }
}

int claim_terms_find(const Words *w, const double *y, int first, int fit, Term *terms)
{
    g_autofree TermSearch *s = g_new(TermSearch, 1);
    *s = (TermSearch){.w = w, .y = y, .weight = INFINITY};
    bool any = false;
    for (int i = 0; i < w->n_places; i++) {
        any |= !isnan(y[i]) && y[i] != 0;
        if (i >= first && i < first + fit && !isnan(y[i]) && s->n < MAX_FIT)
            s->row[s->n++] = i;
    }
    if (!any)
        return 0;
    for (int r = 0; r < s->n; r++)
        s->y_left[0][r] = y[s->row[r]];
    s->y_norm = s->n ? fabs(s->y_left[0][largest_row(s->y_left[0], s->n)]) : 0;
    for (int i = 0; i < w->n; i++) {
        for (int r = 0; r < s->n; r++)
            s->left[0][i][r] = w->value[i][s->row[r]];
        s->norm[i] = s->n ? fabs(s->left[0][i][largest_row(s->left[0][i], s->n)]) : 0;
    }
    const int most = s->y_norm > 0 ? MIN(MAX_SUM, s->n) : 0;
    static const double nothing[MAX_FIT];
    for (s->size = 1; s->size <= most && s->weight == INFINITY; s->size++)
        if (s->size == 1)
            choose_last(s, 0, 0, nothing, 0);
        else
            choose(s, 0, 0);
    if (s->weight == INFINITY)
        return -1;
    memcpy(terms, s->best, sizeof s->best);
    return s->size - 1;
}
