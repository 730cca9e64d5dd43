// The output of netgauge -x loggp: a row for each size, with times in us and G in us per byte. The columns g, G and
// lsqu are netgauge's fit of the rows so far.
#include "logs/logs.h"
#include <math.h>
#include <string.h>

static const char header[] = "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)";
static const char *const names[] = {
    "size", "n", "PRTT(1,0,s)", "PRTT(n,0,s)", "PRTT(n,PRTT(1,0,s),s)", "L", "o_s", "o_r", "g", "G", "lsqu",
};
enum { SIZE, N, ONE, MANY, APART, LATENCY, SEND, RECEIVE, GAP, PER_BYTE, DEVIATION, COLUMNS };

gboolean log_netgauge_is(const char *line)
{
    g_autofree char *text = g_strchomp(g_strdup(line));
    return strcmp(text, header) == 0;
}

// Reads a figure that netgauge has computed. It may be negative, and it is nan if there were too few rows to compute
// it.
static gboolean read_fitted(const LogLines *at, guint i, double *value, GError **error)
{
    char *const word = at->words[i];
    if (strcmp(word, "nan") == 0 || strcmp(word, "-nan") == 0) {
        *value = NAN;
        return TRUE;
    }
    at->words[i] = word + (*word == '-');
    const gboolean done = log_number(at, i, names[i], value, error);
    at->words[i] = word;
    if (*word == '-')
        *value = -*value;
    return done;
}

static gboolean read_row(LogLines *at, GError **error)
{
    double us[COLUMNS] = {0};
    size_t size = 0, n = 0;
    if (at->n_words != COLUMNS)
        return log_bad(at, error, "%u fields; allowed: %d, as in the header", at->n_words, COLUMNS);
    if (!log_size(at, SIZE, names[SIZE], &size, error) || !log_size(at, N, names[N], &n, error))
        return FALSE;
    for (guint i = ONE; i < COLUMNS; i++)
        if (!(i < LATENCY ? log_number(at, i, names[i], &us[i], error) : read_fitted(at, i, &us[i], error)))
            return FALSE;
    for (guint i = ONE; i < COLUMNS; i++)
        if (fabs(us[i]) > 1e15)
            return log_bad(at, error, "%s is %g us; allowed: at most 1e15 us", names[i], us[i]);
    if (n < 2 || n > G_MAXINT)
        return log_bad(at, error, "n is %zu; allowed: 2 or more messages in a train", n);
    if (us[ONE] <= 0 || us[MANY] < us[ONE] || us[APART] < us[ONE] || isnan(us[RECEIVE]))
        return log_bad(at, error, "%s; allowed: a time above 0 for one message, and no less for n of them",
                       us[ONE] <= 0         ? "PRTT(1,0,s) is 0"
                       : isnan(us[RECEIVE]) ? "o_r is not a number"
                                            : "n messages take less time than one");
    const LogSample sample = {
        .kind = LOG_PRTT,
        .line = at->line,
        .sweep = at->sweep,
        .bytes = size,
        .time_s = us[ONE] * 1e-6 / 2,
        .p = 2,
        .params = "",
        .element = 1,
        .prtt = {(int)n, us[ONE] * 1e-6, us[MANY] * 1e-6, us[APART] * 1e-6, us[RECEIVE] * 1e-6, us[LATENCY] * 1e-6,
                 us[SEND] * 1e-6, us[GAP] * 1e-6, us[PER_BYTE] * 1e-6, us[DEVIATION] * 1e-6},
    };
    g_array_append_val(at->log->samples, sample);
    return TRUE;
}

gboolean log_netgauge_read(LogLines *at, GError **error)
{
    if (at->label && at->label->given && at->label->kind != LOG_ONE_WAY)
        return log_bad(at, error, "the log is of netgauge's loggp, the label says %s", log_label_name(at->label));
    at->log->time_is = "half of PRTT(1,0,s)";
    while (at->lines[at->line]) {
        const gboolean is_header = log_netgauge_is(at->lines[at->line]);
        log_next(at);
        at->sweep += is_header;
        if (at->n_words && *at->words[0] != '#' && !read_row(at, error))
            return FALSE;
    }
    return TRUE;
}
