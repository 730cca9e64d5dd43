// Runs gnuplot on a script and data, and hands back what it drew. No file is written: the data go in and the picture comes
// out through anonymous memory (memfd), so a full disk or Ctrl-C can spoil nothing here.
#pragma once
#include <glib.h>

// Runs plots/SCRIPT (from $COLLSIM_PLOTS, else the tree the program was built in) after `setup`, gnuplot statements that
// set the script's variables. Added to them are `data`, the file that the script reads, `out`, the one it writes to, and
// `plots`, its own folder. Returns the picture, at least one byte, to free with g_string_free. NULL and an error when
// gnuplot is missing (the package is named), fails (its last line) or was interrupted.
GString *gnuplot_draw(const char *script, const char *setup, const GString *data, GError **error);

// `text` as a gnuplot string, in single quotes, in which nothing is expanded; control characters become spaces. The
// caller frees it.
char *gnuplot_quote(const char *text);

// Statements that set a script's variables: NAME_INDEX to a text, NAME to a number, never an integer, which gnuplot divides
// as C does.
void gnuplot_text(GString *setup, const char *name, guint index, const char *text);
void gnuplot_number(GString *setup, const char *name, double value);
