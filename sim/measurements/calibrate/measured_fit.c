#include "measurements/calibrate/measured_fit.h"
#include "base/error.h"
#include "measurements/calibrate/measured_fitting.h"
#include "measurements/calibrate/measured_rest.h"
#include "measurements/calibrate/measured_rings.h"
#include "measurements/calibrate/measured_terms.h"
#include <math.h>
#include <string.h>

// ---- gamma ----------------------------------------------------------------------------------------------------------

// A value and its weight.
typedef struct Weighted {
    double value, weight;
    guint row;
} Weighted;

static int compare_weighted(const void *a, const void *b)
{
    const Weighted *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

// Finds gamma from the rows of equal steps that reduce, by the steps that other rows have determined: the median of
// what is left of their times by byte. A row counts by the share of its time that a change of gamma would move.
static void find_gamma(Fit *f)
{
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(Weighted));
    double weights = 0;
    for (guint i = 0; i < f->rows->len; i++) {
        int level;
        MeasuredSteps steps;
        if (!fit_is_simple(f, i, &level, &steps) || steps.reduced == 0 || steps.rank != RANK_REDUCES)
            continue;
        const Table *step = *fit_table_of(f, level, PART_STEP);
        const double time_s = fit_row_of(f, i)->sample->time_s;
        if (!step || f->out->uses_row[i])
            continue;
        const double left = fit_steps_time(f, i) - (double)steps.k * table_time_at(step, steps.bytes);
        const Weighted w = {left / (double)steps.reduced, (double)steps.reduced / time_s, i};
        g_array_append_val(values, w);
        weights += w.weight;
    }
    if (values->len == 0)
        return;
    g_array_sort(values, compare_weighted);
    double sum = 0;
    guint k = 0;
    for (; k + 1 < values->len; k++) {
        sum += g_array_index(values, Weighted, k).weight;
        if (sum >= weights / 2)
            break;
    }
    f->gamma = MAX(g_array_index(values, Weighted, k).value, 0);
    for (guint i = 0; i < values->len; i++)
        f->out->uses_row[g_array_index(values, Weighted, i).row] = TRUE;
    f->gamma_from = g_strdup_printf("%u rows of allreduce ring, less their steps", values->len);
    fit_say(f->out->used, g_strdup_printf("gamma: %s", f->gamma_from));
}

// ---- The fit --------------------------------------------------------------------------------------------------------

// Sets gamma to what is given, or what one rank's reductions show; NAN otherwise.
static void known_gamma(Fit *f)
{
    const Platform *x = f->assumed;
    f->gamma = x->has[KEY_REDUCE] ? x->value[KEY_REDUCE] : x->has[KEY_GAMMA] ? x->value[KEY_GAMMA] : NAN;
    if (!isnan(f->gamma))
        return;
    g_autoptr(Calibration) c = calibration_new(&hockney_model);
    calibrate_reduce(c, f->logs);
    if (!c->figure[KEY_GAMMA].found)
        return;
    f->gamma = c->figure[KEY_GAMMA].value;
    f->gamma_from = g_strdup(c->figure[KEY_GAMMA].source);
    fit_say(f->out->used, g_strdup_printf("gamma: %s", f->gamma_from));
}

// Returns TRUE if only rows that reduce show the steps at some level: then gamma and the steps cannot both come from them.
static gboolean needs_gamma(const Fit *f)
{
    for (int level = 0; level < f->n_levels; level++) {
        gboolean reducing = FALSE, other = fit_evidence_of(f, level, PART_STEP)->points->len > 0 ||
                                           fit_assumed_table(f, level, PART_STEP);
        for (guint i = 0; i < f->rows->len; i++) {
            int at;
            MeasuredSteps steps;
            if (!fit_is_simple(f, i, &at, &steps) || at != level || steps.part != PART_STEP)
                continue;
            reducing |= steps.reduced > 0;
            other |= steps.reduced == 0;
        }
        if (reducing && !other)
            return TRUE;
    }
    return FALSE;
}

// Finds how long the ranks' own work takes in each row of equal steps.
static gboolean find_own(Fit *f, GError **error)
{
    g_autoptr(Platform) machine = measured_own_machine(f->assumed, f->gamma);
    int level;
    MeasuredSteps steps;
    f->own = g_new0(MeasuredOwn, MAX(f->rows->len, 1));
    for (guint i = 0; i < f->rows->len; i++)
        if (fit_is_simple(f, i, &level, &steps) && !measured_own_time(machine, fit_row_of(f, i), &f->own[i], error))
            return FALSE;
    return TRUE;
}

static void fit_clear(Fit *f)
{
    for (int i = 0; i < f->n_levels * N_MEASURED_PARTS; i++) {
        evidence_clear(&f->evidence[i]);
        table_free(f->table[i]);
    }
    for (int i = 0; i < f->n_levels; i++)
        evidence_clear(&f->both[i]);
    g_free(f->evidence);
    g_free(f->both);
    g_free(f->table);
    g_free(f->kept);
    g_free(f->gamma_from);
    g_free(f->own);
}

// ---- The rest -------------------------------------------------------------------------------------------------------

// Fits the memory of a node to the rows inside it on many ranks, unless it is given.
static gboolean fit_memory(Fit *f, GError **error)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));
    if (f->n_levels < 2 || f->assumed->has[KEY_MEMORY])
        return TRUE;
    fit_busy_rows(f, 0, rows);
    if (rows->len == 0)
        return TRUE;
    const char *source = fit_row_of(f, g_array_index(rows, guint, 0))->series;
    fit_say(f->out->used, g_strdup_printf("memory: %s", source));
    return measured_rest_memory(f->out->platform, f->rows, rows, source, error);
}

// Fits what is still missing by simulation. Rows that show another figure of their own are kept for that.
static gboolean fit_rest(Fit *f, GError **error)
{
    const gboolean timed = *fit_table_of(f, f->n_levels - 1, PART_ONE) != NULL;
    g_autofree gboolean *kept = g_new0(gboolean, MAX(f->rows->len, 1));
    for (guint i = 0; i < f->rows->len; i++)
        kept[i] = measured_terms_wants(fit_row_of(f, i), timed);
    return measured_rest_missing(f->out, f->rows, f->assumed, kept, timed, !isnan(f->gamma), error);
}

// Returns TRUE if messages, and not collectives, gave points of a table between nodes.
static gboolean has_messages(const Fit *f, MeasuredPart part)
{
    for (const LogSample *s = NULL; (s = logs_next(f->logs, s));) {
        int level;
        const gboolean one = s->kind == LOG_ONE_WAY || s->kind == LOG_PRTT;
        if ((part == PART_ONE ? one : s->kind == LOG_SENDRECV) &&
            calibration_level_of(&f->assumed->levels, s, &level, NULL) && level == f->n_levels - 1)
            return TRUE;
    }
    return FALSE;
}

// Returns what `far` is without rows that show it. A ring on many nodes is in a steady state in which the next message has
// come before it is needed; one on few nodes, a ping-pong, a pipeline or recursive doubling has the delay inside.
static double usual_far(const Fit *f)
{
    enum { MANY = 32 }; // nodes
    const int level = f->n_levels - 1;
    const MeasuredPart part = *fit_table_of(f, level, PART_STEP) ? PART_STEP : PART_ONE;
    guint rings = 0, n = 0;
    for (guint i = 0; i < f->rows->len; i++) {
        int at;
        MeasuredSteps steps;
        const CalibrateRow *row = fit_row_of(f, i);
        if (!f->out->uses_row[i] || !fit_is_simple(f, i, &at, &steps) || at != level || steps.part == PART_GAP)
            continue;
        if (steps.part == PART_ONE && part == PART_STEP)
            continue;
        n++;
        rings += strcmp(row->op.algorithm->name, "ring") == 0 && row->op.c.p > MANY;
    }
    const gboolean ring = n > 0 && rings == n && !*fit_kept_of(f, level, part) && !has_messages(f, part);
    return ring ? 0.2 * table_time_at(*fit_table_of(f, level, part), 8) : 0;
}

static gboolean run_fit(Fit *f, GError **error)
{
    if (!fit_check_labels(f, error) || !fit_add_messages(f, error))
        return FALSE;
    known_gamma(f);
    if (isnan(f->gamma) && needs_gamma(f))
        f->gamma = MEASURED_ASSUMED_GAMMA;
    if (!find_own(f, error))
        return FALSE;
    for (int level = 0; level < f->n_levels; level++)
        fit_tables(f, level);
    if (isnan(f->gamma))
        find_gamma(f);
    f->out->ring = measured_rings_nodes(f->rows, f->out->uses_row);
    measured_rings_note(f->rows, f->out->uses_row, f->out->notes);
    if (!fit_platform(f, error) || !fit_memory(f, error) || !fit_rest(f, error) ||
        !measured_terms_fit(f->out, f->logs, f->rows, f->assumed, usual_far(f), error))
        return FALSE;
    const Platform *x = f->out->platform;
    if (x->has[KEY_REDUCE] && x->value[KEY_REDUCE] == 0 && !x->table[KEY_REDUCE] && !f->assumed->has[KEY_REDUCE])
        fit_say(f->out->notes,
                g_strdup("gamma came out at 0: the other figures explain these rows better without it, so it is "
                         "not known, and runs on this machine will say so"));
    for (guint i = 0; i < f->rows->len; i++)
        if (collectives[fit_row_of(f, i)->op.algorithm->collective].reduces)
            return measured_fit_assume_gamma(f->out, error);
    if (!x->has[KEY_REDUCE] && !x->has[KEY_GAMMA])
        fit_say(f->out->assumed, g_strdup("gamma: none; needs rows of reduce_local, of allreduce ring, or --set"));
    return TRUE;
}

gboolean measured_fit_assume_gamma(MeasuredFit *fit, GError **error)
{
    static const char source[] = "assumed: no row shows what a reduction takes";
    Platform *const x = fit->platform;
    if (x->has[KEY_REDUCE] || x->has[KEY_GAMMA])
        return TRUE;
    g_autofree char *text = platform_figure_text(KEY_REDUCE, MEASURED_ASSUMED_GAMMA);
    fit_say(fit->assumed,
            g_strdup_printf("gamma: %s, as no row shows what a reduction takes; reduce_local, allreduce ring "
                            "beside another ring, or --set gamma=%s would say it",
                            text, text));
    return platform_set_figure(x, KEY_REDUCE, NULL, text, source, error);
}

MeasuredFit *measured_fit(const GPtrArray *logs, const GArray *rows, const Platform *assumed, GError **error)
{
    MeasuredFit *out = g_new0(MeasuredFit, 1);
    const int n = assumed->levels.n;
    Fit f = {.out = out, .logs = logs, .rows = rows, .assumed = assumed, .n_levels = n, .gamma = NAN};
    out->used = g_ptr_array_new_with_free_func(g_free);
    out->assumed = g_ptr_array_new_with_free_func(g_free);
    out->notes = g_ptr_array_new_with_free_func(g_free);
    out->uses_row = g_new0(gboolean, MAX(rows->len, 1));
    f.table = g_new0(Table *, n * N_MEASURED_PARTS);
    f.kept = g_new0(gboolean, n * N_MEASURED_PARTS);
    f.evidence = g_new(Evidence, n * N_MEASURED_PARTS);
    f.both = g_new(Evidence, n);
    for (int i = 0; i < n * N_MEASURED_PARTS; i++)
        evidence_init(&f.evidence[i]);
    for (int i = 0; i < n; i++)
        evidence_init(&f.both[i]);
    if (!run_fit(&f, error))
        g_clear_pointer(&out, measured_fit_free);
    fit_clear(&f);
    return out;
}

void measured_fit_free(MeasuredFit *fit)
{
    if (!fit)
        return;
    platform_free(fit->platform);
    g_ptr_array_unref(fit->used);
    g_ptr_array_unref(fit->assumed);
    g_ptr_array_unref(fit->notes);
    g_free(fit->uses_row);
    g_free(fit);
}
