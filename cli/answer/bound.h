// What `collsim bound` finds: the lower bounds of a collective over a grid of ranks and sizes, and how near the fastest
// known algorithm comes. bound_report.c prints, bound_plot.c draws.
#pragma once
#include "answer/best.h"
#include "form/bounds.h"

// One number of ranks and one size.
typedef struct BoundCell {
    int p;
    size_t m;
    Bounds bounds;
    double latency_s, bandwidth_s, computation_s, bound_s; // bound_s: the largest of the three
    double blocks_s;   // bcast through one port: what equal blocks sent one by one take at least; 0: none
    const Point *best; // the fastest known; NULL: not compared
} BoundCell;

typedef struct BoundGrid {
    Request request;
    int ports;
    GPtrArray *contests, *cells; // of Contest and BoundCell, by ranks, then sizes
} BoundGrid;

void bound_grid_clear(BoundGrid *grid);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BoundGrid, bound_grid_clear)

// Makes the cells of a grid whose request and ports are set, and with one port finds what is fastest. False and an error.
gboolean bound_cells(BoundGrid *grid, GError **error);

// T of the best by the bound; 0: not compared, or the bound is 0.
double bound_ratio(const BoundCell *cell);
gboolean bound_eager(const BoundGrid *grid);
// Are there as many sizes as ranks at least, to go along?
gboolean bound_by_size(const BoundGrid *grid);

void bound_print(const BoundGrid *grid, Format format);
// Draws bound_ratio over what varies more, sizes or ranks; `format` by picture_format.
gboolean bound_draw(const BoundGrid *grid, const char *output, const char *format, GError **error);
