// A picture of a grid of places: the maps of `plot --map` and `regret --draw`.
//
//     # A one  # B other          the legend
//     ranks
//      32 | A A B B               a place has a colour, and is hatched if something ties there; names stand in the
//       8 | A A A B               grid, and borders between its places
//           8 1K 64K 1M bytes
#pragma once
#include "figure/canvas.h"

enum {
    FIGURE_GRID_MAX = 40,       // values of an axis
    FIGURE_GRID_MAX_ROWS = 1024 // values of the vertical axis, if places need no text of their own
};

// A text in the middle of some places of a row.
typedef struct GridName {
    int x, y, length; // the first place and the number of places
    char *text;
} GridName;

// The lower or left edge of place (x, y), where x and y may be one beyond the last place.
typedef struct GridBorder {
    int x, y;
    gboolean left;
} GridBorder;

// The outline of a square, in places: its lower left corner and its side, which need not be whole.
typedef struct GridSquare {
    double x, y, side;
} GridSquare;

typedef struct FigureGrid {
    char *title, *note;          // the note may be ""
    const char *x_axis, *y_axis; // static
    GPtrArray *xs, *ys;          // of char *: the labels of columns from the left, and of rows from below
    int *color;                  // of each place, at [y * xs->len + x]: 0xRRGGBB, or -1 for an empty place
    gboolean *hatched;
    GArray *names, *borders, *keys; // of GridName, GridBorder, CanvasKey
    GArray *squares;                // of GridSquare; not printed as text
    gboolean square;                // the grid is as high as wide, and labels stand where the axes have them
    int width;                      // of the picture, in pixels; 0: as is best
    int border_width;               // in pixels
    int least_cell;                 // the least width of a place, in pixels
} FigureGrid;

// Creates an empty grid whose axes have these values (GArray of size_t, ascending) as labels. Of more than
// FIGURE_GRID_MAX values only multiples of a power of two have one. Free with figure_grid_free.
FigureGrid *figure_grid_new(const GArray *xs, const GArray *ys);
// Creates a framed square grid whose axes have the same n parts of so many numbers each, from the left and from above. Every
// step-th part has its first number as a label.
FigureGrid *figure_grid_new_square(int n, int numbers, int step);
void figure_grid_free(FigureGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FigureGrid, figure_grid_free)

// Returns the width of a picture's square grid in pixels, if its places need no more.
int figure_grid_square(void);
// Adds an entry to the legend; a colour of -1 is for a heading. Takes ownership of the text.
void figure_grid_key(FigureGrid *grid, char *text, int color, gboolean hatched);
// Returns the number of rows that a text is high, at least 1.
int figure_grid_name_rows(const FigureGrid *grid);
// Returns TRUE if the rows are too low for a line around each place.
gboolean figure_grid_is_fine(const FigureGrid *grid);
// Returns TRUE if a text fits into so many places of a row.
gboolean figure_grid_fits(const FigureGrid *grid, const char *text, int length);

// Returns the picture. Free with canvas_free.
Canvas *figure_grid_canvas(const FigureGrid *grid, const PictureAsk *ask);
// Prints the title and the places as text of at most `columns` characters a line, in several blocks if they are wider: a
// place is its name, `.` if it has none, or `?` if it is empty, and borders are lines. Names must be of one place.
void figure_grid_print(const FigureGrid *grid, size_t columns, FILE *to);
