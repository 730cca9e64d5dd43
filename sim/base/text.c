#include "base/text.h"
#include "base/error.h"
#include "base/units.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static gboolean is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *text_name(const char *path)
{
    return is_stdin(path) ? "stdin" : path;
}

char *text_read(const char *path, size_t most, size_t *length, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    FILE *const file = is_stdin(path) ? stdin : fopen(path, "rbe");
    char piece[1 << 16];
    while (file && text->len <= most) {
        const size_t n = fread(piece, 1, MIN(sizeof piece, most + 1 - text->len), file);
        g_string_append_len(text, piece, (gssize)n);
        if (n == 0 || memchr(piece, '\0', n))
            break;
    }
    const int failed = !file || ferror(file) ? errno : 0;
    if (file && file != stdin)
        fclose(file);
    if (failed) {
        bad_input(error, "%s: %s; allowed: a readable file", text_name(path), g_strerror(failed));
        return NULL;
    }
    *length = text->len;
    return g_string_free(g_steal_pointer(&text), FALSE);
}

gboolean text_check(const char *text, size_t length, size_t most, const char *name, GError **error)
{
    const char *bad = NULL;
    if (length > most) {
        g_autofree char *allowed = units_format_size(most);
        return bad_input(error, "%s: the file is too large; allowed: at most %s bytes", name, allowed);
    }
    if (g_utf8_validate_len(text, length, &bad)) // this refuses \0 too
        return TRUE;
    size_t line = 1;
    for (const char *c = text; c < bad; c++)
        line += *c == '\n';
    return bad_input(error, "%s:%zu: the line is not text; allowed: UTF-8", name, line);
}
