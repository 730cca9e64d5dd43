// From the tables of a site to figures and a machine.
#include "base/error.h"
#include "base/units.h"
#include "measurements/calibrate/measured_table.h"
#include "measurements/calibrate/site_parts.h"
#include <math.h>
#include <string.h>

#define ROUNDED    5e-9 // by which a time may be off that is printed with two decimals of us
#define SHORT      0.5  // rows whose bytes take more than this part of alpha hide it; of others, alpha hides the bytes
#define CONTRADICT 1.25 // two tables of one thing whose times are further apart contradict each other

// ---- Figures --------------------------------------------------------------------------------------------------------

SiteFigure *site_parts_figure(SiteFit *f, PlatformKey key, const char *level, double value, double off,
                              const char *source)
{
    const SiteFigure figure = {.name = level ? g_strdup_printf("%s.%s", platform_keys[key].name, level)
                                             : g_strdup(platform_keys[key].name),
                               .key = key,
                               .value = value,
                               .low = MAX(value - off, 0),
                               .high = value + off,
                               .source = g_strdup(source)};
    g_array_append_val(f->site->figures, figure);
    return &g_array_index(f->site->figures, SiteFigure, f->site->figures->len - 1);
}

SiteFigure *site_parts_missing(SiteFit *f, PlatformKey key, const char *level, const char *missing)
{
    SiteFigure *const figure = site_parts_figure(f, key, level, NAN, NAN, NULL);
    figure->low = figure->high = NAN;
    figure->missing = g_strdup(missing);
    return figure;
}

double site_parts_median_error(double spread, guint rows)
{
    return FIT_MEDIAN_ERROR * spread / sqrt(MAX(rows, 1));
}

static const char *level_name(const SiteFit *f, int level)
{
    return f->levels->at[level].name;
}

gboolean site_parts_set(SiteFit *f, PlatformKey key, int level, double value, const char *source, GError **error)
{
    g_autofree char *text = platform_figure_text(key, value);
    return platform_set_figure(f->assumed, key, level >= 0 ? level_name(f, level) : NULL, text, source, error);
}

static void say(SiteFit *f, char *text)
{
    g_ptr_array_add(f->site->notes, text);
}

// ---- Sweeps ---------------------------------------------------------------------------------------------------------

static const SiteTable *site_table(const SiteFit *f, guint i)
{
    return &g_array_index(f->site->tables, SiteTable, i);
}

// Returns the rows of all tables of a use at a level; NULL if there are none. Free with site_sweep_free.
static SiteSweep *sweep_of(const SiteFit *f, SiteUse use, int level)
{
    g_autoptr(SiteSweep) sweep = site_sweep_new();
    for (guint i = 0; i < f->site->tables->len; i++)
        if (site_table(f, i)->use == use && site_table(f, i)->level == level)
            site_sweep_add(sweep, site_table(f, i), 1);
    return sweep->rows->len ? g_steal_pointer(&sweep) : NULL;
}

// Hands a table to the fit of the model measured, as the rows of a log.
static void make_log(SiteFit *f, const SiteSweep *sweep, const GArray *table, LogSampleKind kind, LogPart part,
                     int level)
{
    Log *const log = log_new(sweep->names->str, sweep->format, "without spikes");
    const char *const name = g_string_chunk_insert(log->texts, level_name(f, level));
    log->warm = TRUE;
    for (guint i = 0; i < table->len; i++) {
        const MeasuredPoint *const p = &g_array_index(table, MeasuredPoint, i);
        const LogSample s = {.kind = kind,
                             .log = log,
                             .line = i + 1,
                             .bytes = p->bytes,
                             .time_s = p->time_s,
                             .p = 2,
                             .part = part,
                             .level = name,
                             .params = "",
                             .map = "",
                             .element = 1};
        g_array_append_val(log->samples, s);
    }
    g_ptr_array_add(f->site->made, log);
}

// ---- One way --------------------------------------------------------------------------------------------------------

// Puts the first size beyond the eager limit into a table, so that its time does not rise before the limit.
static void add_limit(GArray *table, const FitStep *step)
{
    if (isinf(step->limit))
        return;
    for (guint i = 1; i < table->len; i++) {
        const MeasuredPoint *const before = &g_array_index(table, MeasuredPoint, i - 1), *const after = before + 1;
        const MeasuredPoint point = {
            (uint64_t)step->limit + 1,
            CLAMP(fit_step_at(step, step->limit + 1) + (step->limit + 1 > step->last ? 0 : step->jump), before->time_s,
                  after->time_s)};
        if (before->bytes > point.bytes || after->bytes <= point.bytes)
            continue;
        g_array_insert_val(table, i, point);
        return;
    }
}

// Returns how far the tables of one use at a level are from their first one, as factors below and above 1; names those that
// contradict each other.
static void find_contradictions(SiteFit *f, SiteUse use, int level, double *low, double *high)
{
    *low = *high = 1;
    for (guint i = 0; i < f->site->tables->len; i++)
        for (guint k = i + 1; k < f->site->tables->len; k++) {
            const SiteTable *const a = site_table(f, i), *const b = site_table(f, k);
            if (a->use != use || b->use != use || a->level != level || b->level != level)
                continue;
            const double ratio = site_logs_ratio(a, b, 0);
            if (isnan(ratio) || fabs(log(ratio)) < log(CONTRADICT))
                continue;
            *low = MIN(*low, MIN(ratio, 1 / ratio));
            *high = MAX(*high, MAX(ratio, 1 / ratio));
            say(f, g_strdup_printf(
                       "%s:%u and %s:%u contradict each other: both are %s at %s, and the one takes %.2f times as "
                       "long as the other; one of them is of another level or of a busy machine, and --names "
                       "says which (nothing)",
                       ratio > 1 ? a->log->name : b->log->name, ratio > 1 ? a->first->line : b->first->line,
                       ratio > 1 ? b->log->name : a->log->name, ratio > 1 ? b->first->line : a->first->line,
                       use == SITE_ONE ? "one-way times" : site_logs_use_names[use], level_name(f, level),
                       MAX(ratio, 1 / ratio)));
        }
}

// Returns the next outer level whose one-way times are known; -1 if there is none.
static int known_beyond(const SiteFit *f, int level)
{
    for (int i = level + 1; i < f->levels->n; i++)
        if (f->level[i].known)
            return i;
    return -1;
}

// Returns how long the bytes alone take in row i of a sweep, whose rows are in the order of sizes, as a part of alpha.
static double bytes_part(const SiteSweep *sweep, guint i, const FitStep *step)
{
    return g_array_index(sweep->rows, SiteRow, i).point.x * step->slope / step->at_zero;
}

// Gives a level that has times of short messages only the slope of the next outer level, if one is known. Returns FALSE if not.
static gboolean lengthen(SiteFit *f, int level, const SiteSweep *sweep)
{
    enum { LONG = 4 << 20 }; // bytes
    SiteLevel *const x = &f->level[level];
    const int outer = known_beyond(f, level);
    if (outer < 0 || bytes_part(sweep, sweep->rows->len - 1, &x->one) >= SHORT)
        return FALSE;
    x->one.slope = f->level[outer].one.slope;
    const MeasuredPoint end = {LONG, fit_step_at(&x->one, LONG)};
    g_array_append_val(x->table, end);
    say(f, g_strdup_printf("%s: only short messages are known, so beta.%s is as at %s", level_name(f, level),
                           level_name(f, level), level_name(f, outer)));
    return TRUE;
}

static gboolean fit_one_way(SiteFit *f, int level, GError **error)
{
    static const char missing[] = "osu_latency or IMB PingPong of 2 ranks";
    const char *const name = level_name(f, level);
    SiteLevel *const x = &f->level[level];
    g_autoptr(SiteSweep) sweep = sweep_of(f, SITE_ONE, level);
    x->gap = NAN;
    if (!sweep || !site_sweep_step(sweep, &x->one)) {
        g_autofree char *where = g_strdup_printf("%s at %s", missing, name);
        site_parts_missing(f, KEY_ALPHA, name, where);
        site_parts_missing(f, KEY_BETA, name, where);
        return TRUE;
    }
    double low, high;
    x->known = TRUE;
    x->table = site_sweep_table(sweep, fit_step_at, &x->one);
    add_limit(x->table, &x->one);
    site_sweep_note(sweep, f->site->notes);
    find_contradictions(f, SITE_ONE, level, &low, &high);
    const FitStep *const s = &x->one;
    const double off_alpha = MAX(SITE_SURE * s->zero_off, 0.01 * s->at_zero) + ROUNDED,
                 off_beta = MAX(SITE_SURE * s->slope_off, 0.015 * s->slope);
    g_autofree char *source = g_strdup_printf("%s: one-way times, a line and a jump", sweep->from->str);
    const double from = bytes_part(sweep, 0, s), to = bytes_part(sweep, sweep->rows->len - 1, s),
                 longest = g_array_index(sweep->rows, SiteRow, sweep->rows->len - 1).point.x;
    const gboolean other = lengthen(f, level, sweep);
    if (other)
        site_parts_missing(f, KEY_BETA, name, "osu_latency or IMB PingPong of 2 ranks, up to 4M");
    SiteFigure *const alpha = site_parts_figure(f, KEY_ALPHA, name, s->at_zero, off_alpha, source);
    alpha->low *= from <= SHORT ? low : 0; // a jump may hide in it
    alpha->high *= high;
    x->alpha_low = alpha->low;
    if (!other) {
        SiteFigure *const beta = site_parts_figure(f, KEY_BETA, name, s->slope, off_beta, source);
        beta->low *= to < SHORT ? 0 : low; // bytes that take too little time are not seen
        beta->high = beta->high * high + (to < SHORT ? SHORT * s->at_zero / longest : 0);
    }
    if (!isinf(s->limit)) {
        SiteFigure *const eager = site_parts_figure(f, KEY_EAGER, name, s->limit, 0, source);
        eager->low = s->last;
        eager->high = s->next - 1;
        const double off = MAX(0.1 * s->jump, SITE_SURE * s->spread * fit_step_at(s, s->next)) + ROUNDED;
        SiteFigure *const jump = site_parts_figure(f, KEY_ALPHA, NULL, s->jump, off, source); // a time, as alpha is
        g_free(jump->name);
        jump->name = g_strdup_printf("jump.%s", name);
        if (!site_parts_set(f, KEY_EAGER, level, s->limit, source, error))
            return FALSE;
    }
    make_log(f, sweep, x->table, LOG_ONE_WAY, LOG_PART_ONE, level);
    return TRUE;
}

// Hands the sendrecvs of a level on, and what windows in both directions take.
static void fit_both_ways(SiteFit *f, int level)
{
    g_autoptr(SiteSweep) step = sweep_of(f, SITE_STEP, level), both = sweep_of(f, SITE_BOTH, level);
    FitStep curve;
    FitLadder ladder;
    if (!f->level[level].known)
        return;
    if (step && site_sweep_step(step, &curve)) {
        g_autoptr(GArray) table = site_sweep_table(step, fit_step_at, &curve);
        add_limit(table, &curve);
        site_sweep_note(step, f->site->notes);
        make_log(f, step, table, LOG_SENDRECV, LOG_PART_STEP, level);
    }
    if (both && site_sweep_ladder(both, &ladder) && ladder.rises) {
        g_autoptr(GArray) table = site_sweep_table(both, fit_ladder_at, &ladder);
        for (guint i = 0; i < table->len; i++) { // of these, only the slope counts
            MeasuredPoint *const p = &g_array_index(table, MeasuredPoint, i);
            p->time_s = (double)p->bytes >= ladder.from[1] ? fit_ladder_at(&ladder, (double)p->bytes) : p->time_s;
        }
        site_sweep_note(both, f->site->notes);
        make_log(f, both, table, LOG_WINDOW_BOTH, LOG_PART_STEP, level);
    }
}

// ---- The gap of a rank ----------------------------------------------------------------------------------------------

// A window of W messages ends with the last message's way and the answer's, so that W - 1 gaps are in what is left.
static void take_answers(SiteSweep *sweep, const FitStep *one, int window)
{
    enum { ANSWER = 4 }; // bytes
    for (guint i = 0; i < sweep->rows->len && window > 1; i++) {
        FitPoint *const p = &g_array_index(sweep->rows, SiteRow, i).point;
        const double rest = window * p->y - fit_step_at(one, p->x) - fit_step_at(one, ANSWER);
        p->y = MAX(rest / (window - 1), 0.1 * p->y);
    }
}

// Takes the slope of a level from its windows, where there are no one-way times. Windows hide how long a message takes
// alone, so the rest of the line is that of the next outer level whose one-way times are known.
static void take_slope(SiteFit *f, int level, const SiteSweep *sweep, const FitLadder *ladder)
{
    const char *const name = level_name(f, level);
    g_autofree char *beta = g_strdup_printf("%s.%s", platform_keys[KEY_BETA].name, name),
                    *source = g_strdup_printf("%s: long messages of a window of one pair", sweep->from->str);
    SiteLevel *const x = &f->level[level];
    const int outer = known_beyond(f, level);
    if (outer < 0 || !ladder->rises)
        return;
    const double error = MAX(SITE_SURE * site_parts_median_error(ladder->spread, ladder->slope_rows), 0.03);
    for (guint i = 0; i < f->site->figures->len; i++) {
        SiteFigure *const figure = &g_array_index(f->site->figures, SiteFigure, i);
        if (strcmp(figure->name, beta) != 0) // fit_one_way has found it missing
            continue;
        figure->value = ladder->slope[1];
        figure->low = (1 - error) * figure->value;
        figure->high = (1 + error) * figure->value;
        figure->source = g_steal_pointer(&source);
        g_clear_pointer(&figure->missing, g_free);
    }
    x->windows = TRUE;
    x->one = (FitStep){.at_zero = f->level[outer].one.at_zero,
                       .slope = ladder->slope[1],
                       .last = INFINITY,
                       .next = INFINITY,
                       .limit = INFINITY};
    x->table = site_sweep_table(sweep, fit_ladder_at, ladder);
    for (guint i = 0; i < x->table->len; i++) {
        MeasuredPoint *const p = &g_array_index(x->table, MeasuredPoint, i);
        p->time_s = fit_step_at(&x->one, (double)p->bytes);
    }
    make_log(f, sweep, x->table, LOG_ONE_WAY, LOG_PART_ONE, level);
    say(f, g_strdup_printf(
               "%s: only windows are known, which say how long a byte takes, but not a message: alpha.%s is as "
               "at %s, and may be far too long; osu_latency of 2 ranks at %s measures it",
               name, name, level_name(f, outer), name));
}

static void fit_gap(SiteFit *f, int level)
{
    const char *const name = level_name(f, level);
    g_autoptr(SiteSweep) sweep = site_sweep_new();
    FitLadder ladder;
    for (guint i = 0; i < f->site->tables->len; i++) {
        const SiteTable *const t = site_table(f, i);
        if (t->use != SITE_GAP || t->level != level)
            continue;
        g_autoptr(SiteSweep) own = site_sweep_new();
        site_sweep_add(own, t, 1);
        if (f->level[level].known)
            take_answers(own, &f->level[level].one, t->window);
        site_sweep_add(sweep, t, 0); // its name
        g_array_append_vals(sweep->rows, own->rows->data, own->rows->len);
    }
    site_sweep_sort(sweep);
    if (!sweep->rows->len || !site_sweep_ladder(sweep, &ladder) || isnan(ladder.flat)) {
        if (level == f->levels->n - 1)
            site_parts_missing(f, KEY_GAP, name, "osu_bw, or osu_mbw_mr of one pair, on 2 nodes");
        return;
    }
    g_autofree char *source = g_strdup_printf("%s: messages of a window of one pair%s", sweep->from->str,
                                              f->level[level].known ? ", less the answer to it" : "");
    const double error = SITE_SURE * site_parts_median_error(ladder.spread, ladder.flat_rows);
    SiteFigure *const figure = site_parts_figure(f, KEY_GAP, name, ladder.flat, MAX(error, 0.05) * ladder.flat, source);
    if (!f->level[level].known)
        figure->low = ladder.flat / 2; // the answer is still in it
    else                               // two ways, of the last message and of the answer, were taken from 63 gaps or so
        figure->high += 2 * (f->level[level].one.at_zero - f->level[level].alpha_low) / 63;
    f->level[level].gap = ladder.flat;
    site_sweep_note(sweep, f->site->notes);
    if (!f->level[level].known)
        take_slope(f, level, sweep, &ladder);
    if (!f->level[level].known && !f->level[level].windows)
        return;
    g_autoptr(GArray) table = site_sweep_table(sweep, fit_ladder_at, &ladder);
    make_log(f, sweep, table, LOG_WINDOW, LOG_PART_GAP, level);
}

// ---- The machine ----------------------------------------------------------------------------------------------------

// Sets alpha and beta at each level: a level without rows is as the next outer one that has some.
static gboolean set_lines(SiteFit *f, GError **error)
{
    const SiteLevel *outer = NULL;
    const char *from = NULL;
    for (int i = f->levels->n - 1; i >= 0; i--) {
        const gboolean known = f->level[i].known || f->level[i].windows;
        const SiteLevel *const own = known ? &f->level[i] : outer;
        if (own != outer)
            from = level_name(f, i);
        outer = own;
        if (!own || (own != &f->level[i] && f->assumed->has[KEY_ALPHA]))
            continue;
        g_autofree char *source = f->level[i].known
                                      ? g_strdup("one-way times, a line and a jump (the jump is in [measured])")
                                  : known ? g_strdup("windows say beta; alpha is as at the next outer level")
                                          : g_strdup_printf("as at %s, because no log is of this level", from);
        if (own != &f->level[i])
            say(f, g_strdup_printf("%s: no log is of this level, so it is as %s", level_name(f, i), from));
        if (!site_parts_set(f, KEY_ALPHA, i, own->one.at_zero, source, error) ||
            !site_parts_set(f, KEY_BETA, i, own->one.slope, source, error))
            return FALSE;
    }
    return TRUE;
}

// Sets gamma where nothing says it: to reduce a byte is taken to last as long as to copy one.
static gboolean set_gamma(SiteFit *f, GError **error)
{
    static const char missing[] = "IMB-MPI1 Reduce_local, or `collsim calibrate --run`";
    const gboolean known = f->assumed->has[KEY_GAMMA] || f->assumed->has[KEY_REDUCE];
    int level = 0;
    g_autoptr(SiteSweep) rows = sweep_of(f, SITE_GAMMA, f->levels->n - 1);
    FitStep curve;
    if (rows && site_sweep_step(rows, &curve) && bytes_part(rows, rows->rows->len - 1, &curve) >= SHORT) {
        g_autoptr(GArray) table = site_sweep_table(rows, fit_step_at, &curve);
        make_log(f, rows, table, LOG_REDUCE, LOG_PART_NONE, f->levels->n - 1);
        site_parts_figure(f, KEY_GAMMA, NULL, curve.slope, MAX(SITE_SURE * curve.slope_off, 0.02 * curve.slope),
                          rows->from->str);
        return TRUE;
    }
    while (level < f->levels->n && !f->level[level].table)
        level++;
    SiteFigure *const figure = site_parts_missing(f, KEY_GAMMA, NULL, missing);
    if (known) {
        const PlatformKey key = f->assumed->has[KEY_REDUCE] ? KEY_REDUCE : KEY_GAMMA;
        figure->value = f->assumed->value[key];
        figure->source = g_strdup(f->assumed->source[key]);
        return TRUE;
    }
    if (level == f->levels->n)
        return TRUE;
    figure->value = f->level[level].one.slope;
    figure->source = g_strdup_printf(
        "assumed, because no log says it: reducing a byte takes as long as moving one at %s", level_name(f, level));
    return site_parts_set(f, KEY_GAMMA, -1, figure->value, figure->source, error);
}

static gboolean run(SiteFit *f, GError **error)
{
    const int far = f->levels->n - 1;
    for (int i = far; i >= 0; i--)
        if (!fit_one_way(f, i, error))
            return FALSE;
    for (int i = far; i >= 0; i--) {
        fit_both_ways(f, i);
        fit_gap(f, i);
    }
    if (!site_shared_fit(f, error) || !set_gamma(f, error))
        return FALSE;
    if (!f->level[far].known && !f->assumed->has[KEY_ONE])
        return bad_input(error,
                         "no log says how long a message takes at far; allowed: with osu_latency or IMB PingPong "
                         "of 2 ranks on 2 nodes, or --base with a machine that has [measured]");
    return set_lines(f, error);
}

MeasuredFit *site_logs_fit(SiteLogs *site, Platform *assumed, GError **error)
{
    g_autofree SiteLevel *level = g_new0(SiteLevel, assumed->levels.n);
    SiteFit f = {site, assumed, &assumed->levels, level};
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(CalibrateRow));
    MeasuredFit *fit = run(&f, error) ? measured_fit(site->made, none, assumed, error) : NULL;
    for (int i = 0; i < assumed->levels.n; i++)
        if (level[i].table)
            g_array_unref(level[i].table);
    return fit;
}
