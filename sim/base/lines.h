// Reads a file line by line through one buffer, so that the file may be larger than memory. Embed a Lines in the struct
// of the parser that uses it; errors take the name and the line number from it.
#pragma once
#include "base/limits.h"
#include <glib.h>

enum {
    LINES_MAX = LIMIT_LINE_BYTES,
    LINES_BEHIND = 64, // bytes after a line's \n that a parser may read without a check; their values mean nothing
};

typedef struct Lines {
    const char *name; // borrowed
    guint64 line;     // number of the line taken last, from 1; after the end of the file, one more than it has lines
    int fd;           // -1 if `text` is read instead of a file
    const char *text; // the rest of the text, text_left bytes; borrowed
    size_t text_left;
    char *buffer;
    char *next, *end; // the bytes in the buffer that are not yet taken
    gboolean at_end;  // the file or the text has been read to its end
} Lines;

// Opens a file, or standard input if path is "-". `path` must live as long as `lines`. Returns FALSE and a bad-input
// error if the file cannot be opened. Close with lines_close.
gboolean lines_open(Lines *lines, const char *path, GError **error);
// Reads from `length` bytes of text instead of a file. Errors call the text `name`. Both must live as long as `lines`.
// Close with lines_close.
void lines_of_text(Lines *lines, const char *text, size_t length, const char *name);
// Closes the file and frees the buffer; the name and the line number remain valid.
void lines_close(Lines *lines);

// Reads on until at least `least` bytes (at most LINES_MAX) that are not yet taken are in the buffer, or the file ends.
// For a file that is not text: its parser looks at the bytes from `next` to `end`, and moves `next` behind those that
// it takes. Returns FALSE and a bad-input error if the file cannot be read.
gboolean lines_fill(Lines *lines, size_t least, GError **error);

// Sets *line to the next line, or to NULL at the end of the file. The line ends in \n, which is added to a last line
// that has none. The caller may write to the line, which is valid until the next call. Returns FALSE and a bad-input
// error if the file cannot be read or the line is too long.
gboolean lines_next(Lines *lines, char **line, GError **error);
// Makes the line that was taken last a string: what stands before a comment (#), without blanks around it. Returns it, or
// NULL and a bad-input error with the name and the line number if the line has a byte 0.
char *lines_text(const Lines *lines, char *line, GError **error);
