// libcollsim predicts how long MPI collectives take without running them. It simulates the same algorithms under the
// same cost models as the program collsim, with the same result to the last bit.
//
// A caller opens a platform, which has the figures of a machine; makes a request, which says what to run; and asks for
// runs, which are lists of predicted times. Everything that a call returns belongs to the caller and has a function
// that frees it; NULL can be freed.
//
// - Units. Times are in seconds, sizes in bytes. A time is the value of a certificate: integer counts of what the
//   critical path pays, each with its cost (collsim_term).
// - Errors are values. A function that can fail has a last parameter `error`. If it fails, it returns NULL, or a code
//   other than COLLSIM_OK, and stores a new collsim_error in `*error`, unless `error` is NULL; if it succeeds, it
//   leaves `*error` alone. The message is the one line that the program prints. A pointer that must not be NULL and is
//   NULL is such an error too. The library never prints, ends the process or changes signal handlers. If it finds a bug
//   in itself, the call fails with COLLSIM_BUG, and what the call had taken is lost.
// - Threads. All functions may be called by several threads at a time. An object may be used by several threads at a
//   time if none of them changes or frees it: the functions that change one take a pointer that is not const. A call
//   uses as many threads as there are processors, and its result depends on neither their number nor what else runs.
// - Texts are UTF-8 and end in \0. Numbers in texts have a point, whatever the locale.
// - Memory. A run that needs more memory than there is, or that would not end soon, is refused with COLLSIM_TOO_MUCH.
//   If memory runs out later, in a call, the call fails with that code too, but what it had taken is lost. Only where
//   one of GLib's own containers cannot grow by a few bytes does GLib abort the process.
// - Stacks. 64 KiB of stack are enough for every call, also for the threads that a call makes.
// - Files. Platforms are looked up by name in the folder that the environment's COLLSIM_PLATFORMS names, and what MPI
//   libraries decide in that of COLLSIM_DECISIONS, or else where the library was installed.
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

// ---- Errors ---------------------------------------------------------------------------------------------------------

enum {
    COLLSIM_OK = 0,
    COLLSIM_INPUT = 1,     // an argument, or a file, is not what is allowed
    COLLSIM_TOO_LARGE = 2, // the input is valid, but its sums do not fit into 64 bits
    COLLSIM_TOO_MUCH = 3,  // the input is valid, but a run would take too long or too much memory
    COLLSIM_BUG = 4,       // the library is wrong
    COLLSIM_STOPPED = 5,   // collsim_request_stop ended the call
};
typedef struct collsim_error collsim_error;

// Returns the code of an error, one of those above.
//   error  an error that a call has stored; NULL gives COLLSIM_OK
int collsim_error_code(const collsim_error *error);

// Returns the message of an error: one line without a newline, which says what is wrong, where, and what is allowed.
//   error  an error that a call has stored; NULL gives ""
// The text belongs to the error.
const char *collsim_error_message(const collsim_error *error);

// Frees an error.
//   error  NULL is allowed
void collsim_error_free(collsim_error *error);

// ---- What there is --------------------------------------------------------------------------------------------------

// Returns the version of the library, such as "0.9.0". The text is static.
const char *collsim_version(void);

// Returns how many collectives there are.
size_t collsim_collective_count(void);

// Returns the name of a collective, such as "allreduce". The text is static.
//   i  0 .. collsim_collective_count() - 1; NULL is returned for others
const char *collsim_collective_name(size_t i);

// Returns how many algorithms a collective has.
//   collective  a name, as collsim_collective_name returns it; 0 is returned for others
size_t collsim_algorithm_count(const char *collective);

// Returns the name of an algorithm, such as "ring". The text is static.
//   collective  a name, as collsim_collective_name returns it
//   i           0 .. collsim_algorithm_count(collective) - 1
// NULL is returned for others.
const char *collsim_algorithm_name(const char *collective, size_t i);

// Frees a text that a function returned for the caller to free.
//   text  NULL is allowed
void collsim_free(char *text);

// ---- Platforms ------------------------------------------------------------------------------------------------------

// A machine: the figures that cost models need, each with its source.
typedef struct collsim_platform collsim_platform;

// Loads a platform.
//   name_or_file  the name of an installed platform, such as "lumi", or a file; it is a file if it has a '/' or ends in
//                 ".ini"
// Returns NULL and COLLSIM_INPUT if there is none, or if the file is malformed. Free with collsim_platform_free.
collsim_platform *collsim_platform_open(const char *name_or_file, collsim_error **error);

// Reads a platform from memory.
//   name    its name, which errors use in place of a file's
//   text    the text of an .ini file, which need not end in \0
//   length  bytes of the text, at most 65536
// Returns NULL and COLLSIM_INPUT if the text is malformed. Free with collsim_platform_free.
collsim_platform *collsim_platform_parse(const char *name, const char *text, size_t length, collsim_error **error);

// Changes a figure of a platform.
//   platform    must not be in use by another thread
//   assignment  KEY=VALUE as the option --set has it: "alpha=2us", "alpha.node=x0.5"
// Returns COLLSIM_OK, or COLLSIM_INPUT if the key or the value is not allowed; then the platform is as it was.
int collsim_platform_set(collsim_platform *platform, const char *assignment, collsim_error **error);

// Returns the name of a platform: that of its file without the folder and ".ini". The text belongs to the platform.
//   platform  NULL gives NULL
const char *collsim_platform_name(const collsim_platform *platform);

// Returns a platform as the text of an .ini file, with the source of each figure, but without a topology.
//   platform  any
// Returns NULL and COLLSIM_INPUT if the text would be larger than a file may be. Free with collsim_free.
char *collsim_platform_text(const collsim_platform *platform, collsim_error **error);

// Frees a platform. The requests that have it must be freed before.
//   platform  NULL is allowed
void collsim_platform_free(collsim_platform *platform);

// ---- Requests -------------------------------------------------------------------------------------------------------

// What to run: a collective, algorithms, numbers of ranks, sizes, and options.
typedef struct collsim_request collsim_request;

// Makes a request of all algorithms of a collective. Ranks and sizes must be set before it is run.
//   platform    where to run; it must outlive the request
//   collective  a name, also MPI's: "allreduce", "MPI_Allreduce"
// Returns NULL and COLLSIM_INPUT if there is no such collective. Free with collsim_request_free.
collsim_request *collsim_request_new(const collsim_platform *platform, const char *collective, collsim_error **error);

// Sets the numbers of ranks, in place of those set before.
//   ranks  n numbers from 1 to 134217728, which are copied
//   n      1 .. 10000
// Returns COLLSIM_OK, or COLLSIM_INPUT if a number is not allowed; then the request is as it was.
int collsim_request_ranks(collsim_request *request, const int *ranks, size_t n, collsim_error **error);

// Sets the numbers of ranks as the option -p of the program takes them.
//   list  numbers and ranges joined by commas: "8,64", "2..33", "1K..1M:x4" (multiply by 4), "8..64:+8"; NxK is N nodes
//         of K ranks, such as "96x48". At most 10000 numbers
// Returns COLLSIM_OK, or COLLSIM_INPUT if the list is malformed or a number is not allowed; then the request is as it
// was.
int collsim_request_ranks_list(collsim_request *request, const char *list, collsim_error **error);

// Sets the sizes, in place of those set before. A barrier needs none.
//   bytes  n sizes from 0 to 2^50, each a multiple of the element, which are copied. A size is that of the whole vector
//          (bcast, reduce, allreduce, reduce_scatter, scan, exscan) or of one rank's block (the others)
//   n      1 .. 10000
// Returns COLLSIM_OK, or COLLSIM_INPUT if a size is not allowed; then the request is as it was.
int collsim_request_sizes(collsim_request *request, const uint64_t *bytes, size_t n, collsim_error **error);

// Sets the sizes as the option -m of the program takes them.
//   list  sizes and ranges joined by commas, as numbers of ranks are, but without NxK: "8,64K", "8..16M:x8". K, M, G
//         and T are powers of 1024
// Returns COLLSIM_OK, or COLLSIM_INPUT if the list is malformed or a size is not allowed; then the request is as it
// was.
int collsim_request_sizes_list(collsim_request *request, const char *list, collsim_error **error);

// Names the algorithms, in place of those named before. collsim_best and collsim_decide choose among all and do not
// read them.
//   names  "all", or names joined by commas: algorithms of the collective, their aliases, and LIB:NAME, LIB:all or
//          LIB:auto for what an MPI library has or runs by default, such as "ring,ompi-4.1:auto". Files with
//          algorithms, which the program takes, are refused: they are code, and loading them is not safe while other
//          threads run
// Returns COLLSIM_OK, or COLLSIM_INPUT if there is no algorithm of a name; then the request is as it was.
int collsim_request_algorithms(collsim_request *request, const char *names, collsim_error **error);

// Sets an option. The options have the names and values of the program's:
//
//   root             a rank, or "all" for every rank in turn; 0 if not set
//   element          bytes of an element, 1 .. 2^30; if not set 1, but in reductions 8, or 4, 2, 1 if a
//                    size is not a multiple, where a library decides (`only`, ompi-5:auto)
//   per-node         consecutive ranks on each node, from 1
//   map              "block:K", "cyclic:K", or a file with a line for each rank
//   counts, displs   the blocks of a v-collective: "linear", "one-big", "random:7" .., or a file
//   model            "hockney", "measured", "loggops", "loggp", "logp", "shared"; if not set, the platform decides
//   transfer         under hockney: "rendezvous" (if not set), "eager", "eager-port"
//   param            NAME=VALUE of a parameter of the algorithms, such as "segment=64K"; several may be set
//   only             an MPI library, such as "ompi-4.1": only what it can be told to run
//   without          algorithms that collsim_best passes over, as parts of others too: names joined by commas, of other
//                    collectives as COLLECTIVE/NAME, such as "hybrid,reduce/hybrid"; other calls do not read it
//   within           a share such as "5%": collsim_best ends once the fastest so far takes at most so much longer than the
//                    lower bound, which no algorithm can beat; other calls do not read it
//   arrival          under hockney and measured: when ranks arrive, "one-late:20us" (the last one), "ascending:20us",
//                    "random:20us:1" (up to 20 us, with the seed 1), or a file with a time for each rank
//   noise            likewise: what makes messages longer, "message:exp:200ns", "rank:uniform:1us", "message:spike:50us:99"
//                    (50 us, once in 99 messages) and "seed:1", joined by commas
//   seeds            with random arrivals or noise: how many runs, 1 .. 10000, with this seed and those above it
//   by               with seeds, or several seeds of nodes: which run's time counts, "median" (if not set) or "p99"
//   non-commutative  "yes" or "no": the operation of a reduction must not be reordered
//   han              how Open MPI's component HAN works: "segsize=BYTES", "algorithm=intra" or "algorithm=simple", and
//                    "priority=1" to "priority=100", joined by commas
//   no-han           "yes" or "no": HAN is switched off
//   full             "yes" or "no": simulate each rank even if a few can stand for all
//   topology         on a platform whose links have rates: another network of as many classes of links, "torus:16,16,16"
//   routing          there: "minimal" or "spread"
//   nodes            there, where the nodes are: "order" (if not set), "random:SEED", "fragment:C:SEED", or a file; with
//                    several seeds, "random:1..20", there is a run with each
//
//   name   one of these names
//   value  its value, which is copied and replaces one set before; NULL takes the option away, of param all values
// Returns COLLSIM_OK, or COLLSIM_INPUT if there is no such option. Values depend on each other, so most are checked
// when the request is run.
int collsim_request_option(collsim_request *request, const char *name, const char *value, collsim_error **error);

// Ends the calls that run with a request on other threads, such as when a user presses Ctrl-C: they simulate no further
// point, and fail with COLLSIM_STOPPED. So do later calls with this request. It does no more than to set a number, so a signal
// handler may call it.
//   request  NULL is allowed
void collsim_request_stop(collsim_request *request);

// Frees a request.
//   request  NULL is allowed
void collsim_request_free(collsim_request *request);

// ---- Runs -----------------------------------------------------------------------------------------------------------

// A term of a certificate: the critical path pays `count` times a cost of `value_s` seconds.
typedef struct collsim_term {
    const char *name; // "alpha", "beta.node"
    int64_t count;
    double value_s;
} collsim_term;

// A number that the program's CSV has in a column of its own: "alpha_s" with a value in seconds, "beta_s_per_byte",
// "alpha_count". If the column counts something, `count` is that number and `value` is equal to it; otherwise `count` is
// -1. The value of a figure that is not known is NAN. If nothing was simulated, a column that counts has the value NAN
// and the count -1.
typedef struct collsim_column {
    const char *name;
    double value;
    int64_t count;
} collsim_column;

// One predicted run. Later versions may add fields at the end.
//
// If `ran` and `why` are both set, a need of the algorithm was not met and its fallback ran: the time, the certificate
// and the messages are the fallback's. A caller that shows times by `algorithm` should leave such a run out, or name
// `ran`. With LIB:auto, `ran` is what the library runs, and `why` is NULL.
typedef struct collsim_run {
    const char *algorithm;     // as it was asked for: "ring", "ompi-4.1:auto"
    const char *params;        // its parameters, "segment=64K;chains=4"; "" if it has none
    const char *ran;           // the algorithm that ran, which is a fallback if a need is not met; NULL if none can run
    const char *why;           // the need that is not met, or why nothing ran; NULL if there is nothing to say
    int p, root;               // ranks, and the root
    uint64_t bytes;            // the size that was asked for
    double time_s;             // when the last rank of what ran ends; NAN if nothing ran, or in a deadlock
    const char *certificate;   // how the time came about, as text: "15 alpha + 122880 beta"; NULL without a time
    const collsim_term *terms; // the same as n_terms terms
    size_t n_terms;
    uint64_t messages;   // of all ranks; 0 if nothing ran
    uint64_t bytes_sent; // by all ranks
    const char *stuck;   // who waits for whom, a line each, in a deadlock; NULL if the run ended
    int place;           // 1 for the fastest run of its ranks, size and root; 0 without a time, and for a fallback
    const char *setting; // the setting with which the library of `only` or LIB:auto runs this; NULL if there is none
    int per_node;        // ranks on each node, if NxK or an option says so; otherwise 0
    // In collsim_best with `only`, what the library runs by default takes default_s. If that is longer than time_s, the
    // ratio of the measured times is in 90 of 100 cases above saves_low, in as many below saves_high, and above 1 with
    // the probability `sure`, 0 to 1. NAN for what is not known.
    double default_s, saves_low, saves_high, sure;
    // With the options arrival and noise: when the last rank arrives, and the mean of the times at which ranks end. With
    // several seeds, also of nodes: the median of the times of all runs, and the time that 99 in 100 do not exceed; time_s is one of
    // these, and all else is of the run that takes so long. NAN without.
    double last_arrival_s, mean_end_s, median_s, p99_s;
    // The time as a multiple of that of the run whose place is 1, and of what no algorithm can be faster than. NAN without
    // a place, and if the other time is 0 or not known.
    double x_best, x_bound;
    const char *model;    // "hockney"
    const char *transfer; // "rendezvous", "eager", "eager-port"; NULL if the model knows none
    int nodes;            // 0 if ranks are not on nodes
    const char *map;      // how ranks are placed, "block:48"; NULL if the machine has no nodes
    uint64_t element;     // bytes
    // The most messages and bytes that one rank sends, receives and reduces; 0 if nothing ran.
    uint64_t max_messages_sent, max_messages_received, max_bytes_sent, max_bytes_received, max_bytes_reduced;
    const char *costs;     // what the time is made of, in seconds: "alpha=3.9e-05 beta=2.56e-09"; NULL without a time
    const char *parts_ran; // the fallbacks of its parts, with their needs; NULL if there are none
    // How the lengths and the displacements of blocks vary, as the options counts and displs say it; NULL if all blocks
    // of the collective have one length.
    const char *counts, *displs;
    // From collsim_predict and collsim_rank: when the first and the last rank end, and the mean over all ranks. NAN
    // without a time, on more than 2^18 ranks, and under loggops, loggp and logp, which know only what messages cost.
    double end_min_s, end_mean_s, end_max_s;
    // The n_columns numbers that have columns of their own in the program's CSV: the machine's figures, and how often
    // the certificate pays each kind of cost, which may be 0 times.
    const collsim_column *columns;
    size_t n_columns;
} collsim_run;

// A list of runs.
typedef struct collsim_runs collsim_runs;

// Predicts every point of a request: for each number of ranks, each size, each root, the algorithms in the order of the
// registry (if several are named: as named), each with every combination of the values of its parameters.
//   request  with ranks and sizes; at most 10,000 points of an algorithm
// Returns NULL and COLLSIM_INPUT if an option is wrong or no algorithm can run at any point, and COLLSIM_TOO_LARGE or
// COLLSIM_TOO_MUCH if nothing can be simulated; in a list of several algorithms, one that cannot run is a run without a
// time. A deadlock is a run too. Free with collsim_runs_free.
collsim_runs *collsim_predict(const collsim_request *request, collsim_error **error);

// Predicts the same points, and orders those of the same ranks, size and root: the fastest first, and runs without a
// time last. Ties are broken as in the program.
//   request  as for collsim_predict
// Returns what collsim_predict returns.
collsim_runs *collsim_rank(const collsim_request *request, collsim_error **error);

// Finds the fastest algorithms for each number of ranks and each size, each with its best parameters.
//   request  with ranks and sizes, one root and one value of each parameter
//   most     how many algorithms to return for each, 1 .. 1000
// Returns a list ordered as that of collsim_rank, or NULL and an error as collsim_predict. Behind the algorithms that
// have a place are those that cannot run there, without a time; their `why` says why. Free with collsim_runs_free.
collsim_runs *collsim_best(const collsim_request *request, int most, collsim_error **error);

// Returns how many runs a list has.
//   runs  NULL gives 0
size_t collsim_runs_count(const collsim_runs *runs);

// Returns a run of a list. It belongs to the list.
//   i  0 .. collsim_runs_count(runs) - 1; NULL is returned for others
const collsim_run *collsim_runs_at(const collsim_runs *runs, size_t i);

// Returns what the program would say of all these runs together: what they assume, and figures that the machine lacks,
// such as "48 ranks a node and no NIC: each sends at full speed; set nic.rate". It belongs to the list.
//   runs  NULL has none
//   i     0 for the first note; NULL is returned when there are no more
const char *collsim_runs_note(const collsim_runs *runs, size_t i);

// Frees a list of runs, with all texts in it.
//   runs  NULL is allowed
void collsim_runs_free(collsim_runs *runs);

// ---- Decisions ------------------------------------------------------------------------------------------------------

// What an MPI library runs by default. Later versions may add fields at the end.
typedef struct collsim_decision {
    int p;
    uint64_t bytes;        // the size that was asked for
    const char *library;   // "ompi-4.1"
    const char *id;        // the library's own name: "3", "recursive_doubling"
    const char *text;      // the whole decision: "2 bruck (chosen 3 recursive_doubling: p is not a power of two)"
    const char *algorithm; // the algorithm that sends its messages; NULL if it is not known
    const char *missing;   // why it is not known; NULL if it is
    const char *setting;   // the setting with which the library runs it; NULL if no one setting does
    int per_node;          // ranks on each node, if NxK or an option says so; otherwise 0
} collsim_decision;

// A list of decisions.
typedef struct collsim_decisions collsim_decisions;

// Says what an MPI library runs by default, for each number of ranks and each size of a request.
//   request  with ranks and sizes; its algorithms and its model do not matter
//   library  a version: "ompi-4.1", "ompi-5", "ompi-main", "mpich-4.0", "mpich-4.3"
// Returns NULL and COLLSIM_INPUT if there is no such library or an option is wrong. Free with collsim_decisions_free.
collsim_decisions *collsim_decide(const collsim_request *request, const char *library, collsim_error **error);

// Returns how many decisions a list has.
//   decisions  NULL gives 0
size_t collsim_decisions_count(const collsim_decisions *decisions);

// Returns a decision of a list. It belongs to the list.
//   i  0 .. collsim_decisions_count(decisions) - 1; NULL is returned for others
const collsim_decision *collsim_decisions_at(const collsim_decisions *decisions, size_t i);

// Frees a list of decisions, with all texts in it.
//   decisions  NULL is allowed
void collsim_decisions_free(collsim_decisions *decisions);

// ---- Calibration ----------------------------------------------------------------------------------------------------

// Computes the figures of a machine from measurements.
//   model  "hockney", "measured", "loggops", "loggp", "logp" or "shared"
//   files  n files of the OSU or Intel benchmarks, netgauge or CSV, each as the program takes it: "osu_latency.txt",
//          "allreduce:ring:8=osu_allreduce.txt"
//   n      1 .. 1000
//   base   the machine that is calibrated: it has the levels that labels may name, as in "one@node=osu_latency.txt",
//          and figures that stay unless the files determine them; NULL for a machine about which nothing is known
//   name   the name of the new platform
// Returns the base with the figures that were found, each with its source and the errors of its fit. Its runs have the
// model that was calibrated by default, if this is hockney or measured. Returns NULL and COLLSIM_INPUT if a file is
// malformed or no figure can be determined. Free with collsim_platform_free.
collsim_platform *collsim_calibrate(const char *model, const char *const *files, size_t n, const collsim_platform *base,
                                    const char *name, collsim_error **error);

#ifdef __cplusplus
}
#endif
