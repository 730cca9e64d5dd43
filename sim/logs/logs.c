#include "logs/logs.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include <string.h>

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
    if (last && !algorithm_find(label->collective, label->algorithm)) {
        if (!number_int(last + 1, 1, LIMIT_RANKS, &label->p))
            return bad_input(error, "label %s: `%s` is not a number of ranks; allowed: COLLECTIVE:ALGORITHM:P=FILE",
                             text, last + 1);
        *last = '\0';
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
    if (!at->rest)
        return FALSE;
    const char *const end = strchr(at->rest, '\n');
    g_string_truncate(at->room, 0);
    g_string_append_len(at->room, at->rest, end ? end - at->rest : -1);
    at->text = g_strchomp(at->room->str);
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

// ---- Samples --------------------------------------------------------------------------------------------------------

gboolean log_add(LogLines *at, const LogSample *sample, GError **error)
{
    GArray *const samples = at->log->samples;
    const double t = sample->time_s;
    if (!(t == 0 || (t >= 1e-15 && t <= 1e9))) // a platform's figures, which follow from times, are at most 1e9 s
        return log_bad(at, error, "a time of %g s; allowed: 0, or 1e-15 to 1e9 s", t);
    if (samples->len == LIMIT_LOG_ROWS)
        return log_bad(at, error, "the file has too many rows; allowed: at most %d", LIMIT_LOG_ROWS);
    g_array_append_val(samples, *sample);
    return TRUE;
}

gboolean log_add_collective(LogLines *at, Collective collective, int p, size_t element, size_t bytes, double time_s,
                            GError **error)
{
    const LogLabel *label = at->label;
    const char *name = collectives[collective].name;
    if (label && label->given && (label->kind != LOG_COLLECTIVE || label->collective != collective))
        return log_bad(at, error, "the log is of %s, the label says %s", name, log_label_name(label));
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
        .map = "",
        .element = element,
    };
    return log_add(at, &sample, error);
}

gboolean log_add_probe(LogLines *at, LogSampleKind kind, size_t bytes, double time_s, GError **error)
{
    if (at->label && at->label->given && at->label->kind != kind)
        return log_bad(at, error, "the log is of %s, the label says %s", probes[kind], log_label_name(at->label));
    const int p = kind == LOG_ONE_WAY ? 2 : 1;
    const LogSample sample = {kind, at->line, at->sweep, bytes, time_s, .p = p, .params = "", .map = "", .element = 1};
    return log_add(at, &sample, error);
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
    while (log_next(at))
        for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
            if (formats[i].is(at->text)) {
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
    if (!text_check(text, len, LIMIT_TABLE_BYTES, name, error))
        return NULL;
    g_autoptr(Log) log = log_new(name, "CSV", NULL);
    g_autofree char *all = g_strndup(text, len), *first = g_strndup(text, strcspn(all, "\n"));
    gboolean done;
    if (log_csv_is(first)) {
        log->warm = TRUE;
        done = log_csv_read(log, text, len, label, error);
    } else {
        LogLines at = {.log = log, .label = label, .rest = all, .room = g_string_new(NULL), .cut = g_string_new(NULL)};
        done = read_lines(&at, error);
        g_string_free(at.room, TRUE);
        g_string_free(at.cut, TRUE);
    }
    if (done && log->samples->len == 0) {
        const char *why = log->passed->len ? g_ptr_array_index(log->passed, 0) : "the table is empty";
        done = bad_input(error, "%s: no measurement that can be used: %s", log->name, why);
    }
    return done ? g_steal_pointer(&log) : NULL;
}

Log *log_read(const char *path, const LogLabel *label, GError **error)
{
    size_t len;
    g_autofree char *text = text_read(path, LIMIT_TABLE_BYTES, &len, error);
    return text ? log_parse(text, len, text_name(path), label, error) : NULL;
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
