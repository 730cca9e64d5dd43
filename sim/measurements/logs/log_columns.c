#include "measurements/logs/log_columns.h"
#include "base/limits.h"
#include <string.h>

enum { MOST_NAMES = 5 };
static const char *const names[N_LOG_COLUMNS][MOST_NAMES] = {
    [COLUMN_MACHINE] = {"machine", "system", "partition"},
    [COLUMN_RUN] = {"run", "timestamp", "experiment", "source"},
    [COLUMN_PLACE] = {"map_by", "map"},
    [COLUMN_PER_NODE] = {"per_node", "ppn"},
    [COLUMN_COLLECTIVE] = {"collective", "call"},
    [COLUMN_ALGORITHM] = {"algorithm", "variant"},
    [COLUMN_SCHEDULE] = {"schedule"},
    [COLUMN_THEIRS] = {"algorithm", "schedule", "kind", "ompi_id"},
    [COLUMN_OMPI_ID] = {"ompi_id"},
    [COLUMN_PARAMS] = {"params"},
    [COLUMN_RANKS] = {"ranks", "p", "nranks", "comm_size"},
    [COLUMN_BYTES] = {"bytes", "size_bytes"},
    [COLUMN_BYTES_ARE] = {"bytes_are"},
    [COLUMN_ROOT] = {"root"},
    [COLUMN_MAP] = {"map"},
    [COLUMN_ELEMENT] = {"element"},
    [COLUMN_COUNTS] = {"counts"},
    [COLUMN_FLAGS] = {"flags"},
    [COLUMN_CROWDED] = {"oversubscribed"},
    [COLUMN_TIME] = {"time_s"},
    [COLUMN_TIME_IS] = {"time_is"},
    [COLUMN_LEAST_S] = {"min_s"},
    [COLUMN_P95_S] = {"p95_s"},
    [COLUMN_PREDICTED_S] = {"predicted_s"},
    [COLUMN_MODEL] = {"model"},
    [COLUMN_CERTIFICATE] = {"certificate"},
    [COLUMN_COSTS] = {"costs"},
    [COLUMN_RAN] = {"ran"},
    [COLUMN_ENTRY] = {"entry"},
    [COLUMN_NOTE] = {"note"},
    [COLUMN_WHY] = {"why"},
    [COLUMN_STUCK] = {"stuck"},
    [COLUMN_CALLS] = {"calls", "count"},
    [COLUMN_USE] = {"use"},
    [COLUMN_FILE] = {"file"},
    [COLUMN_LINE] = {"line"},
    [COLUMN_SET] = {"set"},
    [COLUMN_GROUP] = {"group"},
    [COLUMN_CANDIDATES] = {"candidates"},
};

const char *const log_time_names[] = {"time", "measured", "median",     "max",     "avg", "mean",
                                      "min",  "min_run",  "median_run", "max_run", NULL};
static const struct {
    const char *suffix;
    double seconds;
} units[] = {{"_us", 1e-6}, {"_ms", 1e-3}, {"_ns", 1e-9}, {"_s", 1}};

gboolean log_time_unit(const char *name, double *seconds)
{
    for (guint u = 0; u < G_N_ELEMENTS(units); u++)
        if (g_str_has_suffix(name, units[u].suffix)) {
            *seconds = units[u].seconds;
            return TRUE;
        }
    return FALSE;
}

gboolean log_time_is_mean(const char *name)
{
    return g_str_has_prefix(name, "avg_") || strstr(name, "_run_");
}

void log_columns_find(const Csv *csv, LogColumns *c)
{
    *c = (LogColumns){.csv = csv, .unit = 1};
    for (int k = 0; k < N_LOG_COLUMNS; k++) {
        c->at[k] = -1;
        for (int i = 0; i < MOST_NAMES && names[k][i] && c->at[k] < 0; i++)
            c->at[k] = csv_column(csv, names[k][i]);
    }
    for (guint i = 0; log_time_names[i] && c->at[COLUMN_TIME] < 0; i++)
        for (guint u = 0; u < G_N_ELEMENTS(units) && c->at[COLUMN_TIME] < 0; u++) {
            g_autofree char *name = g_strconcat(log_time_names[i], units[u].suffix, NULL);
            c->at[COLUMN_TIME] = csv_column(csv, name);
            c->unit = units[u].seconds;
        }
}

gboolean log_columns_need(const LogColumns *c, const LogColumn *needed, GError **error)
{
    for (int at; *needed != N_LOG_COLUMNS; needed++)
        if (c->at[*needed] < 0)
            return csv_need(c->csv, names[*needed][0], &at, error);
    return TRUE;
}

const char *log_column_text(const LogColumns *c, size_t row, LogColumn column)
{
    return csv_field(c->csv, row, c->at[column]);
}

gboolean log_column_int(const LogColumns *c, size_t row, LogColumn column, int least, int *value, GError **error)
{
    return !*log_column_text(c, row, column) || csv_int(c->csv, row, c->at[column], least, LIMIT_RANKS, value, error);
}

gboolean log_column_element(const LogColumns *c, size_t row, size_t most, size_t *value, GError **error)
{
    return !*log_column_text(c, row, COLUMN_ELEMENT) ||
           csv_size(c->csv, row, c->at[COLUMN_ELEMENT], 1, most, value, error);
}

gboolean log_column_predicted(const LogColumns *c, size_t row)
{
    return strcmp(log_column_text(c, row, COLUMN_TIME_IS), "predicted") == 0 ||
           *log_column_text(c, row, COLUMN_CERTIFICATE);
}

gboolean log_column_is_measurement(const LogColumns *c, size_t row)
{
    const char *const is = log_column_text(c, row, COLUMN_TIME_IS);
    return *is ? strcmp(is, "measured") == 0
               : strcmp(log_column_text(c, row, COLUMN_MODEL), "measured") == 0 &&
                     !*log_column_text(c, row, COLUMN_CERTIFICATE);
}
