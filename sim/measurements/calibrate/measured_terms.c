#include "measurements/calibrate/measured_terms.h"
#include "base/units.h"
#include "measurements/calibrate/measured_own.h"
#include "measurements/calibrate/measured_rest.h"
#include "measurements/calibrate/measured_table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAR_MOST = 4096,     // bytes of a message that shows `far`
    LOADS_NIC_MOST = 64, // .. and of one that shows how many messages a NIC takes
    BISECTIONS = 30,     // which give a rate to 9 digits
};
#define LEAST_RATE_S 1e-10 // per message: the rates that are tried are 10000 and ..
#define MOST_RATE_S  1e-5  // .. 0.1 messages a microsecond

typedef struct Terms {
    MeasuredFit *fit;
    const GPtrArray *logs;
    const GArray *rows;
    const Platform *assumed;
    int far; // the outermost level
} Terms;

static const CalibrateRow *row_of(const Terms *x, guint i)
{
    return &g_array_index(x->rows, CalibrateRow, i);
}

static gboolean is_given(const Terms *x, PlatformKey key)
{
    return calibration_is_set(x->assumed, key, -1) || calibration_is_set(x->assumed, key, x->far);
}

// Returns TRUE if the row is of this algorithm, and not of one that would run in its place.
static gboolean is_of(const CalibrateRow *row, Collective collective, const char *name)
{
    const LogSample *s = row->sample;
    const CollAlgorithm *asked = s->algorithm ? algorithm_find(s->collective, s->algorithm) : NULL;
    return s->time_s > 0 && row->op.algorithm->collective == collective && strcmp(row->op.algorithm->name, name) == 0 &&
           (!asked || asked == row->op.algorithm);
}

static gboolean is_flat(const CalibrateRow *row)
{
    return !row->map || !row->map->code || row->map->nodes->n == row->op.c.p;
}

static int log2_down(int p)
{
    return 31 - __builtin_clz((unsigned)p);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Returns the median of values, which become sorted; of an even number, the upper one.
static double upper_median(GArray *values)
{
    g_array_sort(values, compare);
    return g_array_index(values, double, values->len / 2);
}

static void say(GPtrArray *lines, char *text)
{
    g_ptr_array_add(lines, text);
}

// Sets a figure, and says which rows it comes from.
static gboolean set_found(const Terms *x, PlatformKey key, const char *level, const char *value, const char *source,
                          GError **error)
{
    say(x->fit->used, g_strdup_printf("%s: %s from %s", platform_keys[key].name, value, source));
    return platform_set_figure(x->fit->platform, key, level, value, source, error);
}

// Adds the names of rows to a source, each once.
static void add_name(GString *source, const CalibrateRow *row)
{
    if (!strstr(source->str, row->series))
        g_string_append_printf(source, "%s%s", source->len ? ", " : "", row->series);
}

// ---- take -----------------------------------------------------------------------------------------------------------

// Collects the points of `take` that linear gathers show.
static gboolean take_points(const Terms *x, GArray *points, GString *source, GError **error)
{
    const MeasuredLevel *level = &x->fit->platform->measured->level[x->far];
    g_autoptr(Platform) machine = measured_own_machine(x->fit->platform, NAN);
    for (guint i = 0; i < x->rows->len; i++) {
        const CalibrateRow *row = row_of(x, i);
        MeasuredOwn own;
        if (!is_of(row, COLL_GATHER, "linear") || !is_flat(row) || row->op.c.p < 3 || row->sample->mean ||
            (int64_t)row->op.m > level->eager)
            continue;
        if (!measured_own_time(machine, row, &own, error))
            return FALSE;
        const double left = row->sample->time_s - own.all_s - table_time_at(level->one, row->op.m);
        const MeasuredPoint point = {row->op.m, MAX(left / (row->op.c.p - 2), 1e-12)};
        g_array_append_val(points, point);
        add_name(source, row);
        x->fit->uses_row[i] = TRUE;
    }
    return TRUE;
}

static gboolean fit_take(const Terms *x, GError **error)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(MeasuredPoint));
    g_autoptr(GString) source = g_string_new(NULL);
    if (is_given(x, KEY_TAKE))
        return TRUE;
    if (!take_points(x, points, source, error))
        return FALSE;
    g_autoptr(Table) table = measured_table(points, "take", x->fit->notes);
    if (!table || table->n < 2) // one size does not say what a byte takes
        return TRUE;
    g_autofree char *text = table_text(PLATFORM_TIMES, table);
    return set_found(x, KEY_TAKE, x->far ? x->assumed->levels.at[x->far].name : NULL, text, source->str, error);
}

// ---- far ------------------------------------------------------------------------------------------------------------

// Returns how often each rank reacts in a row that shows `far`; 0 in another one.
static int reactions(const CalibrateRow *row)
{
    const int p = row->op.c.p;
    const gboolean power = (p & (p - 1)) == 0;
    const gboolean gathers = is_of(row, COLL_ALLGATHER, "recursive_doubling") && power;
    const size_t most = gathers ? row->op.m * (size_t)(p / 2) : row->op.m;
    if (!is_flat(row) || most > FAR_MOST || !(gathers || is_of(row, COLL_ALLREDUCE, "recursive_doubling")))
        return 0;
    return log2_down(p) - power;
}

static gboolean set_time(const Terms *x, PlatformKey key, double value, const char *source, GError **error)
{
    g_autofree char *text = platform_figure_text(key, value);
    return set_found(x, key, NULL, text, source, error);
}

static gboolean fit_far(const Terms *x, double usual, GError **error)
{
    g_autoptr(GArray) excess = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GString) source = g_string_new(NULL);
    if (is_given(x, KEY_FAR))
        return TRUE;
    if (!platform_set_figure(x->fit->platform, KEY_FAR, NULL, "0", "not yet known", error))
        return FALSE;
    for (guint i = 0; i < x->rows->len; i++) {
        const CalibrateRow *row = row_of(x, i);
        const int n = x->fit->uses_row[i] ? 0 : reactions(row);
        if (n <= 0)
            continue;
        const double time_s = measured_rest_time(x->fit->platform, row, error);
        if (isnan(time_s))
            return FALSE;
        const double value = (row->sample->time_s - time_s) / n;
        g_array_append_val(excess, value);
        add_name(source, row);
        x->fit->uses_row[i] = TRUE;
    }
    if (excess->len)
        return set_time(x, KEY_FAR, MAX(upper_median(excess), 0), source->str, error);
    if (!(usual > 0))
        return platform_set_figure(x->fit->platform, KEY_FAR, NULL, "none", "no row shows it", error);
    g_autofree char *text = platform_figure_text(KEY_FAR, usual);
    say(x->fit->assumed,
        g_strdup_printf("far: %s, a fifth of a short step; rows of recursive doubling would show it", text));
    return platform_set_figure(x->fit->platform, KEY_FAR, NULL, text, "assumed: a fifth of a ring's short step", error);
}

// ---- swap -----------------------------------------------------------------------------------------------------------

// Returns TRUE if the row shows `swap`: two ranks exchange blocks of 4M or more in two steps at least.
static gboolean exchanges(const CalibrateRow *row)
{
    const int p = row->op.c.p;
    return is_of(row, COLL_ALLGATHER, "recursive_doubling") && (p & (p - 1)) == 0 && p >= 4 && is_flat(row) &&
           row->op.m >= MEASURED_SWAP_FROM / (size_t)(p / 4);
}

// Finds the factor with which a row takes as long as it was measured. Its time grows in proportion to the factor.
static gboolean find_factor(const Terms *x, const CalibrateRow *row, double *factor, GError **error)
{
    double time_s[2];
    for (int i = 0; i < 2; i++)
        if (!platform_set_figure(x->fit->platform, KEY_SWAP, NULL, i ? "2" : "1", "not yet known", error) ||
            isnan(time_s[i] = measured_rest_time(x->fit->platform, row, error)))
            return FALSE;
    *factor = time_s[1] > time_s[0] ? 1 + (row->sample->time_s - time_s[0]) / (time_s[1] - time_s[0]) : 1;
    return TRUE;
}

static gboolean fit_swap(const Terms *x, GError **error)
{
    g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GString) source = g_string_new(NULL);
    if (is_given(x, KEY_SWAP))
        return TRUE;
    for (guint i = 0; i < x->rows->len; i++) {
        const CalibrateRow *row = row_of(x, i);
        double value;
        if (x->fit->uses_row[i] || !exchanges(row))
            continue;
        if (!find_factor(x, row, &value, error))
            return FALSE;
        g_array_append_val(factors, value);
        add_name(source, row);
        x->fit->uses_row[i] = TRUE;
    }
    return factors->len ? set_time(x, KEY_SWAP,
                                   MAX(fit_errors((const double *)(const void *)factors->data, factors->len).median, 1),
                                   source->str, error)
                        : platform_set_figure(x->fit->platform, KEY_SWAP, NULL, "none", "no row shows it", error);
}

// ---- nic.messages ---------------------------------------------------------------------------------------------------

// Returns TRUE if short messages of many ranks of several nodes compete for the NICs.
static gboolean loads_nics(const CalibrateRow *row)
{
    return is_of(row, COLL_ALLTOALL, "linear") && row->map && row->map->code && row->map->nodes->n > 1 &&
           !is_flat(row) && row->op.m > 0 && row->op.m <= LOADS_NIC_MOST;
}

static gboolean set_rate(const Terms *x, double message_s, GError **error)
{
    g_autofree char *text = platform_figure_text(KEY_NIC_MESSAGES, message_s);
    return platform_set_figure(x->fit->platform, KEY_NIC_MESSAGES, NULL, text, "fit", error);
}

// Finds how long a message keeps a NIC busy if the row takes as long as it was measured; 0 if it takes longer than that
// even without.
static gboolean find_rate(const Terms *x, const CalibrateRow *row, double *message_s, GError **error)
{
    double low = LEAST_RATE_S, high = MOST_RATE_S;
    for (int i = 0; i < BISECTIONS && high / low > 1 + 1e-6; i++) {
        const double middle = sqrt(low * high);
        if (!set_rate(x, middle, error))
            return FALSE;
        const double time_s = measured_rest_time(x->fit->platform, row, error);
        if (isnan(time_s))
            return FALSE;
        if (time_s < row->sample->time_s)
            low = middle;
        else
            high = middle;
    }
    *message_s = high > LEAST_RATE_S * 1.01 ? sqrt(low * high) : 0;
    return TRUE;
}

// Returns how long a message keeps a NIC busy by windows of all ranks of a node, from the shortest messages; NAN without.
static double rate_of_windows(const Terms *x, const char **from)
{
    const int node = levels_node(&x->assumed->levels);
    const double nics = x->assumed->has[KEY_NICS] ? x->assumed->value[KEY_NICS] : 1;
    const size_t ranks = node >= 0 ? x->assumed->levels.at[node].ranks : 0;
    double least = NAN;
    for (const LogSample *s = NULL; (s = logs_next(x->logs, s));) {
        if (s->kind != LOG_WINDOW || !calibration_is_at(s, NULL) || ranks < 2 || (size_t)s->p != 2 * ranks ||
            s->bytes > LOADS_NIC_MOST || !(s->time_s > 0))
            continue;
        least = fmin(least, s->time_s / (double)ranks * nics); // a pair sends one message in this time
        *from = s->log->name;
    }
    return least;
}

static gboolean fit_nic(const Terms *x, GError **error)
{
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GString) source = g_string_new(NULL);
    g_autoptr(Platform) before = platform_copy(x->fit->platform);
    const char *windows = NULL;
    if (is_given(x, KEY_NIC_MESSAGES))
        return TRUE;
    double value = rate_of_windows(x, &windows);
    if (windows)
        g_string_append_printf(source, "%s: windows of all ranks of a node", windows);
    for (guint i = 0; !windows && i < x->rows->len; i++) {
        if (x->fit->uses_row[i] || !loads_nics(row_of(x, i)))
            continue;
        if (!find_rate(x, row_of(x, i), &value, error))
            return FALSE;
        g_array_append_val(values, value);
        add_name(source, row_of(x, i));
        x->fit->uses_row[i] = TRUE;
    }
    if (values->len)
        value = upper_median(values);
    if (isnan(value))
        return TRUE;
    if (value > 0)
        return set_time(x, KEY_NIC_MESSAGES, value, source->str, error);
    platform_take_figure(x->fit->platform, before, KEY_NIC_MESSAGES);
    say(x->fit->notes,
        g_strdup_printf("nic.messages: %s is not faster than predicted without, so no NIC limits it", source->str));
    return TRUE;
}

gboolean measured_terms_wants(const CalibrateRow *row, gboolean timed)
{
    return loads_nics(row) || (timed && reactions(row) > 0);
}

gboolean measured_terms_fit(MeasuredFit *fit, const GPtrArray *logs, const GArray *rows, const Platform *assumed,
                            double usual_far, GError **error)
{
    const Terms x = {fit, logs, rows, assumed, assumed->levels.n - 1};
    return fit_take(&x, error) && fit_far(&x, usual_far, error) && fit_swap(&x, error) && fit_nic(&x, error);
}
