// What every picture is drawn on: texts, boxes, paths and points at places in pixels, which plots/canvas.gp draws; and the
// layout that all pictures share.
//
//     title                     CANVAS_EDGE from the edges, in as many rows as it needs
//     subtitle
//     # one   -- two            the legend, likewise
//     ..
//     note
//
// x counts from the left and y from above. What comes later is drawn on what came before; texts are on top.
#pragma once
#include "base/output.h"
#include "out/html.h"
#include "out/letters.h"
#include "out/picture.h"
#include <glib.h>
#include <stdio.h>

enum {
    CANVAS_EDGE = 20,
    CANVAS_ROW = 24, // height of a row of text or of a legend
    CANVAS_WIDTH = 900,
    CANVAS_INK = 0x222222,
    CANVAS_PALE = 0x555555,
    CANVAS_FAINT = 0xDDDDDD,
    CANVAS_WHITE = 0xFFFFFF,
    CANVAS_SOLID = 3, // gnuplot's fill patterns; others from 1 to 7 are hatched in different ways
    CANVAS_HATCHES = 4
};

// How something is drawn: a line, points, or a box. Colours are 0xRRGGBB, or 0xTTRRGGBB with a transparency.
typedef struct CanvasLook {
    int color;
    int dash, point; // as in gnuplot; 0: no line, no points
    double width;    // of a line, in pixels; 0: 2
    double size;     // of points, as a multiple of the usual one; 0: 1
    int pattern;     // of a box; 0: no box
    gboolean hatched;
} CanvasLook;

typedef struct Canvas Canvas;

// Creates an empty page of this width, to which `ask` may give another title and size; it may be NULL, and must outlive the
// canvas. Free with canvas_free.
Canvas *canvas_new(int width, const PictureAsk *ask);
void canvas_free(Canvas *canvas);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Canvas, canvas_free)

// Returns the width that --size asks for, or `usual`.
int canvas_width(const PictureAsk *ask, int usual);

// ---- What can be drawn ----------------------------------------------------------------------------------------------

typedef enum { CANVAS_BEGINS, CANVAS_ENDS, CANVAS_CENTERED } CanvasSide;

// Names the part of the page that what follows belongs to, as in "legend" or "series"; an svg has the name, which must be
// static.
void canvas_part(Canvas *canvas, const char *name);
// Adds a text in one row, which begins at x, ends or is centered there, and whose middle is at y.
void canvas_text(Canvas *canvas, double x, double y, CanvasSide side, Letters font, int color, const char *text);
// Adds a text in rows of at most this width. A line end in it begins a row too. The first row begins at y; returns where
// the last one ends.
int canvas_paragraph(Canvas *canvas, double x, int y, double width, Letters font, int color, const char *text);
// Adds a box with its upper left corner at (x, y). A border of -1 is none.
void canvas_box(Canvas *canvas, double x, double y, double width, double height, int color, int pattern, int border);
// Adds the lines of the hatches of a place, which let its colour through.
void canvas_hatches(Canvas *canvas, double x, double y, double width, double height);
// Begins a path, to which canvas_to() adds a point.
void canvas_path(Canvas *canvas, const CanvasLook *look);
void canvas_to(Canvas *canvas, double x, double y);
void canvas_line(Canvas *canvas, const CanvasLook *look, double x, double y, double x2, double y2);
void canvas_point(Canvas *canvas, const CanvasLook *look, double x, double y);

// ---- The layout -----------------------------------------------------------------------------------------------------

// An entry of a legend. One without a line, points and box is the heading of those that follow, and begins a row.
typedef struct CanvasKey {
    char *text;
    CanvasLook look;
} CanvasKey;
// Creates a list of CanvasKey, which frees their texts.
GArray *canvas_keys_new(void);
// Adds an entry. Takes ownership of the text.
void canvas_keys_add(GArray *keys, char *text, CanvasLook look);

// Names a picture for screen readers. canvas_head() gives it the title as a name.
void canvas_name(Canvas *canvas, const char *name);
// Each adds a part of the page from y on, and returns where it ends. canvas_head() begins a page.
int canvas_head(Canvas *canvas, const char *title, const char *subtitle);
int canvas_legend(Canvas *canvas, int y, const GArray *keys);
// Add to a note, after "; " unless it is empty: a text, and "3 points omitted: WHY" unless n is 0.
void canvas_say(GString *note, const char *format, ...) G_GNUC_PRINTF(2, 3);
void canvas_omitted(GString *note, guint n, const char *why);
// Adds the note, which may be "" and has the end of the page below it.
void canvas_note(Canvas *canvas, int y, const char *note);

// ---- The picture ----------------------------------------------------------------------------------------------------

// Returns the picture in the format "svg", "png" or "pdf". Free with g_string_free. Returns NULL and an error if gnuplot
// fails.
GString *canvas_draw(const Canvas *canvas, const char *format, GError **error);
// Draws in the format that is asked for, and writes the picture to `to`, whose owner reports if writing fails. Frees the
// canvas, which may be NULL if it could not be made; then it returns FALSE and leaves the error.
gboolean canvas_write(Canvas *canvas, FILE *to, GError **error);
// The same, and completes the file.
gboolean canvas_close(Canvas *canvas, Output *to, GError **error);

// Adds the picture to a page, with a caption. Frees the canvas, which may be NULL as for canvas_write. Returns FALSE and an
// error if there is none.
gboolean canvas_html(Canvas *canvas, Html *page, const char *caption, GError **error);

// Returns the colour 0xRRGGBB mixed with `other`; `share` of it remains.
int canvas_mix(int color, int other, double share);
// Returns the colour of text that is easy to read on a colour.
int canvas_ink_on(int color);
