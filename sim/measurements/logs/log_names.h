// Other names of algorithms: a file that says which of collsim's algorithms the rows of somebody else's CSV are. It is
// a CSV itself, with a line for each name:
//
//     theirs         what the log has in its column `algorithm` (or `schedule`, `kind` or `ompi_id`: the first it has)
//     ours           collsim's name or alias, or LIB:NAME or LIB:ID of a library; empty if the row is not of a collective
//     params         its parameters, as "radix=4;segment=64K"
// and, if needed,
//     collective     collsim's collective, or pingpong, sendrecv ..: if the log has a column `collective`, the name is one
//                    of this collective only; otherwise it is what the row measures
//     where          COLUMN=VALUE: the line is only for rows in which that column of the log has that value
//     bytes          what -m is, as an expression in p and bytes, where bytes is what the log says: "bytes/p"
//     factor         the log's time divided by that of collsim's algorithm, as such an expression: "p/(p-1)"
//     element        length of an element in bytes
//     per_node, map  how many ranks share a node, as such an expression, and whether they fill the nodes one after the
//                    other (`block`) or in turn (`cyclic`)
//
// An empty field says nothing. If several lines fit a row, the first one holds.
#pragma once
#include "base/csv.h"
#include "measurements/logs/log_lines.h"

typedef struct LogName LogName; // a line of the file

// Reads a file of names. Returns NULL and a bad-input error if it is not such a file, or if collsim does not know a
// name in it. Free with log_names_free.
LogNames *log_names_read(const char *path, GError **error);
// Reads len bytes of text in the same way; errors call the text `file`.
LogNames *log_names_parse(const char *text, size_t len, const char *file, GError **error);
// Returns names that are a library's own: its ids and names, also if _ompi, _mpich or _default ends them, or if they are
// written with - in place of _; and names of collsim. 0 and `default` are the library's choice. `library` is LIB or
// LIB-VERSION; NULL takes that of each row's columns mpi_lib and mpi_version. Returns NULL and an error for an unknown library.
// Free with log_names_free.
LogNames *log_names_auto(const char *library, GError **error);
void log_names_free(LogNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LogNames, log_names_free)

// Returns the line that fits a row of a log, or NULL. If `known`, the sample says what the row measures; otherwise the
// line does.
const LogName *log_names_find(const LogNames *names, const Csv *csv, size_t row, const char *theirs, gboolean known,
                              const LogSample *sample);
// Sets in the sample of the current line what `name` says: what was measured, the algorithm and its parameters,
// element, per_node and map; and converts bytes and time. Without `name` (NULL) only the bytes are converted, as
// LogReading.bytes says. The expressions are evaluated in place, so only one thread may call this for the same names.
// Returns FALSE and an error if the result of an expression is not possible, or if the number of ranks is needed and
// missing.
gboolean log_names_apply(const LogName *name, const LogLines *at, LogSample *sample, GError **error);
