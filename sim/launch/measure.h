// Measures points with a real MPI, as few launches as there are numbers of ranks and forced algorithms.
#pragma once
#include "launch/forced.h"
#include "launch/meter.h"
#include "search/points.h"

// One point, and what came of it.
typedef struct MeasureRow {
    Point *point;
    const Forced *forced; // the library's algorithm that runs; NULL: none is forced
    JobResult result;
    char *unlike; // how a forced algorithm's messages differ from those it should send
    int verified; // 1: by its messages it is that algorithm, 0: it is not, -1: nobody knows
} MeasureRow;

typedef struct Measure {
    Request request;
    Meter meter;
    JobKind kind;
    CollAlgorithm own; // an entry that no registry has: the library, a probe
    GPtrArray *forced; // of Forced; NULL: none
    GPtrArray *points;
    GArray *rows; // of MeasureRow, one for each point
} Measure;

// Makes the points of the request and a row of each. Returns FALSE and an error on bad input.
gboolean measure_rows(Measure *x, GError **error);
// Measures all rows, launch by launch. Returns FALSE and an error as of meter_run.
gboolean measure_run(const Measure *x, GError **error);
void measure_clear(Measure *x);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Measure, measure_clear)
