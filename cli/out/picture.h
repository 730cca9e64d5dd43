// The formats of pictures, and what is changed in a picture that gnuplot has drawn.
#pragma once
#include <glib.h>
#include <stdio.h>

// Sets *format to "svg", "png" or "pdf", depending on the extension of the file name `output`, or to "dumb" (text) if
// output is NULL. Returns FALSE and an error for other extensions; the error names `option`, for example "-o".
gboolean picture_format(const char *option, const char *output, const char **format, GError **error);

// Moves a path that ends in .svg, .png or .pdf from *output to *draw, unless that is set: releases before 1.0 drew to
// -o.
void picture_synonym(char **output, char **draw);

// Changes a picture of this format in place. A pdf gets a fixed date, so that the same input gives the same bytes. An
// svg gets `title` for screen readers, fallback fonts and font weights, which gnuplot cannot write. Other formats stay
// as they are.
void picture_finish(GString *picture, const char *format, const char *title);

// Draws a script of plots/ as gnuplot_draw does, and writes the finished picture to `to`, whose owner reports if writing
// fails. Returns FALSE and an error if nothing could be drawn.
gboolean picture_write(const char *script, const char *setup, const GString *data, const char *format,
                       const char *title, FILE *to, GError **error);
