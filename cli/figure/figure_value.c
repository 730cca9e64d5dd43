// What the vertical axis shows of a time.
#include "base/units.h"
#include "figure/figure.h"

const char *const figure_y_names[] = {[FIGURE_Y_TIME] = "time", [FIGURE_Y_BANDWIDTH] = "bandwidth", NULL};

double figure_value(FigureY y, double time_s, size_t bytes)
{
    return y == FIGURE_Y_TIME ? time_s : time_s > 0 ? (double)bytes / time_s : 0;
}

size_t figure_bytes(const Figure *figure, const FigureLine *line, const FigurePoint *point)
{
    return figure->x == FIGURE_X_SIZE ? point->x : line->other;
}

char *figure_value_text(FigureY y, double value)
{
    static const struct {
        double one;
        const char *name;
    } units[] = {{1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}};
    if (y == FIGURE_Y_TIME)
        return units_format_time(value);
    guint i = 0;
    while (i + 1 < G_N_ELEMENTS(units) && value < units[i].one)
        i++;
    return g_strdup_printf("%.4g %s", value / units[i].one, units[i].name);
}
