// The grid of a sweep: its points in order, by number.
//
// A grid has blocks, one for each collective on each machine. A block has the points p x m x root x choice, in the
// order of points_make. A place is a p, m and root of a block: the points of a place are ranked against each other.
#pragma once
#include "search/search/contest.h"

enum { SWEEP_MOST_POINTS = 10000000 };

// What runs at every place of a block: an algorithm with parameters, or the best that a search finds.
typedef struct SweepChoice {
    const CollAlgorithm *algorithm; // NULL for a search
    CollParams asked;
    Request *search; // with the algorithms among which to search; NULL for an algorithm. Owned
    char *name;      // of a search: "tuned:ring", "best"; NULL for an algorithm
    guint order;     // its place among the choices if they take the same time; set by sweep_grid_add
} SweepChoice;

typedef struct SweepBlock {
    const Request *request; // not owned; its model, machine, ranks and sizes
    GArray *choices;        // of SweepChoice
    GArray *roots;          // of int; -1 stands for every rank
    guint64 first, end;     // its points
    guint64 first_place;
    GArray *ranks_first; // of guint64: where the points of each of request->ranks begin in the block
} SweepBlock;

typedef struct SweepGrid {
    GPtrArray *blocks; // of SweepBlock
    guint64 points, places;
    double prune;        // K of --prune; 0 for none
    GMutex lock;         // of `fastest`
    GHashTable *fastest; // by place, the fastest closed form (SweepForm); made for --prune
} SweepGrid;

// One point of the grid.
typedef struct SweepCell {
    guint64 index, place;
    guint64 digits; // sum of its places in all dimensions
    const SweepBlock *block;
    const SweepChoice *choice;
    int p, per_node, root;
    size_t m;
} SweepCell;

SweepGrid *sweep_grid_new(double prune);
void sweep_grid_free(SweepGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepGrid, sweep_grid_free)
// Adds a block, and takes both arrays. Returns FALSE and an error if the grid has too many points then.
gboolean sweep_grid_add(SweepGrid *grid, const Request *request, GArray *choices, GArray *roots, GError **error);
// Returns an array for choices, which frees what they own.
GArray *sweep_choices_new(void);
// Finds point `index` of the grid.
SweepCell sweep_grid_at(const SweepGrid *grid, guint64 index);
// Runs a point. Returns a point, of the choice or of what a search found, which has no prediction if it could not run
// or was pruned. Then *note says why, to be freed with g_free; otherwise *note is NULL. Threads may call this at the
// same time.
Point *sweep_grid_run(SweepGrid *grid, const SweepCell *cell, char **note);
