// The columns of a CSV of measurements: what each is called, and where a file has it. Every command that reads such a
// file finds its columns here.
#pragma once
#include "base/csv.h"

typedef enum LogColumn {
    COLUMN_MACHINE, // these four are in the order of LogMatter
    COLUMN_RUN,
    COLUMN_PLACE, // how ranks were placed, in any words
    COLUMN_PER_NODE,
    COLUMN_COLLECTIVE,
    COLUMN_ALGORITHM,
    COLUMN_SCHEDULE,
    COLUMN_THEIRS, // what a file of names explains
    COLUMN_OMPI_ID,
    COLUMN_PARAMS,
    COLUMN_RANKS,
    COLUMN_BYTES,
    COLUMN_BYTES_ARE,
    COLUMN_ROOT,
    COLUMN_MAP, // as --map takes it
    COLUMN_ELEMENT,
    COLUMN_COUNTS,
    COLUMN_FLAGS,
    COLUMN_CROWDED,
    COLUMN_TIME, // the first of log_time_names that has a unit
    COLUMN_TIME_IS,
    COLUMN_LEAST_S,
    COLUMN_P95_S,
    COLUMN_PREDICTED_S,
    COLUMN_MODEL,
    COLUMN_CERTIFICATE,
    COLUMN_COSTS,
    COLUMN_RAN,
    COLUMN_ENTRY,
    COLUMN_NOTE,
    COLUMN_WHY,
    COLUMN_STUCK,
    COLUMN_CALLS,
    COLUMN_USE,
    COLUMN_FILE,
    COLUMN_LINE,
    COLUMN_SET,
    COLUMN_GROUP,
    COLUMN_CANDIDATES,
    N_LOG_COLUMNS
} LogColumn;

typedef struct LogColumns {
    const Csv *csv;
    int at[N_LOG_COLUMNS]; // the index of the first of a column's names that the header has; -1 if it has none
    double unit;           // of COLUMN_TIME, in seconds
} LogColumns;

// What precedes the unit in the names of columns of times, the best first, NULL-terminated.
extern const char *const log_time_names[];

// Finds all columns.
void log_columns_find(const Csv *csv, LogColumns *columns);
// Returns TRUE if the header has all of these columns (N_LOG_COLUMNS ends them). Otherwise returns FALSE and an error
// that names the first missing one and lists the columns of the header.
gboolean log_columns_need(const LogColumns *columns, const LogColumn *needed, GError **error);
#define LOG_COLUMNS_NEED(columns, error, ...)                                                                          \
    log_columns_need(columns, (const LogColumn[]){__VA_ARGS__, N_LOG_COLUMNS}, error)
// Returns the field of a row, "" if the header does not have the column.
const char *log_column_text(const LogColumns *columns, size_t row, LogColumn column);
// Reads an integer of a row; *value stays if the field is empty or not there.
gboolean log_column_int(const LogColumns *columns, size_t row, LogColumn column, int least, int *value, GError **error);
// Reads the element's length of a row, which may have as many bytes; *value stays if the row does not say it.
gboolean log_column_element(const LogColumns *columns, size_t row, size_t most, size_t *value, GError **error);
// Returns TRUE if a row's time was measured: by its time_is, or, in older files, by its model and its lack of a
// certificate.
gboolean log_column_is_measurement(const LogColumns *columns, size_t row);
// Returns TRUE if a row of somebody else's file says that its time is a prediction.
gboolean log_column_predicted(const LogColumns *columns, size_t row);
// Sets *seconds to the unit that ends the name of a column of times, such as _us. Returns FALSE if there is none.
gboolean log_time_unit(const char *name, double *seconds);
// Returns TRUE if a column of times has OSU's averages over the ranks: avg_us, and min_run_us and the like of several runs.
gboolean log_time_is_mean(const char *name);
