// Logs: files in which other programs have written measurements. The readers know the OSU micro-benchmarks (versions 2
// to 7), the Intel MPI benchmarks, netgauge's loggp output, and CSV, including what `run` and `measure` write.
//
// A header line in the file says which layout it has; nothing is guessed. An unknown layout, a unit that the layout
// does not have, or a malformed row is bad input, "FILE:LINE: ...". Lines before the first header are skipped,
// because programs print much else around a table. A file becomes a flat array of samples:
//
//     samples | one-way, 8 bytes, 1.6 us | one-way, 16 bytes, ... | allreduce, 8 ranks, 64 bytes, 85 us | ...
#pragma once
#include "registry/registry.h"
#include <glib.h>

typedef enum LogSampleKind {
    LOG_ONE_WAY,    // half of a ping-pong between two ranks
    LOG_COLLECTIVE, // one run of a collective
    LOG_PRTT,       // one row of netgauge's loggp
    LOG_REDUCE,     // one rank reduces `bytes` bytes with as many others
} LogSampleKind;

// A row of netgauge's parametrised round-trip times, in seconds. PRTT(n,d,s) begins when the first of n messages of s
// bytes is sent; the messages are d apart. It ends when the answer to the last one, also of s bytes, has come back.
typedef struct LogPrtt {
    int n;
    double one;        // PRTT(1,0,s)
    double many;       // PRTT(n,0,s)
    double apart;      // PRTT(n,PRTT(1,0,s),s)
    double receive;    // o_r, which only the receiver can measure
    double L, o_s;     // as netgauge computed them
    double g, G, lsqu; // netgauge's fit of the rows so far, in s, s per byte and s; NAN if they are too few
} LogPrtt;

typedef struct LogSample {
    LogSampleKind kind;
    guint line;  // of the file, from 1
    guint sweep; // number of the table in the file; its samples follow each other in the order of measurement
    size_t bytes;
    double time_s;    // of the last rank, if the log has that; for LOG_PRTT, half of PRTT(1,0,s); may be 0
    int p;            // ranks: 2 for LOG_ONE_WAY and LOG_PRTT, 1 for LOG_REDUCE; 0 if neither log nor label says it
    gboolean crowded; // the log says that ranks share cores
    // For LOG_COLLECTIVE
    Collective collective;
    const char *algorithm; // as the log or the label names it; NULL if neither does
    const char *params;    // "segment=64K;chains=4", or "" if the log has none
    const char *map;       // where the ranks were, as --map takes it; "" if the log does not say it
    int root, per_node;    // per_node: 0 if the log does not say it
    size_t element;        // length of an element in bytes; 1 if the log does not say it
    // For LOG_PRTT
    LogPrtt prtt;
} LogSample;

typedef struct Log {
    char *name;          // of the file, in UTF-8, for errors and for the sources of figures
    const char *format;  // "OSU", "IMB", "netgauge loggp", "CSV", or what log_new was given
    gboolean warm;       // every row was warmed up, so that the first row of a sweep is as good as the others
    const char *time_is; // which of the times in the file the samples have: "t_max[usec]", "one-way latency", "time_s"
    GArray *samples;     // of LogSample
    GPtrArray *passed;   // of char *: what was read but cannot be used, each thing once
    GStringChunk *texts; // owns the strings of the samples
} Log;

// What a user says about a file by `LABEL=FILE`, because the file itself does not say it (log_label).
typedef struct LogLabel {
    gboolean given; // FALSE if there is no label
    LogSampleKind kind;
    Collective collective; // for LOG_COLLECTIVE
    char *algorithm;       // NULL if not given
    int p;                 // 0 if not given
} LogLabel;

// Splits "LABEL=FILE". LABEL is `pingpong`, `reduce_local`, `COLLECTIVE`, `COLLECTIVE:ALGORITHM` or
// `COLLECTIVE:ALGORITHM:P`; an algorithm may itself hold a colon, as ompi:6 does. If the text before the first '=' does
// not begin with one of these words, there is no label and the whole argument is the file. *path points into
// `argument`. Returns FALSE and an error if the label is wrong. Clear the label with log_label_clear.
gboolean log_label(const char *argument, LogLabel *label, const char **path, GError **error);
void log_label_clear(LogLabel *label);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LogLabel, log_label_clear)

// Reads a file of UTF-8, or standard input if `path` is "-", within the limits of base/limits.h. The label may be NULL.
// Returns NULL and an error if the file cannot be read or is too large, its layout is unknown, a row is malformed, the
// file contradicts the label, or no row can be used. Free with log_free.
Log *log_read(const char *path, const LogLabel *label, GError **error);
// Reads len bytes of text as log_read reads a file; errors call the file `name`.
Log *log_parse(const char *text, size_t len, const char *name, const LogLabel *label, GError **error);
// Creates a log without samples, for a caller that measures itself. `time_is` is not copied. Free with log_free.
Log *log_new(const char *name, const char *format, const char *time_is);
void log_free(Log *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Log, log_free)

// ---- For the readers of the formats ---------------------------------------------------------------------------------

enum { LOG_MAX_WORDS = 32 }; // no table of the formats has as many columns

// A text that is read line by line.
typedef struct LogLines {
    Log *log;
    const LogLabel *label;
    const char *rest;           // the lines after the current one; NULL after the last
    guint line;                 // the number of the current line, from 1; 0 before the first
    char *text;                 // the current line, without blanks at its end; in `room`
    GString *room, *cut;        // of the current line, and of a copy that is cut into words
    char *words[LOG_MAX_WORDS]; // the first words of the line, which blanks separate
    guint n_words, sweep;       // n_words is LOG_MAX_WORDS if the line has as many or more
} LogLines;

// Goes to the next line. Returns FALSE at the end of the text.
gboolean log_next(LogLines *at);
// Sets the error "NAME:LINE: ..." for the current line, and returns FALSE.
gboolean log_bad(const LogLines *at, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);
// Reads word i < n_words of the current line: an integer from 0 to `most`, or a number of 0 or above. On an error,
// which calls the column `what`, returns FALSE.
gboolean log_size(const LogLines *at, guint i, const char *what, size_t most, size_t *value, GError **error);
gboolean log_number(const LogLines *at, guint i, const char *what, double *value, GError **error);
// Adds a sample. Returns FALSE and an error if the time is neither 0 nor between 1e-15 and 1e9 s, or if the log has
// LIMIT_LOG_ROWS samples.
gboolean log_add(LogLines *at, const LogSample *sample, GError **error);
// Adds a sample of a collective; p = 0 means that the log does not say how many ranks ran. The label supplies the
// algorithm and, if p is 0, the ranks. Returns FALSE and an error if the label names another collective or another
// number of ranks, or if log_add fails.
gboolean log_add_collective(LogLines *at, Collective collective, int p, size_t element, size_t bytes, double time_s,
                            GError **error);
// Adds half of a ping-pong (LOG_ONE_WAY) or a reduction of one rank (LOG_REDUCE). Returns FALSE and an error if the
// label says that something else was measured, or if log_add fails.
gboolean log_add_probe(LogLines *at, LogSampleKind kind, size_t bytes, double time_s, GError **error);
// Sets *kind if the name, from a label or a CSV column `collective`, is "pingpong" or "reduce_local". Otherwise returns
// FALSE.
gboolean log_find_probe(const char *name, LogSampleKind *kind);
// Returns the name of what the label says was measured: a collective's, "pingpong" or "reduce_local".
const char *log_label_name(const LogLabel *label);
// Adds a text to log->passed, unless it is already there.
void log_pass(Log *log, const char *format, ...) G_GNUC_PRINTF(2, 3);

// The formats. `is` returns TRUE if a line is the format's header; `read` reads the text from the current line, which
// is that header, to its end.
gboolean log_osu_is(const char *line);
gboolean log_osu_read(LogLines *at, GError **error);
gboolean log_imb_is(const char *line);
gboolean log_imb_read(LogLines *at, GError **error);
gboolean log_netgauge_is(const char *line);
gboolean log_netgauge_read(LogLines *at, GError **error);
gboolean log_csv_is(const char *line);
gboolean log_csv_read(Log *log, const char *text, size_t len, const LogLabel *label, GError **error);
