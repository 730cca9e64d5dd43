// The lower bounds of a collective over a grid of ranks and sizes, and how near the fastest known algorithm comes.
#pragma once
#include "search/search/contest.h"

// One number of ranks and one size.
typedef struct BoundCell {
    int p, per_node; // per_node: see Point
    size_t m;
    bool flat;         // hockney at one level: times are rounds x alpha, bytes x beta and work x gamma of `bounds`
    Bounds bounds;     // the rounds are NAN under measured, whose ranks may send on while a message is on its way
    BoundTimes times;  // NANs if no bound is known
    double bound_s;    // the longest of them
    double blocks_s;   // of a bcast on a flat machine, one port each: the least of equal blocks sent one by one; else 0
    const Point *best; // the fastest known algorithm; NULL if algorithms were not compared with the bound
} BoundCell;

typedef struct BoundGrid {
    Request request;
    int ports;
    GPtrArray *contests, *cells; // of Contest and BoundCell, by ranks, then sizes
} BoundGrid;

void bound_grid_clear(BoundGrid *grid);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BoundGrid, bound_grid_clear)

// Makes the cells of a grid whose request and ports are set; with one port it also finds the fastest algorithms. Returns
// FALSE and an error on bad input.
gboolean bound_grid_make(BoundGrid *grid, GError **error);

// Returns the time of the fastest algorithm divided by the bound; 0 if it was not compared or the bound is 0.
double bound_grid_ratio(const BoundCell *cell);
// Returns true if messages are sent eagerly.
gboolean bound_grid_eager(const BoundGrid *grid);
// Returns true if answers are listed by size: there are at least as many sizes as numbers of ranks, and the collective
// is not a barrier, which has no size.
gboolean bound_grid_by_size(const BoundGrid *grid);
