// From what a user wrote to a Request: for every subcommand that runs or writes algorithms.
#pragma once
#include "points.h"

// As they were given; NULL, FALSE: not.
typedef struct RequestOptions {
    char *ranks, *sizes, *root, *element, *counts, *displs, *per_node, *connection, *platform, *model, *transfer,
        *format;
    char **params, **sets;
    gboolean full, why, timing, memory;
} RequestOptions;

void request_options_clear(RequestOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RequestOptions, request_options_clear)
void request_clear(Request *request);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Request, request_clear)

// COLLECTIVE ALGORITHM|all, ranks, sizes, root and all else that is no machine.
gboolean request_operation(char **words, const RequestOptions *options, Request *request, GError **error);
// The platform, with --set, and the model, which must find in it what it needs.
gboolean request_machine(const RequestOptions *options, Request *request, GError **error);
// Each KEY=VALUE (sets may be NULL), which must be a parameter of the model.
gboolean platform_sets(Platform *platform, char **sets, const Model *model, GError **error);
