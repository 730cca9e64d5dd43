// What a log holds, and what can be asked of it. logs.h reads it from a file.
#pragma once
#include "base/csv.h"
#include "libraries/nccl/nccl_log.h"
#include "registry/registry.h"
#include <glib.h>

typedef enum LogSampleKind {
    LOG_ONE_WAY,     // half of a ping-pong between two ranks
    LOG_COLLECTIVE,  // one run of a collective
    LOG_PRTT,        // one row of netgauge's loggp
    LOG_REDUCE,      // one rank reduces `bytes` bytes with as many others
    LOG_SENDRECV,    // a sendrecv of p ranks at once, each with the next and the previous one (IMB Sendrecv, PingPing)
    LOG_WINDOW,      // from one message of a sender to its next; many are under way (osu_bw, osu_mbw_mr of p/2 senders)
    LOG_WINDOW_BOTH, // the same, while the receiver sends as much to the sender (osu_bibw)
    LOG_MANY_WAYS, // half of a ping-pong while p/2 pairs play it at a time (osu_multi_lat); p is 0 if no launch says it
    LOG_SINGLE,    // a rank copies `bytes` bytes straight out of another's buffer (process_vm_readv)
    LOG_EXCHANGE,  // p ranks at once, each sends to the next and the previous one and receives from both (IMB Exchange)
} LogSampleKind;

// What a label says that rows determine: a table of `measured`, or a figure of `shared`. Without it the kind of the
// sample decides.
typedef enum LogPart {
    LOG_PART_NONE, // no label says which part the sample belongs to
    LOG_PART_ONE,  // a message one way
    LOG_PART_STEP, // a sendrecv
    LOG_PART_GAP,  // between messages of one rank
    LOG_PART_FLAG, // not of a message: how long until a rank sees the flag of another, under `shared`
} LogPart;

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

typedef struct Log Log;

// How a benchmark was started, as far as its log says it; 0 and NULL stand for what it does not say.
typedef struct LogLaunch {
    guint line;       // of the launcher's line
    const char *text; // that line, from the launcher on: "srun -N 2 -n 2 ./osu_latency"
    int nodes, ranks, per_node;
    int cores[2];     // of the first two ranks; both 0 if they are not bound one by one
    const char *unit; // over which ranks are dealt out one by one: "node", "socket", "core"
    int window;       // messages of a window
} LogLaunch;

// One table of a benchmark.
typedef struct LogBenchmark {
    guint sweep, line;    // as in its samples; the line of its title
    const char *title;    // "OSU MPI Latency Test v7.5", "IMB PingPong, Intel(R) MPI Benchmarks 2021.7"
    const char *datatype; // "MPI_CHAR"; NULL if it is not said
    LogLaunch launch;
} LogBenchmark;

typedef struct LogSample {
    LogSampleKind kind;
    const Log *log; // that has it
    guint line;     // of the file, from 1
    guint sweep;    // number of the table in the file; its samples follow each other in the order of measurement
    size_t bytes;
    double time_s;      // of the last rank, unless `mean` is set; for LOG_PRTT, half of PRTT(1,0,s); may be 0
    gboolean mean;      // .. of a collective is the mean over the ranks, because the log does not have the last one's
    gboolean in_place;  // ranks sent from the buffer that they received into; such rows are read on demand (LogReading)
    int p;              // ranks: 1 for LOG_REDUCE, 2 for LOG_SINGLE and one way; 0 if neither log nor label says it
    int window;         // messages of a window; 0 if the log does not say it
    gboolean crowded;   // the log says that ranks share cores
    double predicted_s; // what the row says that it was predicted to take, beside the measured time; 0 if it does not
    gboolean predicted; // the log says that the time was not measured
    LogPart part;       // of the label
    const char *level;  // at which the label says that the ranks communicate: "node", "far"; NULL if `part` is NONE
    const char *run;    // when or in which campaign it was measured, as the log names it; NULL if it does not
    const char *machine; // as the log names it; NULL if it does not
    const char *place;   // how the log says that ranks were placed: "map_by=core", "map=cyclic:4"; NULL if it does not
    // For LOG_COLLECTIVE
    Collective collective;
    const char *algorithm; // as the log or the label names it; NULL if neither does
    const char *params;    // "segment=64K;chains=4", or "" if the log has none
    const char *map;       // where the ranks were, as --map takes it; "" if the log does not say it
    int root, per_node;    // per_node: 0 if the log does not say it
    size_t element;        // length of an element in bytes, by log_element_of; the bytes need not be a multiple of it
    size_t usual_element;  // what the benchmark has in reductions if nobody says it; 0 if nothing is usual
    double factor;         // the log's time divided by time_s: 1, unless a file of names says that it is another one
    // For LOG_PRTT
    LogPrtt prtt;
} LogSample;

// What rows that calibrate together must agree in.
typedef enum LogMatter {
    LOG_MACHINE,
    LOG_RUN,
    LOG_PLACE,    // how ranks were placed
    LOG_PER_NODE, // how many ranks shared a node
    LOG_N_MATTERS
} LogMatter;

struct Log {
    char *name;          // of the file, in UTF-8, for errors and for the sources of figures
    const char *format;  // "OSU", "IMB", "netgauge loggp", "CSV", the first of several, or what log_new was given
    gboolean warm;       // every row was warmed up, so that the first row of a sweep is as good as the others
    const char *time_is; // which of the times in the file the samples have: "t_max[usec]", "one-way latency", "time_s"
    const char *column[LOG_N_MATTERS]; // of a CSV; NULL if it has none, or the user chose its values (LogReading.where)
    GArray *samples;                   // of LogSample
    GPtrArray *passed;                 // of char *: what was read but cannot be used, each thing once
    GPtrArray *measured;               // of char *: when and with what, as the file says it: "on DATE with IMB .."
    GArray *benchmarks;                // of LogBenchmark, in the order of their sweeps; only of OSU and IMB
    char *mpi;                         // "Open MPI 5.0.6"; NULL if no line says it
    NcclLog *nccl;                     // what NCCL says of its choices; NULL if there is nothing of it
    char *elements;                    // says that LogReading.element contradicts the log; NULL if it does not
    GStringChunk *texts;               // owns the strings of the samples
};

// What a user says about a file by `LABEL=FILE`, because the file itself does not say it, or to choose among its rows
// (log_label).
typedef struct LogLabel {
    LogPart part;   // LOG_PART_NONE if not given
    char *level;    // "far" if a part is given without a level; NULL if `part` is NONE
    gboolean given; // FALSE if the label does not say what was measured; then the fields below mean nothing
    LogSampleKind kind;
    Collective collective; // for LOG_COLLECTIVE
    char *algorithm;       // NULL if not given
    int p, per_node;       // ranks, and ranks of a node; 0 if not given
} LogLabel;

// Splits "LABEL=FILE", "PART=FILE", "PART=LABEL=FILE", or the latter two with PART@LEVEL in place of PART:
//
//     LABEL   what was measured: `pingpong`, `sendrecv`, `window`, `window_both`, `reduce_local`, `single_copy`,
//             `COLLECTIVE`, `COLLECTIVE:ALGORITHM` or `COLLECTIVE:ALGORITHM:P`, where P may be NxK. An algorithm may
//             itself hold a colon, as ompi:6 does. It may be `library`, whatever a library chose, or what a library
//             that is known chooses, as ompi-5:auto; whoever uses the samples knows the libraries.
//             Rows of the file that fit it are read; the others are passed over and counted.
//     PART    what it determines: `one`, `step`, `gap` or `flag`. Only rows that can determine it are read.
//     LEVEL   where: a level of the platform, such as `node`. Without it, the level is far.
//
// Examples are one@far=osu_latency.txt, one@node=bcast:pipeline:8=osu_bcast.txt, step=imb.txt, gap=osu_mbw_mr.txt and
// allreduce:ompi-5:auto:72x64=osu_allreduce.txt. A ':' may stand for the '=' after PART. If the text before the first '=' does not
// begin with one of these words, the argument has no label, and all of it is the file. *path points into `argument`.
// Returns FALSE and an error if the label is wrong. Clear the label with log_label_clear.
gboolean log_label(const char *argument, LogLabel *label, const char **path, GError **error);
void log_label_clear(LogLabel *label);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LogLabel, log_label_clear)

typedef struct LogNames LogNames; // other names of algorithms (log_names.h)

// What the bytes of a CSV are. A vector (of bcast, reduce, allreduce, scan) is always what -m is.
typedef enum LogBytes {
    LOG_BYTES_OSU,   // what -m is: the whole vector for reduce_scatter, otherwise one rank's block
    LOG_BYTES_TOTAL, // all p blocks together
    LOG_BYTES_BLOCK, // one rank's block, for reduce_scatter too
} LogBytes;

// Reads the argument of --bytes: `total` or `vector` (LOG_BYTES_TOTAL), or `block`. Returns FALSE and an error for any
// other text.
gboolean log_bytes_parse(const char *text, LogBytes *bytes, GError **error);

// How to read CSV, beyond what a label says. All zero is the default.
typedef struct LogReading {
    const LogNames *names; // of --names: rows with other names are passed over and counted; NULL if not given
    size_t element;        // of --element: in reductions it counts more than what a log says; 0 if not given
    LogBytes bytes;        // of --bytes
    // The texts of --where, NULL-terminated: COLUMN=VALUE, or FILE:COLUMN=VALUE for the file of that name only (without
    // its folder). Rows with another value are dropped; of several values of one column, each is kept. May be NULL.
    char **where;
    gboolean in_place; // also read the times of nccl-tests in place
    gboolean choices;  // a log that has no times is good if it has choices of NCCL
    gboolean defaults; // rows that a CSV marks as what a library chose are read as `library`, whatever their names say,
                       // and `group` is the run of a CSV without one, as rows of `validate` have it
    const char *command; // the command, if a part or a level in a label means nothing to it; otherwise NULL
} LogReading;

// Returns TRUE if a line is the header of a CSV with measurements.
gboolean log_csv_is(const char *line);
// Returns the rows of a log as a table with the columns of log_columns.h, which `plot` draws: of several times of one thing
// the least. What ran without a name is called by the file. Returns NULL and an error if a row does not say on how many ranks
// it ran. Free with csv_free.
Csv *log_table(const Log *log, GError **error);
// Returns the file of a log as an argument names it, which is "-" for standard input.
const char *log_path(const Log *log);
// Creates a log without samples, for a caller that measures itself. `time_is` is not copied. Free with log_free.
Log *log_new(const char *name, const char *format, const char *time_is);
void log_free(Log *log);
// Returns the sample that follows `sample` in its log or in the next of the logs (of Log *); the first if `sample` is NULL,
// and NULL after the last. To see all: for (const LogSample *s = NULL; (s = logs_next(logs, s));)
const LogSample *logs_next(const GPtrArray *logs, const LogSample *sample);
// Returns the table that has a sample; NULL if the format has no titles.
const LogBenchmark *log_benchmark_of(const LogSample *sample);
// Returns TRUE if a sample of the logs is of this kind.
gboolean logs_have(const GPtrArray *logs, LogSampleKind kind);
// Returns TRUE if rows that calibrate together (in `logs`, of Log *) can be of one machine. No two logs may name
// different machines, and no log may mix several runs or placements, or rows within a node and rows between nodes. No
// two tables may have times of the same size that are more than 3 times apart. What the user has chosen by
// LogReading.where is not a contradiction. Otherwise returns FALSE and an error with two of the rows.
gboolean logs_agree(const GPtrArray *logs, GError **error);
// Does the last part: it compares the least times that each table has of the same thing and size.
gboolean log_times_agree(const GPtrArray *logs, GError **error);
// Returns TRUE if each text of --where (NULL-terminated; `where` may be NULL) is for a CSV among the logs. Otherwise
// returns FALSE and an error with the first one that is not.
gboolean logs_check_where(char **where, const GPtrArray *logs, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Log, log_free)

enum { LOG_USUAL_ELEMENT = 8 }; // bytes of an element in reductions, where nothing else is known: MPI_DOUBLE
// The length of an element of a measurement of `bytes` bytes. In reductions it is `option`, of --element, if that is
// given; then what was `said` with the measurement, then what is `usual` where that was made, or the longest half,
// quarter .. of it that divides the bytes, and otherwise 1. A 0 stands for what is not known.
size_t log_element_of(gboolean reduces, size_t bytes, size_t option, size_t said, size_t usual);
// Returns a sample's element, or 1 if the bytes are not a multiple of it, because then no program can have measured it.
size_t log_whole_element(const LogSample *sample);
// Adds to `notes` (of char *) what there is to say of each of the logs (Log *): when and with what it was measured, what
// was passed over, elements that an option contradicts, and times that are means over the ranks, with what becomes of these (`means`).
void logs_note(const GPtrArray *logs, const char *means, GPtrArray *notes);
// Returns why a sample is left out, as "are of one rank"; NULL if it is not. `user` is the caller's.
typedef const char *LogWhyNot(const LogSample *sample, gconstpointer user);
// Returns the samples (const LogSample *) of a log that are not left out, and adds a line to `notes` (of char *) for each
// reason why others are, with their number and their lines. Free with g_ptr_array_unref.
GPtrArray *log_choose(const Log *log, LogWhyNot *why_not, gconstpointer user, GPtrArray *notes);
extern const char log_not_in_table[]; // ends what log->passed says of lines that are not of a benchmark
// Adds a text to log->passed, unless it is already there.
void log_pass(Log *log, const char *format, ...) G_GNUC_PRINTF(2, 3);
// Returns the numbers of lines (guint), in ascending order, as "line 4" or "lines 4, 7 to 9". Free with g_free.
char *log_lines_text(const GArray *lines);
// Finds what was measured by its name, in a label or in the column `collective` of a CSV: "pingpong", "reduce_local"
// and so on, or a collective's name; upper and lower case are alike. Returns FALSE if the name is another one.
gboolean log_find_kind(const char *name, LogSampleKind *kind, Collective *collective);
// Returns the name of what was measured; `collective` means something for LOG_COLLECTIVE only.
const char *log_kind_name(LogSampleKind kind, Collective collective);
// The names of parts in a label; NULL for LOG_PART_NONE.
extern const char *const log_part_names[];
// Splits "knomial radix=4 segment=64K" into a sample's algorithm and its parameters, whose texts `texts` then owns; and
// returns such a text of a sample, "" if it names no algorithm. Free with g_free.
void log_set_variant(GStringChunk *texts, const char *text, LogSample *sample);
char *log_variant(const LogSample *sample);
// Returns TRUE if a sample's algorithm is `library`, the choice of a library that is not known.
gboolean log_of_library(const LogSample *sample);
// Returns a label with which a log would say all of a sample that it does not, with its file, as allreduce:ring:8=FILE. The
// algorithm and the ranks are examples; the algorithm sends messages, or is one of shared memory. Free with g_free.
char *log_label_for(const Log *log, const LogSample *sample, gboolean shared);
