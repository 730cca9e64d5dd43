// Which guidelines a library keeps and which it breaks, by predicted times, by measured times, or by both.
//
//     list of guidelines --+
//     places and sizes ----+--> cases, each with its terms --> times (guidelines_predict.c, guidelines_logs.c) --> rows
//
// A case is a guideline at one place and with one m; its terms are times, which other cases may share. On a grid, the times
// that some case needs are computed; logs have theirs already, and a guideline that lacks one of its times there makes no
// case. Of the cases that differ in k alone, the worst one becomes a row.
#pragma once
#include "advice/guidelines/guideline.h"
#include "measurements/logs/log.h"
#include "search/search/contest.h"
#include "search/search/sure.h"

typedef enum { GUIDELINE_PREDICTED, GUIDELINE_MEASURED, N_GUIDELINE_SIDES } GuidelineSide;

// Ranks, and the sizes at which their collectives are looked at.
typedef struct GuidelinePlace {
    const char *group;                      // of measurements that are comparable; "" for predictions
    int p, per_node;                        // per_node: 0 if nothing says it
    gboolean base;                          // guidelines are looked at here; otherwise others need its times
    GArray *sizes[N_GUIDELINE_COLLECTIVES]; // size_t, ascending
} GuidelinePlace;

// How long a collective takes at a place.
typedef struct GuidelineTime {
    int collective;
    guint place;
    size_t m;
    double time_s[N_GUIDELINE_SIDES]; // NAN where it is not known
    gboolean hides_last;              // the measured time is the mean over the ranks of a rooted collective
    gboolean mean;                    // .. of any collective
    const LogSample *sample;          // that was measured; NULL for none
    size_t elem;
    // What is predicted to run; NULL without a prediction
    char *decided;              // what the library runs (decision_text)
    char *missing;              // why the time is not known, or what was simulated in its place; NULL if all is known
    const CollAlgorithm *entry; // that was simulated
} GuidelineTime;

typedef struct GuidelineUse {
    guint time;   // index of Guidelines.times
    size_t count; // how many calls
} GuidelineUse;

typedef struct GuidelineCase {
    guint guideline, place; // indices
    size_t m, k;            // 0 where the guideline has none
    guint left;             // index of Guidelines.times
    guint first, n;         // the right side: indices of Guidelines.uses
} GuidelineCase;

typedef struct GuidelineRow {
    guint guideline, place;
    guint worst[N_GUIDELINE_SIDES]; // the case of x
    double x[N_GUIDELINE_SIDES];    // the left divided by the right; NAN if a time of it is not known
    gboolean marked;                // measured times hide the last rank of a rooted collective, so x says little
} GuidelineRow;

// What Guidelines.cures has of a violation: what the library can be told to run on the left side.
typedef struct GuidelineCure {
    double best_s;  // the fastest that it can be told; NAN without a prediction
    char *best;     // that algorithm with its parameters; "the default" if nothing is faster
    char *setting;  // .. and the setting; NULL if it is the default, or none makes it run
    double file_s;  // the fastest that a file of `tune` can name for any operation; NAN if its files do not say this
    Sure file_sure; // that this is faster than the default
    gboolean cures; // best_s is within the tolerance
    // If files name one algorithm for all sizes: at which of the other sizes of the place `best` takes the most time compared to
    // what runs there now, and how many times as long; NAN otherwise.
    double elsewhere_x;
    size_t elsewhere_m;
    gboolean tunes; // .. and so is file_s
} GuidelineCure;

typedef struct Guidelines {
    const GPtrArray *list;           // of Guideline *, not owned
    double tolerance;                // 0.1: x is a violation above 1.1
    GPtrArray *places;               // of GuidelinePlace *
    GArray *times;                   // of GuidelineTime
    GArray *cases;                   // of GuidelineCase
    GArray *uses;                    // of GuidelineUse
    GArray *rows;                    // of GuidelineRow, in the order of the list, of the places and of the sizes
    gboolean has[N_GUIDELINE_SIDES]; // which times are known
    GHashTable *index;               // GuidelineTime's index + 1 by its place, collective and m
    GArray *cures;                   // of GuidelineCure, by row; NULL before guidelines_cure
    const gboolean *asked;           // by collective: whether guidelines with this one on the left count; NULL for all
    size_t elem[N_GUIDELINE_COLLECTIVES]; // of a grid
    size_t most;                          // of a grid: calls with more bytes are left out
} Guidelines;

// What a guideline comes to over all its rows.
typedef struct GuidelineTotal {
    guint checked[N_GUIDELINE_SIDES], violated[N_GUIDELINE_SIDES]; // without marked rows
    guint marked, marked_violated; // measured rows that do not count, and those of them that are violations
    guint both;                    // violations that are predicted and measured
    guint compared;                // rows that are predicted and measured, and do not count as marked
    guint missed, false_alarms;    // .. violations that are only measured, and only predicted
    int worst; // the row whose x, measured or else predicted, is largest among those that count; -1 if there is none
} GuidelineTotal;

// Makes an empty one. Free with guidelines_free.
Guidelines *guidelines_new(const GPtrArray *list, double tolerance);
void guidelines_free(Guidelines *x);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Guidelines, guidelines_free)

// Predicts a grid: what the request's library runs at each of its ranks and sizes, and where else guidelines need its times. A
// decision is `decide`'s, from `from`, or the library's default if that is NULL. Calls of more bytes than 16M, and than the
// largest size of the grid, are left out. Returns FALSE and an error on bad input.
gboolean guidelines_predict(Guidelines *x, Request *r, DecidePart *decide, gconstpointer from, GError **error);
// Takes the times that logs (of Log *) have, which must outlive the answer. These are of the library's default; with `best`,
// the fastest algorithm that was measured counts in its place. Rows of `validate` say what was predicted too. With `means`, all times are means over the ranks. `notes` (of char *) gets a line for each kind of row that is passed
// over. Returns FALSE and an error if no guideline can be looked at.
gboolean guidelines_measure(Guidelines *x, const GPtrArray *logs, gboolean best, gboolean means, GPtrArray *notes,
                            GError **error);
// Predicts the times that were measured, as guidelines_predict does, on the machine of the request: each with the ranks, the
// nodes and the element of its log.
gboolean guidelines_predict_logs(Guidelines *x, Request *r, DecidePart *decide, gconstpointer from, GError **error);

// Finds what the library can be told to run on the left side of those of the rows (guint) that are predicted to be violations
// (GuidelineCure). With `by_file`, of what files of `tune` can name; the request must then be as for tune_compute, and the
// function must have been called without it before. Returns FALSE and an error if a simulation fails.
gboolean guidelines_cure(Guidelines *x, const GArray *rows, Request *r, gboolean by_file, GError **error);

// Sums up the rows of a guideline, or all rows if it is NULL.
GuidelineTotal guidelines_total(const Guidelines *x, const Guideline *of);
// Returns TRUE if a row is a violation on this side; a marked one never is on the measured side.
gboolean guidelines_violated(const Guidelines *x, const GuidelineRow *row, GuidelineSide side);
// Returns the side whose x people want to see of a row: the measured one if there is any.
GuidelineSide guidelines_side(const Guidelines *x);
// Returns the rows that are violations on that side, the worst first, and then those that are predicted only (guint). With
// `once`, only the worst of each guideline and collective on its left is among them. At most `most`. Free with g_array_unref.
GArray *guidelines_violations(const Guidelines *x, gboolean once, guint most);
// Returns the time of the right side of a case; NAN if one of its times is not known.
double guidelines_right(const Guidelines *x, const GuidelineCase *at, GuidelineSide side);
// Returns "2*gather(64K) on 4 ranks + bcast(1M)": the right side of a case with its sizes, and with its ranks where they are
// not those of the left. Free with g_free.
char *guidelines_right_text(const Guidelines *x, const GuidelineCase *at);
// Returns the sizes for which the library decides as it does for this time: "from 2K to 64K". Returns NULL if there is none, as
// for a barrier. Free with g_free.
char *guidelines_decided_sizes(Request *r, const GuidelinePlace *place, const GuidelineTime *time);

// ---- For the files of this room ---------------------------------------------------------------------------------------------

// Finds a place, or adds it. Returns its index.
guint guidelines_place(Guidelines *x, const char *group, int p, int per_node, gboolean base);
// Returns the index of a time, which is added if it is new.
guint guidelines_time(Guidelines *x, guint place, int collective, size_t m);
// Sorts the places and makes the cases of all guidelines. In a grid, they add the times that they need.
void guidelines_expand(Guidelines *x, gboolean grid);
// Makes the rows of the cases, whose times are known.
void guidelines_judge(Guidelines *x);
