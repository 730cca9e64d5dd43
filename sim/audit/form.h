// Finds the formula that fits simulated values: a search over sums of a few terms from a small grammar.
#pragma once
#include "audit/sample.h"
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

// Returns one form (Form) for all points or, if there is none, forms of classes that together cover the points, largest
// class first. A long form of all points is replaced by two shorter ones, of a class and of the rest, if these exist.
// If no form fits the points that are left over, the last element stands for them and its text is NULL. Free with
// g_array_unref.
//
// A form is a sum of the parts if T is, else it contains a max(); the form of a quantity without costs may also be 1
// over a sum. It is exact for each part and at the mixed costs. A sum is then exact at all costs, provided that the
// order of messages does not depend on the costs: T is then convex and never above the sum of its parts, and such a
// function that equals the sum at one point with all costs above 0 equals it everywhere.
GArray *form_find_all(const FormCosts *costs, const Sample *samples, size_t n);
