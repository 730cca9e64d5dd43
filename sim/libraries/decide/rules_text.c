// The text format of Open MPI's rules files. This is a second reader of it that follows the library's to the letter: it
// also takes numbers with fscanf("%li"), because the traps are in what that function accepts. What differs between
// versions:
//
//     4.1     four numbers in each rule; a line with a version is not known
//     5.0.9   the file may begin with "rule-file-version-2"; a rule may then have a fifth number, the most requests
//     main    reads as 5.0.9, but makes other ranges of the keys: see text_sets.c
//
// Source: coll_tuned_dynamic_file.c, coll_base_util.c (getnext), coll_tuned_dynamic_rules.c (the search).
#include "libraries/decide/text_reader.h"
#include "libraries/decide/text_sets.h"
#include "base/error.h"
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct TunedReader {
    TextReader in;
    int version;                         // of the file
    gboolean spread;                     // a rule that is spread over lines has been noticed
    GArray *sets[TUNED_COLLECTIVES];     // of TextSet; NULL if the file has none for the collective
    size_t set_lines[TUNED_COLLECTIVES]; // where the collective's rules begin
} TunedReader;

// Takes a count. The library makes a table of as many entries as the low 32 bits say, and then reads all: only main
// refuses, and only one of the two counts.
static gboolean take_count(TunedReader *t, const char *what, gboolean main_refuses, Number *n)
{
    if (!text_reader_take(&t->in, what, LONG_MAX, n))
        return FALSE;
    if (n->value <= INT_MAX)
        return TRUE;
    if (main_refuses && t->in.file->library->id == LIBRARY_OMPI_MAIN) {
        g_autofree char *why = g_strdup_printf("%s is %ld, above %d", what, n->value, INT_MAX);
        return text_reader_ignore(&t->in, n->line, why);
    }
    rules_trap(t->in.file, TRAP_CRASH, n->line,
               "%s is %ld; the library makes a table for its low 32 bits, and then it writes beyond the table's end",
               what, n->value);
    t->in.file->ignored = TRUE;
    return FALSE;
}

static size_t skip_spaces(const TunedReader *t, size_t at)
{
    while (at < t->in.length && (t->in.text[at] == ' ' || t->in.text[at] == '\t'))
        at++;
    return at;
}

// Returns TRUE if a rule's numbers begin a line that has one number more.
static gboolean has_fifth(const TunedReader *t, const Number *first, const Number *last)
{
    size_t start = first->start;
    while (start > 0 && (t->in.text[start - 1] == ' ' || t->in.text[start - 1] == '\t'))
        start--;
    size_t at = skip_spaces(t, last->end);
    if (first->line != last->line || (start > 0 && t->in.text[start - 1] != '\n') || at >= t->in.length ||
        !isdigit((unsigned char)t->in.text[at]))
        return FALSE;
    while (at < t->in.length && isdigit((unsigned char)t->in.text[at]))
        at++;
    at = skip_spaces(t, at);
    return at >= t->in.length || strchr("\r\n#", t->in.text[at]);
}

// Reports a rule that a number too many on its line, or a number too few before it, has put out of step.
static void check_layout(TunedReader *t, const Number *size, const Number *last)
{
    if (t->version < 2 && has_fifth(t, size, last))
        rules_trap(t->in.file, TRAP_SHIFTED, size->line,
                   "a rule has four numbers here, so the fifth is taken for the next field (of a rule, its size)");
    if (size->line != last->line && !t->spread) {
        rules_trap(t->in.file, TRAP_SHIFTED, size->line,
                   "a rule's numbers are on lines %zu to %zu: a number too many or too few before it shifts all fields",
                   size->line, last->line);
        t->spread = TRUE;
    }
}

// Takes the numbers of rule number `index` of a set.
static gboolean take_rule(TunedReader *t, guint index, TextSet *set)
{
    Number size, id, fanout, segment, requests;
    if (!text_reader_take(&t->in, "a message size", LONG_MAX, &size) ||
        !text_reader_take(&t->in, "an algorithm", LONG_MAX, &id) ||
        !text_reader_take(&t->in, "a fanout", LONG_MAX, &fanout) ||
        !text_reader_take(&t->in, "a segment size", LONG_MAX, &segment))
        return FALSE;
    check_layout(t, &size, &segment);
    TextRule rule = {.bytes = size.value, .line = size.line};
    rule.id = text_reader_narrow(&t->in, "the algorithm", &id);
    rule.segment = text_reader_narrow(&t->in, "the segment size", &segment);
    rule.fanout = text_reader_narrow(&t->in, "the fanout", &fanout);
    if (t->version > 1) {
        int c;
        while ((c = fgetc(t->in.stream)) == ' ' || c == '\t')
            ;
        ungetc(c, t->in.stream);
        if (isdigit(c)) {
            if (!text_reader_take(&t->in, "a number of requests", LONG_MAX, &requests))
                return FALSE;
            rule.max_requests = text_reader_narrow(&t->in, "the number of requests", &requests);
        }
    }
    if (index == 0 && size.value != 0) {
        g_autofree char *why = g_strdup_printf("the first message size of a set is %ld, not 0", size.value);
        return text_reader_ignore(&t->in, size.line, why);
    }
    g_array_append_val(set->rules, rule);
    return TRUE;
}

// Takes the rules of one number of ranks.
static gboolean take_set(TunedReader *t, GArray *sets)
{
    Number key, count;
    if (!text_reader_take(&t->in, "a number of ranks", LONG_MAX, &key) ||
        !take_count(t, "a number of rules", FALSE, &count))
        return FALSE;
    const TextSet set = {text_reader_narrow(&t->in, "the number of ranks", &key), key.line,
                         g_array_new(FALSE, FALSE, sizeof(TextRule))};
    g_array_append_val(sets, set);
    for (long i = 0; i < count.value; i++)
        if (!take_rule(t, (guint)MIN(i, 1), &g_array_index(sets, TextSet, sets->len - 1)))
            return FALSE;
    return TRUE;
}

static gboolean take_collective(TunedReader *t)
{
    Number id, count;
    if (!text_reader_take(&t->in, "a collective's number", TUNED_COLLECTIVES - 1, &id) ||
        !take_count(t, "a count of numbers of ranks", TRUE, &count))
        return FALSE;
    const int c = (int)id.value;
    if (t->sets[c]) {
        rules_trap(t->in.file, TRAP_UNREAD, t->set_lines[c], "the rules of %s are replaced by those of line %zu",
                   tuned_collectives[c].name, id.line);
        g_array_unref(t->sets[c]);
    }
    t->sets[c] = g_array_new(FALSE, FALSE, sizeof(TextSet));
    g_array_set_clear_func(t->sets[c], text_set_clear);
    t->set_lines[c] = id.line;
    for (long i = 0; i < count.value; i++)
        if (!take_set(t, t->sets[c]))
            return FALSE;
    return TRUE;
}

// Returns the file's version. A file without one has version 1.
static int take_version(TunedReader *t)
{
    int version;
    if (t->in.file->library->id == LIBRARY_OMPI_41)
        return 1;
    if (fscanf(t->in.stream, "rule-file-version-%d", &version) == 1)
        return version;
    return 1;
}

static gboolean take_all(TunedReader *t)
{
    Number count;
    const char *version = strstr(t->in.text, "rule-file-version-");
    t->version = take_version(t);
    if (!text_reader_take(&t->in, "the number of collectives", TUNED_COLLECTIVES, &count)) {
        if (version && t->version == 1)
            rules_trap(t->in.file, TRAP_SHIFTED, text_reader_line(&t->in, (size_t)(version - t->in.text)),
                       t->in.file->library->id == LIBRARY_OMPI_41
                           ? "this version does not know the line rule-file-version, and takes a number from it"
                           : "rule-file-version must be the first word of the file, or a number is taken from it");
        return FALSE;
    }
    for (long i = 0; i < count.value; i++)
        if (!take_collective(t))
            return FALSE;
    text_reader_rest(&t->in);
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
    TunedReader r = {.in = text_reader_open(file, text, length)};
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
    text_reader_close(&r.in);
}
