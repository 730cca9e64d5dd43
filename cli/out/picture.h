// The formats of pictures, and what is changed in a picture that gnuplot has drawn.
#pragma once
#include "base/output.h"
#include <glib.h>

// The size of a picture that --size and --font ask for. With neither, all are 0.
typedef struct PictureSize {
    double width, height; // in pixels of 1/96 inch, at which the text of the layout is 12 points; 0: as is best
    double page_width, page_height; // what the layout is scaled to, likewise
    double zoom;                    // how much the layout is scaled if the page has no size
} PictureSize;

// What the options of PICTURE_ENTRIES ask for. Clear with picture_ask_clear.
typedef struct PictureAsk {
    char *path;             // where the picture goes; NULL for none
    const char *format;     // "svg", "png" or "pdf"; set by picture_ask
    char *title;            // replaces the picture's own unless it is NULL; "" for none
    char *size_text, *font; // --size and --font; may be NULL
    PictureSize size;
} PictureAsk;
void picture_ask_clear(PictureAsk *ask);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PictureAsk, picture_ask_clear)

// The options of commands that draw. `text` says what is drawn.
#define DRAW_ENTRIES(ask, text)                                                                                        \
    {"draw", 0, 0, G_OPTION_ARG_FILENAME, &(ask).path, text, "FILE"},                                                  \
        {"title", 0, 0, G_OPTION_ARG_FILENAME, &(ask).title, "replaces the picture's title; '' for none", "TEXT"},     \
        PICTURE_SIZE_ENTRIES(ask)
#define PICTURE_SIZE_ENTRIES(ask)                                                                                      \
    {"size", 0, 0, G_OPTION_ARG_STRING, &(ask).size_text, "size in inches, column (3.4) or page (7)", "W|WxH"},        \
    {                                                                                                                  \
        "font", 0, 0, G_OPTION_ARG_STRING, &(ask).font, "points of the text (default: 12; 8 with --size)", "POINTS"    \
    }

// Finds the format that `path` names, checks the title, and reads --size, "7x4" or "7" in inches, "column" (3.4 wide) or
// "page" (7 wide), and --font, in points, into ask->size. Without --font a picture of a given size has text of 8 points.
// `option` is the one that draws, which errors name. Returns FALSE and an error if an option is malformed, or if there is no
// picture that it could change; the text that `plot` prints without -o has a title too.
gboolean picture_ask(PictureAsk *ask, const char *option, GError **error);

// Opens the picture's file, if there is to be one. Returns FALSE and an error if it cannot be written.
gboolean picture_open(const PictureAsk *ask, Output *to, GError **error);

// Returns gnuplot statements for plots/canvas.gp that scale a layout to the size. Free with g_free.
char *picture_page(const PictureSize *size);

// Moves a path that ends in .svg, .png or .pdf from *output to ask->path, unless that is set: releases before 1.0 drew to
// -o.
void picture_synonym(char **output, PictureAsk *ask);

// Changes a picture of this format in place. A pdf gets a fixed date, so that the same input gives the same bytes. An
// svg gets `title` for screen readers, fallback fonts and font weights, which gnuplot cannot write. Other formats stay
// as they are.
void picture_finish(GString *picture, const char *format, const char *title);
