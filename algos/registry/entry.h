// A registry entry: what is known of an algorithm beside its text.
#pragma once
#include "api/collective.h"
#include "api/view.h"
#include "registry/needs.h"
#include <stddef.h>
#include <stdint.h>

typedef struct CollPoint CollPoint; // times/times.h

typedef enum { PARAM_SIZE, PARAM_INT, PARAM_CHOICE, PARAM_ALGORITHM } CollParamKind;
typedef struct CollParam {
    const char *name;
    CollParamKind kind;
    size_t field; // offset in CollParams
    int64_t def, min, max;
    const char *const *choices; // PARAM_CHOICE: the names, ended by NULL; the value is an index into them
    const char *help;
    bool cut; // values beyond p-1 are cut to p-1
    // PARAM_ALGORITHM: an algorithm of this collective, which runs with its own parameters at their defaults. The value
    // is its place in the registry.
    Collective of;
    const char *algorithm; // the default
} CollParam;
// The names of CollPrestep and of the levels, ended by NULL.
extern const char *const coll_prestep_names[], *const coll_level_names[];

// The parameters that several entries have.
// clang-format off
#define SEGMENT \
    {"segment", PARAM_SIZE, offsetof(CollParams, segment), 0, 0, INT64_MAX, NULL, \
     "bytes sent at a time; 0: all at once", false}
#define CHAINS \
    {"chains", PARAM_INT, offsetof(CollParams, chains), 4, 1, INT32_MAX, NULL, \
     "chains below the root; cut to p-1", true}
#define RADIX(k, text) \
    {"radix", PARAM_INT, offsetof(CollParams, radix), k, 2, INT32_MAX, NULL, text, false}
#define PRESTEP \
    {"prestep", PARAM_CHOICE, offsetof(CollParams, prestep), PRESTEP_OMPI, 0, 1, coll_prestep_names, \
     "what makes the number of ranks a power of two", false}
#define MAX_REQUESTS(def) \
    {"max_requests", PARAM_INT, offsetof(CollParams, max_requests), def, 0, INT32_MAX, NULL, \
     "messages of a rank under way at a time; 0: any number", false}
#define LEVEL \
    {"level", PARAM_CHOICE, offsetof(CollParams, choice), LEVEL_CONSERVATIVE, 0, 1, coll_level_names, \
     "does the root broadcast the lengths first, or do all ranks know them?", false}
#define SLOTS \
    {"slots", PARAM_INT, offsetof(CollParams, slots), 8, 1, INT32_MAX, NULL, "slots of a rank's queue", false}
#define FRAGMENT \
    {"fragment", PARAM_SIZE, offsetof(CollParams, fragment), 8192, 1, INT64_MAX, NULL, "bytes of a slot", false}
// One of `names`, an array that NULL ends.
#define CHOICE(name, names, text) \
    {name, PARAM_CHOICE, offsetof(CollParams, choice), 0, 0, sizeof(names) / sizeof *(names) - 2, names, text, false}
// part[i], an algorithm of `collective`; the default is `first`.
#define PART(called, i, collective, first, text) \
    {.name = called, .kind = PARAM_ALGORITHM, .field = offsetof(CollParams, part[i]), .max = INT32_MAX, .help = text, \
     .of = collective, .algorithm = first}
// clang-format on

// How a schedule writes a rank's peers, so that ranks which do the same get the same schedule. v counts from the root.
typedef enum { PEERS_SHIFT /* peer - v mod p */, PEERS_XOR /* peer xor v */, PEERS_ABSOLUTE /* peer's v */ } CollPeers;

enum { COLL_MAX_NEEDS = 3, COLL_MAX_PARAMS = 5, COLL_MAX_ALIASES = 8 };

struct CollAlgorithm {
    Collective collective;
    const char *name;
    const char *aliases[COLL_MAX_ALIASES]; // "ompi:6" is an id of Open MPI 4.1, "mpich:binomial" a name of MPICH
    const char *summary;                   // one line
    void (*run)(const Coll *c);
    const CollNeed *needs[COLL_MAX_NEEDS];
    const char *otherwise; // the algorithm of this collective that runs if a need is not met; NULL if none does
    CollParam params[COLL_MAX_PARAMS];
    bool ordered; // reductions keep the order of the ranks
    bool shared;  // moves its data through shared memory, not by messages
    CollPeers peers;
    int (*same_as)(
        const Coll *c); // the least v with this rank's relative schedule (shapes/symmetry.h); NULL if unknown
    const char *cost;   // the formula of T as text, in the letters of CollPoint
    int64_t (*formula)(const CollPoint *x); // T, or -1 where no formula is known
    const char *unknown;                    // why the formula returns -1 somewhere, or why there is none
    const char *source;                     // the paper, or the library's function
};
