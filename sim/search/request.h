// A request: which algorithms are asked for, at which points, and on which machine.
#pragma once
#include "model/model.h"
#include "schedule/counts.h"

typedef struct Request {
    Collective collective;
    const char *name;          // a name in place of the collective's, for what is not a collective; else NULL
    const CollAlgorithm *only; // NULL: all; it need not be in the registry
    const GPtrArray *some;     // of const CollAlgorithm *, in place of all; NULL: all
    GArray *ranks, *sizes;     // size_t
    int root;                  // -1: every rank
    char **params;             // NAME=VALUE; NULL: none; not owned
    size_t elem;
    CountsSpec counts;
    const char *counts_text; // as it was given, not owned; NULL: equal
    int per_node;            // 0: not given
    Platform *platform;
    const Model *model;
    PredictOptions options;
    gboolean timing, memory;
    size_t connection; // memory for one connection, in bytes
} Request;

void request_clear(Request *request);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Request, request_clear)

// Reads the kinds of counts and displacements into the request; the collective must allow them, and NULL means that the
// option was not given.
gboolean request_counts(Request *request, const char *counts, const char *displs, GError **error);
// Returns true if every parameter belongs to one of the algorithms asked for and every one of them allows its value.
gboolean request_check_params(const Request *request, GError **error);
// Returns algorithm i of those asked for, 0 <= i < n_algorithms; NULL if there is none of this number.
const CollAlgorithm *request_algorithm(const Request *request, int i);
// Returns the largest -m that is admitted on p ranks (operation_weight); schedule_check() then looks at the messages
// themselves.
size_t request_most(const Request *request, size_t p);
// Returns the collective's name, or the name in its place.
const char *request_name(const Request *request);
// Returns what is to be said about blocks and nodes: ", counts linear, gaps, 4 ranks per node", or "". Free with g_free.
char *request_layout(const Request *request);
