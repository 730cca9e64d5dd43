// A request: which algorithms to run, at which points and on which machine.
#pragma once
#include "libraries/decide/decide.h"
#include "libraries/decide/rules.h"
#include "engine/model/model.h"
#include "engine/schedule/counts.h"
#include "search/search/known.h"

// A request for the points p x m x root x algorithm x values of the parameters. request_clear frees what it owns: the
// arrays, the counts, the map and the platform.
typedef struct Request {
    Collective collective;
    const char *name;  // a name to print instead of the collective's ("pingpong"); NULL for collectives
    GPtrArray *named;  // the algorithms that were named (const CollAlgorithm *), each once; NULL if only `all` was
    gboolean all_too;  // `all` was named together with others: request_model() adds to them what the model can time
    GPtrArray *tables; // of Tables, of the libraries that were named; NULL if none was
    GPtrArray *autos;  // of RequestAuto, which are in `named` as well; NULL if there is none
    Tables *only;      // of the library that can be told to run the algorithms of the request; NULL for any
    GPtrArray *kept;   // those that `collsim best` ranks even if they are slow (const CollAlgorithm *); NULL for none
    gboolean by_file;  // .. by its rules file, whatever the number of ranks: no algorithm that returns an error on some
    const RulesFile *rules;   // .. which decides the parts of these algorithms; not owned, NULL for none
    gboolean any_operation;   // .. and only those whose results are right for any operation
    gboolean no_han;          // Open MPI's component HAN is switched off
    gboolean no_compositions; // MPICH's device has no collectives
    gboolean ordered;         // the operation of a reduction is not commutative
    const gboolean *asked;    // whether it is about each of N_COLLECTIVES; not owned, NULL: about `collective` alone
    GArray *ranks, *sizes;    // size_t, in the order given
    GArray *per_node;         // int: K of each of `ranks` that was given as NxK, 0 for the others; NULL if none was
    int root;                 // -1 for every rank in turn
    char **params;            // NAME=VALUE or NAME=VALUE,VALUE,.. as given, not owned; NULL for none
    size_t elem;              // bytes of an element
    gboolean elem_assumed;    // .. which nobody gave, although a library decides by their number
    CountsSpec counts;
    const char *counts_text; // --counts as given, not owned; NULL if all blocks are equal
    const char *displs_text; // --displs as given, not owned; NULL if the blocks are consecutive
    MapSpec map;             // what --map or --per-node asks for
    Platform *platform;      // NULL for measurements
    char **sets;             // --set as given, not owned; NULL for none
    const Model *model;
    PredictOptions options;
    gboolean timing, memory;
    size_t connection;     // memory per connection, in bytes
    GHashTable *placed;    // Mapping by p and ranks per node; made by request_mapping
    GPtrArray *left_out;   // what the answers do not have, and why (char *), for request_remarks(); NULL for nothing
    GPtrArray *of_default; // what is to be said of a library's default (char *), likewise
    KnownTimes *known;     // where runs from root 0 note their times, not owned; NULL for nowhere
} Request;

// What a library runs by default, as an algorithm: "ompi-4.1:auto". The library decides at each point anew. Or one of
// its algorithms that calls others, "ompi-4.1:2", for which it decides anew. Or what it runs with a rules file.
typedef struct RequestAuto {
    CollAlgorithm algorithm; // first; it has a name and no text
    char *name;
    Tables *tables;
    const LibraryAlgorithm *told; // NULL for auto
    DecidePart *decide;           // NULL unless something else decides
    gconstpointer from;
} RequestAuto;

// Returns which part of a library an algorithm of the request stands for; NULL if it is an entry or a variant.
const RequestAuto *request_auto(const Request *request, const CollAlgorithm *algorithm);

void request_clear(Request *request);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Request, request_clear)

// Returns how many ranks a node has at ranks[i]: K of NxK, block:K and cyclic:K. Returns 0 if nothing says it: there is
// no map, or it is a file.
int request_per_node(const Request *request, guint i);
// Returns where p ranks are on the machine; NULL if ranks are not grouped and the machine has one level, whose nodes
// share nothing. `per_node` is what request_per_node returns for this p. The request keeps the mapping. Threads may
// call this at the same time.
const Mapping *request_mapping(const Request *request, int p, int per_node);
// Returns TRUE if the model is hockney, all messages between p ranks cost the same, ranks share nothing, and the
// operation is commutative, so that closed forms hold.
gboolean request_flat(const Request *request, int p, int per_node);
// Returns FALSE and an error if the map is a file that does not have a line for each rank, or whose nodes do not have K
// ranks each where -p says NxK.
gboolean request_check_map(const Request *request, GError **error);
// Adds an algorithm to those that are named, unless it is there already. It need not be in the registry, but it must
// outlive the request.
void request_add(Request *request, const CollAlgorithm *a);
// Adds an algorithm that a user names: one of the registry, by its name or an alias; LIB:NAME or LIB:ID, an algorithm
// that a version of a library has, such as mpich-4.0:ring or ompi-5:3; LIB:all, all of these; or LIB:auto, what the
// library runs by default. Where `only` is set, the name may leave out LIB. Returns FALSE and an error if there is
// none.
gboolean request_name_algorithm(Request *request, const char *name, GError **error);
// Does the same, and returns the algorithm, the last one of several; NULL and an error if there is none.
const CollAlgorithm *request_named(Request *request, const char *name, GError **error);
// Adds one name of the request's collective.
typedef gboolean RequestName(Request *request, const char *name, GError **error);
// Adds each of the names in a word, which are joined by commas; `all` may be among them. `what` is what errors call the
// word.
gboolean request_add_names(Request *request, const char *what, const char *word, RequestName *add, GError **error);
// Adds what a library runs by default to the algorithms that are named.
void request_add_default(Request *request, Tables *tables);
// Names what a library runs by default as the only algorithm of the request's collective.
void request_name_default(Request *request, Tables *tables);
// Adds what a library runs if `decide` decides by `from`, which must outlive the request, under a name of its own.
// Returns the algorithm.
const CollAlgorithm *request_name_decider(Request *request, Tables *tables, const char *name, DecidePart *decide,
                                          gconstpointer from);
// Makes the algorithms that were named those that are kept, so that the request is about all.
void request_keep(Request *request);
// Returns true if the algorithm is one of these.
gboolean request_keeps(const Request *request, const CollAlgorithm *a);
// Forgets which algorithms were named.
void request_name_none(Request *request);
// Returns the tables of a library, which the request keeps; NULL and an error if they cannot be read.
Tables *request_tables(Request *request, const Library *library, GError **error);
// Returns TRUE if the operation may be reordered, also for a collective that has none.
gboolean request_commutes(const Request *request);
// Returns the call of the request's collective at a point, as libraries see it.
DecideCall request_call(const Request *request, int p, int per_node, size_t m, const CollCounts *counts);
// Returns the library's decision at a point, of an algorithm that is a RequestAuto; NULL for others. Free with
// decision_free.
Decision *request_decide(const Request *request, const CollAlgorithm *a, int p, int per_node, size_t m,
                         const CollCounts *counts);
// Returns the algorithm if exactly one was named, otherwise NULL.
const CollAlgorithm *request_only(const Request *request);
// Returns true if one algorithm was named and each parameter has one value, so that the points differ in p, m and root
// alone: there is nothing to rank.
gboolean request_single(const Request *request);
// Calls for one value of each parameter: returns FALSE and an error if a --param lists several.
gboolean request_no_lists(const Request *request, GError **error);
// Returns the largest number of ranks that the request asks for.
size_t request_most_ranks(const Request *request);
// Reads --counts and --displs into the request. NULL means that the option was not given; otherwise the collective must
// be one whose blocks may differ in length (--counts) or have gaps between them (--displs).
gboolean request_counts(Request *request, const char *counts, const char *displs, GError **error);
// Returns true if each --param belongs to at least one algorithm of the request, and all algorithms that have this
// parameter allow its values. The model must be set unless algorithms are named.
gboolean request_check_params(const Request *request, GError **error);
// Returns algorithm i of the request, 0 <= i < n_algorithms. Returns NULL for an i without an algorithm, so a loop must
// look at all values of i: the algorithms of `all` do not have consecutive numbers.
const CollAlgorithm *request_algorithm(const Request *request, int i);
// Returns the parameters with which algorithm `a` is to run, an array of CollParams: every combination of the values
// that --param lists for it, in the order written, each once. Parameters that are not given keep their defaults.
// Returns NULL and an error on a value that is not allowed or above 10,000 combinations. Free with g_array_unref.
GArray *request_variants(const Request *request, const CollAlgorithm *a, GError **error);
// Returns the largest m, in bytes, that is accepted on p ranks (see operation_weight): sums over all messages stay
// below 2^62. schedule_check() checks the messages of an algorithm themselves later.
size_t request_most(const Request *request, size_t p);
// Returns FALSE and an error if m bytes on p ranks are above this, or are not a whole number of elements.
gboolean request_check_size(const Request *request, size_t p, size_t m, GError **error);
// Returns those of the request's sizes that are whole numbers of its elements (size_t). Free with g_array_unref.
GArray *request_whole_sizes(const Request *request);
// Returns the name to print: `name` if there is one, otherwise the collective's.
const char *request_name(const Request *request);
// Returns how many nodes p ranks are on; 0 if there is no map.
int request_nodes(const Request *request, int p, int per_node);
// Returns the map as --map takes it, "block:48" or a file; NULL if there is none. Free with g_free.
char *request_map(const Request *request, int per_node);
// Returns the nodes of p ranks as "96 nodes of 48 ranks, block", "4 nodes of at most 4 ranks, cyclic" or "2 nodes of 3
// ranks, map hosts.txt"; NULL if there is no map. Free with g_free.
char *request_nodes_text(const Request *request, int p, int per_node);
// Notes once what the answers do not have, and why. Takes ownership of the text; NULL is nothing.
void request_leave_out(Request *request, char *what);
// Notes the same of one collective among several. NULL is nothing.
void request_leave_out_of(Request *request, Collective collective, const char *what);
// Notes once what is to be said of a library's default. Takes ownership of the text.
void request_note_default(Request *request, char *what);
// Returns what a reader must know about the request, its machine and nodes, a line for each remark (char *). The lines
// say what was left out, and what the machine does not know (engine/model/unknown.h). They also say if the map is
// missing, if links inside a node cost the same as the network, if nodes have more ranks than the machine's, or if
// --set had no effect. Empty if there is nothing to say. Free with g_ptr_array_unref.
GPtrArray *request_remarks(const Request *request);
// Returns the bytes of an element where no log says it: `given` if that is not 0, and otherwise 1. But where a library
// decides, which may go by the number of elements, it is LOG_USUAL_ELEMENT in reductions, or the longest half, quarter
// .. of that which divides all sizes (of size_t; NULL for none).
size_t request_element(Collective collective, gboolean decides, const GArray *sizes, size_t given);
// Sets the element of a request that has its names and sizes.
void request_set_element(Request *request, size_t given);
// Adds the first part of these, what the machine does not know, to notes (of char *) that do not have it.
void request_unknowns(const Request *request, GPtrArray *notes);
// Returns TRUE if a collective that the request is about reduces.
gboolean request_reduces(const Request *request);
// Returns what a title adds about blocks and nodes, such as ", counts linear, gaps, 2 nodes of 4 ranks, block"; "" if
// nothing was asked for. Where -p has several numbers, it says what all have in common: ", 4 ranks per node, block".
// Free with g_free.
char *request_layout(const Request *request);
