// What a chart holds: chart_data.c takes it from callers of chart.h, and chart_draw.c draws it.
#pragma once
#include "figure/chart.h"

typedef struct {
    guint panel;
    double x, y; // NAN: a gap
    double low, high;
} ChartPoint;

typedef struct {
    char *title, *subtitle;
    guint points;
    double low[2], high[2]; // of x, of y
} ChartPanel;

typedef struct {
    CanvasLook look;
    GArray *points; // of ChartPoint
} ChartSeries;

typedef struct {
    guint panel, number;
    double x, y;
    char *name, **more;
    CanvasLook look;
} ChartLabel;

struct Chart {
    ChartHead head; // without NULL
    GArray *panels; // of ChartPanel
    GArray *series; // of ChartSeries
    GArray *keys;   // of the legend
    GArray *labels; // of ChartLabel
};

static inline ChartPanel *chart_panel_at(const Chart *chart, guint i)
{
    return &g_array_index(chart->panels, ChartPanel, i);
}

static inline ChartSeries *chart_series_at(const Chart *chart, guint i)
{
    return &g_array_index(chart->series, ChartSeries, i);
}
