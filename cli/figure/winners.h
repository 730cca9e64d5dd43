// The map of winners that `collsim plot --winners` draws: a grid of places, each in the colour of the algorithm that is
// the fastest there.
//
//     ranks a node                        places with the same winner that touch form a region, which has the
//      32 | B B B B B                     name of its winner where there is room; beside the grid is a list
//       8 | B B B A A                     of all winners
//       1 | C C A A A
//           2 4 8 16 32 nodes
//
//   winners.c        reads the rows and finds the winners
//   winners_draw.c   computes the regions, and sets the variables of plots/winners.gp
#pragma once
#include "figure/figure.h"

enum { WINNERS_MAX = 40 }; // values of an axis

// An algorithm that wins somewhere.
typedef struct {
    const char *algorithm; // owned by the Csv
    char *label;           // its name with its parameters, printable
    guint places;          // number of places at which it wins
    int color;             // 0xRRGGBB
} Winner;

typedef struct {
    gboolean by_node;        // the axes are nodes and ranks of a node; otherwise bytes and ranks
    GArray *xs, *ys;         // of size_t, ascending: the values of the axes
    GArray *winners;         // of Winner, those of most places first
    int *at;                 // the winner's index, at [y index * xs->len + x index]; -1 if no row has a time there
    guint places, fallbacks; // places with a winner; rows at which another algorithm ran
    size_t bytes;            // of by_node: the size that all rows have
    gboolean measured;       // the rows are measurements
    const char *collective, *platform, *model, *transfer; // what all rows have, or "" if they differ; owned by the Csv
} WinnerMap;

// Builds the map from tables (Csv *), which must outlive it. The axes are nodes and ranks of a node if the rows have
// per_node, and otherwise bytes and ranks. Of algorithms that tie, the winner is the first by the rule of
// figure_by_rule. Returns NULL and a bad-input error as figure_read does, and also if some rows only have per_node, if
// they have several collectives, or several sizes for nodes, if a file has predictions and another measurements, or if
// an axis has more than WINNERS_MAX values. Free with winner_map_free.
WinnerMap *winner_map_read(const GPtrArray *tables, GError **error);
void winner_map_free(WinnerMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WinnerMap, winner_map_free)

// Returns the title, which says who wins at how many places: "allreduce, 64K bytes, lumi: smp wins at 20 of 42 places,
// ring at 12, others at 10". Free with g_free.
char *winner_map_title(const WinnerMap *map);

// Returns the line under the picture: the model, and how many points are omitted. May be "". Free with g_free.
char *winner_map_note(const WinnerMap *map);

// Return gnuplot statements that set the variables of plots/winners.gp, and the data that it reads; see figure_setup().
// Free with g_free and g_string_free.
char *winner_map_setup(const WinnerMap *map, const char *format, const char *title, int columns, int rows);
GString *winner_map_data(const WinnerMap *map);
