#include "advice/targets/tune_target.h"
#include "base/distinct.h"
#include "advice/targets/cover.h"
#include <math.h>

TuneTarget *tune_target_new(TargetId id)
{
    TuneTarget *x = g_new0(TuneTarget, 1);
    x->target = &targets[id];
    x->rules = g_array_new(FALSE, FALSE, sizeof(TargetRule));
    x->parts = g_array_new(FALSE, FALSE, sizeof(TuneTargetPart));
    x->lacks = g_ptr_array_new_with_free_func(g_free);
    return x;
}

void tune_target_free(TuneTarget *x)
{
    if (!x)
        return;
    g_array_unref(x->rules);
    g_array_unref(x->parts);
    g_ptr_array_unref(x->lacks);
    g_free(x);
}

void tune_target_lack(TuneTarget *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    distinct_take(x->lacks, g_strdup_vprintf(format, args));
    va_end(args);
}

static double time_at(const TuneTargetTimes *t, guint size, guint choice)
{
    return t->time_s[size * t->n_choices + choice];
}

static double best_at(const TuneTargetTimes *t, guint size)
{
    double best = INFINITY;
    for (guint c = 0; c < t->n_choices; c++)
        if (time_at(t, size, c) < best) // FALSE for NAN
            best = time_at(t, size, c);
    return best;
}

// Marks the choices that are good at each size, and what they cost: the logarithm of the time.
static void find_good(const TuneTargetTimes *t, double usual_within, double within, gboolean *good, double *cost)
{
    for (guint s = 0; s < t->n; s++)
        for (guint c = 0; c < t->n_choices; c++) {
            const double time_s = time_at(t, s, c), best = best_at(t, s),
                         most = best * (1 + (c ? within : usual_within)) * (1 + 1e-12);
            const gboolean usual = c == 0 || isnan(time_at(t, s, 0)) || time_s < time_at(t, s, 0);
            good[s * t->n_choices + c] = isinf(best) ? c == 0 : !isnan(time_s) && time_s <= most && usual;
            cost[s * t->n_choices + c] = best > 0 && time_s > 0 ? log(time_s / best) : 0;
        }
}

// Returns the choice of the rows at a size; 0 if there is none.
static guint choice_at(const GArray *rows, guint size)
{
    for (guint i = 0; i < rows->len; i++) {
        const CoverRow *row = &g_array_index(rows, CoverRow, i);
        if (size >= row->first && size <= row->last)
            return row->choice;
    }
    return 0;
}

// Sets how good the rows are, over all sizes.
static void judge(TuneTargetPart *part, const TuneTargetTimes *t, const GArray *rows)
{
    double usual = 0, named = 0;
    guint known = 0, timed = 0;
    part->worst = 1;
    part->gains = 0;
    for (guint s = 0; s < t->n; s++) {
        const guint choice = choice_at(rows, s);
        const double best = best_at(t, s), own = time_at(t, s, 0), time_s = time_at(t, s, choice);
        part->gains += choice > 0;
        if (own > 0 && best > 0) {
            usual += log(own / best);
            known++;
        }
        if (!(time_s > 0) || !(best > 0))
            continue;
        named += log(time_s / best);
        timed++;
        part->worst = MAX(part->worst, time_s / best);
    }
    part->sizes = t->n;
    part->usual = known ? exp(usual / known) : NAN;
    part->rules = timed ? exp(named / timed) : NAN;
}

void tune_target_add(TuneTarget *x, TuneTargetPart part, const TuneTargetTimes *t, double usual_within, double within,
                     gboolean nested, gboolean open, TuneTargetMake *make, gconstpointer user)
{
    g_autofree gboolean *good = g_new0(gboolean, (gsize)t->n * t->n_choices + 1);
    g_autofree double *cost = g_new0(double, (gsize)t->n * t->n_choices + 1);
    find_good(t, usual_within, within, good, cost);
    g_autoptr(GArray) rows = cover_rows(t->n, t->n_choices, good, cost, nested);
    part.first = x->rules->len;
    part.n = rows->len;
    judge(&part, t, rows);
    for (guint i = 0; i < rows->len; i++) {
        const CoverRow *row = &g_array_index(rows, CoverRow, i);
        const gboolean last = row->last + 1 == t->n;
        TargetRule rule = {
            .collective = part.collective,
            .ranks = {part.p, part.p},
            .bytes = {row->first ? (gint64)t->sizes[row->first] : 0, last && open ? RULES_NO_LIMIT
                                                                     : last       ? (gint64)t->sizes[row->last]
                                                                            : (gint64)t->sizes[row->last + 1] - 1}};
        make(&rule, row->choice, user);
        g_array_append_val(x->rules, rule);
    }
    g_array_append_val(x->parts, part);
}
