// A picture of points and lines in one or more panels with logarithmic axes, which plots/chart.gp draws: those of
// `calibrate`, `compare`, `validate` and `audit`. The legend is below the title, in as many rows as it needs.
//
//     title
//     x one  - two              the legend
//     panel 1     panel 2
//     |  x        |      x
//     | x -       |   -  x      a panel has its own ranges, which its points set
//     +-------    +--------
//     note
#pragma once
#include <glib.h>
#include <stdio.h>

typedef enum { CHART_SIZE, CHART_RANKS, CHART_TIME, CHART_NUMBER } ChartAxis;

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
// Adds a panel with this title, which may be "", and returns its index.
guint chart_panel(Chart *chart, const char *title);

// How a series is drawn: as points, or as a line of some width. `point` and `dash` are as in gnuplot.
typedef struct ChartLook {
    const char *color; // "#RRGGBB"; copied
    int point, dash;   // `point` 0: none; `dash` 0: no line
    double width;
} ChartLook;
enum { CHART_LOOKS = 9 };
// Returns the look of the i-th series of points of a chart: colours and points that differ.
ChartLook chart_look(guint i);

// Adds a series, and returns its index. Series that come later are drawn on those before. A NULL name is not in the legend.
guint chart_series(Chart *chart, const char *name, ChartLook look);
// Adds a point to a series in a panel, unless a coordinate is not above 0, which the axes cannot show.
void chart_point(Chart *chart, guint panel, guint series, double x, double y);
// Interrupts a line.
void chart_gap(Chart *chart, guint panel, guint series);
// Returns TRUE if some point can be drawn.
gboolean chart_has_points(const Chart *chart);

// Draws the chart in the format "svg", "png" or "pdf". Free with g_string_free. Returns NULL and an error if gnuplot fails.
GString *chart_draw(const Chart *chart, const char *format, GError **error);
// The same, to a file.
gboolean chart_write(const Chart *chart, const char *format, FILE *to, GError **error);
