// The formats of pictures, and what is changed in a picture that gnuplot has drawn.
#pragma once
#include <glib.h>
#include <stdio.h>

// Sets *format to "svg", "png" or "pdf", depending on the extension of the file name `output`, or to "dumb" (text) if
// output is NULL. Returns FALSE and an error for other extensions; the error names `option`, for example "-o".
gboolean picture_format(const char *option, const char *output, const char **format, GError **error);

// The size of a picture that --size and --font ask for. With neither, all are 0.
typedef struct PictureSize {
    double width, height; // in pixels of 1/96 inch, at which the text of the layout is 12 points; 0: as is best
    double page_width, page_height; // what the layout is scaled to, likewise
    double zoom;                    // how much the layout is scaled if the page has no size
} PictureSize;

// Reads --size, "7x4" or "7" in inches, "column" (3.4 wide) or "page" (7 wide), and --font, in points; each may be NULL.
// Without --font a picture of a given size has text of 8 points. Returns FALSE and an error if one of them is malformed.
gboolean picture_size(const char *size, const char *font, PictureSize *to, GError **error);

// Returns gnuplot statements for plots/page.gp that scale a layout to the size. Free with g_free.
char *picture_page(const PictureSize *size);

// Moves a path that ends in .svg, .png or .pdf from *output to *draw, unless that is set: releases before 1.0 drew to
// -o.
void picture_synonym(char **output, char **draw);

// Changes a picture of this format in place. A pdf gets a fixed date, so that the same input gives the same bytes. An
// svg gets `title` for screen readers, fallback fonts and font weights, which gnuplot cannot write. Other formats stay
// as they are.
void picture_finish(GString *picture, const char *format, const char *title);

// Draws a script of plots/ as gnuplot_draw does, and writes the finished picture to `to`, whose owner reports if
// writing fails. Returns FALSE and an error if nothing could be drawn.
gboolean picture_write(const char *script, const char *setup, const GString *data, const char *format,
                       const char *title, FILE *to, GError **error);
