#include "measurements/logs/logs.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include <stdint.h>
#include <string.h>

// ---- Lines ----------------------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    gboolean (*is)(const char *line);
    void (*read)(LogLines *at);
} formats[] = {
    {"OSU", log_osu_is, log_osu_read},
    {"IMB", log_imb_is, log_imb_read},
    {"netgauge loggp", log_netgauge_is, log_netgauge_read},
    {"nccl-tests", log_nccl_is, log_nccl_read},
};

gboolean log_next(LogLines *at)
{
    if (!at->rest || at->full)
        return FALSE;
    const char *const end = strchr(at->rest, '\n');
    g_string_truncate(at->room, 0);
    g_string_append_len(at->room, at->rest, end ? end - at->rest : -1);
    at->text = log_bare(at->room->str);
    at->unended = !end;
    g_string_assign(at->cut, at->text);
    at->rest = end ? end + 1 : NULL;
    at->line++;
    at->n_words = 0;
    for (char *c = at->cut->str; at->n_words < LOG_MAX_WORDS;) {
        while (g_ascii_isspace(*c))
            *c++ = '\0';
        if (!*c)
            break;
        at->words[at->n_words++] = c;
        while (*c && !g_ascii_isspace(*c))
            c++;
    }
    for (guint i = 0; at->is && i < G_N_ELEMENTS(formats); i++)
        at->other |= formats[i].is != at->is && formats[i].is(at->text);
    return !at->other;
}

gboolean log_bad(const LogLines *at, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    return bad_input(error, "%s:%u: %s", at->log->name, at->line, text);
}

enum { SHOWN = 8 }; // faults that are named

void log_fault(LogLines *at, GError *fault)
{
    at->faults++;
    if (at->faults <= SHOWN) // without the name of the log, with which notes begin
        log_pass(at->log, "line %s", fault->message + strlen(at->log->name) + 1);
    if (at->first)
        g_error_free(fault);
    else
        at->first = fault;
}

void log_other(LogLines *at)
{
    if (!at->others)
        at->others = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(at->others, at->line);
}

void log_each_line(LogLines *at, LogLine *read, gpointer block)
{
    do {
        GError *fault = NULL;
        if (!read(at, block, &fault))
            log_fault(at, fault);
    } while (log_next(at));
}

gboolean log_row(LogLines *at, gboolean headed, LogLine *read, gpointer block, GError **error)
{
    if (!at->n_words || !g_ascii_isdigit(*at->words[0])) {
        log_other(at);
        return TRUE;
    }
    return headed ? read(at, block, error) : log_bad(at, error, "a row before the header of its columns");
}

// Returns lines (of guint), in ascending order, as "line 4" or "lines 4, 7 to 9". Free with g_free.
static char *lines_text(const GArray *lines)
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

// Moves what log_fault and log_other have gathered to log->passed, as "lines 4, 7 to 9, not in a table".
static void pass_lines(LogLines *at)
{
    g_autofree char *text = at->others ? lines_text(at->others) : NULL;
    if (text)
        log_pass(at->log, "%s, not in a table", text);
    if (at->faults > SHOWN)
        log_pass(at->log, "%u more lines like these", at->faults - SHOWN);
    g_clear_pointer(&at->others, g_array_unref);
}

static gboolean bad_word(const LogLines *at, guint i, const char *what, const char *allowed, GError **error)
{
    g_autofree char *shown = error_quote(at->words[i]);
    return log_bad(at, error, "%s is %s; allowed: %s", what, shown, allowed);
}

gboolean log_size(const LogLines *at, guint i, const char *what, size_t most, size_t *value, GError **error)
{
    if (number_size(at->words[i], 0, most, value))
        return TRUE;
    g_autofree char *allowed = number_range(0, most);
    return bad_word(at, i, what, allowed, error);
}

gboolean log_number(const LogLines *at, guint i, const char *what, double *value, GError **error)
{
    return number_real(at->words[i], value) || bad_word(at, i, what, "a number, 0 or above", error);
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

// ---- Samples --------------------------------------------------------------------------------------------------------

static gboolean too_many(const LogLines *at, GError **error)
{
    return log_bad(at, error, "the file has too many rows; allowed: at most %d", LIMIT_LOG_ROWS);
}

void log_decide_element(const LogLines *at, LogSample *s)
{
    const gboolean reduces = s->kind == LOG_COLLECTIVE && collectives[s->collective].reduces;
    const size_t said = s->element;
    s->element = log_element_of(reduces, 0, at->how->element, said, s->usual_element);
    if (said && said != s->element && !at->log->elements)
        at->log->elements = g_strdup_printf("%s:%u has elements of %zu byte%s, and --element makes them %zu",
                                            at->log->name, at->line, said, said == 1 ? "" : "s", s->element);
}

gboolean log_add(LogLines *at, LogSample sample, GError **error)
{
    GArray *const samples = at->log->samples;
    const double t = sample.time_s;
    sample.log = at->log;
    sample.line = at->line;
    sample.sweep = at->sweep;
    if (!sample.params)
        sample.params = "";
    if (!sample.map)
        sample.map = "";
    if (sample.kind == LOG_COLLECTIVE && sample.factor == 0)
        sample.factor = 1;
    log_decide_element(at, &sample);
    GError *differs = NULL;
    if (!log_label_apply(at, &sample, &differs)) {
        log_count(at, "that the label does not ask for");
        if (at->first)
            g_error_free(differs);
        else
            at->first = differs;
        return TRUE;
    }
    if (sample.root && sample.root >= MAX(sample.p, 1))
        return log_bad(at, error, "root %d; allowed: 0 .. %d", sample.root, MAX(sample.p, 1) - 1);
    if (!(t == 0 || (t >= 1e-15 && t <= 1e9))) // a platform's figures, which follow from times, are at most 1e9 s
        return log_bad(at, error, "a time of %g s; allowed: 0, or 1e-15 to 1e9 s", t);
    at->full = samples->len == LIMIT_LOG_ROWS;
    if (at->full)
        return too_many(at, error);
    g_array_append_val(samples, sample);
    return TRUE;
}

// One reason not to read rows, and how many rows it was.
typedef struct LogCount {
    const char *what;
    guint n;
} LogCount;

void log_count(LogLines *at, const char *what)
{
    if (!at->counts)
        at->counts = g_array_new(FALSE, FALSE, sizeof(LogCount));
    for (guint i = 0; i < at->counts->len; i++) {
        LogCount *const count = &g_array_index(at->counts, LogCount, i);
        if (strcmp(count->what, what) == 0) {
            count->n++;
            return;
        }
    }
    const LogCount count = {g_string_chunk_insert_const(at->log->texts, what), 1};
    g_array_append_val(at->counts, count);
}

// Moves the counts to log->passed, as "12 rows of one process".
static void pass_counted(LogLines *at)
{
    for (guint i = 0; at->counts && i < at->counts->len; i++) {
        const LogCount *const count = &g_array_index(at->counts, LogCount, i);
        log_pass(at->log, "%u row%s %s", count->n, count->n == 1 ? "" : "s", count->what);
    }
    g_clear_pointer(&at->counts, g_array_unref);
}

void log_pass(Log *log, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    if (!g_ptr_array_find_with_equal_func(log->passed, text, g_str_equal, NULL))
        g_ptr_array_add(log->passed, g_steal_pointer(&text));
}

// ---- Files ----------------------------------------------------------------------------------------------------------

// Finds each line that is the header of a format, and reads from there to the header of another one.
static gboolean read_lines(LogLines *at, GError **error)
{
    gboolean found = FALSE;
    while (at->other || log_next(at)) {
        at->other = FALSE;
        for (guint i = 0; i < G_N_ELEMENTS(formats) && !at->other; i++) {
            if (!formats[i].is(at->text))
                continue;
            at->log->format = found ? at->log->format : formats[i].name;
            found = TRUE;
            at->is = formats[i].is;
            formats[i].read(at);
            at->is = NULL;
            break;
        }
    }
    return found ||
           bad_input(
               error,
               "%s:1: %s; allowed: output of OSU or IMB benchmarks, of netgauge's loggp, of nccl-tests, or CSV whose "
               "header has the columns bytes (or size_bytes) and a time",
               at->log->name, at->line > 1 || *at->text ? "unknown layout" : "the file is empty");
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

GPtrArray *log_choose(const Log *log, LogWhyNot *why_not, gconstpointer user, GPtrArray *notes)
{
    GPtrArray *chosen = g_ptr_array_new();
    g_autoptr(GPtrArray) reasons = g_ptr_array_new(); // const char *, each once
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref); // of guint, by reason
    for (guint i = 0; i < log->samples->len; i++) {
        LogSample *const s = &g_array_index(log->samples, LogSample, i);
        const char *const why = why_not(s, user);
        guint k;
        if (!why) {
            g_ptr_array_add(chosen, s);
            continue;
        }
        if (!g_ptr_array_find_with_equal_func(reasons, why, g_str_equal, &k)) {
            k = reasons->len;
            g_ptr_array_add(reasons, (gpointer)(uintptr_t)why);
            g_ptr_array_add(lines, g_array_new(FALSE, FALSE, sizeof(guint)));
        }
        g_array_append_val((GArray *)lines->pdata[k], s->line);
    }
    for (guint k = 0; k < reasons->len; k++) {
        g_autofree char *text = lines_text(lines->pdata[k]);
        g_ptr_array_add(notes,
                        g_strdup_printf("%s: rows that %s are passed over: %u, %s", log->name,
                                        (const char *)reasons->pdata[k], ((GArray *)lines->pdata[k])->len, text));
    }
    return chosen;
}

const char *log_path(const Log *log)
{
    return strcmp(log->name, text_name("-")) == 0 ? "-" : log->name;
}

Log *log_new(const char *name, const char *format, const char *time_is)
{
    Log *log = g_new0(Log, 1);
    log->name = g_filename_display_name(name);
    log->samples = g_array_new(FALSE, TRUE, sizeof(LogSample));
    log->passed = g_ptr_array_new_with_free_func(g_free);
    log->measured = g_ptr_array_new_with_free_func(g_free);
    log->texts = g_string_chunk_new(256);
    log->format = g_string_chunk_insert(log->texts, format);
    log->time_is = time_is;
    return log;
}

// Fails if a text that was read gives no samples, or too many.
static gboolean check_used(LogLines *at, GError **error)
{
    const Log *const log = at->log;
    if (at->full)
        return too_many(at, error);
    if (log->samples->len)
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
    const char *const begin = csv_begin(all);
    g_autofree char *header = g_strndup(begin, strcspn(begin, "\n"));
    GError *no_csv = NULL; // a job may also print a line with commas
    at->log->warm = log_csv_is(header) && log_csv_read(at, text, len, &no_csv);
    const gboolean read = at->log->warm || read_lines(at, no_csv ? NULL : error);
    if (no_csv && !read)
        g_propagate_error(error, no_csv);
    else
        g_clear_error(&no_csv);
    g_string_free(at->room, TRUE);
    g_string_free(at->cut, TRUE);
    pass_counted(at);
    pass_lines(at);
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
    LogLines at = {.log = log, .label = label, .how = how ? how : &(const LogReading){0}};
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

void log_free(Log *log)
{
    if (!log)
        return;
    g_free(log->name);
    g_array_unref(log->samples);
    g_ptr_array_unref(log->passed);
    g_ptr_array_unref(log->measured);
    g_free(log->elements);
    g_string_chunk_free(log->texts);
    g_free(log);
}
