#include "judge/validate/predict.h"
#include "base/error.h"
#include "base/parallel.h"
#include "measurements/calibrate/measured_fit.h"
#include "measurements/calibrate/measured_rings.h"
#include "base/units.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

const char *const calibrate_from_names[] = {
    [CALIBRATE_NOTHING] = "nothing", [CALIBRATE_SAME_RUN] = "same-run", [CALIBRATE_ALL] = "all", NULL};

// Returns what stands behind GROUP= in the list; NULL if the group is not there.
static const char *value_of(char *const *list, const char *group)
{
    const size_t length = strlen(group);
    for (; list && *list; list++)
        if (strncmp(*list, group, length) == 0 && (*list)[length] == '=')
            return *list + length + 1;
    return NULL;
}

// Returns TRUE if each entry of a list is GROUP=VALUE with a group that some row has.
static gboolean check_list(const char *option, char *const *list, const ValidateRows *rows, GError **error)
{
    for (; list && *list; list++) {
        gboolean found = FALSE;
        for (guint i = 0; i < rows->rows->len && !found; i++) {
            char *const one[] = {*list, NULL};
            found = value_of(one, g_array_index(rows->rows, ValidateRow, i).group) != NULL;
        }
        if (!found)
            return bad_input(error, "%s %s; allowed: GROUP=.. with a group of the rows", option, *list);
    }
    return TRUE;
}

// ---- What is predicted on which platform ----------------------------------------------------------------------------

static void fit_free(gpointer fit)
{
    measured_fit_free(fit);
}

typedef struct Predictor {
    const PredictPlan *plan;
    ValidateRows *rows;
    GPtrArray *cases; // of ValidateCase *, each different run once
    GHashTable *index;
    GPtrArray *of_row; // of ValidateCase *, NULL for rows that have none
    GHashTable *fits;  // MeasuredFit by the name of what is calibrated together
    GPtrArray *notes;
} Predictor;

static ValidateRow *row_at(const Predictor *x, guint i)
{
    return &g_array_index(x->rows->rows, ValidateRow, i);
}

// Sets the sweeps of the rows' samples.
static void set_sweeps(Predictor *x)
{
    guint sweep = 0;
    for (guint i = 0; i < x->rows->rows->len; i++) {
        ValidateRow *const row = row_at(x, i);
        LogSample *const s = &row->sample, *const before = i ? &row[-1].sample : s;
        const gboolean goes_on = s->kind == before->kind && s->collective == before->collective &&
                                 g_strcmp0(s->algorithm, before->algorithm) == 0 && s->p == before->p &&
                                 s->bytes > before->bytes;
        s->sweep = goes_on ? sweep : ++sweep;
    }
}

static char *source_name(const Predictor *x, const char *set, const char *group)
{
    if (x->rows->undecided)
        return g_strdup(*group ? group : "these logs");
    return *group ? g_strdup_printf("%s %s", set, group) : g_strdup(set);
}

// Returns the name of the rows that calibrate the prediction of a row: its set's, or its set and its group or the
// group's fallback. Free with g_free.
static char *source_of(const Predictor *x, const ValidateRow *row)
{
    const char *other = value_of(x->plan->fallbacks, row->group);
    const char *group = x->plan->from == CALIBRATE_ALL ? "" : other ? other : row->group;
    return source_name(x, row->set, group);
}

static gboolean is_source(const Predictor *x, const ValidateRow *row, const char *source)
{
    g_autofree char *own = source_name(x, row->set, x->plan->from == CALIBRATE_ALL ? "" : row->group);
    const gboolean may = row->use == ROW_CALIBRATE || (x->rows->undecided && !validate_row_default(row));
    return may && strcmp(own, source) == 0;
}

static void calibrate_row_clear(gpointer data)
{
    g_free(((CalibrateRow *)data)->series);
}

// Adds a sample's run to the rows of a calibration; `keep` owns what it needs.
static gboolean add_row(const Predictor *x, guint i, GArray *rows, GPtrArray *keep, GError **error)
{
    const ValidateRow *row = row_at(x, i);
    const CaseBarrier none = {0};
    const CaseMachine on = {x->plan->platform, x->plan->model, x->plan->network, value_of(x->plan->places, row->group)};
    ValidateCase *run = case_new(row, &on, &none, error);
    if (!run)
        return FALSE;
    g_ptr_array_add(keep, run);
    const CalibrateRow added = {.sample = &row->sample,
                                .op = point_operation(&run->request, run->point),
                                .map = request_mapping(&run->request.machine, run->point->p, run->point->per_node),
                                .scored = row->use == ROW_SCORE,
                                .series =
                                    g_strdup_printf("%s %s, %d ranks", row->collective, row->algorithm, row->sample.p)};
    g_array_append_val(rows, added);
    return TRUE;
}

static void add_notes(GPtrArray *notes, const char *source, const char *what, const GPtrArray *lines)
{
    for (guint i = 0; i < lines->len; i++)
        g_ptr_array_add(notes, g_strdup_printf("%s%s: %s", source, what, (char *)g_ptr_array_index(lines, i)));
}

// Returns TRUE if rows that a source predicts reduce.
static gboolean reduces(const Predictor *x, const char *source)
{
    for (guint i = 0; i < x->rows->rows->len; i++) {
        const ValidateRow *row = row_at(x, i);
        g_autofree char *own = source_of(x, row);
        if (row->known && row->sample.kind == LOG_COLLECTIVE && collectives[row->sample.collective].reduces &&
            strcmp(own, source) == 0)
            return TRUE;
    }
    return FALSE;
}

// Returns the log to which a sample that calibrates is added: one of the sample's own name if it is of a log, and otherwise
// one of the source. They become a part of `logs`.
static Log *log_for(const LogSample *s, const char *source, GPtrArray *logs)
{
    const char *name = s->log ? s->log->name : source;
    for (guint i = 0; i < logs->len; i++)
        if (strcmp(((Log *)g_ptr_array_index(logs, i))->name, name) == 0)
            return g_ptr_array_index(logs, i);
    Log *log = log_new(name, s->log ? s->log->format : "CSV", "measured");
    g_ptr_array_add(logs, log);
    return log;
}

// Calibrates from all rows of a source. Returns NULL and an error if they do not suffice.
static MeasuredFit *make_fit(Predictor *x, const char *source, GError **error)
{
    g_autoptr(GPtrArray) logs = g_ptr_array_new_with_free_func((GDestroyNotify)log_free),
                         keep = g_ptr_array_new_with_free_func(case_free),
                         copies = g_ptr_array_new_with_free_func(g_free); // the samples of `rows`
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(CalibrateRow)),
                      numbers = g_array_new(FALSE, FALSE, sizeof(guint)); // of the rows in `rows`
    g_array_set_clear_func(rows, calibrate_row_clear);
    for (guint i = 0; i < x->rows->rows->len; i++) {
        LogSample *s = &row_at(x, i)->sample;
        if (!row_at(x, i)->known || !is_source(x, row_at(x, i), source))
            continue;
        Log *log = log_for(s, source, logs);
        g_array_append_val(log->samples, *s);
        LogSample *const own = &g_array_index(log->samples, LogSample, log->samples->len - 1);
        own->log = log;
        if (s->kind != LOG_COLLECTIVE)
            continue;
        if (!add_row(x, i, rows, keep, error))
            return NULL;
        CalibrateRow *const added = &g_array_index(rows, CalibrateRow, rows->len - 1);
        LogSample *const copy = g_memdup2(own, sizeof *own); // the log's samples move when it grows
        g_ptr_array_add(copies, copy);
        added->sample = copy;
        g_array_append_val(numbers, i);
    }
    MeasuredFit *fit = logs->len ? measured_fit(logs, rows, x->plan->platform, error) : NULL;
    if (!logs->len)
        bad_input(error, "%s: no row calibrates; allowed: rows with the use calibrate, or --fallback GROUP=GROUP",
                  source);
    for (guint k = 0; fit && k < numbers->len; k++)
        if (fit->uses_row[k])
            row_at(x, g_array_index(numbers, guint, k))->use = ROW_CALIBRATE;
    if (fit && reduces(x, source) && !measured_fit_assume_gamma(fit, error))
        g_clear_pointer(&fit, measured_fit_free);
    if (!fit) {
        g_prefix_error(error, "calibrating %s: ", source);
        return NULL;
    }
    add_notes(x->notes, source, "", fit->used);
    add_notes(x->notes, source, ", assumed", fit->assumed);
    add_notes(x->notes, source, ", note", fit->notes);
    return fit;
}

// Returns the platform on which a row is predicted. Returns NULL and an error if it cannot be calibrated.
static const Platform *platform_of(Predictor *x, const ValidateRow *row, GError **error)
{
    if (x->plan->from == CALIBRATE_NOTHING)
        return x->plan->platform;
    g_autofree char *source = source_of(x, row);
    MeasuredFit *fit = g_hash_table_lookup(x->fits, source);
    if (!fit && (fit = make_fit(x, source, error)))
        g_hash_table_insert(x->fits, g_steal_pointer(&source), fit);
    return fit ? fit->platform : NULL;
}

// Returns the steps of the ring between nodes that calibrated a fit; NULL if none did.
static const Table *ring_steps(const MeasuredFit *fit)
{
    const MeasuredLevel *far = &fit->platform->measured->level[fit->platform->levels.n - 1];
    return !fit->ring ? NULL : far->step ? far->step : far->one;
}

// Notes that a run's ring takes longer for a step than one on fewer nodes of the same set, and what the other one says.
static void note_congested(const Predictor *x, const char *source, const MeasuredFit *fit, const char *set)
{
    const char *best = NULL;
    const MeasuredFit *of_best = NULL;
    double most = RINGS_CONGESTED;
    GHashTableIter i;
    gpointer name, other;
    g_hash_table_iter_init(&i, x->fits);
    while (g_hash_table_iter_next(&i, &name, &other)) {
        const MeasuredFit *few = other;
        if (!g_str_has_prefix(name, set) || !few->ring || few->ring >= fit->ring)
            continue;
        const double ratio = measured_rings_ratio(ring_steps(fit), ring_steps(few));
        if (ratio > most || (ratio == most && best && strcmp(name, best) < 0)) {
            most = ratio;
            best = name;
            of_best = few;
        }
    }
    if (!best)
        return;
    const uint64_t bytes = ring_steps(fit)->at[0].bytes;
    g_autofree char *size = units_format_size(bytes), *now = units_format_time(table_time_at(ring_steps(fit), bytes)),
                    *then = units_format_time(table_time_at(ring_steps(of_best), bytes));
    const size_t skip = strlen(set);
    g_ptr_array_add(x->notes,
                    g_strdup_printf("%s, note: its ring on %d nodes takes %.2g times as long for a step as that of "
                                    "%s on %d (%s: %s, otherwise %s), so its network may have been congested; "
                                    "--fallback '%s=%s' predicts by the other one",
                                    source, fit->ring, most, best, of_best->ring, size, now, then, source + skip,
                                    best + skip));
}

// Notes the runs of each set that may have been congested.
static void note_rings(const Predictor *x)
{
    g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; x->plan->from == CALIBRATE_SAME_RUN && i < x->rows->rows->len; i++) {
        const ValidateRow *row = row_at(x, i);
        char *source = source_of(x, row);
        const MeasuredFit *fit = g_hash_table_lookup(x->fits, source);
        g_autofree char *set = x->rows->undecided ? g_strdup("") : g_strconcat(row->set, " ", NULL);
        if (fit && fit->ring && !g_hash_table_contains(done, source))
            note_congested(x, source, fit, set);
        g_hash_table_add(done, source);
    }
}

// ---- Runs -----------------------------------------------------------------------------------------------------------

static char *key_of(const LogSample *s, const Platform *platform, const char *level)
{
    return g_strdup_printf("%d\n%s\n%s\n%d\n%d%s\n%" G_GSIZE_FORMAT "\n%" G_GSIZE_FORMAT "\n%.17g %d\n%p\n%s",
                           (int)s->collective, s->algorithm, s->params, s->p, s->per_node, s->map, s->bytes, s->element,
                           s->factor, s->mean, (const void *)platform, level ? level : "");
}

// Finds or makes the run of a row. Returns FALSE and an error on bad input.
static gboolean add_case(Predictor *x, guint i, GError **error)
{
    const PredictPlan *plan = x->plan;
    const ValidateRow *row = row_at(x, i);
    const char *level = value_of(plan->places, row->group);
    const Platform *platform = platform_of(x, row, error);
    if (!platform)
        return FALSE;
    g_autofree char *key = key_of(&row->sample, platform, level);
    ValidateCase *run = g_hash_table_lookup(x->index, key);
    if (!run) {
        const CaseMachine on = {platform, plan->model, plan->network, level};
        if (!(run = case_new(row, &on, &plan->barrier, error)))
            return FALSE;
        g_ptr_array_add(x->cases, run);
        request_unknowns(&run->request, x->notes);
        g_hash_table_insert(x->index, g_steal_pointer(&key), run);
    }
    x->of_row->pdata[i] = run;
    return TRUE;
}

static gboolean run_case(gpointer job, gpointer user, GError **error)
{
    (void)user;
    return case_predict(job, error);
}

static gboolean predict_all(Predictor *x, GError **error)
{
    set_sweeps(x);
    g_ptr_array_set_size(x->of_row, (int)x->rows->rows->len);
    for (guint i = 0; i < x->rows->rows->len; i++) {
        if (row_at(x, i)->sample.kind == LOG_COLLECTIVE && row_at(x, i)->known && !add_case(x, i, error))
            return FALSE;
    }
    note_rings(x);
    const ParallelWork work = {.run = run_case, .what = "runs"};
    return parallel_run(x->cases, &work, error);
}

gboolean validate_predict(ValidateRows *rows, const PredictPlan *plan, GPtrArray *notes, GError **error)
{
    if (!check_list("--place", plan->places, rows, error) || !check_list("--fallback", plan->fallbacks, rows, error))
        return FALSE;
    Predictor x = {.plan = plan,
                   .rows = rows,
                   .cases = g_ptr_array_new_with_free_func(case_free),
                   .index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                   .of_row = g_ptr_array_new(),
                   .fits = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, fit_free),
                   .notes = notes};
    const gboolean good = predict_all(&x, error);
    guint fallbacks = 0, scored = 0;
    for (guint i = 0; good && i < rows->rows->len; i++) {
        const ValidateCase *run = g_ptr_array_index(x.of_row, i);
        ValidateRow *row = &g_array_index(rows->rows, ValidateRow, i);
        scored += row->use == ROW_SCORE;
        if (!run)
            continue;
        g_autofree char *ran = point_ran(run->point);
        row->predicted_s = run->time_s;
        row->entry = run->point->ran ? run->point->ran->name : "";
        row->ran = ran ? g_string_chunk_insert_const(rows->made, ran) : NULL;
        fallbacks += ran != NULL;
    }
    if (good && rows->undecided && scored == 0)
        g_ptr_array_add(notes, g_strdup("no row is left to score: all that can be used calibrated, and rows of other "
                                        "collectives would show the error"));
    if (fallbacks)
        g_ptr_array_add(notes, g_strdup_printf("rows predicted by the fallback that runs where a need of the algorithm "
                                               "is not met: %u; see `ran` in --points",
                                               fallbacks));
    g_ptr_array_unref(x.of_row);
    g_hash_table_unref(x.index);
    g_ptr_array_unref(x.cases);
    g_hash_table_unref(x.fits);
    return good;
}
