#include "measurements/calibrate/calibrate.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

// Returns which measurements would determine a figure.
static const char *needed(PlatformKey key)
{
    static const char loggp[] = "output of netgauge -x loggp (a ping-pong gives only the sum L + 2 o)";
    switch (key) {
    case KEY_GAMMA:
        return "rows of reduce_local, or of allreduce, reduce, scan .. on 2 or more ranks";
    case KEY_ALPHA:
    case KEY_BETA:
        return "a ping-pong (OSU osu_latency, IMB PingPong, netgauge, CSV), or rows of collectives of several sizes";
    case KEY_L:
    case KEY_O_CPU:
    case KEY_G_GAP:
    case KEY_O_BYTE:
        return loggp;
    case KEY_G_BYTE:
    case KEY_S:
        return "output of netgauge -x loggp, or a ping-pong";
    case KEY_LANES:
        return "rows of shm_ algorithms in which many ranks read one fragment";
    default:
        return "rows of algorithms of shared memory (shm_*) of several sizes";
    }
}

// Returns the one-way time of a message that the figures predict, in seconds.
static double one_way_time(const Calibration *c, size_t bytes)
{
    const CalibratedFigure *f = c->figure;
    if (c->model == &hockney_model)
        return f[KEY_ALPHA].value + (double)bytes * f[KEY_BETA].value;
    const double further = bytes > 1 ? (double)(bytes - 1) : 0;
    return f[KEY_L].value + 2 * f[KEY_O_CPU].value + further * MAX(f[KEY_G_BYTE].value, f[KEY_O_BYTE].value);
}

static gboolean has_key(const Model *model, PlatformKey key)
{
    for (size_t i = 0; i < model->n_keys; i++)
        if (model->keys[i] == key)
            return TRUE;
    return FALSE;
}

// Takes figures at a level of `assumed`: those of --set, and those of the model that have not been found.
static void take_assumed(Calibration *c, const Platform *assumed, int level)
{
    for (PlatformKey k = 0; k < N_PLATFORM_KEYS; k++) {
        const double value = platform_at(assumed, k, level);
        const char *own = assumed->by_level[k] ? assumed->level_source[k][level] : NULL;
        const gboolean set = calibration_is_set(assumed, k, level);
        if ((assumed->by_level[k] ? isnan(value) : !assumed->has[k]) || (c->level && !platform_keys[k].by_level))
            continue;
        if (!set && (c->figure[k].found || !has_key(c->model, k)))
            continue;
        calibration_found(c, k, value, 0, 0, (FitErrors){0},
                          g_strdup_printf("assumed, not measured: %s", own ? own : assumed->source[k]));
        c->figure[k].known = TRUE;
        c->figure[k].given = set;
    }
}

// Returns the missing figures as "L, o: what would determine them; gamma: what would determine it". Free with g_free.
static char *lacking(const Calibration *c)
{
    GString *text = g_string_new(NULL);
    const Model *model = c->model;
    for (size_t i = 0; i < model->n_keys; i++) {
        const char *missing = c->figure[model->keys[i]].missing;
        if (!missing || strstr(text->str, missing))
            continue;
        for (size_t k = i; k < model->n_keys; k++)
            if (g_strcmp0(missing, c->figure[model->keys[k]].missing) == 0)
                g_string_append_printf(text, "%s%s",
                                       k > i       ? ", "
                                       : text->len ? "; "
                                                   : "",
                                       platform_keys[model->keys[k]].name);
        g_string_append_printf(text, ": %s", missing);
    }
    return g_string_free(text, FALSE);
}

// Returns TRUE if measurements determined the figure at some level.
static gboolean finds(const Calibration *c, PlatformKey key)
{
    gboolean any = c->figure[key].found && !c->figure[key].known;
    for (guint i = 0; i < c->inner->len; i++)
        any |= finds(g_ptr_array_index(c->inner, i), key);
    return any;
}

static gboolean check_found(Calibration *c, GError **error)
{
    gboolean any = FALSE;
    for (size_t i = 0; i < c->model->n_keys; i++) {
        const PlatformKey key = c->model->keys[i];
        any |= finds(c, key);
        if (!c->model->shared || !platform_keys[key].optional) // a machine need not have the details of its memory
            calibration_missing(c, key, needed(key));
    }
    g_autofree char *lacks = lacking(c);
    return any || bad_input(error, "no figure of model %s can be determined; missing: %s", c->model->name, lacks);
}

// Predicts the points of lines.
static void predict_points(Calibration *c)
{
    for (guint i = 0; i < c->points->len; i++) {
        CalibratedPoint *p = &g_array_index(c->points, CalibratedPoint, i);
        if (p->kind == LOG_REDUCE)
            p->predicted_s = c->call_s + (double)p->sample->bytes * c->figure[KEY_GAMMA].value;
        else if (p->kind == LOG_SINGLE)
            p->predicted_s = c->figure[KEY_SINGLE].value + (double)p->sample->bytes * c->single_byte;
        else if (p->kind == LOG_ONE_WAY)
            p->predicted_s = one_way_time(c, p->sample->bytes);
    }
}

// Adds the points of another calibration.
static void add_points(Calibration *c, const Calibration *from)
{
    for (guint i = 0; i < from->points->len; i++) {
        CalibratedPoint p = g_array_index(from->points, CalibratedPoint, i);
        p.series = calibration_series(c, g_ptr_array_index(from->series, p.series));
        g_array_append_val(c->points, p);
    }
}

// Returns TRUE if --set gave a figure at this level, and not at all levels.
static gboolean any_set(const Platform *assumed, int level)
{
    for (PlatformKey k = 0; k < N_PLATFORM_KEYS; k++)
        if (assumed->by_level[k] && assumed->level_source[k][level] && calibration_is_set(assumed, k, level))
            return TRUE;
    return FALSE;
}

// Finds alpha and beta of the levels inside far that labels name, and takes what --set gives there. Returns FALSE and
// an error if rows of a level do not determine them.
static gboolean find_levels(Calibration *c, const GPtrArray *logs, const Platform *assumed, GError **error)
{
    for (int i = 0; i + 1 < assumed->levels.n; i++) {
        g_autoptr(Calibration) x = calibration_new(c->model);
        const CalibratedFigure *alpha = &x->figure[KEY_ALPHA], *beta = &x->figure[KEY_BETA];
        x->level = assumed->levels.at[i].name;
        if (c->model == &hockney_model)
            calibrate_one_way(x, logs);
        const gboolean rows = alpha->found || beta->missing;
        if (!rows && !any_set(assumed, i))
            continue;
        take_assumed(x, assumed, i);
        if (rows && !(alpha->found && beta->found))
            return bad_input(error, "alpha and beta of level %s cannot be determined; missing: %s", x->level,
                             beta->missing);
        predict_points(x);
        add_points(c, x);
        g_ptr_array_add(c->inner, g_steal_pointer(&x));
    }
    return TRUE;
}

// Returns the rows (CalibrateRow, borrowed) at a level (calibration_is_at). Free with g_array_unref.
static GArray *rows_at(const GArray *rows, const char *level)
{
    GArray *at = g_array_new(FALSE, FALSE, sizeof(CalibrateRow));
    for (guint i = 0; i < rows->len; i++) {
        const CalibrateRow *row = &g_array_index(rows, CalibrateRow, i);
        if (calibration_is_at(row->sample, level))
            g_array_append_val(at, *row);
    }
    return at;
}

// Finds the flag of one level from its rows, whose ranks are all at this level. The other figures are those between all
// ranks. Returns FALSE and an error if the rows do not determine it.
static gboolean find_flag(Calibration *c, const char *level, const GArray *rows, GError **error)
{
    g_autoptr(Calibration) x = calibration_new(c->model), y = calibration_new(c->model);
    for (size_t i = 0; i < c->model->n_keys; i++) {
        const PlatformKey key = c->model->keys[i];
        if (!platform_keys[key].optional && key != KEY_FLAG && !c->figure[key].found)
            return bad_input(error,
                             "flag of level %s cannot be determined without %s; missing: rows of shm_ algorithms "
                             "without a level, or --set",
                             level, platform_keys[key].name);
        if (key != KEY_FLAG)
            calibration_found(x, key, c->figure[key].found ? c->figure[key].value : platform_keys[key].otherwise, 0, 0,
                              (FitErrors){0}, g_strdup("as between all ranks"));
    }
    if (!calibrate_rows(x, rows, error))
        return FALSE;
    const CalibratedFigure *flag = &x->figure[KEY_FLAG];
    if (!flag->found)
        return bad_input(
            error, "flag of level %s cannot be determined; missing: rows of shm_ algorithms of small sizes", level);
    calibration_found(y, KEY_FLAG, flag->value, flag->rows, flag->left_out, flag->errors, g_strdup(flag->source));
    y->level = level;
    add_points(c, x);
    g_ptr_array_add(c->inner, g_steal_pointer(&y));
    return TRUE;
}

// Finds the flags of the levels inside far that labels of rows in shared memory name.
static gboolean find_flags(Calibration *c, const GArray *rows, const Platform *assumed, GError **error)
{
    for (int i = 0; c->model->shared && i + 1 < assumed->levels.n; i++) {
        g_autoptr(GArray) own = rows_at(rows, assumed->levels.at[i].name);
        if (own->len && !find_flag(c, assumed->levels.at[i].name, own, error))
            return FALSE;
    }
    return TRUE;
}

// Returns FALSE and an error if the model cannot do what the label of a sample says.
static gboolean check_label(const Model *model, const LogSample *s, const Levels *levels, GError **error)
{
    const char *level = s->level ? s->level : "far";
    const gboolean inner = strcmp(level, "far") != 0;
    int found;
    if (s->part == LOG_PART_NONE)
        return TRUE;
    if (s->part != (model->shared ? LOG_PART_FLAG : LOG_PART_ONE))
        return bad_input(error, "%s:%u: the label has `%s`, which model %s does not know; allowed: %s, or --model %s",
                         s->log->name, s->line, log_part_names[s->part], model->name, model->shared ? "flag" : "one",
                         s->part == LOG_PART_FLAG ? "shared" : "measured");
    if (model->shared)
        return calibration_level_of(levels, s, &found, error);
    if (inner && model != &hockney_model)
        return bad_input(error,
                         "%s:%u: the label has the level %s, and figures of %s are found at far only; allowed: "
                         "one@far, or --model hockney or measured",
                         s->log->name, s->line, level, model->name);
    if (inner && s->kind == LOG_COLLECTIVE)
        return bad_input(error,
                         "%s:%u: the label has the level %s, where hockney takes one-way times only; allowed: "
                         "one@%s=FILE with a ping-pong, or --model measured",
                         s->log->name, s->line, level, level);
    return calibration_level_of(levels, s, &found, error);
}

// Returns FALSE and an error if a label says what the model does not have.
static gboolean check_labels(const Model *model, const GPtrArray *logs, const Levels *levels, GError **error)
{
    for (const LogSample *s = NULL; (s = logs_next(logs, s));)
        if (!check_label(model, s, levels, error))
            return FALSE;
    return TRUE;
}

Calibration *calibrate(const Model *model, const GPtrArray *logs, const GArray *rows, const Platform *assumed,
                       GError **error)
{
    g_autoptr(Calibration) c = calibration_new(model);
    g_autoptr(Platform) nothing = platform_new("");
    const Platform *x = assumed ? assumed : nothing;
    if (!check_labels(model, logs, &x->levels, error))
        return NULL;
    if (!model->shared) {
        if (model != &hockney_model && logs_have(logs, LOG_PRTT))
            calibrate_loggp(c, logs);
        calibrate_one_way(c, logs);
    }
    calibrate_reduce(c, logs);
    if (model->shared)
        calibrate_single(c, logs);
    take_assumed(c, x, x->levels.n - 1);
    g_autoptr(GArray) far = rows_at(rows, NULL);
    if (far->len && !calibrate_rows(c, far, error))
        return NULL;
    predict_points(c);
    if (!find_levels(c, logs, x, error) || !find_flags(c, rows, x, error) || !check_found(c, error))
        return NULL;
    calibration_sort(c->points);
    return g_steal_pointer(&c);
}

// ---- The platform ---------------------------------------------------------------------------------------------------

// Sets the figures of far, and of the machine as a whole. What was known, unless --set gave it, is as in the base.
static gboolean set_far(const Calibration *c, Platform *x, const Platform *base, GError **error)
{
    for (PlatformKey k = 0; k < N_PLATFORM_KEYS; k++) {
        const CalibratedFigure *f = &c->figure[k];
        const gboolean kept = f->known && !f->given && base->has[k];
        g_autofree char *text = f->found ? platform_figure_text(k, f->value) : NULL;
        if (f->found && !kept && !platform_set_rest(x, k, text, f->source, error))
            return FALSE;
    }
    return TRUE;
}

// Sets a figure at the levels inside far. A level where it is not known has that of the next outer level that labels
// name.
static gboolean set_inner(const Calibration *c, Platform *x, const Platform *base, PlatformKey key, GError **error)
{
    const Calibration *outer = NULL;
    for (int i = x->levels.n - 2; i >= 0; i--) {
        const char *level = x->levels.at[i].name;
        const Calibration *own = NULL;
        for (guint k = 0; k < c->inner->len; k++)
            if (strcmp(((const Calibration *)g_ptr_array_index(c->inner, k))->level, level) == 0)
                own = g_ptr_array_index(c->inner, k);
        const Calibration *from = own ? own : base->has[key] ? NULL : outer;
        outer = own ? own : outer;
        if (!from || !from->figure[key].found)
            continue;
        const CalibratedFigure *f = &from->figure[key];
        g_autofree char *text = platform_figure_text(key, f->value),
                        *source = own ? g_strdup(f->source) : g_strdup_printf("as at %s: %s", outer->level, f->source);
        if (!platform_set_figure(x, key, level, text, source, error))
            return FALSE;
    }
    return TRUE;
}

// Gives the platform the figures at all levels.
static gboolean set_figures(const Calibration *c, Platform *x, const Platform *base, GError **error)
{
    for (PlatformKey k = 0; k < N_PLATFORM_KEYS; k++) {
        gboolean found = c->figure[k].found;
        for (guint i = 0; i < c->inner->len; i++)
            found |= ((const Calibration *)g_ptr_array_index(c->inner, i))->figure[k].found;
        if (found && base->has[k])
            platform_take_figure(x, base, k);
    }
    if (!set_far(c, x, base, error))
        return FALSE;
    for (PlatformKey k = 0; k < N_PLATFORM_KEYS; k++) {
        if (!set_inner(c, x, base, k, error))
            return FALSE;
        if (x->by_level[k] && !x->has[k])
            return bad_input(error,
                             "%s is known at level %s, but not at far; allowed: with rows of far, as "
                             "one@far=FILE, or --base with a platform that has it",
                             platform_keys[k].name,
                             ((const Calibration *)g_ptr_array_index(c->inner, c->inner->len - 1))->level);
    }
    return TRUE;
}

Platform *calibration_platform(const Calibration *c, const char *name, const char *title, const Platform *base,
                               GError **error)
{
    g_autoptr(Platform) nothing = platform_new("");
    const Platform *like = base ? base : nothing;
    g_autoptr(Platform) platform = platform_new_like(name, like);
    platform->title = g_strdup(title);
    if (!set_figures(c, platform, like, error))
        return NULL;
    if (c->model == &hockney_model && like->measured && (finds(c, KEY_ALPHA) || finds(c, KEY_BETA)))
        platform->model = g_strdup(c->model->name);
    if (!c->pieces || c->model != &hockney_model || c->pieces->len < 2)
        return g_steal_pointer(&platform);
    platform->pieces = g_array_new(FALSE, TRUE, sizeof(PlatformPiece));
    platform->pieces_source = g_strdup(c->pieces_source);
    for (guint i = 0; i < c->pieces->len; i++) {
        const FitPiece *piece = &g_array_index(c->pieces, FitPiece, i);
        const PlatformPiece p = {i ? (size_t)piece->from : 0, calibration_rounded(KEY_ALPHA, piece->at_zero),
                                 calibration_rounded(KEY_BETA, piece->slope)};
        g_array_append_val(platform->pieces, p);
    }
    return g_steal_pointer(&platform);
}
