// A message matrix: how many messages and bytes ranks send to each other, from a schedule, without a replay.
//
//                 to 0..2  3..5  6..7
//     from 0..2      2 KB   1 KB     0     a cell has `width` consecutive ranks on each side, the last one perhaps
//          3..5         0   2 KB  1 KB     fewer; sums are exact
//          6..7      1 KB      0  1 KB
//
// Where ranks are on the levels of a machine, the sums of all messages are also told by level.
#pragma once
#include "engine/goal/goal.h"
#include "machine/platform/mapping.h"
#include "engine/schedule/schedule.h"

enum { MATRIX_CELLS = 256 }; // the most cells of a side

typedef struct MatrixSum {
    uint64_t messages, bytes;
} MatrixSum;

// A level whose units have several ranks, or far.
typedef struct MatrixLevel {
    const char *name; // as the machine names it; borrowed
    CollNodes *units; // NULL for far
    MatrixSum sum; // of the messages whose ends are far from each other, or share a unit here and none further inside
} MatrixLevel;

typedef struct Matrix {
    int p, width, n;    // ranks, ranks of a cell, cells of a side
    MatrixSum *cell;    // at [n * the sender's cell + the receiver's]
    MatrixSum all;      // of all cells
    int n_levels;       // 0 if no level groups ranks
    MatrixLevel *level; // the innermost first; far is last
} Matrix;

// Makes the matrix of a schedule whose totals schedule_check admits. It has at most `most` cells a side, 1 ..
// MATRIX_CELLS; if the ranks of a unit are consecutive, it has somewhat fewer where their edges then are those of
// units. `map` may be NULL. `levels` is what it was made with, and NULL stands for a machine of one level. Operations
// in shared memory do not count as messages. Free with matrix_free.
Matrix *matrix_of_schedule(const Schedule *s, const Mapping *map, const Levels *levels, int most);
// Does the same for a GOAL schedule. Returns NULL and a bad-input error if its bytes reach 2^62.
Matrix *matrix_of_goal(const Goal *goal, int most, GError **error);
void matrix_free(Matrix *matrix); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Matrix, matrix_free)
