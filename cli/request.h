// From what a user wrote to a Request: for every subcommand that runs or writes algorithms.
#pragma once
#include "search/points.h"

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

#define REQUEST_ENTRIES(o)                                                                                              \
    {"ranks", 'p', 0, G_OPTION_ARG_STRING, &(o).ranks, "numbers of ranks", "LIST"},                                     \
        {"bytes", 'm', 0, G_OPTION_ARG_STRING, &(o).sizes, "sizes in bytes", "LIST"},                                   \
        {"root", 0, 0, G_OPTION_ARG_STRING, &(o).root, "root (0)", "R|all"},                                            \
        {"param",     0, 0, G_OPTION_ARG_STRING_ARRAY, &(o).params, "a parameter of the algorithm, as segment=64K",     \
         "NAME=VALUE"},                                                                                                 \
        {"element", 0, 0, G_OPTION_ARG_STRING, &(o).element, "bytes of an element (1)", "BYTES"},                       \
        {"counts",    0,                                                                                                \
         0,           G_OPTION_ARG_STRING,                                                                              \
         &(o).counts, "lengths of the blocks, -m in the mean: equal, linear, one-big, random:SEED, zero-holes, a file", \
         "NAME|FILE"},                                                                                                  \
        {"displs", 0, 0, G_OPTION_ARG_STRING, &(o).displs, "consecutive blocks (default), or gaps between them",        \
         "NAME"},                                                                                                       \
    {                                                                                                                   \
        "per-node", 0, 0, G_OPTION_ARG_STRING, &(o).per_node, "ranks of a node, consecutive ones", "N"                  \
    }

// Of commands that know hockney alone.
#define HOCKNEY_ENTRIES(o)                                                                                              \
    {"ranks", 'p', 0, G_OPTION_ARG_STRING, &(o).ranks, "numbers of ranks", "LIST"},                                     \
        {"element", 0, 0, G_OPTION_ARG_STRING, &(o).element, "bytes of an element (1)", "BYTES"},                       \
        {"per-node", 0, 0, G_OPTION_ARG_STRING, &(o).per_node, "ranks of a node, consecutive ones", "N"},               \
        {"platform", 0, 0, G_OPTION_ARG_STRING, &(o).platform, "machine (generic-100g), or an .ini file", "NAME|FILE"}, \
        {"transfer", 0, 0, G_OPTION_ARG_STRING, &(o).transfer, "rendezvous (default), eager or eager-port", "NAME"},    \
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(o).sets, "a figure of the machine, as alpha=1us", "KEY=VALUE"},      \
    {                                                                                                                   \
        "format", 'f', 0, G_OPTION_ARG_STRING, &(o).format, "table, csv or json", "FORMAT"                              \
    }

// The ranks, sizes, roots, blocks and parameters, for a collective and an `only` that are known. To be cleared with
// request_clear, before the options are.
gboolean request_points(const RequestOptions *options, Request *request, GError **error);
// COLLECTIVE ALGORITHM|all, ranks, sizes, root and all else that is no machine.
gboolean request_operation(char **words, const RequestOptions *options, Request *request, GError **error);
// The model (NULL: the usual one), which must be for what `only` moves its data by.
gboolean request_model(const char *name, Request *request, GError **error);
// The platform, with --set, and the model, which must find in it what it needs.
gboolean request_machine(const RequestOptions *options, Request *request, GError **error);
// The -m and the --element of a command; NULL or FALSE, and bad input.
GArray *find_sizes(const char *list, GError **error);
gboolean find_element(const char *text, size_t *elem, GError **error);
// Each KEY=VALUE (sets may be NULL), which must be a parameter of the model.
gboolean platform_sets(Platform *platform, char **sets, const Model *model, GError **error);
