// The samples that one form is searched for, place by place, and the search for one form of them.
#pragma once
#include "audit/form_text.h"
#include "audit/sample.h"
#include <glib.h>

typedef struct FormPoints {
    int n, n_places;
    const Sample **sample; // by place
    int *place;            // of each sample
    Words *words;          // of the places
    bool segments;         // is S ever anything but 1?
    int first, fit;        // the places that forms are found on: so many from there
    int fitted;            // and the samples there
} FormPoints;

// members: which of the samples, by p, then k; at: the place of each in the grammar. What is too few for a form to be
// verified is NULL.
FormPoints *form_points_new(const Grammar *g, const Sample *const *samples, const int *at, const bool *members, int n);
void form_points_free(FormPoints *points);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FormPoints, form_points_free)

// m^m S^s; m is 0 or 1, s -1, 0 or 1.
typedef struct Power {
    int m, s;
} Power;
enum { MAX_POWERS = 3 };
// y, of every sample, as a sum of terms times powers. Where y is NAN anything goes. False: the grammar has none.
bool form_sum_find(const FormPoints *points, const double *y, const Power *power, int n, FormSum *sum);

// A cost as it is searched for: value[i] of each part at every sample.
typedef struct FormParts {
    int n;
    const char *name[MAX_MEMBERS];
    bool bytes[MAX_MEMBERS];
    double *value[MAX_MEMBERS];
} FormParts;
// The text of the sum of the parts; NULL: the grammar has none. Free with g_free.
char *form_parts_text(const FormPoints *points, const FormParts *parts);
