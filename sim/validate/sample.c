#include "validate/sample.h"
#include "schedule/names.h"
#include <string.h>

// Splits "knomial radix=4 segment=64K" into the name and "radix=4;segment=64K".
static void set_algorithm(const char *text, Log *log, LogSample *s)
{
    g_autofree char *name = g_strndup(text, strcspn(text, " "));
    g_autofree char *params = g_strdelimit(g_strdup(text + strlen(name) + (text[strlen(name)] == ' ')), " ", ';');
    s->algorithm = g_string_chunk_insert_const(log->texts, name);
    s->params = g_string_chunk_insert_const(log->texts, params);
}

static gboolean by_names(const ValidateRow *row, const LogName *name, Log *log, LogSample *s, GError **error)
{
    const LogLines at = {.log = log, .line = row->line};
    return log_names_apply(name, &at, s, error);
}

gboolean validate_sample(const ValidateRow *row, const LogNames *names, Log *log, LogSample *s, gboolean *known,
                         GError **error)
{
    *s = (LogSample){.kind = LOG_COLLECTIVE,
                     .line = row->data_line,
                     .bytes = row->bytes,
                     .time_s = row->measured_s,
                     .mean = row->mean,
                     .p = row->p,
                     .params = "",
                     .map = "",
                     .per_node = row->per_node,
                     .element = row->element,
                     .usual_element = row->usual_element,
                     .factor = 1};
    *known = TRUE;
    const LogName *name =
        *row->algorithm || !names ? NULL : log_names_find(names, row->csv, row->csv_row, row->collective, FALSE, s);
    if (name)
        return by_names(row, name, log, s, error);
    if (strcmp(row->collective, log_kind_name(LOG_ONE_WAY, COLL_BCAST)) == 0) {
        s->kind = LOG_ONE_WAY;
        return TRUE;
    }
    const gboolean one = !*row->algorithm && row->p == 2 && strcmp(row->collective, collectives[COLL_BCAST].name) == 0;
    *known = *row->algorithm || one;
    if (!*known)
        return TRUE;
    set_algorithm(one ? "binomial" : row->algorithm, log, s);
    if (collective_parse(row->collective, &s->collective, error))
        return TRUE;
    g_prefix_error(error, "%s:%u: ", row->from, row->line);
    return FALSE;
}
