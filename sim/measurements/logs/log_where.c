// --where, and whether the rows that it leaves can be of one machine.
#include "base/error.h"
#include "measurements/logs/log_lines.h"
#include <string.h>

// A text of --where that is for the log that is read.
typedef struct LogClause {
    int column;
    const char *value;
} LogClause;

// Splits COLUMN=VALUE or FILE:COLUMN=VALUE. Sets *value to NULL if the text is for another file than that of the log.
static gboolean split(const char *text, const char *log, char **column, const char **value, GError **error)
{
    g_autofree char *base = g_path_get_basename(log);
    const char *const equals = strchr(text, '=');
    g_autofree char *front = g_strndup(text, equals ? (gsize)(equals - text) : 0);
    char *const colon = strrchr(front, ':');
    const char *const name = colon ? colon + 1 : front;
    if (colon)
        *colon = '\0';
    if (!*name || (colon && !*front))
        return bad_input(error, "--where %s; allowed: COLUMN=VALUE, or FILE:COLUMN=VALUE", text);
    *column = g_strdup(name);
    *value = colon && strcmp(front, base) != 0 ? NULL : equals + 1;
    return TRUE;
}

GArray *log_where_read(const LogLines *at, const Csv *csv, GError **error)
{
    g_autoptr(GArray) clauses = g_array_new(FALSE, FALSE, sizeof(LogClause));
    for (char **where = at->how->where; where && *where; where++) {
        g_autofree char *column = NULL;
        LogClause clause;
        if (!split(*where, at->log->name, &column, &clause.value, error))
            return NULL;
        if (!clause.value)
            continue;
        if (!csv_need(csv, column, &clause.column, error)) {
            g_prefix_error(error, "--where: ");
            return NULL;
        }
        g_array_append_val(clauses, clause);
    }
    return g_steal_pointer(&clauses);
}

// Returns TRUE if the row has one of the values that clauses ask for in this column.
static gboolean has_value(const GArray *clauses, int column, const Csv *csv, size_t row)
{
    for (guint i = 0; i < clauses->len; i++) {
        const LogClause *const clause = &g_array_index(clauses, LogClause, i);
        if (clause->column == column && strcmp(csv_field(csv, row, column), clause->value) == 0)
            return TRUE;
    }
    return FALSE;
}

gboolean log_where_keeps(const GArray *clauses, const Csv *csv, size_t row)
{
    for (guint i = 0; i < clauses->len; i++)
        if (!has_value(clauses, g_array_index(clauses, LogClause, i).column, csv, row))
            return FALSE;
    return TRUE;
}

gboolean log_where_names(const GArray *clauses, int column)
{
    for (guint i = 0; i < clauses->len; i++)
        if (g_array_index(clauses, LogClause, i).column == column)
            return TRUE;
    return FALSE;
}

gboolean logs_check_where(char **where, const GPtrArray *logs, GError **error)
{
    for (; where && *where; where++) {
        gboolean used = FALSE;
        for (guint l = 0; l < logs->len && !used; l++) {
            const Log *log = g_ptr_array_index(logs, l);
            g_autofree char *column = NULL;
            const char *value;
            if (!split(*where, log->name, &column, &value, error))
                return FALSE;
            used = value && strcmp(log->format, "CSV") == 0;
        }
        if (!used)
            return bad_input(error, "--where %s is for none of the files; allowed: a column of a CSV among them",
                             *where);
    }
    return TRUE;
}

// ---- Agreement ------------------------------------------------------------------------------------------------------

static const char *const matters[LOG_N_MATTERS] = {"machine", "run", "placement", "number of ranks a node"};

// Returns what a row says about a matter, or NULL. A number is written into `room`.
static const char *said(const LogSample *s, LogMatter matter, char room[static 16])
{
    switch (matter) {
    case LOG_MACHINE:
        return s->machine;
    case LOG_RUN:
        return s->run;
    case LOG_PLACE:
        return s->place ? strchr(s->place, '=') + 1 : NULL;
    default:
        g_snprintf(room, 16, "%d", s->per_node);
        return s->per_node ? room : NULL;
    }
}

// Compares a row with the first one that says something about the matter.
static gboolean agrees(const LogSample *s, LogMatter matter, const LogSample **first, GError **error)
{
    char room[16], first_room[16];
    const char *const now = s->log->column[matter] ? said(s, matter, room) : NULL;
    if (!now)
        return TRUE;
    *first = *first ? *first : s;
    const char *const before = said(*first, matter, first_room), *const column = (*first)->log->column[matter];
    return strcmp(now, before) == 0 ||
           bad_input(error,
                     "%s:%u has %s %s, and %s:%u has %s %s; allowed: rows of one %s, as with --where %s=%s, or labels "
                     "that choose such rows",
                     (*first)->log->name, (*first)->line, column, before, s->log->name, s->line, s->log->column[matter],
                     now, matters[matter], column, before);
}

// Compares a row of a part, whose ranks share a node or do not, with the first one that has a part.
static gboolean reaches_as_far(const LogSample *s, const LogSample **first, GError **error)
{
    if (!s->part || s->per_node < 2)
        return TRUE;
    *first = *first ? *first : s;
    const gboolean inside = s->p <= s->per_node, before = (*first)->p <= (*first)->per_node;
    return inside == before ||
           bad_input(error, "%s:%u has ranks on %s, and %s:%u on %s; allowed: rows of one level, as with --where p=%d",
                     s->log->name, (*first)->line, before ? "one node" : "several nodes", s->log->name, s->line,
                     inside ? "one node" : "several nodes", (*first)->p);
}

gboolean logs_agree(const GPtrArray *logs, GError **error)
{
    const LogSample *first[LOG_N_MATTERS] = {NULL}, *reach = NULL;
    const Log *last = NULL;
    for (const LogSample *s = NULL; (s = logs_next(logs, s)); last = s->log) {
        for (int k = 0; k < LOG_N_MATTERS && last && last != s->log; k++)
            first[k] = k == LOG_MACHINE ? first[k] : NULL; // only the machine is that of all logs
        reach = last == s->log ? reach : NULL;
        for (int k = 0; k < LOG_N_MATTERS; k++)
            if (!agrees(s, (LogMatter)k, &first[k], error))
                return FALSE;
        if (!reaches_as_far(s, &reach, error))
            return FALSE;
    }
    return log_times_agree(logs, error);
}
