// The points of a request: one algorithm on p ranks with m bytes and one root, and what became of it.
#pragma once
#include "schedule/memory.h"
#include "search/request.h"

typedef struct Point {
    const CollAlgorithm *algorithm;
    CollParams par;   // what the algorithm gets, cut to p
    CollParams asked; // what was asked for
    int p, root;
    size_t m;
    CollCounts *counts;
    const CollAlgorithm *ran; // `algorithm`, or the fallback that ran; NULL: a need is not met and there is no fallback
    const char *why;          // the text of the need that is not met; NULL: all are met
    Prediction *prediction;   // NULL: none was made
    double time_s;            // predicted or measured
    Memory memory;            // if the request asks for it
    double wall_s;            // what the prediction itself took
} Point;

// Makes one point with `ran` and `why` set. Returns NULL and an error on bad input. Free with point_free.
Point *point_new(const Request *request, const CollAlgorithm *a, int p, size_t m, int root, GError **error);
void point_free(gpointer point);
// Makes all points, ordered by p, m, root, algorithm. Bad input is found here, before anything runs: then it returns NULL
// and an error. Free with g_ptr_array_unref.
GPtrArray *points_make(const Request *request, GError **error);
// Sets point->ran and point->why, and returns what runs; its algorithm is NULL if nothing can.
Operation point_operation(const Request *request, Point *point);
// Predicts one point. Returns TRUE without doing anything if nothing can run.
gboolean point_run(Point *point, const Request *request, GError **error);

// Returns true if the point was predicted; it is not if it could not run or did not end.
gboolean point_timed(const Point *point);
// Returns "linear (count < p)" if a fallback ran, else NULL. Free with g_free.
char *point_ran(const Point *point);
// Returns the parameters as "segment=64K;chains=3". With `brief` those at their default are left out, and a value that p
// cut reads "chains=3 (of 4)". Free with g_free.
char *point_params(const Point *point, gboolean brief);
// Returns the size of the shared-memory segment, in bytes.
size_t point_segment(const Point *point);
// Returns how odd a choice this is: an algorithm that a library has is less odd than one that none has; among these, the
// fewer parameters differ from their defaults, the less odd.
int points_oddity(const CollAlgorithm *a, const CollParams *par);
// Compares two Point ** by time; of two equally fast points the less odd one comes first.
int points_faster(const void *a, const void *b);
