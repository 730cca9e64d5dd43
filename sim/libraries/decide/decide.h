// What an MPI library does by default: decide_call() goes from a call to the library's algorithm, the parameters that
// it passes, the fallback that really runs, and the registry's entry that sends the same messages.
//
// An algorithm of a library may call other collectives, or be a composition over nodes. The library decides anew for
// each of these parts, with the ranks that take part in it; so a decision is a tree.
#pragma once
#include "libraries/decide/tables.h"

typedef struct DecideCall DecideCall;
typedef struct Decision Decision;
// Decides a call by something else than the library's tables, such as a rules file. Never returns NULL.
typedef Decision *DecidePart(Tables *tables, const DecideCall *call, gconstpointer from);

// What a tree of MPICH has at its end for a call.
typedef struct DecideLeaf {
    const char *runs;   // "MPIR_Bcast_intra_binomial"; NULL for nothing
    const char *params; // "k=4"; "" for none
    const char *ends;   // why the call ends the program; NULL if it does not
} DecideLeaf;
// Finds the leaf of another tree than the library's own.
typedef DecideLeaf DecideTree(const DecideCall *call, gconstpointer from);

// The communicator of a call: one of the program, or the library's own of a node's ranks, or of one rank of each node.
typedef enum { DECIDE_ON_ALL, DECIDE_ON_NODE, DECIDE_ON_ROOTS } DecideGroup;

// What the variables of Open MPI's component HAN are set to.
typedef struct DecideHan {
    const char *algorithm; // coll_han_use_COLLECTIVE_algorithm: "intra" or "simple"; NULL for the default
    size_t segment;        // coll_han_COLLECTIVE_segsize; 0 for the default
    int priority;          // coll_han_priority, above 30 to come before tuned; 0 for the default
} DecideHan;

// A call of a collective.
struct DecideCall {
    Collective collective;
    int p;
    size_t m;                 // in bytes, what the option -m says: the vector, or one block
    size_t elem;              // bytes of an element
    gboolean commutative;     // of a reduction; the operation counts as one of MPI's own if it is
    gboolean in_place;        // MPI_IN_PLACE as the send buffer
    const CollCounts *counts; // NULL if all blocks have one length
    const CollNodes *nodes; // NULL if nobody says where the ranks are: Open MPI then takes them for ranks of one node,
                            // MPICH for one rank on each node
    gboolean no_han;        // HAN is switched off (--mca coll ^han)
    DecideHan han;
    gboolean han_stays;       // HAN still serves what an algorithm calls that the library is told to run (decide_told)
    gboolean no_compositions; // MPICH's device has no collectives (MPIR_CVAR_DEVICE_COLLECTIVES=none)
    DecidePart *decide_part;  // decides what an algorithm of Open MPI calls, and what HAN calls within a node or, where
                              // that blocks, between nodes, by `from`; NULL for the library's tables
    gconstpointer from;
    DecideTree *tree;         // MPICH: takes the place of the library's tree, with `from`; NULL for the library's
    DecideTree *compositions; // .. and of its tree of compositions
    DecideGroup group;
};

struct Decision {
    const Library *library;
    Collective collective;
    int p;
    size_t bytes;     // as the library means them
    int chosen;       // Open MPI: the id that its table has; 0 for HAN and MPICH
    int id;           // Open MPI: the id that runs, which is another one if a need of the chosen id is not met
    const char *name; // of what runs, in the library's words: "rabenseifner", "MPIR_Bcast_intra_binomial", "han intra"
    const char *why;  // the need of the chosen id that is not met: "count < p"; NULL if all are met
    gboolean told;    // the library was told to run this (decide_told)
    gboolean before;  // unless it is switched off, HAN comes before a setting for such calls
    size_t segment;   // what Open MPI passes to the id; 0 for nothing
    int fanout, max_requests;
    const CollAlgorithm *entry; // the entry that sends its messages; NULL if there is none, and `missing` says why
    CollParams par;             // of the entry
    char *missing;              // what the data or the registry lack; NULL if they have all
    GPtrArray *parts;           // of Decision *: for each part of the entry, in the order of its parameters; an element
                                // is NULL where the library's choice is not in the data, and the entry's default runs
};

// Decides a call. Threads may call this at the same time. Free with decision_free. The entry and its parameters live as
// long as the tables.
Decision *decide_call(Tables *tables, const DecideCall *call);
// Does the same for a library that is told to run one of its algorithms, by a rules file or a setting. Open MPI then
// runs without HAN (but for han_stays), and MPICH without compositions. Where a need is not met, Open MPI runs its
// fallback, and MPICH decides by its tree. Parts are decided as always.
Decision *decide_told(Tables *tables, const DecideCall *call, const LibraryAlgorithm *algorithm);
// What a rule passes to an algorithm of Open MPI; 0 stands for nothing.
typedef struct DecidePassed {
    size_t segment;
    int fanout, max_requests;
} DecidePassed;
// Does the same as decide_told with what a rule passes. `passed` may be NULL.
Decision *decide_passing(Tables *tables, const DecideCall *call, const LibraryAlgorithm *algorithm,
                         const DecidePassed *passed);
// Returns TRUE if the algorithm's needs are met, apart from those that depend on a segment.
gboolean decide_can(const LibraryAlgorithm *algorithm, const DecideCall *call);
// Returns the one that is not met; NULL if all are. The text is static.
const char *decide_cannot(const LibraryAlgorithm *algorithm, const DecideCall *call);
// Returns TRUE if both decisions of one library run the same messages, or if neither is known and both say the same.
gboolean decide_alike(const Decision *one, const Decision *two);
void decision_free(Decision *decision);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Decision, decision_free)

// Returns the entry that sends the messages of a library's algorithm, and sets *par to the parameters with which it
// does. Returns NULL if there is none.
const CollAlgorithm *decide_entry(const Tables *tables, const LibraryAlgorithm *algorithm, CollParams *par);
// Returns TRUE if a user can set a parameter of the algorithm's entry in the library.
gboolean decide_takes(const LibraryAlgorithm *algorithm, const CollParam *param);
// Returns TRUE if the library's rules file can say it too. A parameter that it cannot say is 0 wherever a rule decides.
gboolean decide_file_takes(const Tables *tables, const LibraryAlgorithm *algorithm, const CollParam *param);
// Returns TRUE if HAN serves a collective on several nodes, with variables that say so.
gboolean decide_has_han(const Tables *tables, Collective collective, const DecideHan *han);
// Returns the algorithm that HAN runs without a rule: the one that its variable names, if it has that for the
// collective, or else its default. NULL if HAN does not serve the collective.
const char *decide_han_algorithm(const Tables *tables, Collective collective, const DecideHan *han);
// Returns TRUE if an algorithm here is one of HAN's: "simple".
gboolean decide_han_has(Collective collective, const char *algorithm);
// Returns TRUE if one of HAN's algorithms makes blocking calls between the nodes. Tuned decides these, with a rank for
// each node; libnbc runs those that do not block. All `simple` algorithms make blocking calls, and so do all that go by
// rules for levels, as the component "monitoring" of 4.1.4 shows although the levels' default component there is another
// one. A broadcast in segments does so for its first segment; of a `whole` message, which is not cut, that is all.
gboolean decide_han_blocks(const Tables *tables, Collective collective, const char *algorithm, gboolean whole);
// Returns TRUE if one of HAN's algorithms makes calls of a collective that tuned decides: `within` each node, with the
// node's ranks, or between the nodes, with a rank for each of them. Between them these are calls that block; a
// broadcast in segments makes one for its first segment.
gboolean decide_han_calls(const Tables *tables, Collective collective, const char *algorithm, Collective called,
                          gboolean within);
// Returns TRUE if the library decides otherwise on several nodes.
gboolean decide_asks_nodes(const Tables *tables, gboolean no_han, const DecideHan *han);
// Returns the library's algorithm that an entry is with these parameters; NULL if the library has none.
const LibraryAlgorithm *decide_algorithm(const Tables *tables, const CollAlgorithm *entry, const CollParams *par);
// Returns what a user sets so that the library runs an algorithm with these parameters of its entry, for all calls of
// the collective: options of mpirun, or variables of the environment. They switch HAN off if it comes `before`. Returns
// NULL if the library has no settings for the parameters. Free with g_free.
char *decide_setting(const Tables *tables, const LibraryAlgorithm *algorithm, const CollAlgorithm *entry,
                     const CollParams *par, gboolean before);
// Does the same for what was decided; NULL also for HAN and compositions, which no one setting chooses.
char *decision_setting(const Decision *decision, const Tables *tables);
// Returns a call with this many bytes as Open MPI's rules see it. A call whose nodes are unknown counts as one on
// several nodes with several ranks on one of them.
RuleCall decide_tuned_call(const DecideCall *call, gint64 bytes);
// Returns what Open MPI's tables mean by bytes, of a call.
size_t decide_bytes(const DecideCall *call);
// Return where the library may decide otherwise than one element below, as sizes of the call (size_t), and than on one
// rank less (int). Both ascend, and may have places where it does not. Free with g_array_unref.
GArray *decide_sizes(const Tables *tables, const DecideCall *call);
GArray *decide_ranks(const Tables *tables, Collective collective);
// Returns the library's own name for what runs: "3", "han", "recursive_doubling", "alpha". Free with g_free.
char *decision_id(const Decision *decision);
// Returns the whole decision as text, "2 bruck (chosen 3 recursive_doubling: p is not a power of two)" or
// "alpha (allreduce: recursive_doubling; reduce: binomial; bcast: binomial)". Free with g_free.
char *decision_text(const Decision *decision);
