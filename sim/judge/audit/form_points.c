// Finds a part as a sum of terms in two steps. At one place (p, k) a part is a sum of a few powers of S (or of m), and
// solving a small linear system gives the coefficient of each power. As a function of the place, each coefficient is
// then a sum of terms in p and k, which claim_terms_find looks for.
#include "judge/audit/form_points.h"
#include <math.h>
#include <string.h>

// ---- Samples by place -----------------------------------------------------------------------------------------------

enum { LEAST_PLACES = 5, MOST_FITTED = 10 };

// Chooses the places that forms are found on: as many as possible, at most 10 in a row and as early as possible, with
// fewer than half of all samples. The start has to move because small p have more samples than others.
static void choose_fitted(FormPoints *x)
{
    for (x->fit = MIN(MOST_FITTED, (x->n_places - 2) / 2); x->fit > 0; x->fit--)
        for (x->first = 0; x->first + x->fit <= x->n_places; x->first++) {
            x->fitted = 0;
            for (int i = 0; i < x->n; i++)
                x->fitted += x->place[i] >= x->first && x->place[i] < x->first + x->fit;
            if (2 * x->fitted < x->n)
                return;
        }
    // With only a few places we fit on the first one. That takes as many samples as there may be powers.
    x->first = 0;
    x->fit = 1;
    x->fitted = x->segments ? MAX_POWERS : 1;
}

FormPoints *form_points_new(const Grammar *g, const Sample *const *samples, const int *at, const bool *members, int n)
{
    FormPoints *x = g_new(FormPoints, 1);
    *x = (FormPoints){.sample = g_new(const Sample *, n), .place = g_new(int, n)};
    g_autofree int *places = g_new(int, n);
    int ranks = 0;
    for (int i = 0; i < n; i++) {
        if (!members[i])
            continue;
        const Sample *s = samples[i];
        ranks += x->n == 0 || s->p != x->sample[x->n - 1]->p;
        if (x->n_places == 0 || places[x->n_places - 1] != at[i])
            places[x->n_places++] = at[i];
        x->place[x->n] = x->n_places - 1;
        x->sample[x->n++] = s;
        x->segments |= s->S != 1;
    }
    choose_fitted(x);
    const bool is_two = x->n_places == 1 && x->sample[0]->p == 2; // the class p = 2 cannot have more places
    if ((ranks < LEAST_PLACES && !is_two) || 2 * x->fitted >= x->n) {
        form_points_free(x);
        return NULL;
    }
    x->words = words_new(g, places, x->n_places);
    return x;
}

void form_points_free(FormPoints *x)
{
    words_free(x->words);
    g_free(x->sample);
    g_free(x->place);
    g_free(x);
}

// ---- Powers of S and m ----------------------------------------------------------------------------------------------

static double power_value(Power p, const Sample *s)
{
    return (p.m ? s->m : 1) * (p.s == 0 ? 1 : p.s > 0 ? s->S : 1 / s->S);
}

// Finds the coefficients `often` with which y is a sum of the n powers at one place, by Gaussian elimination over its
// samples i .. end-1. Sets all of them to NAN if the samples do not determine them. Returns false if y is not a sum
// of these powers.
static bool powers_at(const FormPoints *x, const double *y, int i, int end, const Power *power, int n, double *often)
{
    double a[MAX_POWERS][MAX_POWERS + 1], size = 0; // rows in echelon form
    int rank = 0, column[MAX_POWERS] = {0};
    for (; i < end; i++) {
        double row[MAX_POWERS + 1];
        if (isnan(y[i]))
            continue;
        size = fmax(size, fabs(y[i]));
        for (int c = 0; c < n; c++)
            row[c] = power_value(power[c], x->sample[i]);
        row[n] = y[i];
        const double largest = fmax(row[0], fmax(row[n > 1], row[n > 2 ? 2 : 0]));
        for (int r = 0; r < rank; r++) {
            const double f = row[column[r]] / a[r][column[r]];
            for (int c = 0; c <= n; c++)
                row[c] -= f * a[r][c];
            row[column[r]] = 0;
        }
        int c = 0;
        while (c < n && fabs(row[c]) <= 1e-10 * largest)
            c++;
        if (c == n && fabs(row[n]) > 1e-9 * size)
            return false;
        if (c < n) {
            memcpy(a[rank], row, sizeof row);
            column[rank++] = c;
        }
    }
    for (int c = 0; c < n; c++)
        often[c] = NAN;
    for (int r = n - 1; r >= 0 && rank == n; r--) {
        double sum = a[r][n];
        for (int later = r + 1; later < n; later++)
            sum -= a[r][column[later]] * often[column[later]];
        const double value = sum / a[r][column[r]];
        often[column[r]] = fabs(value) <= 1e-9 * size ? 0 : value;
    }
    return true;
}

bool form_sum_find(const FormPoints *x, const double *y, const Power *power, int n, FormSum *sum)
{
    g_autofree double *often = g_new(double, n * x->n_places);
    for (int i = 0, end; i < x->n; i = end) {
        double at[MAX_POWERS];
        for (end = i; end < x->n && x->place[end] == x->place[i]; end++)
            ;
        if (!powers_at(x, y, i, end, power, n, at))
            return false;
        for (int c = 0; c < n; c++)
            often[c * x->n_places + x->place[i]] = at[c];
    }
    sum->n = 0;
    for (int c = 0; c < n; c++) {
        Term terms[MAX_SUM];
        const int found = claim_terms_find(x->words, &often[c * x->n_places], x->first, x->fit, terms);
        if (found < 0)
            return false;
        for (int i = 0; i < found; i++)
            sum->term[sum->n++] = (FormTerm){terms[i], power[c].m, power[c].s};
    }
    return sum->n > 0;
}
