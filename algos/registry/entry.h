// A registry entry: everything that the program knows about an algorithm, apart from its text.
#pragma once
#include "api/collective.h"
#include "api/view.h"
#include "registry/needs.h"
#include <stddef.h>
#include <stdint.h>

typedef struct CollPoint CollPoint; // times/times.h
typedef struct Hierarchy Hierarchy; // registry/hierarchy.h

typedef enum { PARAM_SIZE, PARAM_INT, PARAM_CHOICE, PARAM_ALGORITHM } CollParamKind;
// The largest value of a parameter that differs from all smaller ones: its maximum, p-1, ceil(log2 p), or
// floor(log2 p) - 1, the halvings that leave two groups.
typedef enum { CUT_NOT, CUT_PEERS, CUT_ROUNDS, CUT_TWO_GROUPS } CollParamCut;
// A parameter of an algorithm, which --param sets.
typedef struct CollParam {
    const char *name;
    CollParamKind kind;
    size_t field;               // offset of the value in CollParams
    int64_t def, min, max;      // the default and the range; a size is in bytes
    const char *const *choices; // PARAM_CHOICE: the names, ended by NULL; the value is an index into them
    const char *help;           // one line
    CollParamCut cut;           // the value that larger ones mean
    // PARAM_ALGORITHM: the value is the index, in `algorithms`, of an algorithm of this collective. It runs with its
    // own parameters at their defaults, or with those of a variant (CollAlgorithm.variant_of).
    Collective of;
    const char *algorithm; // the name of the default
    bool within;           // the part runs among the ranks of one node, so it may be one in shared memory
} CollParam;
// The names of CollPrestep, of CollLengths, and of the levels, ended by NULL.
extern const char *const coll_prestep_names[], *const coll_lengths_names[], *const coll_level_names[];

// The parameters that several entries have.
// clang-format off
#define SEGMENT_OF(bytes) \
    {"segment", PARAM_SIZE, offsetof(CollParams, segment), bytes, 0, INT64_MAX, NULL, \
     "segment size, in bytes; 0 sends the whole message at once", CUT_NOT}
#define SEGMENT SEGMENT_OF(0)
#define HALVINGS_UP_TO(most, cut, def) \
    {"halvings", PARAM_INT, offsetof(CollParams, halvings), def, 0, 30, NULL, \
     "number of rounds that halve the vector before whole exchanges; more than " most " means that", cut}
#define HALVINGS(def) HALVINGS_UP_TO("ceil(log2 p)", CUT_ROUNDS, def)
#define NODE_ROUNDS \
    {"rounds", PARAM_INT, offsetof(CollParams, halvings), 2, 1, 30, NULL, \
     "number of rounds between nodes; more than ceil(log2 nodes) means that", CUT_ROUNDS}
#define RELAY_RUN_DIRECT \
    {"run", PARAM_INT, offsetof(CollParams, leaders), 1, 1, INT32_MAX, NULL, \
     "R, the number of blocks in a message between nodes; more than the ranks of a node means that", CUT_NOT}, \
    {"direct", PARAM_INT, offsetof(CollParams, halvings), 0, 0, INT32_MAX, NULL, \
     "D, the number of these messages that do not go through other ranks of the root's node", CUT_NOT}
#define POSTAL_LATENCY \
    {"latency", PARAM_INT, offsetof(CollParams, leaders), 4, 1, 256, NULL, \
     "L, the steps that a message takes; a rank can send another one in each of them", CUT_PEERS}
#define AGGREGATE \
    {"aggregate", PARAM_INT, offsetof(CollParams, chains), 1024, 1, INT32_MAX, NULL, \
     "largest number of blocks in a message, which limits buffers; more than p-1 means that", CUT_PEERS}
#define ROW_PARTS \
    {"group", PARAM_INT, offsetof(CollParams, chains), 4, 2, 1024, NULL, \
     "K, the number of parts, which the ranks of a row own; more than p means p", CUT_NOT}
#define EXTRA \
    {"extra", PARAM_INT, offsetof(CollParams, halvings), 1, 0, 1023, NULL, \
     "number of rounds beyond ceil(log2 p), in which more blocks travel straight", CUT_NOT}
#define CHAINS \
    {"chains", PARAM_INT, offsetof(CollParams, chains), 4, 1, INT32_MAX, NULL, \
     "number of chains below the root; more than p-1 means p-1", CUT_PEERS}
#define WAY_SHARE(what, how) \
    {"share", PARAM_INT, offsetof(CollParams, chains), 50, 1, 99, NULL, \
     "share of a " what ", in percent, that goes " how " the ranks node by node", CUT_NOT}
#define WAY_AHEAD \
    {"ahead", PARAM_INT, offsetof(CollParams, leaders), 2, 1, WAYS_MOST_AHEAD, NULL, \
     "number of steps that a rank begins before it waits for the messages of the first of them", CUT_NOT}
#define RADIX_UP_TO(most, k, text) {"radix", PARAM_INT, offsetof(CollParams, radix), k, 2, most, NULL, text, CUT_NOT}
#define RADIX(k, text) RADIX_UP_TO(INT32_MAX, k, text)
// After fold_pairs. Groups of more ranks come close to direct exchanges among all, which other entries have, and every
// rank would have a schedule of its own.
#define RADIX_OF_PAIRS(k, text) RADIX_UP_TO(64, k, text)
#define PRESTEP \
    {"prestep", PARAM_CHOICE, offsetof(CollParams, prestep), PRESTEP_OMPI, 0, 1, coll_prestep_names, \
     "how pairs fold if p is not a power of two: both exchange halves (ompi), or one sends its vector (mpich)", CUT_NOT}
#define MAX_REQUESTS(def) \
    {"max_requests", PARAM_INT, offsetof(CollParams, max_requests), def, 0, INT32_MAX, NULL, \
     "number of messages that a rank may have under way at a time; 0 allows any number", CUT_NOT}
#define LEVEL \
    {"level", PARAM_CHOICE, offsetof(CollParams, choice), LEVEL_CONSERVATIVE, 0, 1, coll_level_names, \
     "conservative: the root broadcasts the lengths first; aggressive: all ranks know them", CUT_NOT}
#define LENGTHS \
    {"lengths", PARAM_CHOICE, offsetof(CollParams, lengths), LENGTHS_FAR, 0, 2, coll_lengths_names, \
     "how the lengths are broadcast: bcast binomial_far (far), binomial (near), or what MPICH runs for so many bytes", \
     CUT_NOT}
#define SLOTS_OF(def) \
    {"slots", PARAM_INT, offsetof(CollParams, slots), def, 1, INT32_MAX, NULL, \
     "number of slots in a rank's queue", CUT_NOT}
#define SLOTS SLOTS_OF(8)
#define FRAGMENT \
    {"fragment", PARAM_SIZE, offsetof(CollParams, fragment), 8192, 1, INT64_MAX, NULL, \
     "size of a slot, in bytes", CUT_NOT}
// A choice of one of `names`, an array ended by NULL.
#define CHOICE(name, names, text) \
    {name, PARAM_CHOICE, offsetof(CollParams, choice), 0, 0, sizeof(names) / sizeof *(names) - 2, names, text, CUT_NOT}
// The parameter for part[i], an algorithm of `collective`; the default is `first`.
#define PART(called, i, collective, first, text) \
    {.name = called, .kind = PARAM_ALGORITHM, .field = offsetof(CollParams, part[i]), .max = INT32_MAX, .help = text, \
     .of = collective, .algorithm = first}
// The same for a part whose groups lie within one node each.
#define PART_WITHIN(called, i, collective, first, text) \
    {.name = called, .kind = PARAM_ALGORITHM, .field = offsetof(CollParams, part[i]), .max = INT32_MAX, .help = text, \
     .of = collective, .algorithm = first, .within = true}
// clang-format on

// The groups that a part runs in (registry/rails.h).
typedef enum {
    RAILS_ALL,          // all ranks
    RAILS_NODE,         // the caller's node; its root is the node's first rank
    RAILS_LANE,         // the ranks with the caller's number within their nodes
    RAILS_SHARE,        // the caller's share; its root is the leader
    RAILS_NODE_LEADERS, // the leaders of the caller's node
    RAILS_ALL_LEADERS,  // the leaders of all nodes, node by node
    RAILS_COUNTERPARTS, // the ranks with the caller's number within their shares, node by node
} RailsGroup;

// How a schedule writes a rank's peers. Ranks share a schedule if their peers are equal when they are written in this
// way. v is a rank's number counted from the root.
typedef enum { PEERS_SHIFT /* peer - v mod p */, PEERS_XOR /* peer xor v */, PEERS_ABSOLUTE /* peer's v */ } CollPeers;

// What a library's name for an algorithm says in addition to the algorithm: the value of a parameter that differs from
// the entry's default.
typedef struct CollPreset {
    const char *alias; // one of the entry's aliases
    const char *param; // the parameter's name
    int64_t value;     // as in CollParam.def
    const char *part;  // PARAM_ALGORITHM: the name of the algorithm
} CollPreset;

enum { COLL_MAX_NEEDS = 5, COLL_MAX_PARAMS = 5, COLL_MAX_ALIASES = 8, COLL_MAX_PRESETS = 8, COLL_MAX_PATTERN = 64 };

struct CollAlgorithm {
    Collective collective;
    const char *name;
    // Aliases: "ompi:6" is an id of Open MPI 4.1, "ompi-main:7" one of its main branch, "mpich:binomial" a name in
    // MPICH, "smpi:NTSL" a name in SimGrid, "ucc:ring" one in UCC, "libnbc:chain" one in libnbc,
    // "intel:3" an id of Intel's library.
    const char *aliases[COLL_MAX_ALIASES];
    CollPreset presets[COLL_MAX_PRESETS]; // the parameters that aliases set
    const char *summary;                  // one line, for people
    void (*run)(const Coll *c);
    const CollNeed *needs[COLL_MAX_NEEDS];
    const char *otherwise; // the algorithm of this collective that runs if a need is not met; NULL if none does
    CollParam params[COLL_MAX_PARAMS];
    bool ordered;                      // reductions keep the order of the ranks
    bool shared;                       // the algorithm moves its data through shared memory, not by messages
    RailsGroup groups[COLL_MAX_PARTS]; // the groups that part[i] runs in, for need_group_parts
    // The part that all p ranks run for m bytes, in place of the entry. NULL if the text is not a choice among its
    // parts.
    const CollAlgorithm *(*branch)(const CollParams *par, int p, size_t m);
    // The steps of a text over nodes whose `run`, `same_as` and need are those of registry/hierarchy.h; NULL for
    // others.
    const Hierarchy *hierarchy;
    CollPeers peers;
    // Returns the smallest v that has the caller's schedule (shapes/symmetry.h). NULL if no symmetry is known.
    int (*same_as)(const Coll *c);
    // Returns the first v of the caller's row (shapes/symmetry.h). NULL if no rows are known.
    int (*row_of)(const Coll *c);
    // Writes integers to x[0 .. COLL_MAX_PATTERN - 1] that determine the caller's schedule relative to itself, and
    // returns how many; 0 if no such integers are known. If several ranks write the same integers, only one of them is
    // recorded. This is for algorithms with few schedules in which nobody knows the smallest v that has the caller's.
    // NULL for the others.
    int (*pattern)(const Coll *c, int *x);
    const char *cost;                       // the formula of T as text, in the letters of CollPoint
    int64_t (*formula)(const CollPoint *x); // returns T, or -1 where no formula is known
    bool levels;                            // the formula also knows points with two levels (CollPoint.levels)
    const char *unknown;                    // why the formula returns -1 somewhere, or why there is none
    // Returns about T, from which a search chooses the numbers that it tries. For entries without a formula; others have
    // NULL. `levels` does not matter: the point may have two.
    int64_t (*estimate)(const CollPoint *x);
    const char *source;                     // the paper, or the library's function
    // A variant is a copy of an entry with other defaults, for compositions whose parts need parameters. It is not in
    // `algorithms`. Both are NULL for entries.
    const CollAlgorithm *variant_of;
    const CollParams *defaults;
};
