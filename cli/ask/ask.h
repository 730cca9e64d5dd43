// Makes a Request from the options of a subcommand that runs or writes algorithms.
#pragma once
#include "ask/ask_network.h"
#include "ask/ask_skew.h"
#include "ask/options.h"
#include "out/answer.h"
#include "search/search/points.h"
#include "search/search/request_machine.h"

// What a command does on a platform whose links have rates: it has messages pay for them, or leaves the network out of
// its times and says so.
typedef enum AskLinks { LINKS_PRICED, LINKS_LEFT_OUT } AskLinks;

// The options as texts, as they were given; NULL or FALSE for those that were not.
typedef struct RequestOptions {
    char *ranks, *sizes, *root, *element, *counts, *displs, *per_node, *map, *connection, *platform, *model, *transfer,
        *only, *without;
    char **params, **sets;
    gboolean full, why, timing, memory;
    AskLinks links;    // what the command does with rates of links
    NetworkOptions on; // the network; only with LINKS_PRICED, and where the command has these options
    SkewOptions skew;
    gboolean one_root;  // the command refuses --root all
    gboolean seeds;     // the command has these options, and takes several seeds of --nodes
    gboolean network;   // the command models the platform's topology
    gboolean libraries; // the command takes LIB:NAME, LIB:all and LIB:auto as algorithms
    gboolean no_han;
    char *han;         // what HAN's variables are set to
    gboolean defaults; // a search tries no parameters but the defaults
    gboolean of_all;   // the best of all algorithms beside that of a library
    gboolean ordered;  // the operation is not commutative
    AnswerOptions answer;
} RequestOptions;

void request_options_clear(RequestOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RequestOptions, request_options_clear)

// What Open MPI does on several nodes.
#define ENTRIES_HAN(o)                                                                                                 \
    {"no-han", 0, 0, G_OPTION_ARG_NONE, &(o).no_han, "Open MPI without its component HAN", NULL},                      \
        ENTRY_STRING("han", 0, (o).han, "HAN's variables: segsize=BYTES, algorithm=simple ..", "NAME=VALUE,..")

// The options of the machine and its model, of commands that time many calls.
#define MACHINE_ENTRIES(o)                                                                                             \
    ENTRY_PER_NODE((o).per_node), ENTRY_MAP((o).map), NETWORK_ENTRIES((o).on), ENTRY_PLATFORM((o).platform),           \
        ENTRY_MODEL((o).model), ENTRY_TRANSFER((o).transfer), ENTRY_SET((o).sets)

// The options of an operation at many points, and of one run, whose number of ranks has the long name `np`.
#define REQUEST_ENTRIES(o) ENTRY_RANKS((o).ranks), ENTRY_BYTES((o).sizes), ENTRY_ROOT((o).root), OPERATION_ENTRIES(o)
#define ONE_RUN_ENTRIES(np, o)                                                                                         \
    ENTRY_STRING(np, 'p', (o).ranks, "number of ranks, or NxK for N nodes of K ranks", "P"),                           \
        ENTRY_STRING("bytes", 'm', (o).sizes, "size in bytes, as of run", "BYTES"), ENTRY_ONE_ROOT((o).root),          \
        OPERATION_ENTRIES(o)
#define OPERATION_ENTRIES(o)                                                                                           \
    ENTRY_PARAM((o).params), ENTRY_ELEMENT((o).element), ENTRY_COUNTS((o).counts), ENTRY_DISPLS((o).displs),           \
        ENTRY_PER_NODE((o).per_node), ENTRY_MAP((o).map)

// The options of commands that compare algorithms under a model, for one machine and for several.
#define PORT_ENTRIES(o) PORT_ENTRIES_ON(o, ENTRY_PLATFORM, ENTRY_SET)
#define PORT_ENTRIES_ON(o, PLATFORM, SET)                                                                              \
    ENTRY_RANKS((o).ranks), ENTRY_ELEMENT((o).element), ENTRY_PER_NODE((o).per_node), ENTRY_MAP((o).map),              \
        PLATFORM((o).platform), ENTRY_MODEL((o).model), ENTRY_TRANSFER((o).transfer), SET((o).sets),                   \
        ANSWER_ENTRIES((o).answer)

// Each of the following functions fills in a part of the request, and returns FALSE and an error on bad input. The
// request points into the options, so clear it (request_clear) before them.

// Parses the argument ALGORITHM: `all`, or names joined by commas, or files with algorithms, which are loaded
// (ask/plugins.h). The request's collective must be set.
gboolean ask_algorithms(const char *word, Request *request, GError **error);
// Does the same for a command that takes LIB:NAME, LIB:all and LIB:auto too (request_name_algorithm).
gboolean ask_libraries(const char *word, Request *request, GError **error);
// Parses --only, which may be NULL; the value `any` sets no restriction. Call it before the algorithms are parsed.
gboolean ask_only(const RequestOptions *options, RequestLibrary *lib, GError **error);
// Parses -p, --per-node and --map; any of them may be NULL, but -p is an error then.
gboolean ask_ranks(const char *ranks, const char *per_node, const char *map, Request *request, GError **error);
// Parses the ranks, sizes, roots, blocks and parameters, and loads the files among these. The request's collective must
// be set.
gboolean ask_points(const RequestOptions *options, Request *request, GError **error);
// Parses the arguments COLLECTIVE ALGORITHM|all, and all options except those of the machine and the model.
gboolean ask_operation(char **words, const RequestOptions *options, Request *request, GError **error);
// Sets the model, the platform with each --set applied, and the transfer. The platform must have all figures that the
// model needs for the request's collective. Notes on stderr that the platform's topology is ignored, unless
// options->network is set; then hockney is the default, because it is what SimGrid simulates.
gboolean ask_machine(const RequestOptions *options, Request *request, GError **error);
// Applies each KEY=VALUE to the platform. The key is a parameter of the model, in any case if only one matches
// (`Alpha`), or `latency` (alpha of hockney, L of the LogP family) or `bandwidth` (beta, G), each alone or with a level
// of the platform (`alpha.node`), and with hockney also what the ranks of a node share (`nic.rate`). The value `x0.5`
// halves what the platform has. `sets` ends in NULL and may be NULL; its keys are replaced by the names of the
// parameters, so that answers and notes have these.
gboolean ask_sets(Platform *platform, char **sets, const Model *model, GError **error);
// Loads a platform as platform_load does, but a name may differ in case from that of its file (`LUMI`). Free with
// platform_free.
Platform *ask_platform(const char *name_or_file, GError **error);
// Returns the path of that platform's file; NULL and an error for an unknown name. Free with g_free.
char *ask_platform_path(const char *name_or_file, GError **error);
// Takes the network away from a platform whose links have rates, and notes on stderr that bounds leave it out.
void ask_leave_links_out(Platform *platform);
// Notes on stderr that the model ignores the platform's topology, if it has one.
void ask_note_topology(const Platform *platform, const Model *model);

// Notes on stderr which network times assume, if messages pay for one.
void ask_note_network(const Request *request);
// Notes on stderr what the machine does not know (request_unknowns), for an answer that has no place for it.
void ask_note_unknowns(const Request *request);
// Notes on stderr which algorithms that were named could not run, on how many ranks, and why.
void ask_note_idle(const Question *question, const GPtrArray *points);

// ---- Commands about what a library can be told to run ---------------------------------------------------------------

// Sets chosen[i] of N_COLLECTIVES for the collectives that a word lists; NULL means all. Returns FALSE and an error if
// a name is unknown.
gboolean ask_collectives(const char *word, gboolean *chosen, GError **error);
#define ASK_LIBRARY_RANKS "2..128:x2,3..96:x2"
#define ASK_LIBRARY_SIZES "8..2M:x4"
// Fills in a request about a library, `only`, for the command: ranks and sizes, which have defaults, the root, the map
// and the machine, which must have gamma unless request->asked has no reduction. The library may be NULL, for none. Returns
// FALSE and an error on bad input.
gboolean ask_about_library(const char *command, const char *library, const RequestOptions *options, Request *request,
                           GError **error);
// Checks the sizes of such a request against the elements of the collectives that are chosen. A size that -m lists must
// be whole elements of one of them, at least. Sizes of the command's own grid that are not are taken out, and
// options->sizes then lists those that are left; `given` says whether the user has set it. Notes in the request which
// sizes are left out for which collectives. Returns FALSE and an error if a size is refused, or none is left.
gboolean ask_library_sizes(RequestOptions *options, const gboolean *chosen, gboolean given, Request *request,
                           GError **error);
// Returns sizes as a list that options_sizes reads without a note. Free with g_free.
char *ask_sizes_text(const GArray *sizes);
// Returns the bytes of an element where a library decides (request_element). ask_about_library must have succeeded.
size_t ask_library_element(const RequestOptions *options, Collective collective);
