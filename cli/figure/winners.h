// The map of winners that `collsim plot --map` draws: a grid of places, each in the colour of the algorithm that is the
// fastest there.
//
//     ranks a node                        places with the same winner that touch form a region, which has the
//      32 | B B B B B                     name of its winner, or a letter if there is no room; beside the grid is
//       8 | B B B A A                     a list of all winners. The more the second lags behind, the stronger is
//       1 | C C A A A                     the colour; a place at which two tie is hatched.
//           2 4 8 16 32 nodes
//
// With many ranks the rows are low; then only places with the same winner that have room for a text have one.
//
//   winners.c        reads the rows and finds the winners
//   winners_draw.c   computes the regions and draws the grid
//   winners_text.c   prints the map as a table
#pragma once
#include "figure/figure.h"
#include "figure/grid.h"
#include <stdio.h>

// An algorithm that wins somewhere.
typedef struct {
    const char *algorithm; // owned by the Csv
    char *label;           // its name with its parameters, printable
    guint places;          // number of places at which it wins
    int color;             // 0xRRGGBB
} Winner;

// How far the second is behind.
typedef enum {
    WINNER_TIES,  // not at all
    WINNER_NEAR,  // it takes less than 5 % longer
    WINNER_AHEAD, // 5 to 25 % longer
    WINNER_FAR,   // more, or there is no second
    WINNER_SHADES
} WinnerShade;

typedef struct {
    gboolean by_node; // the axes are nodes and ranks of a node; otherwise bytes and ranks
    GArray *xs, *ys;  // of size_t, ascending: the values of the axes
    GArray *winners;  // of Winner, those of most places first
    int *at;          // the winner's index, at [y index * xs->len + x index]; -1 if no row has a time there
    double *margin;   // of each place: the time of the second / that of the winner - 1; 0 if they tie, INFINITY
                      // without a second, NAN without a winner
    guint shades[WINNER_SHADES];                          // number of places with each
    guint places, fallbacks;                              // places with a winner; rows at which another algorithm ran
    size_t bytes;                                         // of by_node: the size that all rows have
    gboolean measured;                                    // the rows are measurements
    int width;                                            // as in FigureGrid; set by who draws
    const char *collective, *platform, *model, *transfer; // what all rows have, or "" if they differ; owned by the Csv
} WinnerMap;

// Builds the map from tables (Csv *), which must outlive it. The axes are nodes and ranks of a node if the rows have
// per_node, and otherwise bytes and ranks. Of algorithms that tie, the winner is the first by the rule of
// figure_by_rule. Returns NULL and a bad-input error as figure_read does, and also if some rows only have per_node, if
// they have several collectives, or several sizes for nodes, if a file has predictions and another measurements, or if
// the axes have more than FIGURE_GRID_MAX and FIGURE_GRID_MAX_ROWS values. Free with winner_map_free.
WinnerMap *winner_map_read(const GPtrArray *tables, GError **error);
void winner_map_free(WinnerMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WinnerMap, winner_map_free)

// Returns the title, which says who wins at how many places: "allreduce, 64K bytes, lumi: smp wins at 20 of 42 places,
// ring at 12, others at 10". Free with g_free.
char *winner_map_title(const WinnerMap *map);

// Returns the line under the picture: the model, and how many points are omitted. May be "". Free with g_free.
char *winner_map_note(const WinnerMap *map);

WinnerShade winner_shade(double margin);
// Returns a winner's colour in this shade. Of two winners, no two shades look alike.
int winner_shaded(int color, WinnerShade shade);
// Returns the letters that stand for the winner i, counted from 0: A, B, .., Z, a, .., z, AA, AB, .. Free with g_free.
char *winner_letter(guint i);

// Returns the picture. Free with figure_grid_free.
FigureGrid *winner_map_grid(const WinnerMap *map);

// Prints the map as text of at most `columns` characters a line, unless a name is longer. `title` replaces the map's own
// unless it is NULL.
void winner_map_print(const WinnerMap *map, const char *title, size_t columns, FILE *to);
