// What becomes of a picture that gnuplot has drawn.
#pragma once
#include <glib.h>

// The format by the output's extension, "svg", "png" or "pdf"; "dumb" (text) without an output. `option` names it in
// the error.
gboolean picture_format(const char *option, const char *output, const char **format, GError **error);

// Takes out what would differ from run to run, and says in an svg what gnuplot cannot: its title, fonts to fall back
// on.
void picture_finish(GString *picture, const char *format, const char *title);

// Writes the whole file or nothing: a temporary beside it, then a rename. Stop signals wait meanwhile.
gboolean picture_write(const char *path, const GString *picture, GError **error);
