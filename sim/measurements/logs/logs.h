// Logs: files in which other programs have written measurements. The readers know the OSU micro-benchmarks (versions 2
// to 7), the Intel MPI benchmarks, netgauge's loggp output, nccl-tests, and CSV, including what `run` and `measure` write.
// log_columns.h finds the columns of a CSV, and the top of log_csv.c says what they mean.
//
// A header line in the file says which layout it has; nothing is guessed. Programs print much else around a table, and
// into it, and a job may run benchmarks that are not known. So the readers of lines take the tables and rows that they
// know, and Log.passed says by line what else there was: an unknown benchmark, a unit that the layout does not have, a
// malformed row. Lines before the first header are skipped without a word. If nothing in a file can be used, that is bad
// input, "FILE:LINE: ...". A file becomes a flat array of samples:
//
//     samples | one-way, 8 bytes, 1.6 us | one-way, 16 bytes, ... | allreduce, 8 ranks, 64 bytes, 85 us | ...
#pragma once
#include "measurements/logs/log.h"

// Reads a file of UTF-8, or standard input if `path` is "-", within the limits of base/limits.h. `label` and `how` may
// be NULL. Returns NULL and an error if the file cannot be read or is too large, its layout is unknown, or no row
// can be used. Free with log_free.
Log *log_read(const char *path, const LogLabel *label, const LogReading *how, GError **error);
// Reads n files, each of which may have a label in front. Returns an array of Log *; NULL and an error if one of them
// cannot be read.
GPtrArray *logs_read(char *const *files, size_t n, const LogReading *how, GError **error);
// Reads len bytes of text as log_read reads a file; errors call the file `name`.
Log *log_parse(const char *text, size_t len, const char *name, const LogLabel *label, const LogReading *how,
               GError **error);
