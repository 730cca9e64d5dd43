// The samples that one form has to fit, sorted by place (p, k), and the search for this form.
#pragma once
#include "judge/audit/form_text.h"
#include "judge/audit/sample.h"
#include <glib.h>

typedef struct FormPoints {
    int n, n_places;
    const Sample **sample; // the n samples, sorted by place
    int *place;            // the place of each sample, 0 .. n_places - 1
    Words *words;          // the atoms that are useful at these places
    bool segments;         // true if S is not 1 at some sample
    int first, fit;        // forms are found on the `fit` places from `first` on, and verified on the others
    int fitted;            // the number of samples at the places that forms are found on
} FormPoints;

// Selects the samples for which members[i] is true. All n samples must be sorted by p, then k; at[i] is the place of
// sample i in the grammar. The samples and the grammar belong to the caller and must outlive the result. Returns NULL
// if too few samples are selected to verify a form. This is so if they have fewer than 5 values of p (unless p is 2 at
// all of them), or if the samples to verify a form on are not more than the samples to find it on. Free with
// form_points_free.
FormPoints *form_points_new(const Grammar *g, const Sample *const *samples, const int *at, const bool *members, int n);
void form_points_free(FormPoints *points);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FormPoints, form_points_free)

// The factor m^(.m) * S^(.s); .m is 0 or 1, .s is -1, 0 or 1.
typedef struct Power {
    int m, s;
} Power;
enum { MAX_POWERS = 3 };
// Finds y, one value for each sample, as a sum of terms times the n powers (1 <= n <= MAX_POWERS). A sample whose y is
// NAN fits any sum. Returns false if the grammar has no such sum, or if y is 0 everywhere.
bool form_sum_find(const FormPoints *points, const double *y, const Power *power, int n, FormSum *sum);

// The parts of a cost in the form that is searched for: value[i][j] is the coefficient of part i at sample j.
typedef struct FormParts {
    int n;
    const char *name[MAX_MEMBERS];
    bool bytes[MAX_MEMBERS];
    double *value[MAX_MEMBERS];
} FormParts;
// Returns the sum of all parts as text; "0" if all are 0, NULL if the grammar has no sum for one of them. Free with
// g_free.
char *form_parts_text(const FormPoints *points, const FormParts *parts);
