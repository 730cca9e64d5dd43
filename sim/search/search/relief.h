// What would make a run faster: the same run with one figure of the machine halved, each simulated anew. The critical
// path may be another one then, so the times do not follow from the certificate.
#pragma once
#include "engine/model/shares.h"
#include "search/search/request.h"

typedef struct Relief {
    char *change;       // "alpha=x0.5", as --set takes it, or "16 ranks per node"
    double time_s;      // of the changed run
    TermResource limit; // what takes most of that time
    double limit_share; // how much of it
} Relief;

// The same run with half as many ranks on each node, as it is decided there.
typedef struct ReliefNodes {
    Operation op; // its algorithm is NULL if nothing is to be run there
    int per_node;
} ReliefNodes;

// Runs an operation that has been predicted with each of these changes that applies: every time of the model halved,
// NICs twice as fast, and half as many ranks on a node. A part of an operation that is not paid, such as gamma where
// nothing is reduced, is left out. `options` are those of the run. Returns the results (Relief); free with
// g_array_unref.
GArray *relief_of(const Request *request, const Operation *op, const PredictOptions *options, const ReliefNodes *fewer,
                  const Prediction *prediction);
