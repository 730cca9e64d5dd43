// Which few atoms, and how often each? Sets are tried by size. Along a set, what is left of the values and of all later
// atoms is kept free of the atoms chosen so far (Gauss), so that its last atom needs comparisons only.
#include "audit/grammar.h"
#include <glib.h>
#include <math.h>
#include <string.h>

enum { MAX_FIT = 12 };
static const double slack = 1e-8; // of the search; what it finds is compared again

typedef struct TermSearch {
    const Words *w;
    const double *y;
    int n, row[MAX_FIT]; // the places that are fitted
    double norm[MAX_ATOMS], y_norm;
    double left[MAX_SUM][MAX_ATOMS][MAX_FIT], y_left[MAX_SUM][MAX_FIT];
    int size, chosen[MAX_SUM];
    Term best[MAX_SUM];
    double weight; // of the best; INFINITY: none
} TermSearch;

static int largest_row(const double *x, int n)
{
    int r = 0;
    for (int i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[r]))
            r = i;
    return r;
}

// ---- A set that fits --------------------------------------------------------------------------------------------------

// The fraction that x is; false: none with a small denominator.
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

// How often each chosen atom is in y, by the rows that are fitted.
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

static bool holds(const TermSearch *s, const Term *terms)
{
    for (int i = 0; i < s->w->n_places; i++) {
        double sum = 0, size = fabs(s->y[i]);
        for (int j = 0; j < s->size; j++) {
            const double x = s->w->value[s->chosen[j]][i] * terms[j].num / terms[j].den;
            sum += x;
            size += fabs(x);
        }
        if (fabs(sum - s->y[i]) > 1e-10 * size) // (false where it is NAN)
            return false;
    }
    return true;
}

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

// ---- All sets ---------------------------------------------------------------------------------------------------------

// The last atom of a set, behind `by`, of which the later ones are not free yet: most differ from y in the first rows.
static void choose_last(TermSearch *s, int depth, int from, const double *by, int pivot)
{
    const double *y = s->y_left[depth];
    const int row = largest_row(y, s->n);
    if (fabs(y[row]) <= slack * s->y_norm)
        return; // fewer do
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

int terms_find(const Words *w, const double *y, int first, int fit, Term *terms)
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
        return 0; // of no terms
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
