// What an algorithm of a library may need: to run at all, or to be named in a rules file.
#pragma once
#include "libraries/decide/rule.h"
#include "registry/needs.h"

// A sum of these. `collsim tune --header` writes the first ones as numbers.
typedef enum {
    LIBRARY_NEEDS_POW2 = 1,        // p is a power of two
    LIBRARY_NEEDS_EVEN = 2,        // p is even
    LIBRARY_NEEDS_TWO = 4,         // p is 2
    LIBRARY_NEEDS_COUNT_P = 8,     // count >= p
    LIBRARY_NEEDS_COUNT_POW2 = 16, // count >= the largest power of two up to p
    LIBRARY_NEEDS_SEGMENTS = 32,   // count >= p times the elements of a segment
    LIBRARY_NEEDS_HALVES = 64,     // each half of the vector has an element, and at least a segment
    LIBRARY_NEEDS_COMMUTATIVE = 128,
    LIBRARY_NEEDS_INT = 256,           // p times count fits into an int
    LIBRARY_NEEDS_REGULAR = 512,       // all blocks have one length
    LIBRARY_NEEDS_BUILT_IN = 1024,     // an operation of MPI's own
    LIBRARY_NEEDS_IN_PLACE = 2048,     // MPI_IN_PLACE as the send buffer
    LIBRARY_NEEDS_APART = 4096,        // another send buffer
    LIBRARY_NEEDS_PARENT = 8192,       // some ranks share a node
    LIBRARY_NEEDS_CONSECUTIVE = 16384, // the ranks of a node follow each other
} LibraryNeeds;

typedef struct LibraryNeed {
    LibraryNeeds need;
    const CollNeed *met; // its text stands in the tables of decisions/
    const char *words;   // "needs .."; NULL for what conditions of a tuning file do not ask
    SelectFlag flag;     // that a condition asks for, apart from LIBRARY_NEEDS_PARENT
    gboolean yes;        // .. and the answer that it needs
} LibraryNeed;
extern const LibraryNeed library_needs[]; // ends with a need of 0

// Returns why a call does not meet the first need that it does not meet, as CollNeed.otherwise; NULL if it meets all.
const char *needs_otherwise(int needs, const Coll *call);
// Returns TRUE if the needs that are about ranks alone are met on p ranks.
gboolean needs_suit(int needs, gint64 p);
// Returns the smallest size of a vector from which on the needs that count elements, of `elem` bytes, are met on p
// ranks; 0 if there are no such needs, and -1 if no size meets them. `segment` is in bytes.
gint64 needs_least_size(int needs, int p, gint64 elem, int segment);
