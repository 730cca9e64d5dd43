// How points are reported: the answer of `run`, and the parts that other answers share.
#pragma once
#include "out/answer.h"
#include "search/search/contest.h"
#include "search/search/points.h"
#include "search/search/sure.h"

// Returns a sheet "rows" with the columns that begin the answers about points: what runs, on which machine, and what it
// costs. Other columns may be added. Free with sheet_free.
Sheet *report_sheet(const Request *request);
// Adds a row with these columns; the prediction's cells are empty if the point was measured.
void report_point(Sheet *sheet, const Request *request, const Point *point);

// Returns the sheet of `run`: the same with the columns of rankings and of what options ask for. Free with sheet_free.
// `ends` adds the times at which the ranks end, if the model knows them.
Sheet *report_run_sheet(const Request *request, gboolean ends);
// Adds a row to it, without its place in a ranking.
void report_run_point(Sheet *sheet, const Request *request, const Point *point);
// Adds rows for all points of the request, with their rankings.
void report_run_rankings(Sheet *sheet, const Request *request, const GPtrArray *points);

// Fills the cells of nodes, per_node and map of the last row.
void report_nodes(Sheet *sheet, const RequestMachine *machine, int p, int per_node);
// Adds the columns of the machine to a sheet that has no rows yet, and fills them for all rows: its name, the model,
// the discipline (NULL: none), every --set, and the model's figures.
void report_machine(Sheet *sheet, const Platform *platform, const Model *model, const char *transfer, char **sets);
// Returns " on lumi (..), model hockney, rendezvous, beta=1ns/B, 4 ranks per node". Free with g_free.
char *report_machine_text(const Request *request);

// Adds the columns of a request with --arrival or --noise, fills them in the last row, and returns what a table shows
// instead of other columns, for a ranking or for points of one algorithm. They add nothing, and the view is NULL, for
// other requests.
void report_skew_columns(Sheet *sheet, const RequestMachine *machine);
void report_skew_point(Sheet *sheet, const NetworkSpec *network, const Point *point);
const SheetView *report_skew_view(const RequestMachine *machine, gboolean ranked);
enum { REPORT_RANKING_COLUMNS = 7 };
// Returns what the table of a ranking shows: with --arrival or --noise the columns of these, and otherwise those that
// this writes to `own`. With `ids`, whose column the sheet must have, they are a library's. x_bound is among them where
// a bound is known.
const SheetView *report_ranking_view(const Request *request, gboolean ids, SheetView own[REPORT_RANKING_COLUMNS]);
// Returns ", arrival one-late:20us, noise message:exp:200ns, median of 100 runs"; "" without. Free with g_free.
char *report_skew_text(const RequestMachine *machine);

// Shows a text in a cell with "..." after the first `most` characters, where it would make a table too wide.
void report_short(Sheet *sheet, const char *column, const char *text, guint most);

// Reports on stderr, for each point that ends in a deadlock, which ranks wait for which. A deadlock is a result, not an
// error. Returns the exit status: 1 if there is a deadlock, otherwise 0.
int report_stuck(const GPtrArray *points);
// Prints "note: .." for each of request_remarks() and for one more remark, below a title. Both may be NULL.
void report_remarks(FILE *to, const Request *request, const char *more);
// Returns a sheet "notes" with these remarks; NULL if there are none. Free with sheet_free.
Sheet *report_remarks_sheet(const Request *request, const char *more);
// Returns ", root 5", what a title says of the root; "" if it is 0. Free with g_free.
char *report_root_text(int root);
// Prints the heading of a ranking, "8 ranks (2 nodes of 4 ranks, block), 64K bytes, root 3": the ranks as
// report_ranks_text has them, the size unless the collective is a barrier, and the root if one was asked for.
void report_place(FILE *to, const Request *request, int p, int per_node, size_t m, int root);
// Returns "8 ranks", or "8 ranks (2 nodes of 4 ranks, block)" if -p has several numbers and there is a map. Free with
// g_free.
char *report_ranks_text(const Request *request, int p, int per_node);
// Returns "2 nodes of 4 ranks, block; root 3; segment=64K; ran: linear (count < p)", without the parts that do not
// apply; the nodes are there if -p has several numbers. Free with g_free.
char *report_notes(const Request *request, const Point *point);

// The report of the points of a request, which are in the order of points_make: what is done already, while others run.
typedef struct Report {
    const Answer *answer;
    const Request *request;
    const GPtrArray *points;
    guint next;          // the first point that is not reported yet
    GPtrArray *rankings; // of Ranking, those that are reported
    Sheet *rows;         // the points that are reported
} Report;

// Begins a report. Nothing is printed before the first points are ready.
void report_begin(Report *report, const Answer *answer, const Request *request, const GPtrArray *points);
// Reports the points whose ranking is complete if the first n have run. `report` is a Report.
void report_ready(guint n, gpointer report);
// Reports what is left, after all points have run.
void report_end(Report *report);
void report_clear(Report *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Report, report_clear)

// The columns that say how sure it is that what would replace a library's default is faster; `gain` is the sentence in
// tables.
#define REPORT_SURE_COLUMNS "saves_low", "saves_high", "sure", "gain"
// Fills them in the last row, unless the default is not known.
void report_sure(Sheet *sheet, const Sure *sure);
// Returns the sentence, such as "saves 1.9x (1.3 to 2.8), 97 % sure", or "the default stays" where nothing is faster. Below
// `percent`, which is what it takes to replace the default, it is "saves 1.2x (0.7 to 2.0), not sure enough to set: 71 %".
// Returns NULL if the default is not known. Free with g_free.
char *report_sure_text(const Sure *sure, double percent);

// The columns that say what a search for the best has considered.
#define REPORT_SEARCHED_COLUMNS                                                                                        \
    "searched_algorithms", "settings_excluded", "settings_run", "settings_stopped", "settings_not_tried"
// Fills them in the last row.
void report_searched(Sheet *sheet, const ContestCounts *counts);

// Prints the memory that a point needs.
void report_memory(FILE *to, const Question *question, const Point *point, const Memory *memory);
// Prints the setting that makes the point's library run this for all calls, or why there is none (point_setting), after
// the text `before`.
void report_setting(FILE *to, const char *before, const RequestLibrary *lib, const Point *point);
// Prints why a point takes so long: what its time is made of and what the critical path is like, then the path, in which
// stretches that repeat are printed once, and what would help.
void report_why(FILE *to, const Point *point);
// Return the sheets of the same for all points: "path", "shares" and "relief". Free with sheet_free.
Sheet *report_path_sheet(const GPtrArray *points);
Sheet *report_shares_sheet(const GPtrArray *points);
Sheet *report_relief_sheet(const GPtrArray *points);
// Returns what the messages of a critical path (of WhyStep) form, as a text such as "9,214 messages form one ring, each
// from rank r to r+1"; NULL if the path does not prove it. Free with g_free.
char *report_path_form(const GArray *why, int p);
// Returns a number as 9,214. Free with g_free.
char *report_grouped(int64_t n);
// Returns the most memory that this process has held, in bytes.
int64_t report_peak_rss(void);
