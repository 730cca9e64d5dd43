// Which formula fits? A search over a small grammar of terms, for what a claim should have said.
#pragma once
#include "audit/sample.h"
#include <glib.h>

// The names of a cost's parts, and of what each is multiplied by. What is no cost has one part of no name ("", NULL).
typedef struct FormCosts {
    int n;                               // parts
    const char *const *name;             // "alpha", "beta", "gamma"
    const bool *bytes;                   // is the part's coefficient in bytes (m)?
    const double (*mixed)[SAMPLE_PARTS]; // the costs of Sample.mixed
} FormCosts;

typedef struct Form {
    char *text; // an Expression of p, m, S, k and the costs, that is exact at all points of the class; NULL
                // where none of the grammar is
    const SampleClass *points; // of which it holds; its `has` is NULL where these are all that have no form before it
    int fitted, verified;      // samples that it was found on, and others that it was verified on: more than those
} Form;

// The form of all points; where there is none, forms of classes, largest class first. Each is exact part by part and at
// mixed costs; where T is convex, as it is when no order of messages depends on the costs, a sum of parts is so at any.
// Where T is no sum of its parts, forms with max() are tried. The last element has no text where points are left over.
// Elements are Form; free with g_array_unref.
GArray *form_find_all(const FormCosts *costs, const Sample *samples, size_t n);
