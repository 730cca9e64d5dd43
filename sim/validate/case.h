// A case: one run of a collective that a measured row describes, ready to be simulated.
#pragma once
#include "search/points.h"
#include "validate/rows.h"

// How the ranks of a group of rows are placed. `level` says it in Open MPI's words: a level's name if consecutive ranks
// are dealt out to the units of that level, innermost units of which fill the nodes one after the other; the node's own
// name if they are dealt out to the nodes; NULL if they fill the nodes in their order.
typedef struct CasePlace {
    const char *group, *level;
} CasePlace;

// The benchmark's own barrier, which runs before the collective: the ranks begin when they come out of it.
typedef struct CaseBarrier {
    const CollAlgorithm *algorithm; // NULL if none is simulated
    int p_least, p_most;            // with so many ranks
    size_t most;                    // and collectives of at most so many bytes
} CaseBarrier;

// What a row says that ran: a collective and its algorithm, with parameters ("knomial radix=4").
typedef struct CaseName {
    const char *collective, *algorithm;
    size_t bytes;  // what -m is
    double factor; // the row's time is so many times that of the algorithm
} CaseName;

typedef struct ValidateCase {
    Request request; // its platform is not the case's own
    Point *point;
    double factor;
    Request *barrier; // NULL if none is simulated; case_predict needs both
    Point *before;
    double time_s; // set by case_predict
} ValidateCase;

// Makes the case of a row on a platform, under a model. `element` is the size of an element if the row's bytes are a
// multiple of it, otherwise an element has one byte. Returns NULL and an error that begins with the row's file and line
// on bad input. Free with case_free.
ValidateCase *case_new(const ValidateRow *row, const CaseName *name, const Platform *platform, const Model *model,
                       size_t element, const char *level, const CaseBarrier *barrier, GError **error);
void case_free(gpointer data); // NULL is allowed

// Predicts the case: sets time_s, which is NAN if the run does not end. Without a barrier all ranks begin at 0, and the
// time is that of the last one. With a barrier it is the longest time from a rank's begin to its end.
gboolean case_predict(ValidateCase *x, GError **error);
