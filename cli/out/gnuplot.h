// Runs gnuplot on a script and data, and returns what it drew. The data and the picture pass through anonymous memory
// (memfd) and not through files, so a full disk or Ctrl-C leaves nothing behind.
#pragma once
#include <glib.h>

// Runs plots/SCRIPT (from $COLLSIM_PLOTS, else the tree the program was built in) after `setup`, gnuplot statements that
// set the script's variables. It adds `data`, the file that the script reads, `out`, the one it writes to, and
// `plots`, its own folder. Returns the picture, at least one byte, to free with g_string_free. Returns
// NULL and an error if gnuplot is missing (the error names the package), fails (it has the last line) or was interrupted.
GString *gnuplot_draw(const char *script, const char *setup, const GString *data, GError **error);

// Add statements that set a variable of the script: NAME_INDEX to a text, or NAME to a number. The number is never written
// as an integer, because gnuplot divides integers as C does.
void gnuplot_text(GString *setup, const char *name, guint index, const char *text);
void gnuplot_number(GString *setup, const char *name, double value);
