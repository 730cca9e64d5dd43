// The text format of Open MPI's rules files. This is a second reader of it that follows the library's to the letter: it
// also takes numbers with fscanf("%li"), because the traps are in what that function accepts. What differs between
// versions:
//
//     4.1     four numbers in each rule; a line with a version is not known
//     5.0.9   the file may begin with "rule-file-version-2"; a rule may then have a fifth number, the most requests
//     main    reads as 5.0.9, but makes other ranges of the keys: see text_sets.c
//
// Source: coll_tuned_dynamic_file.c, coll_base_util.c (getnext), coll_tuned_dynamic_rules.c (the search).
#include "decide/text_sets.h"
#include "base/error.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

// One number that was read.
typedef struct Number {
    long value;
    size_t start, end; // of its text
    size_t line;
} Number;

typedef struct TextReader {
    RulesFile *file;
    const char *text;
    size_t length;
    FILE *stream;                        // reads `text`
    size_t counted, line;                // `line` is the number of the line that holds the byte `counted`
    size_t skipped, skipped_end;         // bytes that were skipped last; none if equal
    size_t number_end;                   // where the last number ended
    int version;                         // of the file
    gboolean spread;                     // a rule that is spread over lines has been noticed
    GArray *sets[TUNED_COLLECTIVES];     // of TextSet; NULL if the file has none for the collective
    size_t set_lines[TUNED_COLLECTIVES]; // where the collective's rules begin
} TextReader;

static void set_clear(void *set)
{
    g_array_unref(((TextSet *)set)->rules);
}

// Returns the line of a byte. Bytes must be asked for in order, give or take one line.
static size_t line_of(TextReader *r, size_t at)
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

static size_t position(const TextReader *r)
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
        rules_trap(r->file, TRAP_MISREAD, line_of(r, r->skipped), "%s is not a number and is skipped", gone);
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
static void check_number(TextReader *r, const Number *n, gboolean too_large)
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
    else if (digits[0] == '0' && n->end - n->start > 1 && n->value > 7)
        rules_trap(r->file, TRAP_MISREAD, n->line, "%s is %s: it is read as %ld", number,
                   tolower((unsigned char)digits[1]) == 'x' ? "hexadecimal" : "octal", n->value);
}

// Takes the next number as getnext does: what is not a number is skipped byte by byte, and # hides the rest of a line.
// Returns FALSE at the end of the file.
static gboolean next_number(TextReader *r, Number *n)
{
    for (;;) {
        const size_t before = skip_blanks(r, position(r));
        errno = 0;
        const int taken = fscanf(r->stream, "%li", &n->value);
        const gboolean too_large = errno == ERANGE;
        if (taken != 0)
            flush_skipped(r);
        if (taken == EOF)
            return FALSE;
        if (taken == 1) {
            n->start = before;
            n->end = r->number_end = position(r);
            n->line = line_of(r, n->start);
            check_number(r, n, too_large);
            return TRUE;
        }
        const int byte = fgetc(r->stream);
        const size_t behind = position(r);
        // fscanf may have taken a sign; the byte after it can be a blank or a #.
        const size_t end = byte == '#' || isspace(byte) ? behind - 1 : behind;
        if (end > before)
            skip(r, before, end);
        for (int c = byte; byte == '#' && c != '\n' && c != EOF;)
            c = fgetc(r->stream);
    }
}

// Ends the reading: the library ignores the file.
static gboolean ignore(TextReader *r, size_t line, const char *why)
{
    rules_trap(r->file, TRAP_IGNORED, line, "the library ignores the whole file: %s", why);
    r->file->ignored = TRUE;
    return FALSE;
}

// Takes a number that must be from 0 to `most`. `what` names it in traps.
static gboolean take(TextReader *r, const char *what, long most, Number *n)
{
    g_autofree char *why = NULL;
    if (!next_number(r, n)) {
        why = g_strdup_printf("it ends where %s should be", what);
        return ignore(r, line_of(r, r->length), why);
    }
    if (n->value >= 0 && n->value <= most)
        return TRUE;
    why = n->value < 0 ? g_strdup_printf("%s is %ld, below 0", what, n->value)
                       : g_strdup_printf("%s is %ld, above %ld", what, n->value, most);
    return ignore(r, n->line, why);
}

// Takes a count. The library makes a table of as many entries as the low 32 bits say, and then reads all: only main
// refuses, and only one of the two counts.
static gboolean take_count(TextReader *r, const char *what, gboolean main_refuses, Number *n)
{
    if (!take(r, what, LONG_MAX, n))
        return FALSE;
    if (n->value <= INT_MAX)
        return TRUE;
    if (main_refuses && r->file->library->id == LIBRARY_OMPI_MAIN) {
        g_autofree char *why = g_strdup_printf("%s is %ld, above %d", what, n->value, INT_MAX);
        return ignore(r, n->line, why);
    }
    rules_trap(r->file, TRAP_CRASH, n->line,
               "%s is %ld, of which the library's table has the low 32 bits; it writes beyond the table's end", what,
               n->value);
    r->file->ignored = TRUE;
    return FALSE;
}

// Returns the number as the int in which the library keeps it.
static int narrow(TextReader *r, const char *what, const Number *n)
{
    const int value = (int)n->value;
    if (value != n->value)
        rules_trap(r->file, TRAP_MISREAD, n->line, "%s %ld does not fit into 32 bits and becomes %d", what, n->value,
                   value);
    return value;
}

static size_t skip_spaces(const TextReader *r, size_t at)
{
    while (at < r->length && (r->text[at] == ' ' || r->text[at] == '\t'))
        at++;
    return at;
}

// Returns TRUE if a rule's numbers begin a line that has one number more.
static gboolean has_fifth(const TextReader *r, const Number *first, const Number *last)
{
    size_t start = first->start;
    while (start > 0 && (r->text[start - 1] == ' ' || r->text[start - 1] == '\t'))
        start--;
    size_t at = skip_spaces(r, last->end);
    if (first->line != last->line || (start > 0 && r->text[start - 1] != '\n') || at >= r->length ||
        !isdigit((unsigned char)r->text[at]))
        return FALSE;
    while (at < r->length && isdigit((unsigned char)r->text[at]))
        at++;
    at = skip_spaces(r, at);
    return at >= r->length || strchr("\r\n#", r->text[at]);
}

// Reports a rule that a number too many on its line, or a number too few before it, has put out of step.
static void check_layout(TextReader *r, const Number *size, const Number *last)
{
    if (r->version < 2 && has_fifth(r, size, last))
        rules_trap(r->file, TRAP_SHIFTED, size->line,
                   "a rule has four numbers here, so the fifth is taken for the next field (of a rule, its size)");
    if (size->line != last->line && !r->spread) {
        rules_trap(r->file, TRAP_SHIFTED, size->line,
                   "a rule's numbers are on lines %zu to %zu: a number too many or too few before it shifts all fields",
                   size->line, last->line);
        r->spread = TRUE;
    }
}

// Takes the numbers of rule number `index` of a set.
static gboolean take_rule(TextReader *r, guint index, TextSet *set)
{
    Number size, id, fanout, segment, requests;
    if (!take(r, "a message size", LONG_MAX, &size) || !take(r, "an algorithm", LONG_MAX, &id) ||
        !take(r, "a fanout", LONG_MAX, &fanout) || !take(r, "a segment size", LONG_MAX, &segment))
        return FALSE;
    check_layout(r, &size, &segment);
    TextRule rule = {.bytes = size.value, .line = size.line};
    rule.id = narrow(r, "the algorithm", &id);
    rule.segment = narrow(r, "the segment size", &segment);
    rule.fanout = narrow(r, "the fanout", &fanout);
    if (r->version > 1) {
        int c;
        while ((c = fgetc(r->stream)) == ' ' || c == '\t')
            ;
        ungetc(c, r->stream);
        if (isdigit(c)) {
            if (!take(r, "a number of requests", LONG_MAX, &requests))
                return FALSE;
            rule.max_requests = narrow(r, "the number of requests", &requests);
        }
    }
    if (index == 0 && size.value != 0) {
        g_autofree char *why = g_strdup_printf("the first message size of a set is %ld, not 0", size.value);
        return ignore(r, size.line, why);
    }
    g_array_append_val(set->rules, rule);
    return TRUE;
}

// Takes the rules of one number of ranks.
static gboolean take_set(TextReader *r, GArray *sets)
{
    Number key, count;
    if (!take(r, "a number of ranks", LONG_MAX, &key) || !take_count(r, "a number of rules", FALSE, &count))
        return FALSE;
    const TextSet set = {narrow(r, "the number of ranks", &key), key.line, g_array_new(FALSE, FALSE, sizeof(TextRule))};
    g_array_append_val(sets, set);
    for (long i = 0; i < count.value; i++)
        if (!take_rule(r, (guint)MIN(i, 1), &g_array_index(sets, TextSet, sets->len - 1)))
            return FALSE;
    return TRUE;
}

static gboolean take_collective(TextReader *r)
{
    Number id, count;
    if (!take(r, "a collective's number", TUNED_COLLECTIVES - 1, &id) ||
        !take_count(r, "a count of numbers of ranks", TRUE, &count))
        return FALSE;
    const int c = (int)id.value;
    if (r->sets[c]) {
        rules_trap(r->file, TRAP_UNREAD, r->set_lines[c], "the rules of %s are replaced by those of line %zu",
                   tuned_collectives[c].name, id.line);
        g_array_unref(r->sets[c]);
    }
    r->sets[c] = g_array_new(FALSE, FALSE, sizeof(TextSet));
    g_array_set_clear_func(r->sets[c], set_clear);
    r->set_lines[c] = id.line;
    for (long i = 0; i < count.value; i++)
        if (!take_set(r, r->sets[c]))
            return FALSE;
    return TRUE;
}

// Reports what follows after the last number that the library reads.
static void check_rest(TextReader *r)
{
    Number n;
    RulesFile *file = r->file;
    const guint traps = file->traps->len;
    const gboolean more = next_number(r, &n);
    g_array_set_size(file->traps, traps); // what is not read cannot be misread
    if (more)
        rules_trap(file, TRAP_UNREAD, n.line, "the counts before end here, so this and all that follows is not read");
}

// Returns the file's version. A file without one has version 1.
static int take_version(TextReader *r)
{
    int version;
    if (r->file->library->id == LIBRARY_OMPI_41)
        return 1;
    if (fscanf(r->stream, "rule-file-version-%d", &version) == 1)
        return version;
    return 1;
}

static gboolean take_all(TextReader *r)
{
    Number count;
    const char *version = strstr(r->text, "rule-file-version-");
    r->version = take_version(r);
    if (!take(r, "the number of collectives", TUNED_COLLECTIVES, &count)) {
        if (version && r->version == 1)
            rules_trap(r->file, TRAP_SHIFTED, line_of(r, (size_t)(version - r->text)),
                       r->file->library->id == LIBRARY_OMPI_41
                           ? "this version does not know the line rule-file-version, and takes a number from it"
                           : "rule-file-version must be the first word of the file, or a number is taken from it");
        return FALSE;
    }
    for (long i = 0; i < count.value; i++)
        if (!take_collective(r))
            return FALSE;
    check_rest(r);
    return TRUE;
}

// Returns TRUE if a text begins as JSON does, after comments.
static gboolean begins_as_json(const char *text)
{
    for (;;) {
        text += strspn(text, " \t\r\n");
        const gboolean block = g_str_has_prefix(text, "/*");
        if (!block && !g_str_has_prefix(text, "//"))
            return *text == '{';
        const char *end = strstr(text + 2, block ? "*/" : "\n");
        if (!end)
            return FALSE;
        text = end + (block ? 2 : 1);
    }
}

void rules_text(RulesFile *file, const char *text, size_t length)
{
    TextReader r = {.file = file, .text = text, .length = length, .line = 1};
    r.stream = fmemopen((void *)(guintptr)text, length + 1, "r");
    g_assert(r.stream);
    const gboolean good = take_all(&r);
    if (begins_as_json(text) && file->library->id != LIBRARY_OMPI_MAIN) {
        // Every word of it would be a trap of its own.
        g_array_set_size(file->traps, 0);
        rules_trap(file, file->ignored ? TRAP_IGNORED : TRAP_SHIFTED, 1,
                   file->ignored ? "the library ignores the whole file: this version does not know JSON"
                                 : "this version does not know JSON, and takes the numbers in it for rules");
    }
    file->format = r.version > 1 ? "text, version 2" : "text, version 1";
    if (good)
        text_sets_add(file, r.sets);
    for (int c = 0; c < TUNED_COLLECTIVES; c++)
        if (r.sets[c])
            g_array_unref(r.sets[c]);
    fclose(r.stream);
}
