// The search for the fastest algorithm with its best parameters, of `best` and `bound`; and what `best` says.
#pragma once
#include "request.h"
#include "form/size_form.h"

// An algorithm with the parameters that are best for it.
typedef struct Entry {
    Point *point;     // predicted
    int S;            // segments of each part; 0: it has no segments
    SegmentForm form; // where S > 0 and form.linear: its form with the other parameters
    double S_best;    // the real number that is best by this form, and its time
    double time_best_s;
} Entry;

// All algorithms at one p and m.
typedef struct Contest {
    const Request *request;
    int p;
    size_t m;
    int top;
    GPtrArray *ranking; // Entry, the fastest first, no more than `top`
    GError *error;      // while it is run
} Contest;

// The contests of all p and m, in this order, not yet run; NULL and bad input. Free with g_ptr_array_unref.
GPtrArray *contests_make(const Request *request, int top, GError **error);
// Finds their rankings, on all processors. The answer does not depend on how many these are.
gboolean contests_run(const GPtrArray *contests, GError **error);

void best_table(const Request *request, const GPtrArray *contests);
void best_csv(const Request *request, const GPtrArray *contests);
void best_json(const Request *request, const GPtrArray *contests);
