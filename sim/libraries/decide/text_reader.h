// Takes the numbers and words of a rules file in a text format as Open MPI's functions in coll_base_util.c do, and
// reports what these take for something else than it seems to be.
#pragma once
#include "libraries/decide/rules.h"
#include <stdio.h>

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
    FILE *stream;                // reads `text`
    size_t counted, line;        // `line` is the number of the line that holds the byte `counted`
    size_t skipped, skipped_end; // bytes that were skipped last; none if equal
    size_t number_end;           // where the last number ended
} TextReader;

// Begins to read a text, which must end in a \0 that `length` does not count. Close with text_reader_close.
TextReader text_reader_open(RulesFile *file, const char *text, size_t length);
void text_reader_close(TextReader *r);
// Returns the line of a byte. Bytes must be asked for in order, give or take one line.
size_t text_reader_line(TextReader *r, size_t at);
// Returns where the next number or word is looked for.
size_t text_reader_position(const TextReader *r);
// Takes the next number as getnext does: what is not a number is skipped byte by byte, and # hides the rest of a line.
// Returns FALSE at the end of the file.
gboolean text_reader_number(TextReader *r, Number *n);
// Does the same with a size, which is decimal.
gboolean text_reader_size(TextReader *r, Number *n);
// Takes a word of at most 32 bytes, and its line. Returns NULL at the end of the file; free with g_free.
char *text_reader_word(TextReader *r, size_t *line);
// Returns the number, 0 or above, that the library's strtol makes of a word; -1 if the word is not a number.
int text_reader_value(const char *word);
// Takes the next byte that is neither blank nor in a comment if it is this one.
gboolean text_reader_byte(TextReader *r, int byte);
// Ends the reading, and returns FALSE: the library ignores the file.
gboolean text_reader_ignore(TextReader *r, size_t line, const char *why);
// Takes a number that must be from 0 to `most`. `what` names it in traps.
gboolean text_reader_take(TextReader *r, const char *what, long most, Number *n);
// Reports what follows after the last number that the library reads.
void text_reader_rest(TextReader *r);
// Returns the number as the int in which the library keeps it, and reports one that does not fit.
int text_reader_narrow(TextReader *r, const char *what, const Number *n);
