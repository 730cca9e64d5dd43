// A picture of points and lines in one or more panels with logarithmic axes: those of `plot`, `bound`, `calibrate`, `compare`,
// `validate` and `audit`.
//
//     title
//     x one  - two              the legend
//     panel 1     panel 2
//     |  x        |      x
//     | x -       |   -  x three    a name beside the end of a line
//     +-------    +--------
//     note
//
// All panels have the same ranges, which the points set, unless there are diagonals.
#pragma once
#include "figure/canvas.h"

typedef enum { CHART_SIZE, CHART_RANKS, CHART_TIME, CHART_RATE, CHART_NUMBER } ChartAxis;

typedef struct Chart Chart;

// Creates a chart without points. With `diagonals`, which needs the same kind of axis twice, x and y of a panel have the
// same range, and there are lines where y is x, twice or half of it. Texts are copied. Free with chart_free.
Chart *chart_new(const char *title, const char *note, gboolean diagonals);
void chart_free(Chart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Chart, chart_free)

// Sets the kind and the name of the x axis, if `of_x`, or of the y axis, which has a default name if it is NULL.
void chart_axis(Chart *chart, gboolean of_x, ChartAxis kind, const char *name);
// Sets a text between title and legend.
void chart_subtitle(Chart *chart, const char *text);
// Draws a thin line where y is 1.
void chart_line_at_1(Chart *chart);
// Sets the number of panels in a row, unless --size leaves room for fewer; 0 for a number that suits.
void chart_columns(Chart *chart, guint columns);
// Adds a panel with a title and a text below it, which may be "". Returns its index.
guint chart_panel(Chart *chart, const char *title, const char *subtitle);
// Returns the width that a panel's title has; `labels` says that lines have names beside the plots.
double chart_title_width(guint panels, guint columns, gboolean labels, const PictureAsk *ask);

enum { CHART_LOOKS = 9 };
// Returns the look of the i-th series of points of a chart: colours and points that differ.
CanvasLook chart_look(guint i);

// Adds a series, and returns its index. Series that come later are drawn on those before. A NULL name is not in the legend. A
// series with a line has its points at some places only if there are many.
guint chart_series(Chart *chart, const char *name, CanvasLook look);
// Adds a point to a series in a panel, unless a coordinate is not above 0, which the axes cannot show.
void chart_point(Chart *chart, guint panel, guint series, double x, double y);
// The same, with a bar from low to high.
void chart_bar(Chart *chart, guint panel, guint series, double x, double y, double low, double high);
// Interrupts a line.
void chart_gap(Chart *chart, guint panel, guint series);
// Names the end (x, y) of a line beside a panel. `more` is "", or other names of it in rows below.
void chart_label(Chart *chart, guint panel, double x, double y, const char *name, const char *more, CanvasLook look);
// Returns TRUE if some point can be drawn.
gboolean chart_has_points(const Chart *chart);

// Returns a value as an axis of this kind writes it. Free with g_free.
char *chart_text(ChartAxis kind, double value);

// Lays the chart out. Free with canvas_free.
Canvas *chart_canvas(const Chart *chart, const PictureAsk *ask);
