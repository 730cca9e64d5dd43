// Finds L, o, g, G, O and S from netgauge's rows; calibrate.h describes the method.
#include "measurements/calibrate/calibration.h"
#include "base/units.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What one row of netgauge says, in seconds.
typedef struct LoggpRow {
    const LogSample *sample;
    double gap;           // what a further message of a train adds
    double send, receive; // o_s and o_r
    gboolean left_out;
} LoggpRow;

static int compare_rows(const void *a, const void *b)
{
    const LoggpRow *x = a, *y = b;
    if (x->sample->bytes != y->sample->bytes)
        return x->sample->bytes < y->sample->bytes ? -1 : 1;
    return (x->sample->line > y->sample->line) - (x->sample->line < y->sample->line);
}

// Returns the rows of all logs, by size, and appends the names of their files to `from`.
static GArray *collect(const GPtrArray *logs, GString *from)
{
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(LoggpRow));
    const Log *last = NULL;
    for (const LogSample *s = NULL; (s = logs_next(logs, s));) {
        const LogPrtt *t = &s->prtt;
        if (s->kind != LOG_PRTT || s->part == LOG_PART_ONE) // whose label asks for the one-way times alone
            continue;
        const LoggpRow row = {.sample = s,
                              .gap = (t->many - t->one) / (t->n - 1),
                              .send = (t->apart - t->one) / (t->n - 1) - t->one,
                              .receive = t->receive,
                              .left_out = t->many <= t->one || calibration_warms_up(s)};
        g_array_append_val(rows, row);
        if (s->log != last)
            calibration_add_source(from, s->log, FALSE);
        last = s->log;
    }
    g_array_sort(rows, compare_rows);
    return rows;
}

// Returns the gaps over x = s - 1, as FitPoint, of the rows of at most most_bytes that are not left out.
static GArray *gap_points(const GArray *rows, double most_bytes)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(FitPoint));
    for (guint i = 0; i < rows->len; i++) {
        const LoggpRow *r = &g_array_index(rows, LoggpRow, i);
        const FitPoint point = {r->sample->bytes > 0 ? (double)(r->sample->bytes - 1) : 0, r->gap, 1};
        if (!r->left_out && (double)r->sample->bytes <= most_bytes)
            g_array_append_val(points, point);
    }
    return points;
}

// Leaves out the outliers and returns the points that stay. Returns NULL if they have fewer than 3 different sizes.
static GArray *keep(GArray *rows)
{
    g_autoptr(GArray) all = gap_points(rows, INFINITY);
    g_autofree gboolean *outlier = calibration_outliers(all);
    if (!outlier)
        return NULL;
    for (guint i = 0, k = 0; i < rows->len; i++) {
        LoggpRow *r = &g_array_index(rows, LoggpRow, i);
        if (!r->left_out)
            r->left_out = outlier[k++];
    }
    g_autoptr(GArray) kept = gap_points(rows, INFINITY);
    return calibration_different(kept) < 3 ? NULL : g_steal_pointer(&kept);
}

// Returns the line of o_s, or of o_r if `receives` is set, over s - 1 in the rows of at most most_bytes. A row may be
// near 0, where a relative error would mean nothing, so the line minimises absolute errors.
static FitPiece overhead_line(const GArray *rows, double most_bytes, gboolean receives, FitErrors *quality)
{
    g_autofree double *a = g_new(double, 2 * rows->len), *y = g_new(double, rows->len);
    double x[2], middle = 0;
    size_t n = 0;
    for (guint i = 0; i < rows->len; i++) {
        const LoggpRow *r = &g_array_index(rows, LoggpRow, i);
        if (r->left_out || (double)r->sample->bytes > most_bytes)
            continue;
        a[2 * n] = 1;
        a[2 * n + 1] = r->sample->bytes > 0 ? (double)(r->sample->bytes - 1) : 0;
        y[n] = receives ? r->receive : r->send;
        middle += fabs(y[n++]);
    }
    middle = middle > 0 ? middle / (double)n : 1;
    fit_absolute(a, y, middle, n, 2, x);
    for (size_t i = 0; i < n; i++)
        y[i] = fabs(x[0] + x[1] * a[2 * i + 1] - y[i]) / middle;
    *quality = fit_errors(y, n);
    return (FitPiece){.at_zero = x[0], .slope = x[1]};
}

static void add_points(Calibration *c, const GArray *rows)
{
    const guint series = calibration_series(c, "a further message");
    const double g = c->figure[KEY_G_GAP].value, G = c->figure[KEY_G_BYTE].value;
    for (guint i = 0; i < rows->len; i++) {
        const LoggpRow *r = &g_array_index(rows, LoggpRow, i);
        const double x = r->sample->bytes > 0 ? (double)(r->sample->bytes - 1) : 0;
        const CalibratedPoint point = {LOG_PRTT,   r->sample, series, r->gap, g + x * G, fit_pieces_at(c->pieces, x),
                                       r->left_out};
        g_array_append_val(c->points, point);
    }
}

// Adds a note for each piece after the first one, because the model has no figures for them.
static void note_pieces(Calibration *c)
{
    for (guint i = 1; i < c->pieces->len; i++) {
        const FitPiece *piece = &g_array_index(c->pieces, FitPiece, i);
        g_autofree char *from = units_format_size((size_t)piece->from + 1),
                        *g = platform_figure_text(KEY_G_GAP, piece->at_zero),
                        *G = platform_figure_text(KEY_G_BYTE, piece->slope);
        g_ptr_array_add(c->notes,
                        g_strdup_printf("from %s bytes on, a further message takes g %s, G %s (at this size %.2f times "
                                        "the piece before)",
                                        from, g, G, fit_jump(c->pieces, i)));
    }
}

// The rows, and what is found from them.
typedef struct Loggp {
    GArray *rows; // of LoggpRow
    char *from;   // the files and sizes that a source names
    double S;
    FitPiece gap;         // the line g + (s - 1) G of the rows up to S
    guint used, left_out; // numbers of rows
} Loggp;

// Finds S, g and G.
static void find_gap(Calibration *c, Loggp *x, const GArray *kept, const char *files)
{
    static const char how[] =
        "g + (s - 1) G through (PRTT(n,0,s) - PRTT(1,0,s))/(n - 1), least sum of |ln(predicted/measured)|";
    c->pieces = fit_pieces((const FitPoint *)(void *)kept->data, kept->len);
    x->S = calibration_eager(c->pieces, 1);
    g_autoptr(GArray) used = gap_points(x->rows, x->S);
    x->gap = fit_line((const FitPoint *)(void *)used->data, used->len);
    x->used = used->len;
    g_autofree double *errors = g_new(double, used->len);
    for (guint i = 0; i < used->len; i++) {
        const FitPoint *p = &g_array_index(used, FitPoint, i);
        errors[i] = fabs((x->gap.at_zero + x->gap.slope * p->x) / p->y - 1);
    }
    const FitErrors quality = fit_errors(errors, used->len);
    g_autofree char *least = units_format_size((size_t)x->gap.from + 1),
                    *most = units_format_size((size_t)x->gap.to + 1);
    x->from = g_strdup_printf("%s, %s to %s bytes", files, least, most);
    calibration_found(c, KEY_G_GAP, x->gap.at_zero, x->used, x->left_out, quality,
                      g_strdup_printf("%s: %s", x->from, how));
    calibration_found(c, KEY_G_BYTE, x->gap.slope, x->used, x->left_out, quality,
                      g_strdup_printf("%s: %s", x->from, how));
    calibration_found(c, KEY_S, x->S, 0, 0, (FitErrors){0},
                      g_strdup_printf("%s: %s", files,
                                      isinf(x->S) ? "a further message's time does not jump"
                                                  : "where a further message's time jumps most"));
}

// Finds o, O and L.
static void find_overheads(Calibration *c, const Loggp *x, const char *files)
{
    FitErrors send_errors, receive_errors;
    const FitPiece send = overhead_line(x->rows, x->S, FALSE, &send_errors);
    const FitPiece receive = overhead_line(x->rows, x->S, TRUE, &receive_errors);
    guint first = 0;
    while (first + 1 < x->rows->len && g_array_index(x->rows, LoggpRow, first).left_out)
        first++;
    const LogSample *start = g_array_index(x->rows, LoggpRow, first).sample;
    const double further = MAX((double)start->bytes - 1, 0),
                 way = start->time_s - further * MAX(x->gap.slope, send.slope);
    const double o = MIN((send.at_zero + receive.at_zero) / 2, MAX(way, 0) / 2); // so that L is not negative
    calibration_found(c, KEY_O_CPU, o, x->used, x->left_out, send_errors,
                      g_strdup_printf("%s: mean of o_s and o_r at one byte, lines of least absolute error", x->from));
    calibration_found(
        c, KEY_O_BYTE, send.slope, x->used, x->left_out, send_errors,
        g_strdup_printf("%s: slope of o_s = (PRTT(n,PRTT(1,0,s),s) - PRTT(1,0,s))/(n - 1) - PRTT(1,0,s)", x->from));
    calibration_found(c, KEY_L, MAX(way - 2 * o, 0), 0, 0, (FitErrors){0},
                      g_strdup_printf("%s: PRTT(1,0,%zu)/2 - 2 o", files, start->bytes));
}

void calibrate_loggp(Calibration *c, const GPtrArray *logs)
{
    g_autoptr(GString) files = g_string_new(NULL);
    g_autoptr(GArray) rows = collect(logs, files);
    g_autoptr(GArray) kept = keep(rows);
    if (!kept) {
        const PlatformKey keys[] = {KEY_L, KEY_O_CPU, KEY_G_GAP, KEY_G_BYTE, KEY_O_BYTE, KEY_S};
        for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
            calibration_missing(c, keys[i], "netgauge rows of at least 3 different sizes");
        return;
    }
    Loggp x = {.rows = rows, .left_out = rows->len - kept->len};
    find_gap(c, &x, kept, files->str);
    find_overheads(c, &x, files->str);
    add_points(c, rows);
    note_pieces(c);
    g_free(x.from);
}
