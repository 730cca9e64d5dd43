// The answer of `guidelines`: for each guideline how often a library breaks it, and the violations.
#pragma once
#include "advice/guidelines/guidelines.h"
#include "figure/grid.h"
#include "out/answer.h"

typedef struct GuidelinesAnswer {
    const Guidelines *guidelines;
    Request *request;    // NULL unless times are predicted
    const char *library; // what was asked about: "ompi-4.1", or the files
    GPtrArray *notes;    // of char *, what there is to say of logs
    gboolean once;       // the answer has the worst violation of each guideline and collective
    guint listed;        // .. and at most so many
    gboolean points;     // all rows are printed, and are what CSV has
    gboolean rules;      // the library runs by a file of rules, so nothing is said about its tables
} GuidelinesAnswer;

void guidelines_report(const Answer *answer, const GuidelinesAnswer *x);

// Returns a map: for each number of ranks and size of the left side, the worst x of all guidelines there. Free with
// figure_grid_free. Returns NULL and an error if there is nothing to draw, or too much.
FigureGrid *guidelines_map(const GuidelinesAnswer *x, GError **error);
