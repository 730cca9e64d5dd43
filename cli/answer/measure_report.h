// What `collsim measure` is asked for, what it found, and how it says it.
#pragma once
#include "launch/forced.h"
#include "answer/measure.h"

// One point, and what came of it.
typedef struct Row {
    Point *point;
    const Forced *forced; // algorithm of the library; NULL: none
    JobResult result;
    char *unlike; // how a forced algorithm's messages differ from what they should be
    int verified; // it is that algorithm, by its messages: 0 or 1; -1: nobody knows
} Row;

typedef struct Measure {
    Request request;
    Meter meter;
    JobKind kind;
    CollAlgorithm own;  // what no registry has: the library, a probe
    GPtrArray *forced;  // Forced; NULL: none
    GPtrArray *entries; // theirs, for the request
    GPtrArray *points;
    GArray *rows; // Row, of each point
} Measure;

// Measures all rows, and fills them, launch by launch. FALSE and bad input as of meter_run.
gboolean measure_run(const Measure *x, GError **error);

// As text, to be freed with g_string_free; rows whose data were wrong are left out.
GString *measure_csv(const Measure *x);
GString *measure_json(const Measure *x);
// To stdout.
void measure_table(const Measure *x);
