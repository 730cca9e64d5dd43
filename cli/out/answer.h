// Where a command's answer goes, and in which format.
#pragma once
#include "base/output.h"
#include "out/sheet.h"

typedef enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON } Format;

// The texts of -f and -o; NULL if they were not given.
typedef struct AnswerOptions {
    char *format, *output;
} AnswerOptions;
void answer_options_clear(AnswerOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(AnswerOptions, answer_options_clear)

#define ANSWER_ENTRIES(o)                                                                                              \
    {"format", 'f', 0, G_OPTION_ARG_STRING, &(o).format, "table (default), csv or json", "FORMAT"},                    \
    {                                                                                                                  \
        "output", 'o', 0, G_OPTION_ARG_FILENAME, &(o).output, "write the answer to FILE", "FILE"                       \
    }

typedef struct Answer {
    Format format;
    FILE *to; // while it is open
    Output output;
} Answer;

// Opens the answer before long work begins. Without -f, the ending of -o (.csv or .json) chooses the format, and a
// table is the default. Returns FALSE and an error if the format is unknown or the file cannot be written. After it,
// call answer_close or answer_clear; with g_auto(Answer), a command that fails leaves no file behind.
gboolean answer_open(Answer *answer, const AnswerOptions *options, GError **error);
// Completes the file. Returns FALSE and an error if it could not be written.
gboolean answer_close(Answer *answer, GError **error);
// Throws the file away, unless answer_close has completed it.
void answer_clear(Answer *answer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Answer, answer_clear)

// Writes n sheets for machines: CSV is the first of them, JSON has all. Sheets that are NULL are left out. The format
// must not be FORMAT_TABLE; `command` is the name of the subcommand. With CSV, a sheet "notes" goes to stderr.
void answer_sheets(const Answer *answer, const char *command, const Sheet *const *sheets, int n);
// Prints each row of a sheet "notes" on stderr, for CSV, which has no place for them. NULL is allowed.
void answer_notes(const Sheet *notes);
