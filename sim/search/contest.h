// The search for the fastest algorithm of a collective with its best parameters.
#pragma once
#include "form/size_form.h"
#include "search/points.h"

// An algorithm with the parameters that are best for it.
typedef struct Contender {
    Point *point;     // predicted
    int S;            // segments of each part; 0: the algorithm has none
    SegmentForm form; // if S > 0 and form.linear: its form with the other parameters
    double S_best;    // the real number of segments that is best by this form
    double time_best_s;
} Contender;

// All algorithms at one p and m.
typedef struct Contest {
    const Request *request;
    int p;
    size_t m;
    int top;
    GPtrArray *ranking; // of Contender, the fastest first, at most `top` of them
    GError *error;      // while it runs
} Contest;

// Makes the contests of all p and m, in this order; contest_run_all runs them. Returns NULL and an error on bad input. Free
// with g_ptr_array_unref.
GPtrArray *contest_make_all(const Request *request, int top, GError **error);
// Finds all rankings, on all processors; the answer does not depend on how many these are.
gboolean contest_run_all(const GPtrArray *contests, GError **error);
