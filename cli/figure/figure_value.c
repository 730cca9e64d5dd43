// What the vertical axis shows of a time.
#include "base/units.h"
#include "figure/chart.h"
#include "figure/figure.h"

const char *const figure_y_names[] = {[FIGURE_Y_TIME] = "time",
                                      [FIGURE_Y_BANDWIDTH] = "bandwidth",
                                      [FIGURE_Y_SPEEDUP] = "speedup",
                                      [FIGURE_Y_X_BOUND] = "x-bound",
                                      [FIGURE_Y_X_PREDICTED] = "x-predicted",
                                      [FIGURE_Y_SHARES] = "shares",
                                      [FIGURE_Y_PARTS] = "parts",
                                      NULL};

gboolean figure_is_ratio(FigureY y)
{
    return y == FIGURE_Y_SPEEDUP || y == FIGURE_Y_X_BOUND || y == FIGURE_Y_X_PREDICTED;
}

gboolean figure_has_parts(FigureY y)
{
    return y == FIGURE_Y_SHARES || y == FIGURE_Y_PARTS;
}

double figure_value(FigureY y, double time_s, double against)
{
    if (y == FIGURE_Y_BANDWIDTH || y == FIGURE_Y_SPEEDUP)
        return time_s > 0 ? against / time_s : 0;
    return !figure_is_ratio(y) ? time_s : against > 0 ? time_s / against : 0;
}

char *figure_value_text(FigureY y, double value)
{
    if (figure_is_ratio(y))
        return g_strdup_printf(value < 999.5 ? "%.3g" : "%.0f", value);
    if (y != FIGURE_Y_BANDWIDTH)
        return units_format_time(value);
    return chart_text(CHART_RATE, value);
}
