// What Open MPI's component "tuned", which decides by rules files, knows: the collectives by their numbers, and what
// "message size" means for each. UCC's rules have these numbers too.
#pragma once
#include "api/collective.h"
#include "libraries/decide/library.h"
#include <glib.h>

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
    TunedSize size, ucc; // `ucc`: the same for UCC, which has no method where a string cannot choose
} TunedCollective;
extern const TunedCollective tuned_collectives[TUNED_COLLECTIVES]; // by number in files
extern const char *const tuned_size_names[];                       // by TunedSize: "type x count" ..

// Returns the number of the collective with this name, or -1.
int tuned_collective(const char *name);
// Returns the number that Open MPI takes a name in a file for, or -1. It does not look at what follows the last letter of
// names in v and w.
int tuned_collective_read(const char *name);
// Returns our collective with this number, from 0 on; N_COLLECTIVES if the program, or the component, does not have it.
Collective tuned_ours(int number);
// Returns the message size that a call has, when each rank's count is `block` bytes of a type of `type` bytes (the
// whole vector for those of TUNED_SIZE_VECTOR and _SUM). It does not overflow: what is beyond G_MAXINT64 is G_MAXINT64.
gint64 tuned_size(int collective, int ranks, gint64 block, gint64 type);
// Returns what the sizes in the files of Open MPI or UCC are for a collective.
TunedSize tuned_kind(LibraryFamily family, int collective);
// Does the same as tuned_size() for a kind of size.
gint64 tuned_kind_size(TunedSize kind, int ranks, gint64 block, gint64 type);
// Returns the message size of a part of an algorithm, when the message size of the whole collective is `bytes`.
gint64 tuned_part_size(int collective, int ranks, gint64 bytes);
