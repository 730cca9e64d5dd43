// Reads an .ini file line by line. GKeyFile says which texts are valid and what a value is; this reader adds the number
// of each line, and finds keys that are given twice. GKeyFile reports neither.
#pragma once
#include <glib.h>

typedef struct Ini {
    GKeyFile *file;
    char **lines;
    guint line;        // of what was read last, from 1; 0 before the first. A caller may set it for an error of its own
    char *section;     // the section that the last line begins or is in; NULL before the first
    char *key, *value; // of the last line; both NULL if it begins a section
} Ini;

// Begins to read a text of UTF-8 without a byte 0 (text_check). On error sets x->line, and returns FALSE and an error
// without the line's number. Call ini_clear in any case.
gboolean ini_open(Ini *x, const char *text, size_t length, GError **error);
// Goes on to the next line that has a key or begins a section. Sets *more to FALSE if there is none.
gboolean ini_next(Ini *x, gboolean *more, GError **error);
void ini_clear(Ini *x);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Ini, ini_clear)
