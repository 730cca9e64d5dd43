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

char *text_read_as_is(const char *path, size_t most, size_t *length, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    FILE *const file = is_stdin(path) ? stdin : fopen(path, "rbe");
    char piece[1 << 12];
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

char *text_read(const char *path, size_t most, size_t *length, GError **error)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t n = sizeof mark - 1;
    char *const text = text_read_as_is(path, most, length, error);
    if (text && *length <= most && *length >= n && memcmp(text, mark, n) == 0) {
        *length -= n;
        memmove(text, text + n, *length + 1);
    }
    return text;
}

// Returns what the bytes are if they begin as a file of a well-known kind that is not UTF-8; otherwise NULL.
static const char *kind_of(const char *text, size_t length)
{
    static const struct {
        const char *start, *kind;
    } kinds[] = {{"\x1F\x8B", "is compressed; allowed: text, as `gunzip -c` prints it"},
                 {"\xFF\xFE", "is UTF-16; allowed: UTF-8"},
                 {"\xFE\xFF", "is UTF-16; allowed: UTF-8"}};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds) && length >= 2; i++)
        if (memcmp(text, kinds[i].start, 2) == 0)
            return kinds[i].kind;
    return NULL;
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
    const char *const kind = kind_of(text, length);
    if (kind)
        return bad_input(error, "%s: the file %s", name, kind);
    size_t line = 1;
    for (const char *c = text; c < bad; c++)
        line += *c == '\n';
    return bad_input(error, "%s:%zu: the line is not text; allowed: UTF-8", name, line);
}
