// Which measurements are so simple that their time gives a point of a table without a fit: collectives of equal steps.
#pragma once
#include "measurements/calibrate/calibration.h"

// The tables of a level.
typedef enum MeasuredPart { PART_ONE, PART_STEP, PART_GAP, N_MEASURED_PARTS } MeasuredPart;
extern const char *const measured_part_names[N_MEASURED_PARTS];

// Kinds of rows, from the best to the last. Steps to ever farther ranks may cross more of the network than those to
// neighbours, and reductions must be told apart from messages.
enum { RANK_BEST, RANK_REDUCES, RANK_FAR, RANK_FAR_REDUCES, N_ROW_RANKS };

// A collective as a sum. Its time is k times the entry of a table for `bytes`, plus what it takes to reduce `reduced`
// bytes; for PART_GAP it is k gaps and then one message one way.
typedef struct MeasuredSteps {
    MeasuredPart part;
    int64_t k;
    uint64_t bytes, reduced;
    int rank; // of several kinds of rows for one table, those of the lowest rank are taken
} MeasuredSteps;

// Finds the steps of a row. Returns FALSE unless the collective is one of these, each a sum of equal parts:
//
//     bcast pipeline or chain (one chain), in one segment    p-1 messages one way
//     any bcast tree on 2 ranks, in one segment              one message one way
//     allgather ring                                         p-1 steps of a block
//     allgather recursive_doubling, p a power of two         log2(p) steps of (p-1)m/log2(p) bytes, their mean
//     allreduce ring, p up to the elements                   2(p-1) steps of m/p bytes, p-1 reductions of them
//     allreduce recursive_doubling, p a power of two         log2(p) steps and reductions of m bytes
//     barrier dissemination, recursive_doubling, the same    ceil(log2 p) steps of 0 bytes
//     bcast linear, scatter linear and linear_nb, p > 2      p-2 gaps, then one message one way
gboolean measured_steps(const Operation *op, MeasuredSteps *steps);

// Returns the level at which all messages of the row's steps travel, or -1 if they travel at several levels, or if
// measured_steps returns FALSE.
int measured_steps_level(const CalibrateRow *row, const Levels *levels);
