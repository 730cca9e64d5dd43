// Random calls of collectives, the same at all ranks: what decisions_ompi and order_mpich make, to see what a library
// runs by default.
#pragma once
#include "libraries/decide/decide.h"
#include <mpi.h>

enum { CALLS_RANKS = 9, CALLS_BYTES = 8 << 20 /* of the vector, or of all blocks */ };

typedef struct RandomCall {
    Collective collective;
    int p, root;
    int count, elem; // elements of the vector or of one block, as -m has it, and the bytes of each
    gboolean commutative, in_place;
    gboolean own; // the operation is one of the program's own, even if it is commutative
} RandomCall;

// Returns n calls (RandomCall) of the collectives that the tables know, on 2 to CALLS_RANKS ranks. Every fourth has a
// size at which the library may decide otherwise, or is an element beside it. Free with g_array_unref.
GArray *calls_random(const Tables *tables, guint32 seed, guint n);
// Reads calls from a file, a line for each: the cells that calls_print prints, then yes or no for `own`; what follows is
// not looked at. Free with g_array_unref.
GArray *calls_read(const char *path);
// Returns the call as the tables ask for it.
DecideCall calls_decide(const RandomCall *call);
// Prints the cells COLLECTIVE,P,COUNT,TYPE_SIZE,ROOT,COMMUTATIVE,IN_PLACE of a call, and a comma.
void calls_print(const RandomCall *call);
// Returns an operation for a reduction that is, or is not, commutative.
MPI_Op calls_operation(const RandomCall *call);
// Makes the call on a communicator of call->p ranks. A reduction uses the operation. The data mean nothing.
void calls_make(const RandomCall *call, MPI_Op op, MPI_Comm comm);
