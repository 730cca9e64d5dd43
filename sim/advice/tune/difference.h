// What it costs that two rules files make a library run something else: the times of both at points where they differ.
//
//     rules_decision of both files  -->  points at which they run something else  -->  times, by the request's model
//
// Another library's files only need a choice at a point, which difference_compute() takes from rules_decision().
#pragma once
#include "libraries/decide/rules_call.h"
#include "search/search/points.h"

// A point at which the two files run something else.
typedef struct DifferencePlace {
    Collective collective;
    size_t elem; // bytes of an element
    int p, per_node;
    size_t m;
    gint64 counted; // the size that the library takes for the call when it searches the files
    struct {
        double time_s; // NAN if it is not known
        char *text;    // what runs, with its parameters: "6 binomial, segment=8K"
        char *missing; // why the time is not known, or what was simulated instead; NULL if all is known
    } of[2];           // by file
} DifferencePlace;

// Returns the first file's time divided by the second one's; NAN if one is not known.
double difference_ratio(const DifferencePlace *place);
// Returns by how much the times differ, a factor of at least 1; 0 if one is not known.
double difference_cost(const DifferencePlace *place);

// Finds and times the points of a collective (DifferencePlace, those that cost most first): of the request's grid, in
// those sizes that are whole elements, and of `more` (DifferencePlace with p and m), each once. Both files must be of
// r->only's library; the request must have no algorithms, and its collective and its elements are set to these. Returns
// NULL and an error on bad input. Free with g_array_unref.
GArray *difference_compute(Request *r, Collective collective, size_t elem, const RulesFile *const files[2],
                           const GArray *more, GError **error);
