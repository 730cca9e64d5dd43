// Evidence: what the rows and messages of logs say about the tables of each level.
#include "measurements/calibrate/measured_fitting.h"
#include "base/error.h"
#include "measurements/calibrate/measured_table.h"
#include <math.h>
#include <string.h>

const PlatformKey fit_part_keys[N_MEASURED_PARTS] = {KEY_ONE, KEY_STEP, KEY_GAP};

static void add_point(Evidence *e, const LogSample *s, uint64_t bytes, double time_s, const char *what)
{
    const MeasuredPoint point = {bytes, time_s};
    g_array_append_val(e->points, point);
    g_autofree char *base = g_path_get_basename(s->log->name);
    g_autofree char *named = g_strdup_printf("%s (%s): %s", base, s->log->format, what);
    if (g_hash_table_contains(e->named, named))
        return;
    enum { LONG = 600 }; // bytes of a source, after which further names become ".."
    if (e->from->len < LONG)
        g_string_append_printf(e->from, "%s%s", e->from->len ? "; " : "", named);
    else if (!g_str_has_suffix(e->from->str, ".."))
        g_string_append(e->from, "; ..");
    g_hash_table_add(e->named, g_steal_pointer(&named));
}

// Adds what one sample of messages determines. Its label, if it has one, chooses among several things.
static void add_message(Fit *f, const LogSample *s, int level)
{
    const gboolean any = s->part == LOG_PART_NONE;
    if ((s->kind == LOG_ONE_WAY || s->kind == LOG_PRTT) && (any || s->part == LOG_PART_ONE))
        add_point(fit_evidence_of(f, level, PART_ONE), s, s->bytes, s->time_s, "one-way times");
    else if (s->kind == LOG_SENDRECV)
        add_point(fit_evidence_of(f, level, PART_STEP), s, s->bytes, s->time_s, "sendrecv");
    else if (s->kind == LOG_WINDOW)
        add_point(fit_evidence_of(f, level, PART_GAP), s, s->bytes, s->time_s, "messages of a window");
    else if (s->kind == LOG_WINDOW_BOTH)
        add_point(&f->both[level], s, s->bytes, s->time_s, "slope of messages of windows in both directions");
    if (s->kind == LOG_PRTT && s->prtt.many > s->prtt.one && (any || s->part == LOG_PART_GAP))
        add_point(fit_evidence_of(f, level, PART_GAP), s, s->bytes, (s->prtt.many - s->prtt.one) / (s->prtt.n - 1),
                  "(PRTT(n,0,s) - PRTT(1,0,s))/(n-1)");
}

gboolean fit_add_messages(Fit *f, GError **error)
{
    for (const LogSample *s = NULL; (s = logs_next(f->logs, s));) {
        int level;
        if (s->kind == LOG_COLLECTIVE || s->kind == LOG_REDUCE || s->kind == LOG_SINGLE || s->time_s <= 0)
            continue;
        if (!calibration_level_of(&f->assumed->levels, s, &level, error))
            return FALSE;
        add_message(f, s, level);
    }
    return TRUE;
}

// Returns what a row of equal steps is called in a source. Free with g_free.
static char *row_what(const CalibrateRow *row, const MeasuredSteps *steps)
{
    return steps->part == PART_GAP ? g_strdup_printf("%s, (time - one)/%" G_GINT64_FORMAT, row->series, steps->k)
           : steps->k == 1         ? g_strdup(row->series)
                                   : g_strdup_printf("%s, time/%" G_GINT64_FORMAT, row->series, steps->k);
}

double fit_steps_time(const Fit *f, guint i)
{
    return fit_row_of(f, i)->sample->time_s - f->own[i].all_s;
}

void fit_add_row(Fit *f, guint i, int level, const MeasuredSteps *steps, double time_s)
{
    const CalibrateRow *row = fit_row_of(f, i);
    if (time_s <= 0)
        return;
    g_autofree char *what = row_what(row, steps);
    add_point(fit_evidence_of(f, level, steps->part), row->sample, steps->bytes, time_s, what);
    f->out->uses_row[i] = TRUE;
}

// Returns TRUE if a fallback of ours would run in place of the algorithm that was measured.
static gboolean falls_back(const CalibrateRow *row)
{
    const LogSample *s = row->sample;
    const CollAlgorithm *asked = s->algorithm ? algorithm_find(s->collective, s->algorithm) : NULL;
    return asked && asked != row->op.algorithm;
}

// Returns TRUE if the time is a mean over ranks that do not end together, from which the steps do not follow.
static gboolean hides_last(const LogSample *s, const MeasuredSteps *steps)
{
    return s->mean && steps->part != PART_STEP;
}

gboolean fit_is_simple(const Fit *f, guint i, int *level, MeasuredSteps *steps)
{
    const CalibrateRow *row = fit_row_of(f, i);
    const LogSample *s = row->sample;
    if (s->time_s <= 0 || falls_back(row) || !measured_steps(&row->op, steps) || hides_last(s, steps))
        return FALSE;
    if (s->part == LOG_PART_NONE) {
        *level = measured_steps_level(row, &f->assumed->levels);
        return *level >= 0;
    }
    steps->part = (MeasuredPart)(s->part - LOG_PART_ONE);
    steps->rank = 0; // the user chose the row
    return calibration_level_of(&f->assumed->levels, s, level, NULL);
}

gboolean fit_check_labels(const Fit *f, GError **error)
{
    for (guint i = 0; i < f->rows->len; i++) {
        const CalibrateRow *row = fit_row_of(f, i);
        const LogSample *s = row->sample;
        MeasuredSteps steps;
        int level;
        if (s->part == LOG_PART_NONE)
            continue;
        if (s->part == LOG_PART_FLAG)
            return bad_input(error,
                             "%s:%u: the label has `flag`, which model measured does not have; allowed: one, "
                             "step or gap, or --model shared",
                             s->log->name, s->line);
        if (!calibration_level_of(&f->assumed->levels, s, &level, error))
            return FALSE;
        const gboolean gap = s->part == LOG_PART_GAP;
        if (!measured_steps(&row->op, &steps) || (steps.part == PART_GAP) != gap)
            return bad_input(
                error, "%s:%u: %s does not determine `%s`; allowed: %s", row->sample->log->name, s->line, row->series,
                measured_part_names[s->part - LOG_PART_ONE],
                gap ? "bcast linear, scatter linear"
                    : "collectives of equal steps: bcast pipeline in one segment, allgather ring, allreduce "
                      "ring, recursive doubling or dissemination");
        if (hides_last(s, &steps))
            return bad_input(error,
                             "%s:%u: %s: the times are means over the ranks, which end at different times, and do not "
                             "determine `%s`; allowed: logs with the last rank's time, as OSU prints with -f",
                             row->sample->log->name, s->line, row->series, measured_part_names[s->part - LOG_PART_ONE]);
    }
    return TRUE;
}

char *fit_table_name(const Fit *f, int level, MeasuredPart part)
{
    return f->n_levels == 1 ? g_strdup(measured_part_names[part])
                            : g_strdup_printf("%s.%s", measured_part_names[part], fit_level_name(f, level));
}

int fit_fewest_ranks(const Fit *f, int level, MeasuredPart part)
{
    int fewest = INT_MAX, at;
    MeasuredSteps steps;
    for (guint i = 0; i < f->rows->len; i++)
        if (fit_is_simple(f, i, &at, &steps) && at == level && steps.part == part)
            fewest = MIN(fewest, fit_row_of(f, i)->op.c.p);
    return fewest;
}

void fit_add_rows(Fit *f, int level, MeasuredPart part)
{
    Evidence *e = fit_evidence_of(f, level, part);
    if (fit_is_fixed(f, level, part)) {
        g_array_set_size(e->points, 0);
        return;
    }
    const int fewest = level < f->n_levels - 1 ? fit_fewest_ranks(f, level, part) : 0;
    for (int rank = RANK_BEST; rank < N_ROW_RANKS && measured_table_sizes(e->points) <= FIT_FEW; rank++)
        for (guint i = 0; i < f->rows->len; i++) {
            int at;
            MeasuredSteps steps;
            if (!fit_is_simple(f, i, &at, &steps) || at != level || steps.part != part || steps.rank != rank)
                continue;
            if (fewest && fit_row_of(f, i)->sample->part == LOG_PART_NONE && fit_row_of(f, i)->op.c.p != fewest)
                continue;
            if (steps.reduced == 0 || !isnan(f->gamma)) // or else its steps and reductions cannot be told apart
                fit_add_row(f, i, level, &steps, fit_steps_time(f, i) / (double)steps.k);
        }
}

void evidence_init(Evidence *e)
{
    *e = (Evidence){g_array_new(FALSE, FALSE, sizeof(MeasuredPoint)), g_string_new(NULL),
                    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
}

void evidence_clear(Evidence *e)
{
    g_array_unref(e->points);
    g_string_free(e->from, TRUE);
    g_hash_table_unref(e->named);
}
