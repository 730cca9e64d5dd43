#include "measurements/logs/logs.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/text.h"
#include "measurements/logs/log_lines.h"
#include <string.h>

// Ends with a row without a name.
static const LogFormat formats[] = {
    {"OSU", log_osu_is, log_osu_read},
    {"IMB", log_imb_is, log_imb_read},
    {"netgauge loggp", log_netgauge_is, log_netgauge_read},
    {"nccl-tests", log_nccl_is, log_nccl_read},
    {0},
};

// Finds each line that is the header of a format, and reads from there to the header of another one.
static gboolean read_lines(LogLines *at, GError **error)
{
    gboolean found = FALSE;
    while (at->other || log_next(at)) {
        at->other = FALSE;
        const LogFormat *f = formats;
        while (f->name && !f->is(at->text))
            f++;
        if (!f->name)
            continue;
        at->log->format = found ? at->log->format : f->name;
        found = TRUE;
        at->format = f;
        f->read(at);
        at->format = NULL;
    }
    return found || (at->log->nccl && at->how->choices) ||
           bad_input(
               error,
               "%s:1: %s; allowed: output of OSU or IMB benchmarks, of netgauge's loggp, of nccl-tests, or CSV whose "
               "header has the columns bytes (or size_bytes) and a time",
               at->log->name,
               at->log->nccl               ? "lines of NCCL's choices, without times; `compare` reads them"
               : at->line > 1 || *at->text ? "unknown layout"
                                           : "the file is empty");
}

// Fails if a text that was read gives no samples, or too many.
static gboolean check_used(LogLines *at, GError **error)
{
    const Log *const log = at->log;
    if (at->full)
        return log_full(at, error);
    if (log->samples->len || (at->how->choices && log->nccl && (log->nccl->tables->len || log->nccl->choices->len)))
        return TRUE;
    if (at->first) {
        g_propagate_error(error, g_steal_pointer(&at->first));
        return FALSE;
    }
    const char *why = log->passed->len ? g_ptr_array_index(log->passed, 0) : "the table is empty";
    return bad_input(error, "%s: no measurement that can be used: %s", log->name, why);
}

// Reads text that is UTF-8.
static gboolean read_text(LogLines *at, const char *text, size_t len, GError **error)
{
    g_autofree char *all = g_strndup(text, len);
    at->rest = all;
    at->room = g_string_new(NULL);
    at->cut = g_string_new(NULL);
    at->log->nccl = nccl_log_read(all, at->label && at->label->given && at->label->kind == LOG_COLLECTIVE
                                           ? nccl_function_of(at->label->collective)
                                           : -1);
    const char *const begin = csv_begin(all);
    g_autofree char *header = g_strndup(begin, strcspn(begin, "\n"));
    GError *no_csv = NULL; // a job may also print a line with commas
    at->log->warm = log_csv_is(header) && log_csv_read(at, text, len, &no_csv);
    const gboolean read = at->log->warm || read_lines(at, no_csv ? NULL : error);
    if (no_csv && !read)
        g_propagate_error(error, no_csv);
    else
        g_clear_error(&no_csv);
    log_end(at);
    const gboolean done = read && check_used(at, error);
    g_clear_error(&at->first);
    return done;
}

Log *log_parse(const char *text, size_t len, const char *name, const LogLabel *label, const LogReading *how,
               GError **error)
{
    g_autoptr(GError) garbled = NULL;
    g_autofree char *mended =
        NULL; // with other characters for what is not UTF-8, such as a name in a program's warning
    if (!text_check(text, len, LIMIT_TABLE_BYTES, name, &garbled)) {
        mended = len <= LIMIT_TABLE_BYTES && !memchr(text, '\0', len) ? g_utf8_make_valid(text, (gssize)len) : NULL;
        text = mended;
        len = mended ? strlen(mended) : 0;
    }
    g_autoptr(Log) log = log_new(name, "CSV", NULL);
    LogLines at = {.log = log, .formats = formats, .label = label, .how = how ? how : &(const LogReading){0}};
    if (text && read_text(&at, text, len, garbled ? NULL : error)) {
        if (garbled)
            log_pass(log, "line %s", garbled->message + strlen(log->name) + 1);
        return g_steal_pointer(&log);
    }
    if (garbled)
        g_propagate_error(error, g_steal_pointer(&garbled));
    return NULL;
}

Log *log_read(const char *path, const LogLabel *label, const LogReading *how, GError **error)
{
    size_t len;
    g_autofree char *text = text_read(path, LIMIT_TABLE_BYTES, &len, error);
    return text ? log_parse(text, len, text_name(path), label, how, error) : NULL;
}

// Refuses a label that says what rows determine, for a command that does not calibrate.
static gboolean check_part(const char *argument, const LogLabel *label, const LogReading *how, GError **error)
{
    return !label->part || !how->command ||
           bad_input(error,
                     "label %.*s: %s fits no tables; allowed: COLLECTIVE=FILE, COLLECTIVE:ALGORITHM=FILE or "
                     "COLLECTIVE:ALGORITHM:P=FILE",
                     (int)strcspn(argument, "=:"), argument, how->command);
}

GPtrArray *logs_read(char *const *files, size_t n, const LogReading *how, GError **error)
{
    g_autoptr(GPtrArray) logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free);
    for (size_t i = 0; i < n; i++) {
        g_auto(LogLabel) label = {0};
        const char *path;
        Log *log = log_label(files[i], &label, &path, error) && check_part(files[i], &label, how, error)
                       ? log_read(path, &label, how, error)
                       : NULL;
        if (!log)
            return NULL;
        g_ptr_array_add(logs, log);
    }
    return g_steal_pointer(&logs);
}
