// A folder of files that only a child process reads, in $TMPDIR or /tmp. It is removed at the end, and also if a signal
// stops the program (base/cleanup.h).
#pragma once
#include <glib.h>

typedef struct Scratch {
    char *folder;   // NULL before scratch_open() and after scratch_clear()
    GArray *places; // of the names in the table of cleanup.h, int
} Scratch;

// Makes the folder, which only this user can read. Returns FALSE and an error if that fails; then there is nothing to
// clear.
gboolean scratch_open(Scratch *s, GError **error);
// Writes a text to a file in the folder and sets *path to its full name, to be freed with g_free, also after an error.
// Returns FALSE and an error if the text cannot be written.
gboolean scratch_write(Scratch *s, const char *name, const char *text, char **path, GError **error);
// Removes the folder with all its files, including those that the child left there. It does nothing to a zeroed
// Scratch.
void scratch_clear(Scratch *s);
