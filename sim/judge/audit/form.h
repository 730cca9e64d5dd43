// Finds the formula that fits simulated values: a search over sums of a few terms from a small grammar.
#pragma once
#include "judge/audit/sample.h"
#include <glib.h>

// The costs that a form may contain. A quantity that is not a time has one part whose name is "" or NULL.
typedef struct FormCosts {
    int n;                               // parts
    const char *const *name;             // "alpha", "beta", "gamma"
    const bool *bytes;                   // true for a part whose coefficient is in bytes: terms times m
    const double (*mixed)[SAMPLE_PARTS]; // the costs at which Sample.mixed is taken
} FormCosts;

typedef struct Form {
    char *text; // an Expression of p, m, S, k and the costs that is exact at all these points; NULL if none was found
    const SampleClass *points; // where the form holds; its `has` is NULL for all points that no earlier form covers
    int fitted;                // samples that the form was found on
    int verified;              // samples that it was only verified on; more than `fitted`
} Form;

// Returns an array of Form: one form that holds at all points or, if there is none, forms of classes that together
// cover the points, the largest class first. If a form of all points is long, and a form of a class plus a form of the
// rest are shorter together, these two replace it. If no form fits the points that are left over, the last element is
// for these points and has the text NULL. Free with g_array_unref.
//
// A form is a sum of the parts if T is such a sum; otherwise it contains a max(). A quantity without costs may also be
// the reciprocal of a sum. A form is exact for each part and at the mixed costs. If it is a sum, it is then exact at
// all costs, provided that the order of messages does not depend on the costs. The reason: T is then a convex function
// of the costs that never exceeds the sum of its parts, and if a function of this kind equals the sum at one point at
// which all costs are above 0, it equals the sum everywhere.
GArray *form_find_all(const FormCosts *costs, const Sample *samples, size_t n);
