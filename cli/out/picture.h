// From what gnuplot has drawn to a file.
#pragma once
#include <glib.h>

// Sets *format by the extension of the output to "svg", "png" or "pdf", or to "dumb" (text) if output is NULL. Returns FALSE
// and an error, which names the option, for other extensions.
gboolean picture_format(const char *option, const char *output, const char **format, GError **error);

// Moves a path that ends in .svg, .png or .pdf from *output to *draw, unless that is set: releases before 1.0 drew to -o.
void picture_synonym(char **output, char **draw);

// Takes out what would differ from run to run, and adds to an svg what gnuplot cannot write: its title and fallback fonts.
void picture_finish(GString *picture, const char *format, const char *title);
