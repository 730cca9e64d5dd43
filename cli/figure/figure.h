// The figure that `collsim plot` draws, as data: panels (one per collective, or per collective and number of ranks) of
// lines (one per algorithm) of points, read from the CSV that `collsim run` and `collsim measure` write. figure_rows.c reads
// the rows, figure.c makes panels and lines of them, figure_choose.c keeps what is worth a line, figure_contest.c tells
// who wins and how far predictions are off, figure_text.c says what the figure shows, figure_looks.c gives each line its
// colour and dash, figure_layout.c places all and hands it to plots/lines.gp.
#pragma once
#include "base/csv.h"
#include <glib.h>

// A panel of more than FIGURE_FEW lines keeps those that are the fastest somewhere and, up to FIGURE_FEW in all, those that
// come next to them, within FIGURE_NEAR times the fastest somewhere. At most FIGURE_MAX_COLUMNS collectives, and as many
// values of what is not on the axis.
enum { FIGURE_MAX_COLUMNS = 4, FIGURE_MAX_LINES = 40, FIGURE_FEW = 8, FIGURE_NEAR = 10 };

typedef enum { FIGURE_X_AUTO, FIGURE_X_SIZE, FIGURE_X_RANKS } FigureX;

// One time. A hole stands for a row that cannot be drawn: its line is broken there.
typedef struct {
    size_t x; // bytes or ranks, as the figure's axis says
    double time_s;
    gboolean hole;
    double low_s, high_s; // what is measured lies between (min_s and p95_s); of a prediction time_s, twice
    gboolean crowded;     // measured while ranks shared cores
} FigurePoint;

typedef struct {
    const char *algorithm; // owned by the Csv
    const char *params;    // "" unless the algorithm stands in the file with several; owned by the Csv
    size_t other;          // the value of what is not on the axis: ranks or bytes
    guint variant;         // how many lines of the same algorithm stand before it in the panel
    char *label;           // what the line is called in the figure
    GPtrArray *same;       // of char *: the labels of further lines with the very same points, the best known first
    GArray *points;        // of FigurePoint, x rising: what is predicted
    GArray *measured;      // of FigurePoint, x rising
    const GArray *contest; // points or measured: by which of them algorithms are compared
    FigurePoint last;      // the last point that is drawn, a prediction where there is one
} FigureLine;

typedef struct {
    const char *collective; // owned by the Csv
    GPtrArray *lines;       // of FigureLine, the one that ends highest first
    guint left_out;         // how many more the file has that are not drawn, lines alike counted each
    double left_ratio; // what of them comes nearest to the fastest takes this many times its time, at its best point
    guint number;      // of its collective, in the order of the file
    size_t other;      // of a split figure: the value of what is not on the axis
} FigurePanel;

typedef struct {
    FigureX x;         // SIZE or RANKS
    GPtrArray *panels; // of FigurePanel in the order of the file; of a split figure by collective, then by `other`
    guint columns;     // panels side by side
    size_t others[FIGURE_MAX_COLUMNS]; // the values of what is not on the axis, rising
    guint n_others;
    gboolean split;               // a panel has one of these values, not all
    gboolean predicted, measured; // which of both there is
    size_t x_min, x_max;
    double time_min, time_max;               // seconds, above 0
    const char *platform, *model, *transfer; // what all predictions (else all rows) share, else ""; owned by the Csv
    const char *mpi;                         // what all that is measured shares, else ""; owned by the Csv
    guint fallbacks, zeros;                  // rows not drawn: another algorithm ran; a size or time of 0 on a log axis
    guint crowded;                           // rows measured while ranks shared cores
} Figure;

// What to draw in place of the few: everything, or the algorithms of these names (NULL-terminated; NULL: none asked).
typedef struct {
    gboolean all;
    char *const *only;
} FigureChoice;

// Makes the figure of some tables (Csv *), which must outlive it. Rows of model `measured` are measured, all others
// predicted; of one algorithm both are one line. x AUTO takes what varies more, sizes if equal. NULL and a bad-input
// error: a column is missing, a field is no number, a point stands twice, a name is not in the tables, nothing is left to
// draw, or it is too much for one figure (the text says what to do). Free with figure_free.
Figure *figure_read(const GPtrArray *tables, FigureX x, const FigureChoice *choice, GError **error);

void figure_free(Figure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Figure, figure_free)

// The title of a panel: what was run and who wins where, such as "allreduce, 32K ranks, lumi: ring wins from 2M on". At
// most two lines of `width` characters, the middle winners left out where they do not fit. The caller frees it.
char *figure_title(const Figure *figure, const FigurePanel *panel, size_t width);

// The line under a panel's title: at how many points the fastest was predicted, how many lines are left out, and by how
// much. May be "". The caller frees it.
char *figure_subtitle(const Figure *figure, const FigurePanel *panel, const FigureChoice *choice);

// "= b, c" for a line that stands for several, broken at spaces into rows of at most `width` characters (longer names
// stand alone); "" for one that does not. The caller frees it.
char *figure_same(const FigureLine *line, size_t width);

// Breaks a text at spaces into at most two lines of `width` characters; what remains is cut off with "...". The caller
// frees it.
char *figure_wrap(const char *text, size_t width);

// The line under the figure: the model (and the platform, where the title has no room), and how many points are not drawn
// and why. May be "". The caller frees it.
char *figure_note(const Figure *figure);

// The variables of plots/lines.gp as gnuplot statements, for a picture of format "svg", "png", "pdf" or "dumb"; `columns`
// and `rows` are the size of a dumb terminal. title NULL: figure_title. The caller frees it.
char *figure_setup(const Figure *figure, const FigureChoice *choice, const char *format, const char *title, int columns,
                   int rows);

// The points as gnuplot reads them: two blocks per line, in the order of panels and lines: `x seconds` of what is
// predicted, and `x seconds low high crowded` of what is measured; an empty one has a row of NaN. Free with g_string_free.
GString *figure_data(const Figure *figure);

// Where the names of n lines stand beside a plot (their first rows), as shares of its height: as near to `want`, where
// their lines end, as rows of height `gap` allow. Lines come highest first; neighbours that collide form a block around
// their mean.
void figure_place(const double *want, const guint *rows, guint n, double gap, double *place);

// ---- Between the files of the figure -----------------------------------------------------------------------------------

// A row of a table with what is needed of it. Pointers belong to the table.
typedef struct {
    const Csv *csv;
    size_t row;   // of csv
    guint number; // of all rows
    const char *collective, *algorithm, *params;
    size_t p, bytes;
    double time_s, low_s, high_s;
    gboolean fallback, measured, crowded;
    guint collective_number; // its order in the file
    size_t x, other;         // p and bytes, or bytes and p
} FigureRow;

// Appends the rows of a table to `rows` (FigureRow), but for collective_number, x and other.
gboolean figure_rows_read(const Csv *csv, GArray *rows, GError **error);
// Sorts rows by collective, algorithm, parameters, `other`, x, predictions first; params that tell no line apart are
// emptied.
void figure_rows_sort(GArray *rows);
gboolean figure_rows_same_algorithm(const FigureRow *a, const FigureRow *b);
// The error for two rows of the same point.
gboolean figure_rows_twice(const FigureRow *a, const FigureRow *b, GError **error);

// A stretch of the axis and who is fastest there.
typedef struct {
    const FigureLine *winner;
    size_t first, last;
} FigureStretch;

// Who is fastest where, among the lines of `other`, as FigureStretch: as predicted, or where anything is measured as
// measured. Of those equal the one before stays, else it is the first by name. Measured times are equal where the fastest
// is not below all that was measured of the other (its low_s). Free with g_array_unref.
GArray *figure_stretches(const FigurePanel *panel, size_t other);
// Are there two lines at least in the contest, and are all of them equal wherever two have a point?
gboolean figure_undecided(const FigurePanel *panel);
// The point of a list at x that is drawn; NULL: none.
const FigurePoint *figure_point_at(const GArray *points, size_t x);

// What a panel's predictions are worth, where measured: |predicted / measured - 1| over the points that have both (n of
// them), and at how many of the x's with two measured algorithms or more the one that is predicted to be the fastest is
// so as measured, or equal to it.
typedef struct {
    guint n;
    double median, worst;
    guint right, contests;
} FigureTrust;
FigureTrust figure_trust(const FigurePanel *panel);

// Keeps of every panel what the choice says, lines with the same points as one. An error where a name is not in the
// figure.
gboolean figure_choose(Figure *figure, const FigureChoice *choice, GError **error);

// How well known an algorithm is: 0 is the best known; the same large number for all that have no colour of their own.
guint figure_fame(const char *algorithm);

// How a line is drawn: gnuplot's colour, dashtype and pointtype.
typedef struct {
    const char *color;
    int dash, point;
} FigureLook;

// The looks of a panel's lines, in their order; no two of up to FIGURE_MAX_LINES have colour and dash in common. Free with
// g_free.
FigureLook *figure_looks(const FigurePanel *panel);
