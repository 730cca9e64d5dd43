// How points are printed: the answer of `run`, and the parts that other answers share.
#pragma once
#include "out/json.h"
#include "search/points.h"

// Print the points, which are in the order of points_make.
void report_table(const Request *request, const GPtrArray *points);
void report_csv(const Request *request, const GPtrArray *points);
void report_json(const Request *request, const GPtrArray *points);

// Returns " on lumi (..), model hockney, rendezvous, 4 ranks per node". Free with g_free.
char *report_machine(const Request *request);
// Returns "root 3; segment=64K; ran: linear (count < p)", without the parts that do not apply. Free with g_free.
char *report_notes(const Request *request, const Point *point);
// Prints "fastest on 32768 ranks: linear up to 1K, ring from 4K on", a line for the sizes of each p and root, from the
// fastest point of each size.
void report_winners(const GPtrArray *best);

// What the rows of all commands begin with. CSV: the names of the columns, and a row without its newline. JSON: an object
// that stays open.
void report_csv_columns(GString *s, const Request *request);
void report_csv_point(GString *s, const Request *request, const Point *point);
void report_json_point(Json *json, const Request *request, const Point *point);

// Prints the memory that a point needs.
void report_memory(const Request *request, const Point *point, const Memory *memory);
// Prints a critical path; stretches that repeat are printed once.
void report_why(const GArray *why, int p);
// Returns the most memory that this process has held, in bytes.
int64_t report_peak_rss(void);
