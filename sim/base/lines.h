// A file taken line by line, with no more of it in memory than a buffer of LINES_MAX bytes. To be embedded; its name and
// line are there for errors.
#pragma once
#include <glib.h>

enum {
    LINES_MAX = 1 << 18, // bytes of a line with its end
    LINES_BEHIND = 64,   // bytes behind a line's end that may be looked at, whatever they are
};

typedef struct Lines {
    const char *name;
    guint64 line; // of the one taken last, from 1; at the end one more than there are
    int fd;       // -1: what is left of `text` is read
    const char *text;
    size_t text_left;
    char *buffer;
    char *next, *end; // what is not yet taken
    gboolean at_end;  // of the file
} Lines;

// A file ("-": standard input), or length bytes of text that errors call `name`. FALSE and bad input where it cannot be
// opened. To be closed with lines_close, which keeps the name.
gboolean lines_open(Lines *lines, const char *path, GError **error);
void lines_of_text(Lines *lines, const char *text, size_t length, const char *name);
void lines_close(Lines *lines);

// The next line; it ends in \n (given to a last one that has none), may be written to and holds until the next call.
// *line is NULL at the end of the file. FALSE and bad input where the file cannot be read or a line is too long.
gboolean lines_next(Lines *lines, char **line, GError **error);
