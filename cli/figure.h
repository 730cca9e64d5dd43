// The figure that `collsim plot` draws, as data: panels (one per collective) of lines (one per algorithm) of points, read
// from the CSV that `collsim run` writes. figure.c reads it, figure_choose.c keeps what is worth a line, figure_text.c says
// what it shows, figure_looks.c gives each line its colour and dash, figure_layout.c places all and hands it to
// plots/lines.gp.
#pragma once
#include "csv.h"
#include <glib.h>

typedef enum { FIGURE_X_AUTO, FIGURE_X_SIZE, FIGURE_X_RANKS } FigureX;

// One measurement. A hole stands for a row that cannot be drawn: its line is broken there.
typedef struct {
    size_t x; // bytes or ranks, as the figure's axis says
    double time_s;
    gboolean hole;
} FigurePoint;

typedef struct {
    const char *algorithm; // owned by the Csv
    const char *params;    // "" unless the algorithm stands in the file with several; owned by the Csv
    size_t other;          // the value of what is not on the axis: ranks or bytes
    guint variant;         // how many lines of the same algorithm stand before it in the panel
    char *label;           // what the line is called in the figure
    GPtrArray *same;       // of char *: the labels of further lines with the very same points, the best known first
    GArray *points;        // of FigurePoint, x rising
    FigurePoint last;      // the last point that is drawn
} FigureLine;

typedef struct {
    const char *collective; // owned by the Csv
    GPtrArray *lines;       // of FigureLine, the one that ends highest first
    guint left_out;         // how many more the file has that are not drawn, lines alike counted each
    double left_ratio; // what of them comes nearest to the fastest takes this many times its time, at its best point
} FigurePanel;

typedef struct {
    FigureX x;         // SIZE or RANKS
    GPtrArray *panels; // of FigurePanel, 1 to 4, in the order of the file
    size_t others[2];  // the values of what is not on the axis, rising
    guint n_others;    // 1 or 2
    size_t x_min, x_max;
    double time_min, time_max;               // seconds, above 0
    const char *platform, *model, *transfer; // what all rows share; "" where they differ; owned by the Csv
    guint fallbacks, zeros;                  // rows not drawn: another algorithm ran; a size or time of 0 on a log axis
} Figure;

// A panel of more than FIGURE_FEW lines keeps those that are the fastest somewhere and, up to FIGURE_FEW in all, those that
// come next to them, within FIGURE_NEAR times the fastest somewhere.
enum { FIGURE_MAX_PANELS = 4, FIGURE_MAX_LINES = 40, FIGURE_FEW = 8, FIGURE_NEAR = 10 };

// What to draw in place of the few: everything, or the algorithms of these names (NULL-terminated; NULL: none asked).
typedef struct {
    gboolean all;
    char *const *only;
} FigureChoice;

// Makes the figure of a table; the table must outlive it. x AUTO takes what varies more, sizes if equal. NULL and a
// bad-input error: a column is missing, a field is no number, a point stands twice, a name is not in the table, nothing is
// left to draw, or it is too much for one figure (the text says what to do). Free with figure_free.
Figure *figure_read(const Csv *csv, FigureX x, const FigureChoice *choice, GError **error);

void figure_free(Figure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Figure, figure_free)

// The title of a panel: what was run and who wins where, such as "allreduce, 32K ranks, lumi: ring wins from 2M on". At
// most two lines of `width` characters, the middle winners left out where they do not fit. The caller frees it.
char *figure_title(const Figure *figure, const FigurePanel *panel, size_t width);

// The line under a panel's title: how many lines are left out, and by how much. May be "". The caller frees it.
char *figure_subtitle(const FigurePanel *panel, const FigureChoice *choice);

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

// The points as gnuplot reads them: a block per line, in the order of panels and lines, `x seconds` in each. Free with
// g_string_free.
GString *figure_data(const Figure *figure);

// ---- Between figure.c, figure_choose.c, figure_looks.c and figure_layout.c ---------------------------------------------

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
