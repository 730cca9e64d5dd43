// What the time of a run is made of: the terms of its certificate, and the resources that they stand for.
#pragma once
#include "model/model.h"

typedef enum ShareResource {
    RESOURCE_LATENCY,   // what a message costs whatever its length
    RESOURCE_BANDWIDTH, // the bytes of messages
    RESOURCE_REDUCTION, // gamma
    RESOURCE_MEMORY,    // copies, and the memory that the ranks of a node share
    RESOURCE_NIC,       // a NIC serves other messages first
    RESOURCE_CPU,       // o and O of the LogP family
    RESOURCE_WAITING,   // until a flag in shared memory is seen
    N_RESOURCES
} ShareResource;
extern const char *const resource_names[N_RESOURCES];

// A term of a certificate. The terms of a run add up to its time exactly, in the order in which they stand.
typedef struct Share {
    const char *term;       // "alpha.far"; lives as long as the prediction
    int64_t n;              // how often the critical path pays it; not 0
    double value_s;         // what it costs once
    double time_s;          // n value_s
    ShareResource resource; // of the whole, or of what `latency_s` leaves
    double latency_s;       // the part of time_s that is latency, if the term has both; otherwise 0
} Share;

// Returns the shares (Share) of a run that came to its end and began at 0 at all ranks. Free with g_array_unref.
GArray *shares_of(const Model *model, const Platform *platform, const Prediction *prediction);
// Returns the sum of the terms' times.
double shares_sum(const GArray *shares);
// Sets sum[resource] to the time of each resource, and returns the one that takes most.
ShareResource shares_by_resource(const GArray *shares, double sum[N_RESOURCES]);
