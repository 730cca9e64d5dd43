// What the readers of the formats share: a text that is read line by line, and samples that are added to its log.
#pragma once
#include "measurements/logs/log.h"

enum {
    LOG_MAX_WORDS = 32,    // no table of the formats has as many columns
    LOG_MAX_ELEMENT = 1024 // longest element in bytes
};

typedef struct LogLines LogLines;

// A layout of lines. `is` returns TRUE if a line is the format's header; `read` reads the text from the current line, which
// is that header, as far as log_next goes.
typedef struct LogFormat {
    const char *name;
    gboolean (*is)(const char *line);
    void (*read)(LogLines *at);
} LogFormat;

// A text that is read line by line.
struct LogLines {
    Log *log;
    const LogLabel *label; // may be NULL
    const LogReading *how;
    GArray *counts;             // of log_count; NULL if empty
    const char *rest;           // the lines after the current one; NULL after the last
    guint line;                 // the number of the current line, from 1; 0 before the first
    char *text;                 // the current line, without blanks at its end; in `room`
    GString *room, *cut;        // of the current line, and of a copy that is cut into words
    char *words[LOG_MAX_WORDS]; // the first words of the line, which blanks separate
    guint n_words, sweep;       // n_words is LOG_MAX_WORDS if the line has as many or more
    LogLaunch launch, job;      // of the last launcher's line, and what the job has
    const LogFormat *formats;   // that may begin; the last one has a NULL name
    const LogFormat *format;    // the present one; NULL outside one
    GError *first;              // the first fault, which refuses the file if it has nothing else; NULL for none
    guint faults;               // number of them
    GArray *others;             // guint: the lines that are not rows of tables; NULL for none
    gboolean other, full;       // the line begins another format; there are too many rows
    gboolean unended;           // the line is the last one, and has no line end
};

// Keeps what the current line says of how benchmarks are started, and of the MPI library.
void log_launch(LogLines *at);
// Adds a table that begins on the current line, after at->sweep was raised. `datatype` may be NULL.
void log_benchmark(LogLines *at, const char *title, const char *datatype);
// Goes to the next line, without blanks at its end, without colours, and without what was put in front of it: a time, and
// by a launcher which rank printed it. Returns FALSE at the end of the text, at the header of another format, and if the
// log has LIMIT_LOG_ROWS samples.
gboolean log_next(LogLines *at);
// Reads a line of a format, or a row of its tables; `block` is what its reader knows of the table. Returns FALSE and an error
// if the line cannot be used.
typedef gboolean LogLine(LogLines *at, gpointer block, GError **error);
// Reads each line from the current one to the header of another format. A line that cannot be used is passed over, and
// log->passed says so.
void log_each_line(LogLines *at, LogLine *read, gpointer block);
// Reads the current line as a row if it begins with a digit, as rows do, and what others print seldom does; otherwise passes
// over it. `headed` says whether the table has had its header. Returns FALSE and an error if the row cannot be used.
gboolean log_row(LogLines *at, gboolean headed, LogLine *read, gpointer block, GError **error);
// Passes over the current line because of an error, which it takes over.
void log_fault(LogLines *at, GError *fault);
// Passes over the current line, which does not belong to a table.
void log_other(LogLines *at);
// Sets the error "NAME:LINE: ..." for the current line, and returns FALSE.
gboolean log_bad(const LogLines *at, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);
// Reads word i < n_words of the current line: an integer from 0 to `most`, or a number of 0 or above. On an error,
// which calls the column `what`, returns FALSE.
gboolean log_size(const LogLines *at, guint i, const char *what, size_t most, size_t *value, GError **error);
gboolean log_number(const LogLines *at, guint i, const char *what, double *value, GError **error);
// Decides how long an element of a sample is, by the length that its log says (0 if it does not), and has the log say so if
// --element contradicts that.
void log_decide_element(const LogLines *at, LogSample *sample);
// Adds a sample of the current line. The label supplies what the sample lacks (algorithm and ranks), and
// samples that it does not ask for are dropped and counted. Fields that a format does not have may be 0. Returns FALSE
// and an error if the root is not a rank, if the time is neither 0 nor between 1e-15 and 1e9 s, or if the log has
// LIMIT_LOG_ROWS samples.
gboolean log_add(LogLines *at, LogSample sample, GError **error);
// Sets part, level and what else the label says of a sample. Returns FALSE and an error, which says where sample and
// label differ, if the label does not ask for it.
gboolean log_label_apply(LogLines *at, LogSample *sample, GError **error);
// Finds the length of an element of one of MPI's types, "MPI_FLOAT", with or without a full stop, or of nccl-tests, "float".
// Returns FALSE if there is none of this name.
gboolean log_datatype(const char *name, size_t *size);
// Counts a row that is passed over. log->passed then has "12 rows " and this text, as "12 rows of one process".
void log_count(LogLines *at, const char *what);

// Ends the reading of a text: log->passed gets what was counted and the lines that were passed over.
void log_end(LogLines *at);
// Sets the error that the log has LIMIT_LOG_ROWS samples, and returns FALSE.
gboolean log_full(const LogLines *at, GError **error);

// The formats.
gboolean log_osu_is(const char *line);
void log_osu_read(LogLines *at);
gboolean log_imb_is(const char *line);
void log_imb_read(LogLines *at);
gboolean log_netgauge_is(const char *line);
void log_netgauge_read(LogLines *at);
gboolean log_nccl_is(const char *line);
void log_nccl_read(LogLines *at);
gboolean log_csv_read(LogLines *at, const char *text, size_t len, GError **error);

// Returns the texts of LogReading.where that are for this log, or NULL and an error if one is malformed or names a
// column that the CSV does not have. Free with g_array_unref.
GArray *log_where_read(const LogLines *at, const Csv *csv, GError **error);
// Returns TRUE if they keep a row.
gboolean log_where_keeps(const GArray *clauses, const Csv *csv, size_t row);
// Returns TRUE if one of them is about a column.
gboolean log_where_names(const GArray *clauses, int column);
