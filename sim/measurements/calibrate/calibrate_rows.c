// Finds figures from the times of collectives. The certificate of a simulated run counts how often its critical path
// pays each figure, so a measured time is an equation in the figures. Which path is critical depends on the figures in
// turn. So the figures are fitted and the runs simulated again, until no certificate changes. A mean over the ranks has
// no critical path: its certificate is taken as the part of the last rank's that the means have of the times.
#include "measurements/calibrate/calibration.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

enum { ROUNDS = 20 };   // of fitting and simulating, at most
#define LEAST_APART 0.1 // read and write need not be tied if they differ by at most this share of the larger
#define ALIKE       1.1 // figures fit as well as others if their errors are at most this times as large

typedef struct CalibrateRows {
    const Model *model;
    const GArray *rows; // of CalibrateRow
    gboolean *left_out; // by row
    Platform *platform; // the present figures
    gboolean tied;      // read is taken as equal to write, because the rows do not distinguish them
    int n_free;
    PlatformKey free[MODEL_MAX_TERMS]; // the figures to be found; lanes is never among them, see settle_lanes
    int64_t (*count)[MODEL_MAX_TERMS]; // the certificates, by row
    double *time_s;                    // the predicted times, by row
    double *share;                     // .. divided by the last rank's end: below 1 where the mean was measured
} CalibrateRows;

static const CalibrateRow *row_of(const CalibrateRows *r, guint i)
{
    return &g_array_index(r->rows, CalibrateRow, i);
}

// Returns how much the time of row i grows if figure `key` grows by 1 and the critical path stays the same. If read is
// tied to write, this is 0 for read, and write also counts what read adds.
static double factor(const CalibrateRows *r, guint i, PlatformKey key)
{
    double sum = 0;
    for (int t = 0; t < r->model->n_terms; t++) {
        const TermKind kind = r->model->terms[t];
        const PlatformKey counted = term_kinds[kind].key;
        const double share = kind == TERM_CROWD ? 1 / r->platform->value[KEY_LANES] : 1;
        if (counted == key || (r->tied && counted == KEY_READ && key == KEY_WRITE))
            sum += (double)r->count[i][t] * share * r->share[i];
    }
    return r->tied && key == KEY_READ ? 0 : sum;
}

// Returns TRUE if in some row more than `lanes` ranks read one fragment.
static gboolean any_crowd(const CalibrateRows *r)
{
    for (guint i = 0; i < r->rows->len; i++)
        for (int t = 0; t < r->model->n_terms; t++)
            if (r->model->terms[t] == TERM_CROWD && r->count[i][t] > 0)
                return TRUE;
    return FALSE;
}

// Simulates all rows. *changed becomes TRUE if a certificate is not what it was. Returns FALSE and an error if a row
// cannot be simulated.
static gboolean simulate(CalibrateRows *r, gboolean *changed, GError **error)
{
    *changed = FALSE;
    for (guint i = 0; i < r->rows->len; i++) {
        const CalibrateRow *row = row_of(r, i);
        const PredictOptions options = {.clocks = row->sample->mean};
        g_autoptr(Prediction) p = r->model->predict(r->model, &row->op, r->platform, &options, error);
        if (!p) {
            g_prefix_error(error, "%s:%u: ", row->sample->log->name, row->sample->line);
            return FALSE;
        }
        if (p->stuck->len > 0)
            return bad_input(error, "%s:%u: %s does not end: %s", row->sample->log->name, row->sample->line,
                             row->series, (char *)g_ptr_array_index(p->stuck, 0));
        *changed |= memcmp(r->count[i], p->count, sizeof p->count) != 0;
        memcpy(r->count[i], p->count, sizeof p->count);
        r->time_s[i] = prediction_mean(p);
        r->share[i] = prediction_mean_part(p);
    }
    return TRUE;
}

// Returns the sum of |ln(predicted/measured)| over the rows that are not left out.
static double loss(const CalibrateRows *r)
{
    double sum = 0;
    for (guint i = 0; i < r->rows->len; i++)
        if (!r->left_out[i])
            sum += fabs(log(MAX(r->time_s[i] / row_of(r, i)->sample->time_s, 1e-3)));
    return sum;
}

// Writes the rows as equations a x = b in the free figures x, where b is the part of a measured time that the other
// figures do not explain. Errors are relative to `scale`. Returns the number of equations.
static size_t equations(const CalibrateRows *r, double *a, double *b, double *scale)
{
    size_t n = 0;
    for (guint i = 0; i < r->rows->len; i++) {
        if (r->left_out[i])
            continue;
        b[n] = scale[n] = row_of(r, i)->sample->time_s;
        for (size_t k = 0; k < r->model->n_keys; k++) {
            const double f = factor(r, i, r->model->keys[k]);
            b[n] -= f > 0 ? r->platform->value[r->model->keys[k]] * f : 0; // S may be infinite
        }
        for (int j = 0; j < r->n_free; j++) {
            const double f = factor(r, i, r->free[j]);
            a[n * (size_t)r->n_free + (size_t)j] = f;
            b[n] += r->platform->value[r->free[j]] * f;
        }
        n++;
    }
    return n;
}

// Fits and simulates until no certificate changes. The certificates may also repeat in a cycle, so the number of rounds
// is limited, and the figures with the least loss are kept. Returns FALSE and an error if a row cannot be simulated.
static gboolean settle(CalibrateRows *r, double *best_loss, GError **error)
{
    const size_t rows = r->rows->len;
    g_autofree double *a = g_new(double, rows *(size_t)MAX(r->n_free, 1)), *b = g_new(double, rows),
                      *scale = g_new(double, rows);
    double best[N_PLATFORM_KEYS] = {0};
    gboolean changed = TRUE;
    *best_loss = INFINITY;
    if (!simulate(r, &changed, error))
        return FALSE;
    for (int round = 0; round < ROUNDS; round++) {
        double x[FIT_MAX_TERMS];
        const size_t n = equations(r, a, b, scale);
        fit_relative(a, b, scale, NULL, n, r->n_free, x);
        for (int j = 0; j < r->n_free; j++)
            r->platform->value[r->free[j]] = x[j];
        if (r->tied)
            r->platform->value[KEY_READ] = r->platform->value[KEY_WRITE];
        if (!simulate(r, &changed, error))
            return FALSE;
        if (loss(r) < *best_loss) {
            *best_loss = loss(r);
            memcpy(best, r->platform->value, sizeof best);
        }
        if (!changed)
            break;
    }
    memcpy(r->platform->value, best, sizeof best);
    return simulate(r, &changed, error);
}

// Finds lanes, the number of ranks that read one fragment at full speed, together with the other free figures: it is
// the number that fits best, and the smallest of equally good ones.
static gboolean settle_lanes(CalibrateRows *r, double *best_loss, GError **error)
{
    enum { MOST = 256 };
    double best[N_PLATFORM_KEYS] = {0};
    int most = 1;
    for (guint i = 0; i < r->rows->len; i++)
        most = MAX(most, MIN(row_of(r, i)->op.c.p - 1, MOST));
    *best_loss = INFINITY;
    for (int lanes = 1; lanes <= most; lanes += MAX(1, lanes / 8)) { // all up to 16, then by an eighth
        double trial;
        r->platform->value[KEY_LANES] = lanes;
        if (!settle(r, &trial, error))
            return FALSE;
        if (trial < *best_loss * (1 - 1e-9)) {
            *best_loss = trial;
            memcpy(best, r->platform->value, sizeof best);
        }
    }
    gboolean changed;
    memcpy(r->platform->value, best, sizeof best);
    return simulate(r, &changed, error);
}

// ---- Which figures are free -----------------------------------------------------------------------------------------

// Returns a figure for the first simulation.
static double start_value(PlatformKey key)
{
    return key == KEY_LANES ? 1 : platform_keys[key].unit == PLATFORM_TIME ? 1e-6 : key == KEY_S ? INFINITY : 1e-10;
}

// Finds which of the free figures the rows determine. Writes the equations into `a`, which has room for all rows, and
// returns their number.
static size_t find_determined(const CalibrateRows *r, double *a, gboolean *determined)
{
    g_autofree double *b = g_new(double, r->rows->len), *scale = g_new(double, r->rows->len);
    const size_t n = equations(r, a, b, scale);
    fit_determined(a, scale, n, r->n_free, determined);
    return n;
}

// Keeps those free figures that the rows determine. A figure that no row contains becomes 0. Read is tied to write if
// the rows determine everything but these two. Returns FALSE, and notes what would determine them, if other figures
// always occur in the same proportion: a fit could then put their common cost on any one of them.
static gboolean keep_determined(Calibration *c, CalibrateRows *r)
{
    const size_t k = (size_t)r->n_free;
    g_autofree double *a = g_new(double, r->rows->len *MAX(k, 1));
    g_autoptr(GString) together = g_string_new(NULL);
    gboolean determined[FIT_MAX_TERMS], absent[FIT_MAX_TERMS];
    const size_t n = find_determined(r, a, determined);
    int kept = 0;
    for (size_t j = 0; j < k; j++) {
        absent[j] = TRUE;
        for (size_t i = 0; i < n; i++)
            absent[j] &= a[i * k + j] == 0;
        if (!determined[j] && !absent[j])
            g_string_append_printf(together, "%s%s", together->len ? ", " : "", platform_keys[r->free[j]].name);
    }
    r->tied = strcmp(together->str, "write, read") == 0;
    g_autofree char *what =
        g_strdup_printf("rows in which %s do not always occur in the same proportion: more sizes, other "
                        "algorithms or other numbers of ranks",
                        together->str);
    for (size_t j = 0; j < k; j++) {
        const PlatformKey key = r->free[j];
        if (absent[j])
            r->platform->value[key] = 0;
        else if (determined[j] || (r->tied && key == KEY_WRITE))
            r->free[kept++] = key;
        else if (!r->tied)
            calibration_missing(c, key, what);
    }
    r->n_free = kept;
    return together->len == 0 || r->tied;
}

// Leaves out the rows that cannot be used, and no others.
static void leave_none_out(CalibrateRows *r)
{
    for (guint i = 0; i < r->rows->len; i++)
        r->left_out[i] = !calibration_can_use(row_of(r, i)->sample);
}

// Leaves out the outliers.
static void leave_out(CalibrateRows *r)
{
    g_autofree double *errors = g_new(double, r->rows->len);
    size_t n = 0;
    for (guint i = 0; i < r->rows->len; i++)
        if (!r->left_out[i])
            errors[n++] = fabs(log(r->time_s[i] / row_of(r, i)->sample->time_s));
    const double limit = fit_outlier_from(errors, n);
    n = 0;
    for (guint i = 0; i < r->rows->len; i++)
        if (!r->left_out[i])
            r->left_out[i] = errors[n++] > limit;
}

// Ties read to write if both are free, differ clearly, and explain the rows as well with their values exchanged. Rows
// of two ranks cannot distinguish them: the copy of a fragment into its slot and the copy out of it follow each other,
// or the slower one hides the other. Sets *tied to whether read is now tied. Returns FALSE and an error if a row cannot
// be simulated.
static gboolean tie_alike(CalibrateRows *r, gboolean *tied, GError **error)
{
    double *const write = &r->platform->value[KEY_WRITE], *const read = &r->platform->value[KEY_READ];
    const double w = *write, d = *read, before = loss(r);
    int kept = 0;
    PlatformKey others[MODEL_MAX_TERMS];
    for (int j = 0; j < r->n_free; j++)
        if (r->free[j] != KEY_READ && r->free[j] != KEY_WRITE)
            others[kept++] = r->free[j];
    gboolean changed;
    *tied = FALSE;
    if (r->tied || r->n_free - kept < 2 || fabs(w - d) <= LEAST_APART * MAX(w, d))
        return TRUE;
    *write = d;
    *read = w;
    if (!simulate(r, &changed, error))
        return FALSE;
    *tied = r->tied = loss(r) <= before * ALIKE + 1e-9;
    *write = r->tied ? (w + d) / 2 : w;
    *read = r->tied ? (w + d) / 2 : d;
    if (r->tied) {
        memcpy(r->free, others, (size_t)kept * sizeof *others);
        r->free[kept++] = KEY_WRITE;
        r->n_free = kept;
    }
    return simulate(r, &changed, error);
}

static guint count_used(const CalibrateRows *r)
{
    guint n = 0;
    for (guint i = 0; i < r->rows->len; i++)
        n += !r->left_out[i];
    return n;
}

static FitErrors errors_of(const CalibrateRows *r)
{
    g_autofree double *errors = g_new(double, r->rows->len);
    size_t n = 0;
    for (guint i = 0; i < r->rows->len; i++)
        if (!r->left_out[i])
            errors[n++] = fabs(r->time_s[i] / row_of(r, i)->sample->time_s - 1);
    return fit_errors(errors, n);
}

// Stores the points, and the figures found with their sources and notes; `lanes` says that lanes is one of them.
static void report(Calibration *c, const CalibrateRows *r, gboolean lanes)
{
    g_autoptr(GString) from = g_string_new(NULL);
    const Log *last = NULL;
    for (guint i = 0; i < r->rows->len; i++) {
        const CalibrateRow *row = row_of(r, i);
        const CalibratedPoint point = {LOG_COLLECTIVE,      row->sample,  calibration_series(c, row->series),
                                       row->sample->time_s, r->time_s[i], 0,
                                       r->left_out[i]};
        g_array_append_val(c->points, point);
        if (row->sample->log != last)
            calibration_add_source(from, row->sample->log, TRUE);
        last = row->sample->log;
    }
    const guint used = count_used(r), left_out = r->rows->len - used;
    const FitErrors errors = errors_of(r);
    PlatformKey found[MODEL_MAX_TERMS + 2];
    int n = r->n_free;
    memcpy(found, r->free, (size_t)n * sizeof *found);
    if (r->tied)
        found[n++] = KEY_READ;
    if (lanes)
        found[n++] = KEY_LANES;
    if (n == 0)
        g_ptr_array_add(
            c->notes,
            g_strdup_printf(
                "%u rows of collectives, not needed for figures: error %.1f %% median, %.1f %% p90, %.1f %% worst",
                used, 100 * errors.median, 100 * errors.p90, 100 * errors.worst));
    for (int j = 0; j < n; j++) {
        if (platform_keys[found[j]].optional && r->platform->value[found[j]] == 0)
            continue; // the machine need not have it
        calibration_found(
            c, found[j], r->platform->value[found[j]], used, left_out, errors,
            g_strdup_printf(
                "%s: simulated certificates of these collectives under %s, least sum of |ln(predicted/measured)|%s",
                from->str, r->model->name, r->tied ? "; write and read taken as equal" : ""));
        if (r->platform->value[found[j]] == 0)
            g_ptr_array_add(
                c->notes, g_strdup_printf("%s came out at 0: the other figures explain these rows better without it%s",
                                          platform_keys[found[j]].name,
                                          found[j] == KEY_GAMMA ? ", so it is not known, and runs on this machine "
                                                                  "will say so"
                                                                : ""));
    }
    if (r->tied)
        g_ptr_array_add(c->notes, g_strdup("write and read are taken as equal: the rows cannot tell them apart"));
    if (lanes && !any_crowd(r))
        g_ptr_array_add(c->notes, g_strdup("lanes may be larger: no row has more readers of one fragment"));
}

// ---- Figures that a machine may have --------------------------------------------------------------------------------

// Goes back to what a fit has found before: the first n_free figures free, these values, and these rows left out.
static gboolean go_back(CalibrateRows *r, int n_free, const double *value, const gboolean *left_out, GError **error)
{
    gboolean changed;
    r->n_free = n_free;
    memcpy(r->platform->value, value, sizeof r->platform->value);
    memcpy(r->left_out, left_out, r->rows->len * sizeof *r->left_out);
    return simulate(r, &changed, error);
}

// Returns whether the rows determine all free figures.
static gboolean all_determined(const CalibrateRows *r)
{
    g_autofree double *a = g_new(double, r->rows->len *(size_t)r->n_free);
    gboolean determined[FIT_MAX_TERMS], all = TRUE;
    find_determined(r, a, determined);
    for (int j = 0; j < r->n_free; j++)
        all &= determined[j];
    return all;
}

// Makes an optional figure of the model free if the rows determine it along with the others. The certificates may then
// count a figure that is not free, until the next simulation.
static gboolean add_detail(CalibrateRows *r, PlatformKey key, GError **error)
{
    gboolean changed;
    if (r->n_free == FIT_MAX_TERMS || r->platform->has[key])
        return TRUE;
    // Only a figure that costs something is counted.
    r->platform->value[key] = platform_keys[key].unit == PLATFORM_TIME ? 2e-8 : 2e-11;
    r->free[r->n_free++] = key;
    if (!simulate(r, &changed, error))
        return FALSE;
    if (!all_determined(r)) {
        r->platform->value[key] = platform_keys[key].otherwise;
        r->n_free--;
    }
    return TRUE;
}

// Returns the mean of |ln(predicted/measured)| over all usable rows, also those left out: a fit for which every long copy
// is an outlier is not good. An error counts as ln 2 at most, so that few disturbed rows do not decide.
static double mean_error(const CalibrateRows *r)
{
    double sum = 0;
    guint n = 0;
    for (guint i = 0; i < r->rows->len; i++) {
        const LogSample *x = row_of(r, i)->sample;
        const gboolean used = calibration_can_use(x);
        sum += used ? MIN(fabs(log(r->time_s[i] / x->time_s)), G_LN2) : 0;
        n += used;
    }
    return sum / MAX(n, 1);
}

// Fits the rows again with the figures that a machine need not have, such as the time of a cache line, if they are off
// by more than 10 % without these. Keeps the figures that make the error clearly smaller.
static gboolean fit_details(CalibrateRows *r, gboolean (*fit)(CalibrateRows *, double *, GError **), GError **error)
{
    static const PlatformKey details[] = {KEY_CALL, KEY_LINE, KEY_REUSE, KEY_LOCAL, KEY_RAISE, KEY_QUEUE};
    const double good = 0.1, clearly = 0.8, before_error = mean_error(r);
    const int before_free = r->n_free;
    if (!r->model->shared || before_free == 0 || before_error <= good)
        return TRUE;
    g_autofree double *value = g_memdup2(r->platform->value, sizeof r->platform->value);
    g_autofree gboolean *left_out = g_memdup2(r->left_out, r->rows->len * sizeof *r->left_out);
    leave_none_out(r);
    for (size_t i = 0; i < G_N_ELEMENTS(details); i++)
        if (!add_detail(r, details[i], error))
            return FALSE;
    const gboolean any = r->n_free > before_free;
    double least;
    for (int pass = 0; any && pass < 2; pass++) {
        if (!fit(r, &least, error))
            return FALSE;
        if (pass == 0)
            leave_out(r);
    }
    return (any && mean_error(r) < clearly * before_error) || go_back(r, before_free, value, left_out, error);
}

static gboolean fit_rows(Calibration *c, CalibrateRows *r, gboolean lanes, GError **error)
{
    gboolean changed, tied;
    double least;
    if (!simulate(r, &changed, error))
        return FALSE;
    if (!keep_determined(c, r))
        return TRUE;
    lanes &= any_crowd(r);
    gboolean (*const fit)(CalibrateRows *, double *, GError **) = lanes ? settle_lanes : settle;
    for (int pass = 0; pass < 2 && r->n_free > 0; pass++) {
        if (!fit(r, &least, error))
            return FALSE;
        if (pass > 0)
            break;
        if (!tie_alike(r, &tied, error) || (tied && !fit(r, &least, error)))
            return FALSE;
        leave_out(r);
    }
    if (!fit_details(r, fit, error))
        return FALSE;
    report(c, r, lanes && r->n_free > 0); // with nothing free, this reports how well the known figures predict the rows
    return TRUE;
}

gboolean calibrate_rows(Calibration *c, const GArray *rows, GError **error)
{
    g_autofree gboolean *left_out = g_new0(gboolean, rows->len);
    g_autofree double *time_s = g_new0(double, rows->len), *share = g_new0(double, rows->len);
    g_autofree int64_t(*count)[MODEL_MAX_TERMS] = g_malloc0_n(rows->len, sizeof *count);
    g_autoptr(Platform) platform = platform_new("");
    CalibrateRows r = {.model = c->model,
                       .rows = rows,
                       .left_out = left_out,
                       .platform = platform,
                       .count = count,
                       .time_s = time_s,
                       .share = share};
    gboolean lanes = FALSE;
    const PlatformKey log_family[] = {KEY_L, KEY_O_CPU, KEY_G_GAP, KEY_G_BYTE, KEY_O_BYTE};
    for (size_t i = 0; i < G_N_ELEMENTS(log_family) && c->model->keys[0] == KEY_L; i++)
        if (!c->figure[log_family[i]].found) {
            calibration_missing(c, KEY_GAMMA, "L, o, g, G and O first: collectives do not determine all of them");
            return TRUE;
        }
    for (size_t i = 0; i < c->model->n_keys; i++) {
        const PlatformKey key = c->model->keys[i];
        platform->has[key] = c->figure[key].found;
        if (c->figure[key].found)
            platform->value[key] = c->figure[key].value;
        if (c->figure[key].found || platform_keys[key].optional)
            continue;
        platform->value[key] = start_value(key);
        if (key == KEY_S)
            continue;
        if (key == KEY_LANES)
            lanes = TRUE;
        else
            r.free[r.n_free++] = key;
    }
    leave_none_out(&r);
    if (count_used(&r) == 0) {
        for (int j = 0; j < r.n_free; j++)
            calibration_missing(c, r.free[j], "rows of collectives that take more than 0 s");
        return TRUE;
    }
    return fit_rows(c, &r, lanes, error);
}
