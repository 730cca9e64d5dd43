// What the time of a run is made of: the terms of its certificate, and the resources that they stand for.
#pragma once
#include "engine/model/model.h"

// A term of a certificate. The terms of a run add up to its time exactly, in the order in which they stand.
typedef struct Share {
    const CostTerm *term;  // of the prediction
    int64_t n;             // how often the critical path pays it; not 0
    double time_s;         // what that costs
    TermResource resource; // of the whole, or of what `latency_s` leaves
    double latency_s;      // the part of time_s that is latency, if the term has both; otherwise 0
} Share;

// Returns the shares (Share) of a run that came to its end and began at 0 at all ranks. Free with g_array_unref.
GArray *shares_of(const Prediction *prediction);
// Returns the sum of the terms' times.
double shares_sum(const GArray *shares);
// Sets sum[resource] to the time of each resource, and returns the one that takes most.
TermResource shares_by_resource(const GArray *shares, double sum[N_RESOURCES]);
