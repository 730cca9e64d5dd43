// The answer of `matrix`: how much each rank sends to each other one, as a table, as CSV or JSON, and as a picture.
#pragma once
#include "figure/grid.h"
#include "out/answer.h"
#include "search/search/points.h"
#include "engine/trace/matrix.h"
#include <stdbool.h>

typedef struct MatrixAnswer {
    const Matrix *matrix;
    const char *name;       // what is shown: an operation, or a schedule's file
    const Request *request; // of the operation; NULL for a schedule
    const Point *point;     // likewise
    bool messages;          // show messages, and not bytes
} MatrixAnswer;

void matrix_report(const Answer *answer, const MatrixAnswer *x);
// Returns the picture. Free with canvas_free.
Canvas *matrix_canvas(const MatrixAnswer *x, const PictureAsk *ask);
// Returns a grid of the cells with its legend, whose axes have every step-th label. Its other texts are the caller's. Free with
// figure_grid_free.
FigureGrid *matrix_grid(const MatrixAnswer *x, int step);

// ---- What the table and the picture share ---------------------------------------------------------------------------

// The classes into which the cells with messages fall: by their values, so that those of a class are as near to each
// other as the number of classes allows.
enum { MATRIX_CLASSES = 7 };
typedef struct MatrixScale {
    int n;
    uint64_t from[MATRIX_CLASSES], to[MATRIX_CLASSES]; // class i has values from .. to; ascending
} MatrixScale;
MatrixScale matrix_scale(const MatrixAnswer *x);
// Returns the class of a cell, or -1 if it has no messages.
int matrix_class(const MatrixAnswer *x, const MatrixScale *scale, const MatrixSum *cell);
// Returns the values of a class, "64K" or "64K to 128K". Free with g_free.
char *matrix_class_text(const MatrixAnswer *x, const MatrixScale *scale, int i);
// Returns "allreduce ring, 1M bytes on 8 ranks: 14M bytes in 112 messages", and on nodes how much leaves them. Free
// with g_free.
char *matrix_title(const MatrixAnswer *x);
// Returns what a cell is and the shares of the levels. Free with g_free.
char *matrix_note(const MatrixAnswer *x);
// Returns how many consecutive ranks the units of level i have, or 0 if theirs are not consecutive, or it is far.
int matrix_block(const Matrix *matrix, int level);
