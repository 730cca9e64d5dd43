#include "ask/ask_logs.h"
#include <string.h>

void log_options_clear(LogOptions *o)
{
    g_strfreev(o->files);
    g_free(o->names);
    g_free(o->bytes);
    g_free(o->element);
    g_strfreev(o->where);
}

gboolean ask_reading(const LogOptions *o, const char *command, LogReading *how, LogNames **names, GError **error)
{
    *how = (LogReading){.where = o->where, .command = command};
    const gboolean own = o->names && (strcmp(o->names, "auto") == 0 || g_str_has_prefix(o->names, "auto:"));
    const char *const library = own && o->names[4] ? o->names + 5 : NULL;
    if (own && !(how->names = *names = log_names_auto(library, error)))
        return FALSE;
    return (!o->names || own || (how->names = *names = log_names_read(o->names, error))) &&
           (!o->bytes || log_bytes_parse(o->bytes, &how->bytes, error)) &&
           options_number("--element", o->element, 1, 1 << 30, &how->element, error);
}

GPtrArray *ask_logs(const LogOptions *o, const LogReading *how, GError **error)
{
    g_autoptr(GPtrArray) logs = logs_read(o->files, g_strv_length(o->files), how, error);
    return logs && logs_check_where(o->where, logs, error) ? g_steal_pointer(&logs) : NULL;
}
