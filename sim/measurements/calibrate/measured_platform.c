// The platform that has the tables of a fit.
#include "measurements/calibrate/measured_fitting.h"
#include "base/error.h"
#include "base/units.h"
#include "measurements/calibrate/measured_fit.h"
#include "measurements/calibrate/measured_table.h"
#include "measurements/calibrate/calibration.h"
#include <math.h>

enum { LEAST_POINTS = 3 }; // through which lines can be fitted

// Makes the platform with the levels and the figures of `assumed`.
static void start_platform(Fit *f)
{
    const Platform *from = f->assumed;
    Platform *to = f->out->platform = platform_new_like(from->name, from);
    to->title = g_strdup(from->title);
    to->mpi = g_strdup(from->mpi);
    to->model = g_strdup(from->model ? measured_model.name : NULL);
    for (PlatformKey key = 0; key < N_PLATFORM_KEYS; key++)
        platform_take_figure(to, from, key);
}

// Returns the source of a table: the rows that made it, or what it was before.
static const char *table_source(Fit *f, int level, MeasuredPart part)
{
    const Platform *x = f->assumed;
    const PlatformKey key = fit_part_keys[part];
    const char *own = x->by_level[key] ? x->level_source[key][level] : NULL;
    return !*fit_kept_of(f, level, part) ? fit_evidence_of(f, level, part)->from->str : own ? own : x->source[key];
}

static gboolean set_table(Fit *f, int level, MeasuredPart part, GError **error)
{
    const Table *t = *fit_table_of(f, level, part);
    const gboolean kept = *fit_kept_of(f, level, part);
    const char *source = table_source(f, level, part);
    if (!t || (kept && f->assumed->has[fit_part_keys[part]]))
        return TRUE;
    g_autofree char *name = fit_table_name(f, level, part), *text = table_text(PLATFORM_TIME, t);
    if (!kept)
        fit_say(f->out->used, g_strdup_printf("%s: %d points from %s", name, t->n, source));
    return platform_set_figure(f->out->platform, fit_part_keys[part],
                               f->n_levels == 1 ? NULL : fit_level_name(f, level), text, source, error);
}

// Returns the level whose `one` stands for those that have none: the outermost that has one; -1 if none has.
static int common_level(Fit *f)
{
    int level = f->n_levels - 1;
    while (level >= 0 && (!*fit_table_of(f, level, PART_ONE) || (*fit_table_of(f, level, PART_ONE))->n < 2))
        level--;
    return level;
}

// Returns FALSE and an error if rows say how often a rank can send at a level, but none how long a message takes there.
static gboolean check_gaps(Fit *f, GError **error)
{
    for (int level = 0; level < f->n_levels; level++) {
        gboolean gaps = fit_evidence_of(f, level, PART_GAP)->points->len + f->both[level].points->len > 0;
        for (guint i = 0; i < f->rows->len; i++) {
            const CalibrateRow *row = fit_row_of(f, i);
            int at = -1;
            gaps |= row->sample->part == LOG_PART_GAP &&
                    calibration_level_of(&f->assumed->levels, row->sample, &at, NULL) && at == level;
        }
        if (gaps && !*fit_table_of(f, level, PART_ONE))
            return bad_input(error,
                             "rows of windows or gaps at level %s do not say how long a message takes; allowed: with "
                             "one-way times there, as one@%s=FILE, or --base with a platform that has them",
                             fit_level_name(f, level), fit_level_name(f, level));
    }
    return TRUE;
}

// Sets the tables of all levels. Levels without a `one` have that of the common level.
static gboolean set_tables(Fit *f, GError **error)
{
    const int common = common_level(f);
    if (common < 0)
        return bad_input(error,
                         "`one` cannot be determined; missing: a ping-pong of at least 2 sizes, or as many rows of "
                         "bcast pipeline or allgather ring");
    g_autofree char *text = table_text(PLATFORM_TIME, *fit_table_of(f, common, PART_ONE));
    if (!check_gaps(f, error))
        return FALSE;
    if (f->n_levels > 1 && !f->assumed->has[KEY_ONE] &&
        !platform_set_figure(f->out->platform, KEY_ONE, NULL, text, table_source(f, common, PART_ONE), error))
        return FALSE;
    for (int level = f->n_levels - 1; level >= 0; level--)
        for (MeasuredPart part = PART_ONE; part < N_MEASURED_PARTS; part++)
            if (!set_table(f, level, part, error))
                return FALSE;
    return TRUE;
}

// Notes a table that was given, or that stays as it was.
static void note_kept(Fit *f, int level, MeasuredPart part, const char *name)
{
    const char *source = table_source(f, level, part);
    fit_say(f->out->assumed, fit_is_fixed(f, level, part) ? g_strdup_printf("%s: %s", name, source)
                                                          : g_strdup_printf("%s: as it was, %s", name, source));
}

// Returns above which size `one` between nodes jumps most, if that is not the eager limit, as ", as usual; `one` jumps
// above 4K .."; "" otherwise. Free with g_free.
static char *jump_text(const Fit *f, int64_t eager)
{
    GArray *at = fit_evidence_of(f, f->n_levels - 1, PART_ONE)->points;
    g_autofree FitPoint *points = g_new(FitPoint, at->len + 1);
    guint n = 0;
    measured_table_sizes(at); // sorts the points
    for (guint i = 0; i < at->len; i++) {
        const MeasuredPoint *p = &g_array_index(at, MeasuredPoint, i);
        if (p->bytes > 0 && p->time_s > 0)
            points[n++] = (FitPoint){(double)p->bytes, p->time_s, 1};
    }
    fit_weigh_doublings(points, n);
    g_autoptr(GArray) pieces = n >= LEAST_POINTS ? fit_pieces(points, n) : NULL;
    const double limit = pieces ? calibration_eager(pieces, 0) : INFINITY;
    if (isinf(limit) || limit == (double)eager)
        return g_strdup("");
    g_autofree char *size = units_format_size((size_t)limit);
    return g_strdup_printf(", as usual; but `one` jumps above %s, so try --set eager=%s", size, size);
}

// Notes the tables that are defaults, and those that no row changed.
static void note_defaults(Fit *f)
{
    for (int level = f->n_levels - 1; level >= 0; level--)
        for (MeasuredPart part = PART_ONE; part < N_MEASURED_PARTS; part++) {
            g_autofree char *name = fit_table_name(f, level, part);
            if (*fit_kept_of(f, level, part))
                note_kept(f, level, part, name);
            if (*fit_table_of(f, level, part))
                continue;
            fit_say(f->out->assumed, part == PART_ONE ? g_strdup_printf("%s: as at the next level that is known", name)
                                     : part == PART_STEP
                                         ? g_strdup_printf("%s: as `one`", name)
                                         : g_strdup_printf("%s: from `one`, a share of one(8) and its last "
                                                           "slope",
                                                           name));
        }
    const MeasuredLevel *far = &f->out->platform->measured->level[f->n_levels - 1];
    if (!f->assumed->has[KEY_EAGER]) {
        g_autofree char *eager = units_format_size((size_t)MAX(far->eager, 0)), *jump = jump_text(f, far->eager);
        fit_say(f->out->assumed, g_strdup_printf("eager: %s%s", eager, jump));
    }
    if (!f->assumed->has[KEY_LAMBDA])
        fit_say(f->out->assumed, g_strdup_printf("lambda: %g%s", far->lambda, far->lambda > 0 ? ", for Open MPI" : ""));
}

// Notes a figure that is not from rows: what it is, and whether it was given.
static void note_figure(Fit *f, PlatformKey key)
{
    const Platform *x = f->assumed;
    if (!x->has[key])
        return;
    g_autofree char *text = platform_value_text(x, key, -1);
    fit_say(f->out->assumed, g_strdup_printf("%s: %s, %s", platform_keys[key].name, text, x->source[key]));
}

static gboolean set_gamma(Fit *f, GError **error)
{
    if (f->assumed->has[KEY_REDUCE] || f->assumed->has[KEY_GAMMA])
        return TRUE;
    if (isnan(f->gamma))
        return TRUE;
    if (!f->gamma_from)
        return measured_fit_assume_gamma(f->out, error);
    g_autofree char *text = platform_figure_text(KEY_REDUCE, f->gamma);
    return platform_set_figure(f->out->platform, KEY_REDUCE, NULL, text, f->gamma_from, error);
}

gboolean fit_platform(Fit *f, GError **error)
{
    start_platform(f);
    if (!set_tables(f, error))
        return FALSE;
    note_defaults(f);
    for (PlatformKey key = KEY_EAGER; key <= KEY_SWAP; key++)
        note_figure(f, key);
    note_figure(f, KEY_GAMMA);
    calibration_settle_sets(f->out->platform);
    return set_gamma(f, error);
}
