// The options of the commands that read measurements.
#pragma once
#include "ask/options.h"
#include "measurements/logs/log_names.h"
#include "measurements/logs/logs.h"

typedef struct LogOptions {
    char **files, *names, *bytes, *element, **where;
} LogOptions;

#define LOG_ENTRIES(o)                                                                                                 \
    {"names", 0, 0, G_OPTION_ARG_FILENAME, &(o).names, "names in a CSV: a file, or a library's own", "FILE.csv|auto"}, \
        ENTRY_STRING("bytes", 0, (o).bytes, "what bytes of a CSV are: total, block or vector", "KIND"),                \
        ENTRY_STRINGS("where", (o).where, "read only these rows of a CSV", "COLUMN=VALUE"),                            \
        ENTRY_STRING("element", 0, (o).element, "size of an element of reductions, whatever logs say", "BYTES")

void log_options_clear(LogOptions *options);

// Reads what the options say of the files. `command` is as in LogReading. Returns FALSE and an error on bad input.
// *names owns what `how` has; free with log_names_free.
gboolean ask_reading(const LogOptions *options, const char *command, LogReading *how, LogNames **names, GError **error);
// Reads the logs (of Log *) that the words of the command line name. Returns NULL and an error on bad input.
GPtrArray *ask_logs(const LogOptions *options, const LogReading *how, GError **error);
