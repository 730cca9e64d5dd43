// Makes a Request from the options of a subcommand that runs or writes algorithms.
#pragma once
#include "out/answer.h"
#include "search/points.h"

// The texts of the options as they were given; NULL or FALSE if they were not.
typedef struct RequestOptions {
    char *ranks, *sizes, *root, *element, *counts, *displs, *per_node, *connection, *platform, *model, *transfer;
    char **params, **sets;
    gboolean full, why, timing, memory;
    AnswerOptions answer;
} RequestOptions;

void request_options_clear(RequestOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RequestOptions, request_options_clear)

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

// The options of commands that know only the model hockney.
#define HOCKNEY_ENTRIES(o)                                                                                              \
    {"ranks", 'p', 0, G_OPTION_ARG_STRING, &(o).ranks, "numbers of ranks", "LIST"},                                     \
        {"element", 0, 0, G_OPTION_ARG_STRING, &(o).element, "bytes of an element (1)", "BYTES"},                       \
        {"per-node", 0, 0, G_OPTION_ARG_STRING, &(o).per_node, "ranks of a node, consecutive ones", "N"},               \
        {"platform", 0, 0, G_OPTION_ARG_STRING, &(o).platform, "machine (generic-100g), or an .ini file", "NAME|FILE"}, \
        {"transfer", 0, 0, G_OPTION_ARG_STRING, &(o).transfer, "rendezvous (default), eager or eager-port", "NAME"},    \
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(o).sets, "a figure of the machine, as alpha=1us", "KEY=VALUE"},      \
        ANSWER_ENTRIES((o).answer)

// Each of these fills in a part of the request, which is to be cleared with request_clear before the options are.
//
// Reads the word ALGORITHM: `all`, or names joined by commas. The collective must be known.
gboolean ask_algorithms(const char *word, Request *request, GError **error);
// The ranks, sizes, roots, blocks and parameters; the collective must be known.
gboolean ask_points(const RequestOptions *options, Request *request, GError **error);
// The words COLLECTIVE ALGORITHM|all, and all options but those of the machine and the model.
gboolean ask_operation(char **words, const RequestOptions *options, Request *request, GError **error);
// The model; a name of NULL stands for the usual one: shared if the first algorithm named is one of shared memory,
// otherwise hockney. It must be one that times all algorithms that are named.
gboolean ask_model(const char *name, Request *request, GError **error);
// The model and the platform with its --set; the platform must have what the model needs.
gboolean ask_machine(const RequestOptions *options, Request *request, GError **error);
// Applies each KEY=VALUE. The key must be a parameter of the model (in any case if that is clear: `Alpha`), or `latency`
// (alpha, L) or `bandwidth` (beta, G). `sets` may be NULL.
gboolean ask_sets(Platform *platform, char **sets, const Model *model, GError **error);
// Loads a platform, whose name may differ in case from that of its file (`LUMI`). Free with platform_free.
Platform *ask_platform(const char *name_or_file, GError **error);

// Notes on stderr which algorithms that were named could not run, on how many ranks, and why.
void ask_note_idle(const Request *request, const GPtrArray *points);
