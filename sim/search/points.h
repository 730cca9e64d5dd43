// The points of `collsim run`: which algorithms, ranks, sizes and roots, and what came of each.
#pragma once
#include "cli.h"
#include "schedule/counts.h"
#include "out/json.h"
#include "schedule/memory.h"
#include "model/model.h"

// What is asked for, the same at every point.
typedef struct Request {
    Collective collective;
    const char *name;          // in place of the collective's, of what is none; else NULL
    const CollAlgorithm *only; // NULL: all; need not be in the registry
    const GPtrArray *some;     // of const CollAlgorithm *: these, in place of all; NULL: all
    GArray *ranks, *sizes;     // size_t
    int root;                  // -1: every one
    char **params;             // NAME=VALUE; NULL: none
    size_t elem;
    CountsSpec counts;
    const char *counts_text; // as it was given; NULL: equal
    int per_node;            // 0: not given
    Platform *platform;
    const Model *model;
    PredictOptions options;
    gboolean timing, memory;
    size_t connection; // bytes of memory that a connection takes
} Request;

typedef struct Point {
    const CollAlgorithm *algorithm;
    CollParams par;   // what it gets, cut to p
    CollParams asked; // what was asked for
    int p, root;
    size_t m;
    CollCounts *counts;
    const CollAlgorithm *ran; // the fallback where one ran, else algorithm; NULL: a need is not met and there is none
    const char *why;          // the need's text; NULL: all are met
    Prediction *prediction;
    double time_s; // predicted or measured
    Memory memory; // where it is asked for
    double wall_s;
} Point;

// Reads --counts and --displs into the request, which its collective must allow; request->counts is to be cleared with
// counts_clear.
gboolean request_counts(Request *request, const char *counts, const char *displs, GError **error);
// ", counts linear, gaps, 4 ranks per node", what there is to say of it; free with g_free.
char *request_layout(const Request *request);
// Do the algorithms that are asked for have the parameters, and allow their values?
gboolean points_check_params(const Request *request, GError **error);
// The largest -m on p ranks.
size_t points_most(const Request *request, size_t p);
// One point, with `ran` and `why` set; NULL and bad input. Free with point_free.
Point *point_new(const Request *request, const CollAlgorithm *a, int p, size_t m, int root, GError **error);
void point_free(gpointer point);
// All points in the order p, m, root, algorithm. NULL and bad input, found before anything is run. Free with
// g_ptr_array_unref.
GPtrArray *points_make(const Request *request, GError **error);
// Sets x->ran and x->why, and gives what runs; its algorithm is NULL where nothing does.
Operation point_operation(const Request *request, Point *point);
// Predicts one; TRUE where there is nothing to run.
gboolean point_run(Point *point, const Request *request, GError **error);
// "linear (count < p)" where a fallback ran, else NULL; free with g_free.
char *point_ran(const Point *point);

// Was it predicted? Not where it could not run, or did not end.
gboolean point_timed(const Point *point);
// "segment=64K;chains=3"; `of`: without those at their default, and with "chains=3 (of 4)" where p cut the value.
char *point_params(const Point *point, gboolean of);
// "root 3; segment=64K; ran: linear (count < p)", each where there is something to say.
char *notes_text(const Request *request, const Point *point);
// The collective's name, or what is in its place.
const char *request_name(const Request *request);
// Of shared memory, bytes.
size_t point_segment(const Point *point);
// How odd a choice this is: less so what a library has, then what has fewer parameters set.
int oddity(const CollAlgorithm *a, const CollParams *par);
// By time (two Point **); of equally fast ones first the least odd.
int points_faster(const void *a, const void *b);

// " on lumi (..), model hockney, rendezvous, 4 ranks per node"; free with g_free.
char *machine_text(const Request *request);
// The three ways to print them; points in the order of points_make.
void report_table(const Request *request, const GPtrArray *points);
void report_csv(const Request *request, const GPtrArray *points);
void report_json(const Request *request, const GPtrArray *points);
// "fastest on 32768 ranks: linear up to 1K, ring from 4K on", over the sizes of one p and root, of the fastest points.
void winners_print(const GPtrArray *best);
// What rows of all commands begin with, in CSV (the columns' names, and without the newline) and JSON (the object stays
// open).
void csv_columns(GString *s, const Request *request);
void csv_point(GString *s, const Request *request, const Point *point);
void json_point(Json *json, const Request *request, const Point *point);
// The most memory that this process has held.
int64_t peak_rss_bytes(void);
// The memory that a point needs.
void memory_print(const Request *request, const Point *point, const Memory *memory);
// A critical path, repeated stretches folded.
void why_print(const GArray *why, int p);
