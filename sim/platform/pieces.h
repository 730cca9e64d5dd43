// The section [pieces] of a platform's .ini file: what a ping-pong takes from each size on, piece by piece. It holds three
// lists of equal length (from, alpha, beta) and the source of the figures.
#pragma once
#include <glib.h>

// A message of n bytes takes alpha + n beta if n is at least `from` and below the `from` of the next piece.
typedef struct PlatformPiece {
    size_t from;
    double alpha, beta; // s, s per byte
} PlatformPiece;

enum { MAX_PIECES = 16 };
extern const char *const piece_keys[]; // NULL-terminated

// Reads the value of piece_keys[key]. A list goes into *pieces (of PlatformPiece), which the first list creates; the source
// goes into *source, to be freed.
gboolean pieces_read(GArray **pieces, char **source, int key, const char *value, GError **error);
// Returns TRUE if all keys are given, or none. lines[k] is the line of piece_keys[k], 0 if the file does not have it. On an
// error *line becomes the last of these lines.
gboolean pieces_check(const guint *lines, guint *line, GError **error);
