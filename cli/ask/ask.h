// Makes a Request from the options of a subcommand that runs or writes algorithms.
#pragma once
#include "ask/options.h"
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

// The options of an operation.
#define REQUEST_ENTRIES(o)                                                                                             \
    ENTRY_RANKS((o).ranks), ENTRY_BYTES((o).sizes), ENTRY_ROOT((o).root), ENTRY_PARAM((o).params),                     \
        ENTRY_ELEMENT((o).element), ENTRY_COUNTS((o).counts), ENTRY_DISPLS((o).displs), ENTRY_PER_NODE((o).per_node)

// The options of commands whose only model is hockney.
#define HOCKNEY_ENTRIES(o)                                                                                             \
    ENTRY_RANKS((o).ranks), ENTRY_ELEMENT((o).element), ENTRY_PER_NODE((o).per_node), ENTRY_PLATFORM((o).platform),    \
        ENTRY_TRANSFER((o).transfer), ENTRY_SET((o).sets), ANSWER_ENTRIES((o).answer)

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
