// The lower bounds of a collective over a grid of ranks and sizes, and how near the fastest known algorithm comes.
#pragma once
#include "search/form/bounds.h"
#include "search/search/contest.h"

// One number of ranks and one size.
typedef struct BoundCell {
    int p, per_node; // per_node: see Point
    size_t m;
    Bounds bounds;
    double latency_s, bandwidth_s, computation_s; // the three bounds in `bounds`, as times
    double bound_s;                               // the largest of the three
    double blocks_s;   // for a bcast with one port, the least time of equal blocks sent one by one; 0 otherwise
    const Point *best; // the fastest known algorithm; NULL if algorithms were not compared with the bound
} BoundCell;

typedef struct BoundGrid {
    Request request;
    int ports;
    gboolean flattened;          // the platform has lost its levels, or what a node's ranks share (platform_flatten)
    GPtrArray *contests, *cells; // of Contest and BoundCell, by ranks, then sizes
} BoundGrid;

void bound_grid_clear(BoundGrid *grid);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BoundGrid, bound_grid_clear)

// Makes the cells of a grid whose request and ports are set; the platform must have one level and share nothing; with
// one port it also finds the fastest algorithms. Returns FALSE and an error on bad input.
gboolean bound_grid_make(BoundGrid *grid, GError **error);

// Returns the time of the fastest algorithm divided by the bound; 0 if it was not compared or the bound is 0.
double bound_grid_ratio(const BoundCell *cell);
// Returns true if messages are sent eagerly.
gboolean bound_grid_eager(const BoundGrid *grid);
// Returns true if answers are listed by size: there are at least as many sizes as numbers of ranks, and the collective
// is not a barrier, which has no size.
gboolean bound_grid_by_size(const BoundGrid *grid);
