// What stands in tables and pictures for a number changes its form at some thresholds, as "9.9" and "10": each is tried at
// the threshold, just below and above it. Texts are counted in as few digits as they should have on both sides.
#include "answer/engine/traffic_answer.h"
#include "answer/judge/compare_answer.h"
#include "answer/page/html_parts.h"
#include "answer/report/report.h"
#include "answer/report/why.h"
#include "figure/bars.h"
#include "figure/chart.h"
#include "figure/figure.h"
#include "figure/heat.h"
#include "figure/winners.h"
#include "out/sheet.h"
#include "tap.h"
#include <math.h>
#include <string.h>

static char *ratio_of_one(double x)
{
    return sheet_ratio(x, 1);
}

// Returns what is said of a saving: its first word after "saves ", without the x.
static char *saving(double x)
{
    g_autofree char *text = report_sure_text(&(Sure){.saves = x, .low = 1, .high = x, .share = 1}, SURE_DEFAULT);
    g_auto(GStrv) words = g_strsplit(text, " ", 3);
    return g_strndup(words[1], strlen(words[1]) - 1);
}

static char *speed_up(double x)
{
    return figure_value_text(FIGURE_Y_SPEEDUP, x);
}

static char *rate(double x)
{
    return chart_text(CHART_RATE, x);
}

static char *axis_time(double x)
{
    return chart_text(CHART_TIME, x);
}

typedef struct LabelCase {
    char *(*text)(double x);
    double x;
    const char *due;
} LabelCase;

static const LabelCase labels[] = {
    {heat_text, 9.949, "9.9"},
    {heat_text, 9.95, "10"},
    {heat_text, 9.951, "10"},
    {heat_text, 9999.4, "9999"},
    {heat_text, 9999.5, "10k"},
    {heat_text, 9999.6, "10k"},
    {heat_text, 999499, "999k"},
    {heat_text, 999500, "1e+06"},
    {heat_text, 999501, "1e+06"},
    {saving, 9.949, "9.9"},
    {saving, 9.95, "10"},
    {saving, 9.951, "10"},
    {ratio_of_one, 9.99, "9.99"},
    {ratio_of_one, 10, "10.0"},
    {ratio_of_one, 10.01, "10.0"},
    {ratio_of_one, 99.9, "99.9"},
    {ratio_of_one, 100, "100"},
    {ratio_of_one, 100.1, "100"},
    {speed_up, 999.4, "999"},
    {speed_up, 999.5, "1000"},
    {speed_up, 999.6, "1000"},
    {why_percent, 0.00049, "0 %"},
    {why_percent, 0.0005, "0.1 %"},
    {why_percent, 0.00051, "0.1 %"},
    {why_percent, 0.0094, "0.9 %"},
    {why_percent, 0.01, "1 %"},
    {why_percent, 0.011, "1 %"},
    {why_percent, 0.9949, "99 %"},
    {why_percent, 0.995, "over 99 %"},
    {why_percent, 0.9999, "over 99 %"},
    {why_percent, 1, "100 %"},
    {why_percent, -0.00049, "0 %"},
    {why_percent, -0.0005, "-0.1 %"},
    {traffic_share_text, 0, "0 %"},
    {traffic_share_text, 1e-9, "0.01 %"},
    {traffic_share_text, 0.0000999, "0.01 %"},
    {traffic_share_text, 0.0001, "0.01 %"},
    {traffic_share_text, 0.000101, "0.0101 %"},
    {traffic_share_text, 0.00123, "0.123 %"},
    {traffic_share_text, 0.998, "99.8 %"},
    {traffic_share_text, 0.9989, "99.9 %"},
    {traffic_share_text, 0.9999999, "99.9 %"},
    {traffic_share_text, 1, "100 %"},
    {compare_factor_text, 1.004, "1.00"},
    {compare_factor_text, 1.0949, "1.09"},
    {compare_factor_text, 1.1, "1.1"},
    {compare_factor_text, 1.16, "1.2"},
    {compare_factor_text, 1000, "1000.0"},
    {compare_factor_text, 1000.1, "over 1000"},
    {bar_times_text, 1, ""},
    {bar_times_text, 1.00499, ""},
    {bar_times_text, 1.005, ""},
    {bar_times_text, 1.0051, ", x1.01"},
    {bar_times_text, 999.4, ", x999"},
    {bar_times_text, 999.5, ", x1000"},
    {bar_times_text, 1234.5, ", x1234"},
    {traffic_size_text, 999.4, "999"},
    {traffic_size_text, 999.5, "1000"},
    {traffic_size_text, 999.75, "1000"},
    {traffic_size_text, 1023.4, "1023"},
    {traffic_size_text, 1023, "1023"},
    {traffic_size_text, 1024, "1K"},
    {traffic_size_text, 1022975.5, "999K"},
    {traffic_size_text, 1048063.5, "1023K"},
    {rate, 0.99998e9, "1000 MB/s"},
    {rate, 0.99999e9, "1 GB/s"},
    {rate, 1e9, "1 GB/s"},
    {axis_time, 99999, "99999 s"},
    {axis_time, 1e5, "100000 s"},
};

static void test_texts(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
        g_autofree char *text = labels[i].text(labels[i].x);
        g_test_message("%.10g: %s, due %s", labels[i].x, text, labels[i].due);
        g_assert_cmpstr(text, ==, labels[i].due);
    }
}

// Returns the legend's text for what a map of two ratios of one place shows. Free with g_free.
static char *shown_step(double x, double less)
{
    const HeatPlace two[] = {{8, 0, 64, less}, {8, 0, 64, x}};
    g_autoptr(GArray) places = g_array_append_vals(g_array_new(FALSE, FALSE, sizeof(HeatPlace)), two, 2);
    g_autoptr(FigureGrid) map = heat_map(places, NULL, "x");
    g_assert_cmpuint(map->keys->len, ==, 2); // the heading is the first
    g_assert_cmpint(map->color[0], ==, g_array_index(map->keys, CanvasKey, 1).look.color);
    return g_strdup(g_array_index(map->keys, CanvasKey, 1).text);
}

// The steps of a map begin at these ratios, and the shades of a winner's margin at these. Of several ratios for one place the
// largest counts, and what is not known does not.
static void test_shades(void)
{
    static const double from[] = {1.1, 1.5, 2, 5, 20, 100};
    static const char *const step[] = {"below 1.1: 1", "1.1 to 1.5: 1", "1.5 to 2: 1",   "2 to 5: 1",
                                       "5 to 20: 1",   "20 to 100: 1",  "from 100 on: 1"};
    for (guint i = 0; i < G_N_ELEMENTS(from); i++) {
        g_autofree char *below = shown_step(nextafter(from[i], 0), 0.5), *at = shown_step(from[i], NAN),
                        *above = shown_step(nextafter(from[i], 1e3), from[i]);
        g_assert_cmpstr(below, ==, step[i]);
        g_assert_cmpstr(at, ==, step[i + 1]);
        g_assert_cmpstr(above, ==, step[i + 1]);
    }
    const struct {
        double margin;
        WinnerShade due;
    } shades[] = {{-0.1, WINNER_TIES},
                  {0, WINNER_TIES},
                  {1e-9, WINNER_NEAR},
                  {nextafter(0.05, 0), WINNER_NEAR},
                  {0.05, WINNER_AHEAD},
                  {0.25, WINNER_AHEAD},
                  {nextafter(0.25, 1), WINNER_FAR}};
    for (size_t i = 0; i < G_N_ELEMENTS(shades); i++)
        g_assert_cmpint(winner_shade(shades[i].margin), ==, shades[i].due);
}

// The sign of a default's mean changes at 1.1 and at 2, which are beyond the better one.
static void test_marks(void)
{
    g_assert_cmpint(html_mark_of(NAN), ==, HTML_PLAIN);
    g_assert_cmpint(html_mark_of(nextafter(1.1, 0)), ==, HTML_GOOD);
    g_assert_cmpint(html_mark_of(1.1), ==, HTML_FAIR);
    g_assert_cmpint(html_mark_of(nextafter(2, 0)), ==, HTML_FAIR);
    g_assert_cmpint(html_mark_of(2), ==, HTML_BAD);
}

static void add(void)
{
    g_test_add_func("/labels/texts", test_texts);
    g_test_add_func("/labels/marks", test_marks);
    g_test_add_func("/labels/shades", test_shades);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
