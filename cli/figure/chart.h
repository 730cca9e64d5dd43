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

// What a chart says around its panels. Its texts must outlive the chart; one that is NULL is left out.
typedef struct ChartHead {
    const char *title, *subtitle, *note; // the subtitle stands between title and legend
    ChartAxis x, y;
    const char *x_name, *y_name; // NULL: the name of that kind of axis
    // x and y, which are of the same kind, have the same range in a panel, and there are lines where y is x, twice or half of
    // it.
    gboolean diagonals;
    gboolean line_at_1; // there is a thin line where y is 1
    guint columns;      // panels in a row, unless --size leaves room for fewer; 0: a number that suits
} ChartHead;

// Creates a chart without points. Free with chart_free.
Chart *chart_new(const ChartHead *head);
void chart_free(Chart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Chart, chart_free)

// Adds a panel with a title and a text below it, which may be "". Returns its index. A chart with series to which no panel was
// added has one without a title.
guint chart_panel(Chart *chart, const char *title, const char *subtitle);
// Returns the width that a panel's title has; `labels` says that lines have names beside the plots.
double chart_title_width(guint panels, guint columns, gboolean labels, const PictureAsk *ask);

enum { CHART_LOOKS = 9 };
// Returns the look of the i-th series of points of a chart: colours and points that differ.
CanvasLook chart_look(guint i);

// Adds a series, and returns its index. Series that come later are drawn on those before. A NULL name is not in the legend. A
// series with a line has its points at some places only if there are many.
guint chart_series(Chart *chart, const char *name, CanvasLook look);
// Adds a series of points for each name, whose looks are those of chart_look(), and returns the index of the first.
guint chart_groups(Chart *chart, const GPtrArray *names);
// Adds a point to a series in a panel, unless a coordinate is not above 0, which the axes cannot show.
void chart_point(Chart *chart, guint panel, guint series, double x, double y);
// Goes on from the last point of a line to this one, as a point at first. A line that is straight in x and y is drawn as the
// curve that it is on logarithmic axes.
void chart_straight(Chart *chart, guint panel, guint series, double x, double y);
// Adds a point with a bar from low to high.
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
