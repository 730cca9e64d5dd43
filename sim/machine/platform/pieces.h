// The section [pieces] of a platform's .ini file: the time of a ping-pong message as a function of its size, in pieces
// that are each linear. The section holds three lists of equal length (from, alpha, beta) and the source of the
// figures.
#pragma once
#include <glib.h>

// A message of n bytes takes alpha + n beta if n is at least `from` and below the `from` of the next piece.
typedef struct PlatformPiece {
    size_t from;
    double alpha, beta; // in s and in s per byte
} PlatformPiece;

enum { MAX_PIECES = 16 };
extern const char *const piece_keys[]; // NULL-terminated

// Reads the value of piece_keys[key]. The values of a list go into *pieces (an array of PlatformPiece), which the first
// list creates if it is NULL. The source goes into *source. The caller frees both, even after an error. Returns FALSE
// and a bad-input error if the value is malformed, `from` does not rise from 0, or the lists differ in length.
gboolean pieces_read(GArray **pieces, char **source, int key, const char *value, GError **error);
// Returns TRUE if either all keys are given or none is; otherwise FALSE and a bad-input error. lines[k] is the line of
// piece_keys[k] in the file, or 0 if the file does not have it. *line becomes the last of these lines.
gboolean pieces_check(const guint *lines, guint *line, GError **error);
