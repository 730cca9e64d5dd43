// The figure that `collsim plot` draws, as data.
//
// A figure has panels, one for each collective, or one for each collective and number of ranks. A panel has lines, one
// for each algorithm, and a line has points. The points come from the CSV that `collsim run` and `collsim measure`
// write.
//
//   figure_rows.c     reads the rows of the CSV
//   figure_read.c     builds panels and lines from the rows
//   figure_choose.c   selects the lines that are drawn
//   figure_contest.c  finds the fastest algorithm at each point, and the errors of predictions
//   figure_value.c    computes what the vertical axis shows of a time
//   figure_relate.c   finds the time that a time is compared with: a baseline's, a bound, a prediction
//   figure_text.c     writes titles and notes
//   figure_looks.c    gives each line a colour, a dash and a point
//   figure_legend.c   joins the names of several panels into one legend
//   figure_gaps.c     finds where a line lacks rows that others have
//   figure_draw.c     draws the lines
//   figure_print.c    prints them as text
//   bars.h            draws bars instead, where there is one x, and the parts of times
//
// `collsim plot --map` draws another figure of the same rows; see winners.h.
#pragma once
#include "base/csv.h"
#include "figure/canvas.h"
#include <glib.h>

enum {
    FIGURE_MAX_COLLECTIVES = 4,
    FIGURE_MAX_VALUES = 12, // of the quantity that is not on the x axis
    FIGURE_MAX_PANELS = 24,
    FIGURE_MAX_LINES = 45, // lines in a panel
    // A panel with more lines than FIGURE_FEW keeps every line that is the fastest at some x, and a library's default. If
    // these are fewer than FIGURE_FEW, the lines that come nearest to them fill it up; such a line takes at most FIGURE_NEAR times the
    // fastest time at its best x.
    FIGURE_FEW = 8,
    FIGURE_NEAR = 10
};

// The horizontal axis. FIGURE_X_PER_NODE is ranks per node, for rows that have the same number of nodes.
typedef enum { FIGURE_X_AUTO, FIGURE_X_SIZE, FIGURE_X_RANKS, FIGURE_X_PER_NODE } FigureX;

// The vertical axis. What it shows is computed from times, and the fastest algorithm is always found by time.
typedef enum {
    FIGURE_Y_TIME,
    FIGURE_Y_BANDWIDTH,
    FIGURE_Y_SPEEDUP,     // the baseline's time / the time
    FIGURE_Y_X_BOUND,     // the time / the lower bound
    FIGURE_Y_X_PREDICTED, // the measured time / the predicted one
    FIGURE_Y_SHARES,      // bars of the same length, cut into what each term of the certificate costs
    FIGURE_Y_PARTS,       // bars as long as the time, cut likewise
    N_FIGURE_Y
} FigureY;
extern const char *const figure_y_names[]; // as in --y; NULL-terminated

// Times whose relative difference is less are equal, because a sum of doubles depends on the order of its terms.
#define FIGURE_SAME 1e-9

// One time of an algorithm. A hole is a row that cannot be drawn; the line is interrupted there.
typedef struct {
    size_t x; // bytes, ranks or ranks per node, depending on the figure's axis
    double time_s;
    gboolean hole;
    double low_s, high_s; // ends of the error bar: min_s and p95_s of a measurement; both time_s for a prediction
    gboolean crowded;     // the ranks shared cores while it was measured
    double against;       // as in figure_value()
    const char *costs;    // what each term costs, as in the column of that name; owned by the Csv
} FigurePoint;

typedef struct {
    const char *algorithm; // owned by the Csv
    const char *params;    // "" unless the file has the algorithm with several; owned by the Csv
    size_t other;          // value of the quantity that is not on the x axis: ranks or bytes
    guint variant;         // number of lines before it in the panel that have the same algorithm
    gboolean wins;         // it is the fastest somewhere
    gboolean changes;      // its rows have different parameters, which its name leaves out
    int oddity;            // points_oddity() of its choice; INT_MAX for algorithms that the registry does not have
    char *label;           // name of the line in the figure, printable
    GPtrArray *same;       // of char *: labels of other lines with the same points, in the order of figure_by_rule
    GArray *points;        // of FigurePoint, x ascending: the predictions
    GArray *measurements;  // of FigurePoint, x ascending
    const GArray *contest; // points or measured, whichever decides which algorithm is the fastest
    FigurePoint last;      // the last point that is drawn; a prediction if the line has any
    double end;            // what the vertical axis shows of `last`
} FigureLine;

typedef struct {
    const char *collective; // owned by the Csv
    GPtrArray *lines;       // of FigureLine, sorted by `end`, the largest first
    guint left_out;         // number of algorithms that are not drawn; lines with the same points count one by one
    double left_ratio; // best ratio of an omitted line's time to the fastest time at the same x; 0 if none was computed
    guint number;      // index of the collective in the order of the file
    size_t other;      // in a split figure, the value of the quantity that is not on the x axis
} FigurePanel;

typedef struct {
    FigureX x; // not AUTO
    FigureY y;
    const char *axis;                 // the name of the vertical axis: "time", "speed-up over ring"; interned
    const char *baseline;             // of FIGURE_Y_SPEEDUP; interned
    gboolean one_x;                   // all rows have the same x
    gboolean bars;                    // there are bars instead of lines: one_x, or parts of times
    GPtrArray *panels;                // of FigurePanel, sorted by `number`, then by `other`
    guint columns;                    // panels of the first collective, or of all if there is one for each
    size_t others[FIGURE_MAX_VALUES]; // values of the quantity that is not on the x axis, ascending
    guint n_others;
    gboolean split;               // each of these values has a panel of its own
    gboolean predicted, measured; // the figure has predictions, measurements
    size_t x_min, x_max;
    double y_min, y_max; // of what the vertical axis shows, with error bars; above 0
    guint most_points;   // predictions in a line
    // A field that all predictions have in common, or all measurements if there are no predictions; "" if they differ.
    const char *platform, *model, *transfer; // owned by the Csv
    size_t per_node;        // ranks of a node that all of these have in common; 0 if they differ, or have none
    const char *mpi;        // field that all measurements have in common, or ""; owned by the Csv
    guint fallbacks, zeros; // omitted rows: another algorithm ran; a size, p or time is 0, which a log axis cannot show
    guint unrelated;        // omitted rows: there is nothing to compare the time with, or no certificate
    guint crowded;          // rows measured while ranks shared cores
    guint absent;           // predictions that lines lack where others have some; see figure_gaps.c
    gboolean ends;          // a line begins or ends beside a point that is omitted
} Figure;

// Which lines to draw. With neither field set, FIGURE_FEW applies.
typedef struct {
    gboolean all;      // every line
    char *const *only; // only algorithms with these names, NULL-terminated; NULL for no restriction
} FigureChoice;

// Builds the figure from tables (Csv *), which must outlive it. Rows are measurements or predictions as
// log_column_is_measurement() says; an algorithm's measurements and predictions share one line. FIGURE_X_AUTO chooses the
// quantity with more different values as x axis, and sizes if both have equally many. Returns NULL and a bad-input
// error if a column is missing, a field is not a number, a point occurs twice, choice->only names an unknown algorithm,
// nothing is left to draw, or there is too much for one figure; over ranks per node also if a row has none, or if the
// rows have several numbers of nodes. Free with figure_free.
// `baseline` is what FIGURE_Y_SPEEDUP compares with: an algorithm, or an algorithm and its parameters as the picture names
// them; NULL for a library's default (LIB:auto) if the file has one, and otherwise for the algorithm of the first row.
Figure *figure_read(const GPtrArray *tables, FigureX x, FigureY y, const char *baseline, const FigureChoice *choice,
                    GError **error);

void figure_free(Figure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Figure, figure_free)

// Returns the title of a panel, which names the operation and the winners: "allreduce, 32K ranks, lumi: ring wins from
// 2M on". It has lines of this width; if not all winners fit into two of them, only the first and the last are
// named. Free with g_free.
char *figure_title(const Figure *figure, const FigurePanel *panel, double width, Letters font);

// Returns the line under a panel's title: at how many x the predicted winner also won as measured, how many lines are
// omitted, and how much slower these are. May be "". Free with g_free.
char *figure_subtitle(const Figure *figure, const FigurePanel *panel, const FigureChoice *choice);

// Returns the names of the algorithms whose points are the same as the line's: "= b, c", or "" if there are none. The
// text is broken into rows of at most `width` characters; a longer name has a row of its own. Free with g_free.
char *figure_same(const FigureLine *line, size_t width);

// Returns "HEAD: BODY" in at most two lines of this width. A text that needs two lines is broken after the last comma,
// semicolon or colon that lets both parts fit, or else between any two words. Returns NULL if two lines are not enough.
// Free with g_free.
char *figure_fit(const char *head, const char *body, double width, Letters font);

// Returns a label of at most 34 characters that are printable, although a CSV's field may hold anything. If it is longer,
// the first word is cut, because lines of the same algorithm differ in what follows: "recursive_do.. on lumi, beta=x0.5".
// If that is long too, the end is cut. Free with g_free.
char *figure_cut(const char *text);

// Returns the line under the figure: the model, the platform if the titles do not name it, and how many points are
// omitted for which reason. May be "". Free with g_free.
char *figure_note(const Figure *figure);

// Returns the head of a panel's title: "allreduce, 32K ranks, lumi". Free with g_free.
char *figure_head(const Figure *figure, const FigurePanel *panel);

// Returns the picture. A title that is asked for stands above all panels, whose own titles then only say what was run. Free
// with canvas_free.
Canvas *figure_canvas(const Figure *figure, const FigureChoice *choice, const PictureAsk *ask);

// Prints the figure as text of so many columns, with panels of so many rows. `title` replaces its own unless it is NULL.
void figure_print(const Figure *figure, const FigureChoice *choice, const char *title, int columns, int rows, FILE *to);

// ---- Between the files of the figure --------------------------------------------------------------------------------

// Returns what a vertical axis shows of a time: seconds, or how it compares with `against`, which is the size of the
// messages, or the time of the baseline, of the bound or of the prediction. Returns 0 if there is nothing to compare with.
double figure_value(FigureY y, double time_s, double against);
// Returns a value of the vertical axis with its unit: "1.23 us", "4.5 GB/s", "3.1". Free with g_free.
char *figure_value_text(FigureY y, double value);
// Returns TRUE if the vertical axis shows times divided by times, where 1 should be seen.
gboolean figure_is_ratio(FigureY y);
// Returns TRUE if the vertical axis shows what times consist of.
gboolean figure_has_parts(FigureY y);
// Returns "measured takes 0.8 to 1.4 times as long as predicted, 1.1 in the median", of a panel of FIGURE_Y_X_PREDICTED.
// Free with g_free.
char *figure_agreement(const FigurePanel *panel);
// Sets `against` of each row, and the figure's axis. The rows are sorted. Of FIGURE_Y_X_PREDICTED only measured rows
// remain. Returns FALSE and a bad-input error if a column is missing or there is no such baseline.
gboolean figure_relate(Figure *figure, const char *names, GArray *rows, const char *baseline, GError **error);

// Orders two lines that tie, as points_faster() orders points, so that a picture names the same winner as a table: what
// a library has comes first, then what departs less from its defaults, then by name.
int figure_by_rule(const FigureLine *a, const FigureLine *b);

// A row of a table. The table owns the strings.
typedef struct {
    const Csv *csv;
    size_t row;   // index in the table
    guint number; // index among the rows of all tables
    const char *collective, *algorithm, *params;
    const char *machine; // "" unless the rows predict a point for several machines; set by figure_rows_sort
    size_t p, bytes;
    double time_s, low_s, high_s;
    gboolean fallback; // another algorithm ran in place of this one
    gboolean measured, crowded;
    guint collective_number; // index of the collective in the order of the file
    size_t x, other;         // p and bytes, or bytes and p, or ranks per node and bytes, depending on the axis
    double against;          // as in figure_value(); set by figure_relate
    const char *costs;       // the field of that column, or ""
} FigureRow;

// Returns the rows (FigureRow) of all tables (Csv *); collective_number, x, other and against stay 0. A row of
// `validate --points`, which has measured_s and predicted_s in place of time_s, becomes a row of each kind. Free with
// g_array_unref. Returns NULL and a bad-input error if a column is missing, a field is not valid, or a table has no rows.
GArray *figure_rows_read(const GPtrArray *tables, GError **error);
// Sorts rows by collective, algorithm, parameters, `other`, x and model, predictions first. It sets `params` to ""
// where an algorithm does not need them to tell its lines apart, and adds the machine where it needs that. Ranks per node are
// part of the machine, unless they are on an axis (`over_nodes`).
void figure_rows_sort(GArray *rows, gboolean over_nodes);
// Returns TRUE if both rows have the same collective and the same algorithm.
gboolean figure_rows_same_algorithm(const FigureRow *a, const FigureRow *b);
// Sets the error for two rows of the same point, which names both, and returns FALSE.
gboolean figure_rows_twice(const FigureRow *a, const FigureRow *b, GError **error);

// Returns the names of all tables, with which an error about all of them starts. Free with g_free.
char *figure_names(const GPtrArray *tables);
// Returns the field that all rows with this `measured` have in common in a column, or "" if they differ or there are
// none.
const char *figure_shared_field(const GArray *rows, gboolean measured, const char *column);
// Returns the points_oddity() of a row's choice, or INT_MAX if the registry does not have the algorithm.
int figure_oddity(const FigureRow *row);

#define FIGURE_FELL_BACK "another algorithm ran" // why a point is omitted
// Returns what a note says of the model of predictions and the way messages are sent, which may be "" or NULL: "hockney, eager".
// Free with g_free.
char *figure_model_text(const char *model, const char *transfer);

// An interval of the x axis on which one line is the fastest.
typedef struct {
    const FigureLine *winner;
    size_t first, last; // the first and the last x with a point
} FigureStretch;

// Returns the intervals (FigureStretch, x ascending) of the lines of a panel that have this `other`. The winner is
// found by measured times if the figure has any, else by predicted ones. Two lines tie at an x if the faster one's time
// is not below the other one's low_s. Of lines that tie, the winner of the interval before stays the winner, else it is
// the first by label. Free with g_array_unref.
GArray *figure_stretches(const FigurePanel *panel, size_t other);
// Returns the least time at x among the lines with this `other`: the predicted one, or that of the contest. Returns
// INFINITY if no line has a point there.
double figure_least(const FigurePanel *panel, size_t other, size_t x, gboolean predicted);
// Returns TRUE if at least two lines differ in time at some x, and all lines tie at every x.
gboolean figure_undecided(const FigurePanel *panel);
// Returns the point at x, or NULL if the list has none there or it is a hole.
const FigurePoint *figure_point_at(const GArray *points, size_t x);

// How well a panel's predictions agree with its measurements.
typedef struct {
    guint n;              // points that are both predicted and measured
    double median, worst; // of |predicted / measured - 1| over these points; 0 if n is 0
    guint contests;       // x at which at least two lines are both predicted and measured
    guint right;          // contests at which a line that is predicted to be the fastest wins or ties as measured
} FigureTrust;
FigureTrust figure_trust(const FigurePanel *panel);

// Joins the lines of each panel that have the same points, and removes those that the choice does not want. Returns
// FALSE and a bad-input error if choice->only has a name that is not in the figure.
gboolean figure_choose(Figure *figure, const FigureChoice *choice, GError **error);

// Returns the looks of a panel's lines, in their order. No two of up to FIGURE_MAX_LINES lines have the same colour and
// dash, nor the same colour and point, also if all points are drawn filled. No two winners have the same colour, as long
// as there are colours. Free with g_free.
CanvasLook *figure_looks(const FigurePanel *panel);
// Returns the looks of algorithms (const char *) that each win somewhere. Free with g_free.
CanvasLook *figure_winner_looks(const GPtrArray *names);

// A row of the legend that several panels share.
typedef struct {
    const FigureLine *line; // the first one of this name
    CanvasLook look;
    char *
        same; // the names that share its points, in words: "= b, c", with the panels where they do if it is not all; or ""
} FigureEntry;

// Returns the legend (FigureEntry) of a figure with more than two panels or of a narrow one, or NULL if each panel names
// its lines beside them: there are fewer panels, or more lines than there are looks. `width` is that of the picture. Free with g_array_unref.
GArray *figure_legend(const Figure *figure, int width);
// Returns the looks of a panel's lines, as in the figure's legend; `legend` may be NULL. Free with g_free.
CanvasLook *figure_panel_looks(const FigurePanel *panel, const GArray *legend);

// Returns a value of the quantity that is not on the x axis: "32K ranks", "64K bytes". Free with g_free.
char *figure_other_text(const Figure *figure, size_t other);

// Counts the predictions that lines lack, at an x where another line with the same `other` has a row, and sets `ends`.
void figure_count_absent(Figure *figure);
// Returns TRUE if a line lacks a row between two of its points, which are neighbours in its list; `a` NULL asks for what is
// before b, and `b` NULL for what is after a.
gboolean figure_lacks(const FigurePanel *panel, const FigureLine *line, const FigurePoint *a, const FigurePoint *b);
