// A request: a question, the machine that it is about, and the library whose algorithms and decisions count. A function
// takes the part that it needs; those here need several.
#pragma once
#include "search/form/bound_times.h"
#include "search/search/known.h"
#include "search/search/question.h"
#include "search/search/request_library.h"
#include "search/search/request_machine.h"

// request_clear frees what it owns: its parts, and the remarks.
typedef struct Request {
    Question question;
    RequestMachine machine;
    RequestLibrary library;
    GPtrArray *left_out;   // what the answers do not have, and why (char *), for request_remarks(); NULL for nothing
    GPtrArray *of_default; // what is to be said of a library's default (char *), likewise
    KnownTimes *known;     // where runs note what is predicted, not owned; NULL for nowhere
} Request;

void request_clear(Request *request);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Request, request_clear)

// Returns how many ranks a node has at ranks[i]: K of NxK, block:K and cyclic:K. Returns 0 if nothing says it: there is
// no map, or it is a file.
int request_per_node(const Request *request, guint i);
// Returns TRUE if the ranks of some point are known to be on several nodes: there is a map, and not all are on one node.
gboolean request_several_nodes(const Request *request);
// Returns TRUE if the model is hockney, all messages between p ranks cost the same, and ranks and messages share nothing.
gboolean request_one_level(const Request *request, int p, int per_node);
// Returns TRUE if closed forms hold: request_one_level() is TRUE, the operation is commutative, the root is 0, all blocks
// are of equal length, and the request has no network, arrival or noise.
gboolean request_flat(const Request *request, int p, int per_node);
// Returns TRUE if a bound is known: ranks must send messages, and all blocks must be alike.
gboolean request_has_bound(const Request *request);
// Returns what no algorithm beats on p ranks with m bytes, on nodes of `per_node` ranks (see Point), if a rank has `ports`
// ports each way (bound_times_on, logp_bound_times); NANs if no bound is known.
BoundTimes request_bounds(const Request *request, int p, int per_node, size_t m, int ports);
// Returns the longest of these times for one port, in seconds.
double request_bound(const Request *request, int p, int per_node, size_t m);
// Returns FALSE and an error if the map is a file that does not have a line for each rank, or whose nodes do not have K
// ranks each where -p says NxK.
gboolean request_check_map(const Request *request, GError **error);
// Returns FALSE and an error if the file of --arrival does not have a time for each rank.
gboolean request_check_arrival(const Request *request, GError **error);
// Sets the element of a request that has its names and sizes.
void request_set_element(Request *request, size_t given);
// Sets the model, which must be able to time all algorithms that are named. A name of NULL means the default: shared if
// the first algorithm named is one of shared memory, otherwise that of the request's platform (request_default_model).
gboolean request_model(Request *request, const char *name, GError **error);
// Has a search pass over the algorithms of a list (question_without), and notes it. NULL stands for no list.
gboolean request_without(Request *request, const char *what, const char *list, GError **error);
// Sets how near the lower bound ends a search (Question.enough), by a text such as "5%"; NULL for the fastest. Errors
// call it `what`. The model and the counts must be set, and a bound must be known.
gboolean request_within(Request *request, const char *what, const char *text, GError **error);
// Returns algorithm i of the request, 0 <= i < n_algorithms. Returns NULL for an i without an algorithm, so a loop must
// look at all values of i: the algorithms of `all` do not have consecutive numbers.
const CollAlgorithm *request_algorithm(const Request *request, int i);
// Returns true if each --param belongs to at least one algorithm of the request, and all algorithms that have this
// parameter allow its values. The model must be set unless algorithms are named.
gboolean request_check_params(const Request *request, GError **error);

// ---- Names of algorithms, and what a library decides (request_names.c) -------------------------------------------------

// Adds what a library runs if `decide` decides by `from`, which must outlive the request, under a name of its own.
// Returns the algorithm.
const CollAlgorithm *request_name_decider(Request *request, Tables *tables, const char *name, DecidePart *decide,
                                          gconstpointer from);
// Forgets which algorithms were named.
void request_name_none(Request *request);
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
// Returns the call of the request's collective at a point, as libraries see it.
DecideCall request_call(const Request *request, int p, int per_node, size_t m, const CollCounts *counts);
// Returns the library's decision at a point, of an algorithm that is a RequestAuto; NULL for others. Free with
// decision_free.
Decision *request_decide(const Request *request, const CollAlgorithm *a, int p, int per_node, size_t m,
                         const CollCounts *counts);

// ---- What an answer says of its request (request_remarks.c) ------------------------------------------------------------

// Notes once what the answers do not have, and why. Takes ownership of the text; NULL is nothing.
void request_leave_out(Request *request, char *what);
// Notes the same of one collective among several. NULL is nothing.
void request_leave_out_of(Request *request, Collective collective, const char *what);
// Notes once what is to be said of a library's default. Takes ownership of the text.
void request_note_default(Request *request, char *what);
// Returns which network and placement times assume: "network: torus 8,8,8, minimal routing; nodes in order". Returns NULL
// if messages do not pay for links. Free with g_free.
char *request_network_text(const RequestMachine *machine);
// Adds what the machine does not know (engine/model/unknown.h), and which network times assume, to notes (of char *) that
// do not have it.
void request_unknowns(const Request *request, GPtrArray *notes);
// Returns what a reader must know about the request, its machine and nodes, a line for each remark (char *): what was left
// out; what the machine does not know (engine/model/unknown.h); that there is no map, that links inside a node cost the same as
// the network, that nodes have more ranks than the machine's, or that --set had no effect. Empty if there is nothing to
// say. Free with g_ptr_array_unref.
GPtrArray *request_remarks(const Request *request);
// Returns what a title adds about blocks and nodes, such as ", counts linear, gaps, 2 nodes of 4 ranks, block"; "" if
// nothing was asked for. Where -p has several numbers, it says what all have in common: ", 4 ranks per node, block".
// Free with g_free.
char *request_layout(const Request *request);
