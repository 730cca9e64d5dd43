// What Open MPI's component "tuned", which decides by rules files, knows: the collectives by their numbers, what "message
// size" means for each, and the ids of the algorithms in each version.
#pragma once
#include "api/collective.h"
#include "decide/library.h"

enum { TUNED_COLLECTIVES = 22 };

// What a rules file's message size is for a collective.
typedef enum {
    TUNED_SIZE_VECTOR,    // type x count
    TUNED_SIZE_ALL,       // type x count x ranks
    TUNED_SIZE_MEAN,      // the sum of all counts x type / ranks
    TUNED_SIZE_SUM,       // the sum of all counts x type
    TUNED_SIZE_TYPE,      // type x ranks: the count is not in it
    TUNED_SIZE_NONE,      // always 0
    TUNED_SIZE_NO_METHOD, // the component does not have this collective, so its rules do nothing
} TunedSize;

typedef struct TunedCollective {
    const char *name;
    TunedSize size;
} TunedCollective;
extern const TunedCollective tuned_collectives[TUNED_COLLECTIVES]; // by number in files
extern const char *const tuned_size_names[];                       // by TunedSize: "type x count" ..

// Returns the number of the collective with this name, or -1.
int tuned_collective(const char *name);
// Returns the message size that a call has, when each rank's count is `block` bytes of a type of `type` bytes (the whole
// vector for those of TUNED_SIZE_VECTOR and _SUM). It does not overflow: what is beyond G_MAXINT64 is G_MAXINT64.
gint64 tuned_size(int collective, int ranks, gint64 block, gint64 type);

// What an algorithm needs; if the need is not met, `otherwise` runs.
typedef enum {
    TUNED_NEEDS_NOTHING,
    TUNED_NEEDS_POWER,      // ranks: a power of two
    TUNED_NEEDS_EVEN,       // ranks: even
    TUNED_NEEDS_TWO,        // ranks: two; otherwise the call returns an error
    TUNED_NEEDS_RANKS,      // elements: as many as ranks
    TUNED_NEEDS_POWER_MANY, // elements: as many as the greatest power of two that is not above the ranks
    TUNED_NEEDS_SEGMENTS,   // bytes: a segment for each rank, and segments; without a segment size it never runs
} TunedNeed;

typedef struct TunedAlgorithm {
    int collective, id;
    const char *name; // as the MCA variable coll_tuned_COLLECTIVE_algorithm and JSON rules have it
    guint libraries;  // a bit 1 << LibraryId for each version that has it
    TunedNeed need;
    int otherwise;              // the id that runs if the need is not met; 0: an error
    gboolean fanout, segment;   // these fields of a rule are used
    gboolean requests, ordered; // the same; `ordered`: results are wrong if the operation is not commutative
    const char *parts[2];       // collectives that it calls, for which rules and the fixed decision decide anew
    int older_fanout;           // with this fanout it is what older versions have under its id; 0 if it is that anyway
    gboolean deaf;              // it does not notice when a part returns an error
} TunedAlgorithm;

// Returns the algorithm with this id in this version of the library, or NULL if there is none.
const TunedAlgorithm *tuned_algorithm(const Library *library, int collective, int id);
// Returns the same for one of our collectives; NULL also for a library other than Open MPI.
const TunedAlgorithm *tuned_of(const Library *library, Collective collective, int id);
// If the library runs the algorithm for an operation that is not commutative too, reorders it, and returns the wrong result
// without an error, returns what is to be said of it. Returns NULL otherwise.
const char *tuned_misorders(const Library *library, Collective collective, int id);
// Returns an algorithm of this version that does not notice an error of the collective, which it calls, or NULL.
const TunedAlgorithm *tuned_deaf_to(const Library *library, int collective);
// Returns TRUE if a need is met on p ranks, as far as it is one of ranks.
gboolean tuned_suits(TunedNeed need, gint64 p);
// Returns the least size of a vector from which on a need of elements, of `elem` bytes, is met on p ranks; 0 if it is not
// of this kind, and -1 if no size meets it. `segment` is in bytes.
gint64 tuned_least_size(TunedNeed need, int p, gint64 elem, int segment);
// Returns the message size of a part, when the algorithm's own message size is `bytes`.
gint64 tuned_part_size(const TunedAlgorithm *algorithm, int ranks, gint64 bytes);
// Returns the algorithm with this name in this version, or NULL.
const TunedAlgorithm *tuned_named(const Library *library, int collective, const char *name);
