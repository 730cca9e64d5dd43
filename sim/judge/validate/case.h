// A case: one run of a collective that a measured row describes, ready to be simulated.
#pragma once
#include "search/search/measurement_rows.h"
#include "search/search/points.h"
#include "judge/validate/validate_rows.h"

// The benchmark's own barrier, which runs before the collective: the ranks begin when they come out of it.
typedef struct CaseBarrier {
    const CollAlgorithm *algorithm; // NULL if none is simulated
    int p_least, p_most;            // the barrier is simulated for this range of ranks
    size_t most;                    // and for collectives of at most this many bytes
} CaseBarrier;

typedef struct ValidateCase {
    Request request; // its platform is not the case's own
    Point *point;
    double factor;    // the row's time divided by that of the run
    gboolean mean;    // .. and is the mean over the ranks
    Request *barrier; // NULL if none is simulated; case_predict needs both
    Point *before;
    double time_s; // set by case_predict
} ValidateCase;

// What a case runs on. `level` says in Open MPI's words how the ranks are placed. It is a level's name if the ranks of a
// node are dealt out to the units of that level, the node's name if all ranks are dealt out to the nodes, and NULL if
// they fill the nodes in their order.
typedef struct CaseMachine {
    const Platform *platform;
    const Model *model;
    const NetworkSpec *network; // in place of the platform's; NULL for that
    const char *level;
} CaseMachine;

// Makes the case of a row whose sample is known. Returns NULL and an error that begins with the row's file and line on
// bad input. Free with case_free.
ValidateCase *case_new(const ValidateRow *row, const CaseMachine *on, const CaseBarrier *barrier, GError **error);
void case_free(gpointer data); // NULL is allowed

// Predicts the case: sets time_s, which is NAN if the run does not end. Without a barrier all ranks begin at 0, and the
// time is that of the last one. With a barrier it is the longest time from a rank's begin to its end. Where the mean
// was measured, it is the mean of these times, if the model has the other ranks' ends.
gboolean case_predict(ValidateCase *x, GError **error);
