// Runs gnuplot on plots/canvas.gp and data, and returns the picture. Data and picture pass through anonymous memory (memfd)
// and not through files, so a full disk or Ctrl-C leaves nothing behind.
#pragma once
#include <glib.h>

// Runs the script. `setup` holds gnuplot statements that set its variables, except `data` (the file to read, with this
// data) and `out` (the file to write), which are set here. Returns the picture, at least one byte; free with
// g_string_free. Returns NULL and an error if gnuplot is missing (the error names the package), fails (the error has the
// last line that it wrote), was interrupted, or takes longer than 60 s or the time in $COLLSIM_GNUPLOT_LIMIT ("90s"). A
// signal that stops the program kills gnuplot too.
GString *gnuplot_draw(const char *setup, const GString *data, GError **error);

// Adds a statement to `setup` that sets NAME to a number, which is never written as an integer, because gnuplot divides
// integers as C does.
void gnuplot_number(GString *setup, const char *name, double value);
