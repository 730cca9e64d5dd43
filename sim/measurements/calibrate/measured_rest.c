#include "measurements/calibrate/measured_rest.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

enum {
    ROUNDS = 12,    // of simulating and fitting, at most
    BISECTIONS = 16 // which give a factor of the memory to 5 digits
};
#define MOST_FACTOR  2.0   // of the memory: two ranks then take it four times as long as one
#define BYTES_MATTER 0.25  // share of a message's time that its bytes must take to show what the memory does
#define LEAST_FIGURE 1e-16 // in s or s per byte: what is fitted below this is 0

static const CalibrateRow *row_at(const GArray *all, guint i)
{
    return &g_array_index(all, CalibrateRow, i);
}

static Prediction *predict(const Platform *platform, const CalibrateRow *row, GError **error)
{
    const PredictOptions options = {.map = row->map, .clocks = row->sample->mean};
    g_autoptr(Prediction) p = measured_model.predict(&measured_model, &row->op, platform, &options, error);
    if (!p)
        g_prefix_error(error, "%s:%u: ", row->sample->log->name, row->sample->line);
    return g_steal_pointer(&p);
}

double measured_rest_time(const Platform *platform, const CalibrateRow *row, GError **error)
{
    g_autoptr(Prediction) p = predict(platform, row, error);
    return p ? prediction_mean(p) : NAN;
}

// ---- The memory of a node -------------------------------------------------------------------------------------------

// Sets the memory to one factor for all sizes.
static gboolean set_factor(Platform *platform, double factor, GError **error)
{
    g_autofree char *text = figure_text(PLATFORM_SHARE, factor);
    return platform_set_figure(platform, KEY_MEMORY, NULL, text, "fit", error);
}

// Finds the factor at which the row takes as long as measured. Returns FALSE and an error if it cannot be simulated.
static gboolean find_factor(Platform *platform, const CalibrateRow *row, double *factor, GError **error)
{
    double low = 0, high = MOST_FACTOR;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = (low + high) / 2;
        if (!set_factor(platform, middle, error))
            return FALSE;
        const double time_s = measured_rest_time(platform, row, error);
        if (isnan(time_s))
            return FALSE;
        if (time_s < row->sample->time_s)
            low = middle;
        else
            high = middle;
    }
    *factor = (low + high) / 2;
    return TRUE;
}

static int compare_bytes(const void *a, const void *b)
{
    const TablePoint *x = a, *y = b;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

gboolean measured_rest_memory(Platform *platform, const GArray *all, const GArray *rows, const char *source,
                              GError **error)
{
    g_autofree TablePoint *at = g_new(TablePoint, MAX(rows->len, 1));
    Table t = {.at = at};
    for (guint i = 0; i < rows->len && t.n < TABLE_MOST; i++) {
        const CalibrateRow *row = row_at(all, g_array_index(rows, guint, i));
        const uint64_t bytes = row->op.m;
        const MeasuredLevel *level = &platform->measured->level[0]; // the fit of the last row made new ones
        const Table *times = level->step ? level->step : level->one;
        const double whole = table_time_at(times, bytes), more = whole - table_time_at(times, 1);
        double factor = 0;
        if (more < BYTES_MATTER * whole)
            continue;
        if (!find_factor(platform, row, &factor, error))
            return FALSE;
        t.at[t.n++] = (TablePoint){bytes, factor};
    }
    qsort(t.at, (size_t)t.n, sizeof *t.at, compare_bytes);
    int kept = 0;
    for (int i = 0; i < t.n; i++)
        if (kept == 0 || t.at[i].bytes > t.at[kept - 1].bytes)
            t.at[kept++] = t.at[i];
    t.n = kept;
    g_autofree char *text = t.n ? table_text(PLATFORM_SHARE, &t) : g_strdup("none");
    return platform_set_figure(platform, KEY_MEMORY, NULL, text, source, error);
}

// ---- The other figures ----------------------------------------------------------------------------------------------

typedef struct Rest {
    Platform *platform;
    const GArray *all;
    const char *source;
    GArray *rows; // guint: the rows that are fitted
    const gboolean *free;
    double x[N_REST_FIGURES];
    int64_t eager; // of messages between nodes
    double *a;     // by row and figure: how the time grows with it
    double *fixed; // by row: what the free figures do not explain
    double *time_s;
} Rest;

// Returns the time of a message of n bytes between nodes. A byte takes at least as long as it keeps a NIC busy.
static double far_time(const Rest *r, double n)
{
    const double nic = r->free[REST_NIC_BYTE] ? r->x[REST_NIC_BYTE] : 0;
    return r->x[REST_FIXED] + n * (nic + r->x[REST_BYTE]) + (n > (double)r->eager ? r->x[REST_RENDEZVOUS] : 0);
}

static gboolean set_far(Rest *r, GError **error)
{
    enum { SMALL = 8, LARGE = 1 << 24 };
    const double eager = (double)CLAMP(r->eager, SMALL + 1, LARGE / 2);
    TablePoint at[] = {{SMALL, far_time(r, SMALL)},
                       {(uint64_t)eager, far_time(r, eager)},
                       {(uint64_t)eager + 1, far_time(r, eager + 1)},
                       {LARGE, far_time(r, LARGE)}};
    for (guint i = 0; i < G_N_ELEMENTS(at); i++)
        at[i].value = MAX(at[i].value, 1e-9); // a message takes some time
    const Table table = {G_N_ELEMENTS(at), at};
    g_autofree char *text = table_text(PLATFORM_TIME, &table);
    return platform_set_figure(r->platform, KEY_ONE, "far", text, r->source, error);
}

// Sets an optional figure, or takes it away if it is 0.
static gboolean set_figure(Rest *r, PlatformKey key, double value, GError **error)
{
    const gboolean none = value < LEAST_FIGURE && key != KEY_REDUCE;
    g_autofree char *text = none ? g_strdup("none") : platform_figure_text(key, value);
    return platform_set_figure(r->platform, key, NULL, text, r->source, error);
}

static gboolean set_figures(Rest *r, GError **error)
{
    return (!r->free[REST_FIXED] || set_far(r, error)) &&
           (!r->free[REST_NIC_BYTE] || set_figure(r, KEY_NIC_RATE, r->x[REST_NIC_BYTE], error)) &&
           (!r->free[REST_NIC_MESSAGE] || set_figure(r, KEY_NIC_MESSAGES, r->x[REST_NIC_MESSAGE], error)) &&
           (!r->free[REST_GAMMA] || set_figure(r, KEY_REDUCE, r->x[REST_GAMMA], error));
}

// Adds to a[] how n times a term of messages between nodes grow with the figures. The default gap has a part of the
// fixed time, and the bytes' time.
static void add_far(const Rest *r, const CostTerm *term, double n, double *a)
{
    const double bytes = (double)term->bytes, lambda = r->platform->measured->level[r->platform->levels.n - 1].lambda;
    const gboolean eager = term->bytes <= r->eager, message = term->kind == TERM_ONE || term->kind == TERM_STEP;
    const double scale = term->kind == TERM_SHARE ? lambda : 1;
    a[REST_FIXED] += n * (message ? 1 : scale * measured_gap_part(eager));
    a[REST_BYTE] += n * scale * bytes;
    if (r->free[REST_BYTE]) // the NIC's time is part of the message's
        a[REST_NIC_BYTE] += n * scale * bytes;
    a[REST_RENDEZVOUS] += message && !eager ? n : 0;
}

// Adds to a[] how a term of a certificate grows with the figures.
static void add_term(const Rest *r, const PredictionTerm *x, double *a)
{
    const CostTerm *term = &x->term;
    const double n = (double)x->n;
    if (term->kind == TERM_NIC_RATE)
        a[REST_NIC_BYTE] += n;
    else if (term->kind == TERM_NIC_MESSAGES)
        a[REST_NIC_MESSAGE] += n;
    else if (term->kind == TERM_REDUCE && term->bytes < 0)
        a[REST_GAMMA] += n;
    else if (term->level == r->platform->levels.at[r->platform->levels.n - 1].name)
        add_far(r, term, n, a);
}

static gboolean simulate(Rest *r, GError **error)
{
    for (guint i = 0; i < r->rows->len; i++) {
        double *a = &r->a[i * N_REST_FIGURES];
        const CalibrateRow *row = row_at(r->all, g_array_index(r->rows, guint, i));
        g_autoptr(Prediction) p = predict(r->platform, row, error);
        if (!p)
            return FALSE;
        const double time_s = prediction_mean(p), share = prediction_mean_part(p);
        memset(a, 0, N_REST_FIGURES * sizeof *a);
        for (guint t = 0; t < p->terms->len; t++)
            add_term(r, &g_array_index(p->terms, PredictionTerm, t), a);
        r->time_s[i] = r->fixed[i] = time_s;
        for (int k = 0; k < N_REST_FIGURES; k++)
            a[k] *= share;
        for (int k = 0; k < N_REST_FIGURES; k++)
            r->fixed[i] -= r->free[k] ? a[k] * r->x[k] : 0;
    }
    return TRUE;
}

static double time_seen(const Rest *r, guint i)
{
    return row_at(r->all, g_array_index(r->rows, guint, i))->sample->time_s;
}

static double loss(const Rest *r)
{
    double sum = 0;
    for (guint i = 0; i < r->rows->len; i++)
        sum += fabs(log(r->time_s[i] / time_seen(r, i)));
    return sum;
}

// Fits the free figures to the certificates of the last simulation.
static void fit_figures(const Rest *r, double *x)
{
    const guint n = r->rows->len;
    int free[N_REST_FIGURES] = {0}, k = 0;
    for (int j = 0; j < N_REST_FIGURES; j++)
        if (r->free[j])
            free[k++] = j;
    g_autofree double *a = g_new(double, (gsize)n *(gsize)k), *b = g_new(double, n), *measured = g_new(double, n);
    double found[FIT_MAX_TERMS];
    for (guint i = 0; i < n; i++) {
        for (int j = 0; j < k; j++)
            a[i * (guint)k + (guint)j] = r->a[i * N_REST_FIGURES + (guint)free[j]];
        measured[i] = time_seen(r, i);
        b[i] = measured[i] - r->fixed[i];
    }
    fit_relative(a, b, measured, NULL, n, k, found);
    for (int j = 0; j < k; j++)
        x[free[j]] = found[j];
}

// Simulates and fits in turn. If a step makes the sum of errors worse, half of it is tried next.
static gboolean settle(Rest *r, GError **error)
{
    double best[N_REST_FIGURES], next[N_REST_FIGURES], least = INFINITY;
    memcpy(next, r->x, sizeof next);
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(r->x, next, sizeof next);
        if (!set_figures(r, error) || !simulate(r, error))
            return FALSE;
        const double sum = loss(r);
        if (sum < least) {
            const gboolean done = sum > least * (1 - 1e-4);
            least = sum;
            memcpy(best, r->x, sizeof best);
            if (done)
                break;
            fit_figures(r, next);
            continue;
        }
        for (int k = 0; k < N_REST_FIGURES; k++)
            next[k] = (best[k] + r->x[k]) / 2;
    }
    memcpy(r->x, best, sizeof best);
    return set_figures(r, error) && simulate(r, error);
}

static FitErrors errors_of(const Rest *r)
{
    g_autofree double *errors = g_new(double, r->rows->len);
    for (guint i = 0; i < r->rows->len; i++)
        errors[i] = fabs(r->time_s[i] / time_seen(r, i) - 1);
    return fit_errors(errors, r->rows->len);
}

gboolean measured_rest_fit(Platform *platform, const GArray *all, const gboolean *use, const gboolean *free,
                           const char *source, FitErrors *errors, GError **error)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < all->len; i++)
        if (use[i])
            g_array_append_val(rows, i);
    g_autofree double *a = g_new(double, (gsize)rows->len *N_REST_FIGURES), *fixed = g_new(double, rows->len),
                      *time_s = g_new(double, rows->len);
    const Measured *m = platform->measured;
    Rest r = {.platform = platform,
              .all = all,
              .source = source,
              .rows = rows,
              .free = free,
              .x = {2e-6, 1e-10, 0, 5e-11, 2e-8, 1e-10},
              .eager = m->level[m->n_levels - 1].eager,
              .a = a,
              .fixed = fixed,
              .time_s = time_s};
    if (!settle(&r, error))
        return FALSE;
    *errors = errors_of(&r);
    return TRUE;
}

// ---- What is missing ------------------------------------------------------------------------------------------------

// What is fitted to which rows.
typedef struct Missing {
    MeasuredFit *fit;
    const GArray *rows;
    const Platform *assumed;
    const gboolean *kept;  // by row: it is for other figures
    gboolean timed, gamma; // rows have shown how long a message takes between nodes, and gamma is known
} Missing;

static int compare_ranks(const void *a, const void *b, gpointer rows)
{
    const guint x = *(const guint *)a, y = *(const guint *)b;
    const int p = g_array_index((GArray *)rows, CalibrateRow, x).op.c.p,
              q = g_array_index((GArray *)rows, CalibrateRow, y).op.c.p;
    return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

// Keeps the rows of the fewest ranks in use[], as many as can be simulated in about a second. A row on p ranks counts
// as p^2 messages.
static void keep_small(const Missing *f, gboolean *use)
{
    const double most = 4e6;
    double messages = 0;
    g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < f->rows->len; i++)
        if (use[i])
            g_array_append_val(order, i);
    g_array_sort_with_data(order, compare_ranks, (gpointer)(uintptr_t)f->rows);
    for (guint k = 0; k < order->len; k++) {
        const guint i = g_array_index(order, guint, k);
        messages += (double)row_at(f->rows, i)->op.c.p * row_at(f->rows, i)->op.c.p;
        use[i] = (messages <= most && !row_at(f->rows, i)->scored) || k < 2 * N_REST_FIGURES;
    }
}

// Returns which rows may be fitted by simulation, those that are not used yet; sets *reduces and *shares to whether
// some of them reduce, and whether several ranks of a node send to other nodes. Free with g_free.
static gboolean *rest_of(const Missing *f, guint *n, gboolean *reduces, gboolean *shares)
{
    gboolean *use = g_new0(gboolean, MAX(f->rows->len, 1));
    *n = 0;
    *reduces = *shares = FALSE;
    for (guint i = 0; i < f->rows->len; i++)
        use[i] = !f->fit->uses_row[i] && row_at(f->rows, i)->sample->time_s > 0 && !f->kept[i];
    keep_small(f, use);
    for (guint i = 0; i < f->rows->len; i++) {
        const CalibrateRow *row = row_at(f->rows, i);
        *n += use[i];
        *reduces |= use[i] && collectives[row->op.algorithm->collective].reduces;
        *shares |= use[i] && row->map && row->map->code && row->map->nodes->n > 1 && row->map->nodes->n < row->op.c.p;
    }
    return use;
}

// Keeps the rows in use[] that reduce, and returns their number.
static guint keep_reducing(const Missing *f, gboolean *use)
{
    guint n = 0;
    for (guint i = 0; i < f->rows->len; i++) {
        use[i] = use[i] && collectives[row_at(f->rows, i)->op.algorithm->collective].reduces;
        n += use[i];
    }
    return n;
}

gboolean measured_rest_missing(MeasuredFit *fit, const GArray *rows, const Platform *assumed, const gboolean *kept,
                               gboolean timed, gboolean gamma, GError **error)
{
    const Missing missing = {fit, rows, assumed, kept, timed, gamma}, *const f = &missing;
    const gboolean far = f->timed;
    const Platform *x = f->assumed;
    guint n;
    gboolean reduces, shares;
    g_autofree gboolean *use = rest_of(f, &n, &reduces, &shares);
    const gboolean nics = f->assumed->levels.n > 1 && shares && !x->has[KEY_NIC_RATE] && !x->has[KEY_NIC_MESSAGES];
    const gboolean wants[N_REST_FIGURES] = {
        [REST_FIXED] = !far,    [REST_BYTE] = !far,        [REST_RENDEZVOUS] = !far,
        [REST_NIC_BYTE] = nics, [REST_NIC_MESSAGE] = nics, [REST_GAMMA] = !f->gamma && reduces,
    };
    guint free = 0;
    for (int k = 0; k < N_REST_FIGURES; k++)
        free += wants[k];
    if (free == 1 && wants[REST_GAMMA]) // the rows that do not reduce can show the error
        n = keep_reducing(f, use);
    if (free == 0 || n < free)
        return TRUE;
    FitErrors errors;
    g_autofree char *source = g_strdup_printf("fitted by simulation to %u rows of collectives", n);
    if (!measured_rest_fit(f->fit->platform, f->rows, use, wants, source, &errors, error))
        return FALSE;
    for (guint i = 0; i < f->rows->len; i++)
        f->fit->uses_row[i] |= use[i];
    g_ptr_array_add(f->fit->used,
                    g_strdup_printf("%s%s%s: %s, error %.1f %% median, %.1f %% p90", far ? "" : "one.far",
                                    nics ? (far ? "nic.rate, nic.messages" : ", nic.rate, nic.messages") : "",
                                    wants[REST_GAMMA] ? (far && !nics ? "gamma" : ", gamma") : "", source,
                                    100 * errors.median, 100 * errors.p90));
    return TRUE;
}
