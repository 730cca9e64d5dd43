#include "measurements/logs/log.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/text.h"
#include <string.h>

Log *log_new(const char *name, const char *format, const char *time_is)
{
    Log *log = g_new0(Log, 1);
    log->name = g_filename_display_name(name);
    log->samples = g_array_new(FALSE, TRUE, sizeof(LogSample));
    log->passed = g_ptr_array_new_with_free_func(g_free);
    log->measured = g_ptr_array_new_with_free_func(g_free);
    log->benchmarks = g_array_new(FALSE, FALSE, sizeof(LogBenchmark));
    log->texts = g_string_chunk_new(256);
    log->format = g_string_chunk_insert(log->texts, format);
    log->time_is = time_is;
    return log;
}

void log_free(Log *log)
{
    if (!log)
        return;
    g_free(log->name);
    g_array_unref(log->samples);
    g_ptr_array_unref(log->passed);
    g_ptr_array_unref(log->measured);
    g_array_unref(log->benchmarks);
    g_free(log->mpi);
    nccl_log_free(log->nccl);
    g_free(log->elements);
    g_string_chunk_free(log->texts);
    g_free(log);
}

const char *log_path(const Log *log)
{
    return strcmp(log->name, text_name("-")) == 0 ? "-" : log->name;
}

void log_pass(Log *log, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    distinct_take(log->passed, g_strdup_vprintf(format, args));
    va_end(args);
}

gboolean log_bytes_parse(const char *text, LogBytes *bytes, GError **error)
{
    if (strcmp(text, "total") == 0 || strcmp(text, "vector") == 0)
        *bytes = LOG_BYTES_TOTAL;
    else if (strcmp(text, "block") == 0)
        *bytes = LOG_BYTES_BLOCK;
    else
        return bad_input(error, "--bytes %s; allowed: total, block or vector", text);
    return TRUE;
}

const LogSample *logs_next(const GPtrArray *logs, const LogSample *s)
{
    guint next = 0; // the log to look into
    if (s && s + 1 < (const LogSample *)(void *)s->log->samples->data + s->log->samples->len)
        return s + 1;
    while (s && g_ptr_array_index(logs, next++) != s->log)
        ;
    for (; next < logs->len; next++) {
        const Log *const log = g_ptr_array_index(logs, next);
        if (log->samples->len)
            return &g_array_index(log->samples, LogSample, 0);
    }
    return NULL;
}

gboolean logs_have(const GPtrArray *logs, LogSampleKind kind)
{
    for (const LogSample *s = NULL; (s = logs_next(logs, s));)
        if (s->kind == kind)
            return TRUE;
    return FALSE;
}

char *log_lines_text(const GArray *lines)
{
    enum { RANGES = 12 };
    GString *text = g_string_new(lines->len == 1 ? "line " : "lines ");
    guint ranges = 0;
    for (guint i = 0, last; i < lines->len; i = last + 1) {
        const guint *const line = &g_array_index(lines, guint, 0);
        last = i;
        while (last + 1 < lines->len && line[last + 1] == line[last] + 1)
            last++;
        if (++ranges > RANGES) {
            g_string_append(text, " ..");
            break;
        }
        g_string_append_printf(text, "%s%u", ranges == 1 ? "" : ", ", line[i]);
        if (last > i)
            g_string_append_printf(text, " to %u", line[last]);
    }
    return g_string_free(text, FALSE);
}

static void note_mean(const Log *log, const char *means, GPtrArray *notes)
{
    for (guint i = 0; i < log->samples->len; i++) {
        const LogSample *const s = &g_array_index(log->samples, LogSample, i);
        if (!s->mean)
            continue;
        g_ptr_array_add(notes,
                        g_strdup_printf("%s:%u and others: the times are means over the ranks, which end at different "
                                        "times; %s",
                                        log->name, s->line, means));
        return;
    }
}

void logs_note(const GPtrArray *logs, const char *means, GPtrArray *notes)
{
    for (guint l = 0; l < logs->len; l++) {
        const Log *const log = g_ptr_array_index(logs, l);
        const guint runs = log->measured->len;
        if (runs == 1)
            g_ptr_array_add(notes, g_strdup_printf("%s: measured %s", log->name, (char *)log->measured->pdata[0]));
        else if (runs)
            g_ptr_array_add(notes, g_strdup_printf("%s: measured %s, and in %u more run%s, the last %s", log->name,
                                                   (char *)log->measured->pdata[0], runs - 1, runs == 2 ? "" : "s",
                                                   (char *)log->measured->pdata[runs - 1]));
        for (guint i = 0; i < log->passed->len; i++)
            g_ptr_array_add(
                notes, g_strdup_printf("%s: passed over: %s", log->name, (char *)g_ptr_array_index(log->passed, i)));
        if (log->elements)
            g_ptr_array_add(notes, g_strdup(log->elements));
        note_mean(log, means, notes);
    }
}

GPtrArray *log_choose(const Log *log, LogWhyNot *why_not, gconstpointer user, GPtrArray *notes)
{
    GPtrArray *chosen = g_ptr_array_new();
    g_autoptr(GPtrArray) reasons = g_ptr_array_new(); // const char *, each once
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref); // of guint, by reason
    for (guint i = 0; i < log->samples->len; i++) {
        LogSample *const s = &g_array_index(log->samples, LogSample, i);
        const char *const why = why_not(s, user);
        if (!why) {
            g_ptr_array_add(chosen, s);
            continue;
        }
        const guint k = distinct_name(reasons, why);
        if (k == lines->len)
            g_ptr_array_add(lines, g_array_new(FALSE, FALSE, sizeof(guint)));
        g_array_append_val((GArray *)lines->pdata[k], s->line);
    }
    for (guint k = 0; k < reasons->len; k++) {
        g_autofree char *text = log_lines_text(lines->pdata[k]);
        g_ptr_array_add(notes,
                        g_strdup_printf("%s: rows that %s are passed over: %u, %s", log->name,
                                        (const char *)reasons->pdata[k], ((GArray *)lines->pdata[k])->len, text));
    }
    return chosen;
}
