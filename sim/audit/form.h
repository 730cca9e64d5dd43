// Which formula fits? A search over a small grammar of terms, for what a claim should have said.
#pragma once
#include "sample.h"
#include <glib.h>

// The names of a cost's parts, and of what each is multiplied by.
typedef struct FormCosts {
    int n;                   // parts
    const char *const *name; // "alpha", "beta", "gamma"
    const bool *bytes;       // is the part's coefficient in bytes (m)?
} FormCosts;

typedef struct Form {
    char *text; // an Expression of p, m, S, k and the costs, that is exact at all points of the class; NULL
                // where none of the grammar is
    const SampleClass *points; // of which it holds
    int fitted, verified;      // points that it was fitted on, and others that it was verified on
} Form;

// The form of all points; where there is none, forms of classes that do not overlap, largest class first. Elements are
// Form; free with g_array_unref.
GArray *forms_find(const FormCosts *costs, const Sample *samples, size_t n);
