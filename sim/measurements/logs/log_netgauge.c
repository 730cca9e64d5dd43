// The output of netgauge -x loggp: a row for each size, with times in us and G in us per byte. The columns g, G and
// lsqu are netgauge's fit of the rows so far.
#include "base/limits.h"
#include "base/number.h"
#include "measurements/logs/log_lines.h"
#include <math.h>
#include <string.h>

static const char header[] = "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)";
static const char *const names[] = {
    "size", "n", "PRTT(1,0,s)", "PRTT(n,0,s)", "PRTT(n,PRTT(1,0,s),s)", "L", "o_s", "o_r", "g", "G", "lsqu",
};
enum { SIZE, N, ONE, MANY, APART, LATENCY, SEND, RECEIVE, GAP, PER_BYTE, DEVIATION, COLUMNS };

gboolean log_netgauge_is(const char *line)
{
    return strcmp(line, header) == 0;
}

// Reads a figure that netgauge has computed. It may be negative, and it is nan if there were too few rows to compute
// it.
static gboolean read_fitted(const LogLines *at, guint i, double *value, GError **error)
{
    const char *const word = at->words[i];
    const gboolean negative = *word == '-';
    if (strcmp(word + negative, "nan") == 0)
        *value = NAN;
    else if (!number_real(word + negative, value))
        return log_bad(at, error, "%s is '%.40s'; allowed: a number or nan", names[i], word);
    if (negative)
        *value = -*value;
    return TRUE;
}

static gboolean read_row(LogLines *at, gpointer unused, GError **error)
{
    (void)unused;
    double us[COLUMNS] = {0};
    size_t size = 0;
    int n = 0;
    if (at->n_words != COLUMNS)
        return log_bad(at, error, "%u fields; allowed: %d, as in the header", at->n_words, COLUMNS);
    if (!log_size(at, SIZE, names[SIZE], LIMIT_BYTES, &size, error))
        return FALSE;
    if (!number_int(at->words[N], 2, G_MAXINT, &n))
        return log_bad(at, error, "n is %.20s; allowed: 2 or more messages in a train", at->words[N]);
    for (guint i = ONE; i < COLUMNS; i++)
        if (!(i < LATENCY ? log_number(at, i, names[i], &us[i], error) : read_fitted(at, i, &us[i], error)))
            return FALSE;
    for (guint i = ONE; i < COLUMNS; i++)
        if (fabs(us[i]) > 1e15)
            return log_bad(at, error, "%s is %g us; allowed: at most 1e15 us", names[i], us[i]);
    if (us[ONE] <= 0 || us[MANY] < us[ONE] || us[APART] < us[ONE] || isnan(us[RECEIVE]))
        return log_bad(at, error, "%s; allowed: a time above 0 for one message, and no less for n of them",
                       us[ONE] <= 0         ? "PRTT(1,0,s) is 0"
                       : isnan(us[RECEIVE]) ? "o_r is not a number"
                                            : "n messages take less time than one");
    const LogSample sample = {
        .kind = LOG_PRTT,
        .bytes = size,
        .time_s = us[ONE] * 1e-6 / 2,
        .p = 2,
        .prtt = {n, us[ONE] * 1e-6, us[MANY] * 1e-6, us[APART] * 1e-6, us[RECEIVE] * 1e-6, us[LATENCY] * 1e-6,
                 us[SEND] * 1e-6, us[GAP] * 1e-6, us[PER_BYTE] * 1e-6, us[DEVIATION] * 1e-6},
    };
    return log_add(at, sample, error);
}

static gboolean read_line(LogLines *at, gpointer unused, GError **error)
{
    at->sweep += log_netgauge_is(at->text);
    return !at->n_words || *at->words[0] == '#' || log_row(at, TRUE, read_row, unused, error);
}

void log_netgauge_read(LogLines *at)
{
    at->log->time_is = "half of PRTT(1,0,s)";
    log_each_line(at, read_line, NULL);
}
