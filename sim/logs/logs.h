// Measurements that other programs have written: OSU micro-benchmarks (2 to 7), Intel MPI benchmarks, netgauge's loggp
// output, and CSV, that of `run` and `measure` included. The layout is told by the file's own header lines and never
// guessed: an unknown one, a unit that the layout does not have, or a malformed row is bad input, "FILE:LINE: ...".
// What a program may say around its table (the lines before the first header) is passed over. A file becomes a flat
// array:
//
//     samples | one-way, 8 bytes, 1.6 us | one-way, 16 bytes, ... | allreduce, 8 ranks, 64 bytes, 85 us | ...
#pragma once
#include "registry/registry.h"
#include <glib.h>

typedef enum LogSampleKind {
    LOG_ONE_WAY,    // half a ping-pong of two ranks
    LOG_COLLECTIVE, // one operation
    LOG_PRTT,       // one row of netgauge's loggp
    LOG_REDUCE,     // one rank reduces so many bytes with as many
} LogSampleKind;

// netgauge's parametrised round trips: PRTT(n,d,s) is the time from the first of n messages of s bytes, sent d apart,
// to the answer of s bytes that the receiver sends after the last. Seconds.
typedef struct LogPrtt {
    int n;
    double one;        // PRTT(1,0,s)
    double many;       // PRTT(n,0,s)
    double apart;      // PRTT(n,PRTT(1,0,s),s)
    double receive;    // o_r: measured by the receiver, in no other column
    double L, o_s;     // as netgauge computed them
    double g, G, lsqu; // its running fit; NaN: too few rows. s, s per byte, s
} LogPrtt;

typedef struct LogSample {
    LogSampleKind kind;
    guint line;  // of the file, from 1
    guint sweep; // which table of the file; samples of one sweep follow each other in the order of measurement
    size_t bytes;
    double time_s; // of the last rank where the log says it; of PRTT rows half the round trip of one message; may be 0
    int p;         // ranks; 2 for all but collectives, 1 of a rank that reduces
    gboolean crowded; // the log says that ranks share cores
    // Of collectives.
    Collective collective;
    const char *algorithm; // as the log or the label names it; NULL: neither says
    const char *params;    // "segment=64K;chains=4" or ""
    int root, per_node;    // per_node 0: not said
    size_t element;        // bytes; 1 where the log does not say
    LogPrtt prtt;          // of PRTT rows
} LogSample;

typedef struct Log {
    char *name;          // of the file, for errors and sources
    const char *format;  // "OSU", "IMB", "netgauge loggp", "CSV"; what else log_new is given
    gboolean warm;       // no sweep begins cold: each row was warmed up for
    const char *time_is; // which of several times was taken: "Max Latency(us)", "t_max[usec]", "time_s"
    GArray *samples;     // LogSample
    GPtrArray *passed;   // of char *: what was read and is of no use here, one text each
    GStringChunk *texts; // of the samples
} Log;

// What a file does not say of itself, from `LABEL=FILE`; see log_label.
typedef struct LogLabel {
    gboolean given;
    LogSampleKind kind;
    Collective collective; // of LOG_COLLECTIVE
    char *algorithm;       // NULL: not given
    int p;                 // 0: not given
} LogLabel;

// Splits "LABEL=FILE": LABEL is `pingpong`, `reduce_local`, `COLLECTIVE`, `COLLECTIVE:ALGORITHM` or `COLLECTIVE:ALGORITHM:P` (an
// algorithm may hold a colon, as ompi:6 does). Where the text before the first '=' starts with no such word, all of it
// is the file. *path points into `argument`. False and bad input where the label is wrong. Clear with log_label_clear.
gboolean log_label(const char *argument, LogLabel *label, const char **path, GError **error);
void log_label_clear(LogLabel *label);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LogLabel, log_label_clear)

// Reads a file ("-": standard input) of at most 64 MiB; the label may be NULL. NULL and bad input where it cannot be
// read, its layout is unknown, a row is malformed, or the label says what the file contradicts. Free with log_free.
Log *log_read(const char *path, const LogLabel *label, GError **error);
// The same from len bytes of text; name stands for the file.
Log *log_parse(const char *text, size_t len, const char *name, const LogLabel *label, GError **error);
// One without samples, for who measures.
Log *log_new(const char *name, const char *format, const char *time_is);
void log_free(Log *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Log, log_free)

// ---- Between the readers ------------------------------------------------------------------------------------------------

// A text being read line by line. `words` are the current line's, separated by blanks, NULL-terminated.
typedef struct LogLines {
    Log *log;
    const LogLabel *label;
    char **lines; // all
    guint line;   // the current one, from 1
    char **words;
    guint n_words, sweep;
} LogLines;

gboolean log_next(LogLines *at); // to the next line; FALSE at the end
gboolean log_bad(const LogLines *at, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4); // NAME:LINE: ...
// Word i of the line as an integer or a number, 0 or above; `what` names the column.
gboolean log_size(const LogLines *at, guint i, const char *what, size_t *value, GError **error);
gboolean log_number(const LogLines *at, guint i, const char *what, double *value, GError **error);
// Adds a collective's sample, with what the label says of it; a label of another collective, or other ranks, is an
// error.
gboolean log_add_collective(LogLines *at, Collective collective, int p, size_t element, size_t bytes, double time_s,
                            GError **error);
// Adds half a ping-pong (LOG_ONE_WAY), or a rank's reduction (LOG_REDUCE); a label of anything else is an error.
gboolean log_add_probe(LogLines *at, LogSampleKind kind, size_t bytes, double time_s, GError **error);
// The kind that a label, or a CSV's column `collective`, means by a name that is no collective's; FALSE: none.
gboolean log_find_probe(const char *name, LogSampleKind *kind);
// What a label says was measured.
const char *log_label_name(const LogLabel *label);
// Notes once what is of no use.
void log_pass(Log *log, const char *format, ...) G_GNUC_PRINTF(2, 3);

// The formats: `is` tells by a line whether it is a header, `read` reads on from there.
gboolean log_osu_is(const char *line);
gboolean log_osu_read(LogLines *at, GError **error);
gboolean log_imb_is(const char *line);
gboolean log_imb_read(LogLines *at, GError **error);
gboolean log_netgauge_is(const char *line);
gboolean log_netgauge_read(LogLines *at, GError **error);
gboolean log_csv_is(const char *line);
gboolean log_csv_read(Log *log, const char *text, size_t len, const LogLabel *label, GError **error);
