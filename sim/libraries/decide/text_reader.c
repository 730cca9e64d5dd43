#include "libraries/decide/text_reader.h"
#include "base/error.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

TextReader text_reader_open(RulesFile *file, const char *text, size_t length)
{
    TextReader r = {.file = file, .text = text, .length = length, .line = 1};
    r.stream = fmemopen((void *)(guintptr)text, length + 1, "r");
    g_assert(r.stream);
    return r;
}

void text_reader_close(TextReader *r)
{
    fclose(r->stream);
}

size_t text_reader_line(TextReader *r, size_t at)
{
    for (; r->counted < at && r->counted < r->length; r->counted++)
        r->line += r->text[r->counted] == '\n';
    size_t line = r->line;
    for (size_t i = r->counted; i > at; i--)
        line -= r->text[i - 1] == '\n';
    return line;
}

static size_t skip_blanks(const TextReader *r, size_t at)
{
    while (at < r->length && isspace((unsigned char)r->text[at]))
        at++;
    return at;
}

size_t text_reader_position(const TextReader *r)
{
    const long at = ftell(r->stream);
    return at < 0 ? r->length : MIN((size_t)at, r->length);
}

// Returns part of the text in quotes; free with g_free.
static char *quote(const TextReader *r, size_t start, size_t end)
{
    g_autofree char *word = g_strndup(r->text + start, end - start);
    return error_quote(word);
}

// Reports the bytes that were skipped, if there are any. Those that follow a number are reported with it.
static void flush_skipped(TextReader *r)
{
    if (r->skipped != r->skipped_end && r->skipped != r->number_end) {
        g_autofree char *gone = quote(r, r->skipped, r->skipped_end);
        rules_trap(r->file, TRAP_MISREAD, text_reader_line(r, r->skipped), "%s is not a number and is skipped", gone);
    }
    r->skipped = r->skipped_end = 0;
}

// Notes that the library skips bytes start .. end - 1.
static void skip(TextReader *r, size_t start, size_t end)
{
    if (r->skipped_end != start)
        flush_skipped(r);
    if (r->skipped == r->skipped_end)
        r->skipped = start;
    r->skipped_end = end;
}

// Reports a number whose text means something else than it seems to.
static void check_number(TextReader *r, const Number *n, gboolean decimal, gboolean too_large)
{
    const char *digits = r->text + n->start;
    size_t end = n->end;
    while (end < r->length && !isspace((unsigned char)r->text[end]) && r->text[end] != '#')
        end++;
    g_autofree char *number = quote(r, n->start, n->end);
    if (n->start > 0 && !isspace((unsigned char)r->text[n->start - 1]))
        rules_trap(r->file, TRAP_MISREAD, n->line, "%s is read as a number of its own, though no blank is before it",
                   number);
    if (end > n->end) {
        g_autofree char *word = quote(r, n->start, end);
        rules_trap(r->file, TRAP_MISREAD, n->line, "%s is read as %s", word, number);
    }
    if (too_large)
        rules_trap(r->file, TRAP_MISREAD, n->line, "%s does not fit into 64 bits and is read as %ld", number, n->value);
    else if (!decimal && digits[0] == '0' && n->end - n->start > 1 && n->value > 7)
        rules_trap(r->file, TRAP_MISREAD, n->line, "%s is %s: it is read as %ld", number,
                   tolower((unsigned char)digits[1]) == 'x' ? "hexadecimal" : "octal", n->value);
}

// Takes the next number with %li, or with %lu if it is a size.
static gboolean take_next(TextReader *r, gboolean size, Number *n)
{
    for (;;) {
        const size_t before = skip_blanks(r, text_reader_position(r));
        errno = 0;
        const int taken = fscanf(r->stream, size ? "%lu" : "%li", &n->value);
        const gboolean too_large = errno == ERANGE;
        if (taken != 0)
            flush_skipped(r);
        if (taken == EOF)
            return FALSE;
        if (taken == 1) {
            n->start = before;
            n->end = r->number_end = text_reader_position(r);
            n->line = text_reader_line(r, n->start);
            check_number(r, n, size, too_large);
            return TRUE;
        }
        const int byte = fgetc(r->stream);
        const size_t behind = text_reader_position(r);
        // fscanf may have taken a sign; the byte after it can be a blank or a #.
        const size_t end = byte == '#' || isspace(byte) ? behind - 1 : behind;
        if (end > before)
            skip(r, before, end);
        for (int c = byte; byte == '#' && c != '\n' && c != EOF;)
            c = fgetc(r->stream);
    }
}

gboolean text_reader_number(TextReader *r, Number *n)
{
    return take_next(r, FALSE, n);
}

gboolean text_reader_size(TextReader *r, Number *n)
{
    return take_next(r, TRUE, n);
}

static void skip_line(TextReader *r)
{
    int c = fgetc(r->stream);
    while (c != '\n' && c != EOF)
        c = fgetc(r->stream);
}

char *text_reader_word(TextReader *r, size_t *line)
{
    char word[33];
    flush_skipped(r);
    for (;;) {
        const size_t start = skip_blanks(r, text_reader_position(r));
        if (fscanf(r->stream, "%32s", word) != 1 || !*word) // a \0 is behind the text
            return NULL;
        if (*word != '#') {
            *line = text_reader_line(r, start);
            return g_strdup(word);
        }
        skip_line(r);
    }
}

int text_reader_value(const char *word)
{
    char *end;
    const long value = strtol(word, &end, 10);
    return *end || value < 0 || value > INT_MAX ? -1 : (int)value;
}

gboolean text_reader_byte(TextReader *r, int byte)
{
    for (;;) {
        const int c = fgetc(r->stream);
        if (c == byte)
            return TRUE;
        if (c == '#')
            skip_line(r);
        else if (c == EOF || !isspace(c))
            return ungetc(c, r->stream) == byte; // FALSE: another byte
    }
}

gboolean text_reader_ignore(TextReader *r, size_t line, const char *why)
{
    rules_trap(r->file, TRAP_IGNORED, line, "the library ignores the whole file: %s", why);
    r->file->ignored = TRUE;
    return FALSE;
}

gboolean text_reader_take(TextReader *r, const char *what, long most, Number *n)
{
    g_autofree char *why = NULL;
    if (!text_reader_number(r, n)) {
        why = g_strdup_printf("it ends where %s should be", what);
        return text_reader_ignore(r, text_reader_line(r, r->length), why);
    }
    if (n->value >= 0 && n->value <= most)
        return TRUE;
    why = n->value < 0 ? g_strdup_printf("%s is %ld, below 0", what, n->value)
                       : g_strdup_printf("%s is %ld, above %ld", what, n->value, most);
    return text_reader_ignore(r, n->line, why);
}

int text_reader_narrow(TextReader *r, const char *what, const Number *n)
{
    const int value = (int)n->value;
    if (value != n->value)
        rules_trap(r->file, TRAP_MISREAD, n->line, "%s %ld does not fit into 32 bits and becomes %d", what, n->value,
                   value);
    return value;
}

// Reports what follows after the last number that the library reads.
void text_reader_rest(TextReader *r)
{
    Number n;
    RulesFile *file = r->file;
    const guint traps = file->traps->len;
    const gboolean more = text_reader_number(r, &n);
    g_array_set_size(file->traps, traps); // what is not read cannot be misread
    if (more)
        rules_trap(file, TRAP_UNREAD, n.line, "the counts before end here, so this and all that follows is not read");
}
