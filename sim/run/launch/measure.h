// Measures points with a real MPI, in one launch for each number of ranks and each forced algorithm. Points that come
// to the same run, because a fallback runs or because p cuts a parameter, are measured once.
#pragma once
#include "run/launch/forced.h"
#include "run/launch/meter.h"
#include "search/search/points.h"

// One point and its outcome.
typedef struct MeasureRow {
    Point *point;
    const Forced *forced; // the algorithm that the library is forced to use; NULL if none is
    guint run; // the number of the row that is measured for this one: its own, or that of a row with the same run
    JobResult result;
    char *unlike; // how the messages differ from those of the forced algorithm; NULL if they do not
    int verified; // 1 if the messages are those of the forced algorithm, 0 if not, -1 if unknown
} MeasureRow;

typedef struct Measure {
    Request request;
    Meter meter;
    JobKind kind;      // of a probe; JOB_ALGORITHM for a collective, whose rows may be the library's own as well
    CollAlgorithm own; // a made-up entry for what is not in the registry: the library's choice, or a probe
    GPtrArray *forced; // Forced; NULL if no algorithm is forced
    GPtrArray *points;
    GArray *rows; // MeasureRow, one for each point
    // Called after each launch: the first n rows are measured, or cannot run. NULL if nobody needs to know.
    void (*ready)(guint n, gpointer user);
    gpointer user;
} Measure;

// Makes the points of the request and a row for each. Returns FALSE and an error on bad input.
gboolean measure_rows(Measure *x, GError **error);
// Measures all rows, launch by launch. Returns FALSE and an error if a launch fails, see meter_run.
gboolean measure_run(const Measure *x, GError **error);
void measure_clear(Measure *x);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Measure, measure_clear)
