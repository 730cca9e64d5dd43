#include "logs/logs.h"
#include "base/error.h"
#include "base/nearest.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FILE = 64 << 20, MAX_P = 1 << 27 };

// ---- Labels ---------------------------------------------------------------------------------------------------------

static int collective_index(const char *name)
{
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (strcmp(collectives[i].name, name) == 0)
            return i;
    return -1;
}

static const char *const probes[] = {[LOG_ONE_WAY] = "pingpong", [LOG_REDUCE] = "reduce_local"};

gboolean log_find_probe(const char *name, LogSampleKind *kind)
{
    for (guint k = 0; k < G_N_ELEMENTS(probes); k++)
        if (g_strcmp0(name, probes[k]) == 0) {
            *kind = (LogSampleKind)k;
            return TRUE;
        }
    return FALSE;
}

const char *log_label_name(const LogLabel *label)
{
    return label->kind == LOG_COLLECTIVE ? collectives[label->collective].name : probes[label->kind];
}

gboolean log_label(const char *argument, LogLabel *label, const char **path, GError **error)
{
    *label = (LogLabel){.kind = LOG_COLLECTIVE};
    *path = argument;
    const char *equals = strchr(argument, '=');
    g_autofree char *text = equals ? g_strndup(argument, (gsize)(equals - argument)) : NULL;
    g_autofree char *first = text ? g_strndup(text, strcspn(text, ":")) : NULL;
    const int collective = first ? collective_index(first) : -1;
    if (!first || (collective < 0 && !log_find_probe(first, &label->kind)))
        return TRUE;
    *path = equals + 1;
    label->given = TRUE;
    label->collective = (Collective)MAX(collective, 0);
    const char *rest = text + strlen(first);
    if (collective < 0)
        return !*rest || bad_input(error, "label %s: %s has no algorithm; allowed: %s=FILE", text,
                                   label->kind == LOG_ONE_WAY ? "a ping-pong" : first, first);
    if (!*rest)
        return TRUE;
    // The last part is the number of ranks, unless it belongs to an alias: "ompi:6" is not "ompi" on 6 ranks.
    label->algorithm = g_strdup(rest + 1);
    char *last = strrchr(label->algorithm, ':');
    guint64 p = 0;
    if (last && !algorithm_find(label->collective, label->algorithm)) {
        if (!g_ascii_string_to_unsigned(last + 1, 10, 1, MAX_P, &p, NULL))
            return bad_input(error, "label %s: `%s` is not a number of ranks; allowed: COLLECTIVE:ALGORITHM:P=FILE",
                             text, last + 1);
        *last = '\0';
        label->p = (int)p;
    }
    return algorithm_find(label->collective, label->algorithm) ||
           bad_input(error,
                     "label %s: %s has no algorithm `%s`; allowed: COLLECTIVE:ALGORITHM:P=FILE, `collsim list %s`",
                     text, first, label->algorithm, first);
}

void log_label_clear(LogLabel *label)
{
    g_clear_pointer(&label->algorithm, g_free);
}

// ---- Lines ----------------------------------------------------------------------------------------------------------

gboolean log_next(LogLines *at)
{
    if (!at->lines[at->line])
        return FALSE;
    g_free(at->words);
    char *c = at->lines[at->line++];
    GPtrArray *words = g_ptr_array_new();
    for (;;) {
        while (g_ascii_isspace(*c))
            *c++ = '\0';
        if (!*c)
            break;
        g_ptr_array_add(words, c);
        while (*c && !g_ascii_isspace(*c))
            c++;
    }
    at->n_words = words->len;
    g_ptr_array_add(words, NULL);
    at->words = (char **)g_ptr_array_free(words, FALSE);
    return TRUE;
}

gboolean log_bad(const LogLines *at, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    return bad_input(error, "%s:%u: %s", at->log->name, at->line, text);
}

static gboolean bad_word(const LogLines *at, guint i, const char *what, const char *allowed, GError **error)
{
    g_autofree char *shown = error_quote(at->words[i]);
    return log_bad(at, error, "%s is %s; allowed: %s", what, shown, allowed);
}

gboolean log_size(const LogLines *at, guint i, const char *what, size_t *value, GError **error)
{
    guint64 parsed = 0;
    const char *word = at->words[i];
    if (!g_ascii_isdigit(*word) || !g_ascii_string_to_unsigned(word, 10, 0, SIZE_MAX >> 2, &parsed, NULL))
        return bad_word(at, i, what, "an integer, 0 or above", error);
    *value = (size_t)parsed;
    return TRUE;
}

gboolean log_number(const LogLines *at, guint i, const char *what, double *value, GError **error)
{
    char *end = NULL;
    const char *word = at->words[i];
    const double parsed = g_ascii_strtod(word, &end);
    if (!g_ascii_isdigit(*word) || strspn(word, "0123456789.eE+-") != strlen(word) || *end || !isfinite(parsed))
        return bad_word(at, i, what, "a number, 0 or above", error);
    *value = parsed;
    return TRUE;
}

// ---- Samples --------------------------------------------------------------------------------------------------------

// Returns FALSE and an error unless the time is in range. A platform's figures are computed from such times, and are at
// most 1e9 s.
static gboolean check_time(const LogLines *at, double time_s, GError **error)
{
    return time_s == 0 || (time_s >= 1e-15 && time_s <= 1e9) ||
           log_bad(at, error, "a time of %g s; allowed: 0, or 1e-15 to 1e9 s", time_s);
}

gboolean log_add_collective(LogLines *at, Collective collective, int p, size_t element, size_t bytes, double time_s,
                            GError **error)
{
    const LogLabel *label = at->label;
    const char *name = collectives[collective].name;
    if (label && label->given && (label->kind != LOG_COLLECTIVE || label->collective != collective))
        return log_bad(at, error, "the log is of %s, the label says %s", name, log_label_name(label));
    if (!check_time(at, time_s, error))
        return FALSE;
    const int label_p = label ? label->p : 0;
    if (p && label_p && p != label_p)
        return log_bad(at, error, "the log is of %d ranks, the label says %d", p, label_p);
    const LogSample sample = {
        .kind = LOG_COLLECTIVE,
        .line = at->line,
        .sweep = at->sweep,
        .bytes = bytes,
        .time_s = time_s,
        .p = p ? p : label_p,
        .collective = collective,
        .algorithm = label && label->algorithm ? g_string_chunk_insert_const(at->log->texts, label->algorithm) : NULL,
        .params = "",
        .element = element,
    };
    g_array_append_val(at->log->samples, sample);
    return TRUE;
}

gboolean log_add_probe(LogLines *at, LogSampleKind kind, size_t bytes, double time_s, GError **error)
{
    if (at->label && at->label->given && at->label->kind != kind)
        return log_bad(at, error, "the log is of %s, the label says %s", probes[kind], log_label_name(at->label));
    if (!check_time(at, time_s, error))
        return FALSE;
    const int p = kind == LOG_ONE_WAY ? 2 : 1;
    const LogSample sample = {kind, at->line, at->sweep, bytes, time_s, .p = p, .params = "", .element = 1};
    g_array_append_val(at->log->samples, sample);
    return TRUE;
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

static const struct {
    const char *name;
    gboolean (*is)(const char *line);
    gboolean (*read)(LogLines *at, GError **error);
} formats[] = {
    {"OSU", log_osu_is, log_osu_read},
    {"IMB", log_imb_is, log_imb_read},
    {"netgauge loggp", log_netgauge_is, log_netgauge_read},
};

// Finds the first line that is the header of a format, and reads from there.
static gboolean read_lines(LogLines *at, GError **error)
{
    for (guint line = 0; at->lines[line]; line++)
        for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
            if (formats[i].is(at->lines[line])) {
                at->line = line;
                at->log->format = formats[i].name;
                return formats[i].read(at, error);
            }
    return bad_input(
        error,
        "%s:1: unknown layout; allowed: output of OSU or IMB benchmarks, of netgauge's loggp, or CSV whose "
        "header has the columns bytes (or size_bytes) and a time",
        at->log->name);
}

Log *log_new(const char *name, const char *format, const char *time_is)
{
    Log *log = g_new0(Log, 1);
    log->name = g_filename_display_name(name);
    log->samples = g_array_new(FALSE, TRUE, sizeof(LogSample));
    log->passed = g_ptr_array_new_with_free_func(g_free);
    log->texts = g_string_chunk_new(256);
    log->format = g_string_chunk_insert(log->texts, format);
    log->time_is = time_is;
    return log;
}

Log *log_parse(const char *text, size_t len, const char *name, const LogLabel *label, GError **error)
{
    g_autoptr(Log) log = log_new(name, "CSV", NULL);
    const char *bad = NULL;
    if (!g_utf8_validate_len(text, len, &bad)) {
        guint line = 1;
        for (const char *c = text; c < bad; c++)
            line += *c == '\n';
        bad_input(error, "%s:%u: the line is not text; allowed: UTF-8", log->name, line);
        return NULL;
    }
    g_autofree char *all = g_strndup(text, len);
    g_auto(GStrv) lines = g_strsplit(all, "\n", -1);
    gboolean done;
    if (lines[0] && log_csv_is(lines[0])) {
        log->warm = TRUE;
        done = log_csv_read(log, text, len, label, error);
    } else {
        LogLines at = {.log = log, .label = label, .lines = lines};
        done = read_lines(&at, error);
        g_free(at.words);
    }
    if (done && log->samples->len == 0) {
        const char *why = log->passed->len ? g_ptr_array_index(log->passed, 0) : "the table is empty";
        done = bad_input(error, "%s: no measurement that can be used: %s", log->name, why);
    }
    return done ? g_steal_pointer(&log) : NULL;
}

Log *log_read(const char *path, const LogLabel *label, GError **error)
{
    const gboolean from_stdin = strcmp(path, "-") == 0;
    const char *name = from_stdin ? "stdin" : path;
    FILE *file = from_stdin ? stdin : fopen(path, "rbe");
    g_autoptr(GString) text = g_string_new(NULL);
    char buffer[1 << 16];
    for (size_t n; file && text->len <= MAX_FILE && (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        g_string_append_len(text, buffer, (gssize)n);
    const int failed = !file || ferror(file) ? errno : 0;
    if (file && !from_stdin)
        fclose(file);
    g_autofree char *shown = g_filename_display_name(name);
    if (failed)
        bad_input(error, "%s: %s; allowed: a readable file", shown, g_strerror(failed));
    else if (text->len > MAX_FILE)
        bad_input(error, "%s: the file is too large; allowed: at most 64 MiB", shown);
    else
        return log_parse(text->str, text->len, name, label, error);
    return NULL;
}

void log_free(Log *log)
{
    if (!log)
        return;
    g_free(log->name);
    g_array_unref(log->samples);
    g_ptr_array_unref(log->passed);
    g_string_chunk_free(log->texts);
    g_free(log);
}
