#include "figure/heat.h"

static const struct {
    double from;
    int color;
    const char *text;
} steps[HEAT_STEPS] = {
    {0, 0xF2F2F2, "below 1.1"}, {1.1, 0xFEE6A8, "1.1 to 1.5"}, {1.5, 0xFEC44F, "1.5 to 2"},    {2, 0xF0892B, "2 to 5"},
    {5, 0xC94A08, "5 to 20"},   {20, 0x8C2D04, "20 to 100"},   {100, 0x3D1402, "from 100 on"},
};

guint heat_step(double x)
{
    guint step = 0;
    while (step + 1 < HEAT_STEPS && x >= steps[step + 1].from)
        step++;
    return step;
}

int heat_color(guint step)
{
    return steps[step].color;
}

char *heat_text(double x)
{
    return x < 9.95     ? g_strdup_printf("%.1f", x)
           : x < 9999.5 ? g_strdup_printf("%.0f", x)
           : x < 999500 ? g_strdup_printf("%.0fk", x / 1e3)
                        : g_strdup_printf("%.0e", x);
}

void heat_keys(FigureGrid *grid, const char *heading, const guint counts[HEAT_STEPS])
{
    figure_grid_key(grid, g_strdup(heading), -1, FALSE);
    for (guint i = HEAT_STEPS; i-- > 0;)
        if (counts[i])
            figure_grid_key(grid, g_strdup_printf("%s: %u", steps[i].text, counts[i]), steps[i].color, FALSE);
}
