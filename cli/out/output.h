// A file that gets its name only when it is complete.
#pragma once
#include <glib.h>
#include <stdio.h>

typedef struct Output {
    FILE *to;
    char *temporary; // its name until it is complete; NULL: it is standard output, or not an ordinary file
    const char *path;
} Output;

// Opens the file, or standard output if path is NULL. Returns FALSE and an error if it cannot be opened.
gboolean output_open(Output *output, const char *path, GError **error);
// Completes the file. Returns FALSE and an error if it could not be written; then nothing of it stays.
gboolean output_close(Output *output, GError **error);
