// Reads a whole file of text into memory. What is not text is refused: a byte 0, which would hide the rest of the file
// from C's string functions, and anything else that is not UTF-8.
#pragma once
#include <glib.h>

// Returns the content of a file, a pipe or a device, or of standard input if `path` is "-", with a \0 after its
// *length bytes. It stops after `most` + 1 bytes and after a piece with a byte 0, so that /dev/zero and a pipe that
// never ends cost little; text_check() then refuses what was read. Returns NULL and a bad-input error if the file
// cannot be read. Free with g_free.
// A byte order mark at the beginning, as Windows writes it, is left out.
char *text_read(const char *path, size_t most, size_t *length, GError **error);
// Does the same, and keeps a byte order mark, for a file that another program reads too.
char *text_read_as_is(const char *path, size_t most, size_t *length, GError **error);

// Returns what errors call the file: "stdin" if `path` is "-", otherwise `path` itself.
const char *text_name(const char *path);

// Returns TRUE if the text has at most `most` bytes and is UTF-8 without a byte 0. Otherwise returns FALSE and a
// bad-input error that begins with NAME or NAME:LINE.
gboolean text_check(const char *text, size_t length, size_t most, const char *name, GError **error);
