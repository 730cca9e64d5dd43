// What labels say about the rows that a calibration uses: the level of their messages, and the figure that they
// determine.
#include "measurements/calibrate/calibrate.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

gboolean calibration_level_of(const Levels *levels, const LogSample *s, int *level, GError **error)
{
    *level = levels->n - 1;
    if (!s->level || levels_find(levels, s->level, level, NULL))
        return TRUE;
    g_autofree char *name = error_quote(s->level);
    if (levels->n == 1)
        return bad_input(error,
                         "%s: the label has the level %s, and the machine has none; allowed: --base with a platform "
                         "that has [levels]",
                         s->log->name, name);
    levels_find(levels, s->level, level, error);
    g_prefix_error(error, "%s: the label: ", s->log->name);
    return FALSE;
}

gboolean calibration_wants(const Calibration *c, const LogSample *s)
{
    return strcmp(s->level ? s->level : "far", c->level ? c->level : "far") == 0;
}

gboolean calibration_is_set(const Platform *x, PlatformKey key, int level)
{
    const char *own = level >= 0 && x->by_level[key] ? x->level_source[key][level] : NULL;
    const char *source = own ? own : x->source[key];
    if (level >= 0 && x->by_level[key] && isnan(x->by_level[key][level]))
        return FALSE;
    return source && g_str_has_prefix(source, "--set ");
}

// Replaces a source by one that does not begin with --set.
static void settle(char **source)
{
    if (!*source || !g_str_has_prefix(*source, "--set "))
        return;
    char *settled = g_strdup_printf("assumed, not measured: %s", *source);
    g_free(*source);
    *source = settled;
}

void calibration_settle_sets(Platform *x)
{
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        settle(&x->source[k]);
        for (int i = 0; x->by_level[k] && i < x->levels.n; i++)
            settle(&x->level_source[k][i]);
    }
}

// Returns FALSE and an error if the model cannot do what the label of a sample says.
static gboolean check_label(const Model *model, const LogSample *s, const Levels *levels, GError **error)
{
    static const char *const parts[] = {[LOG_PART_ONE] = "one", [LOG_PART_STEP] = "step", [LOG_PART_GAP] = "gap"};
    const char *level = s->level ? s->level : "far";
    const gboolean inner = strcmp(level, "far") != 0;
    int found;
    if (s->part == LOG_PART_NONE)
        return TRUE;
    if (s->part != LOG_PART_ONE || model->shared)
        return bad_input(error, "%s:%u: the label has `%s`, which model %s does not know; allowed: %s--model measured",
                         s->log->name, s->line, parts[s->part], model->name, model->shared ? "" : "one, or ");
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

gboolean calibrate_check_labels(const Model *model, const GPtrArray *logs, const Levels *levels, GError **error)
{
    for (const LogSample *s = NULL; (s = logs_next(logs, s));)
        if (!check_label(model, s, levels, error))
            return FALSE;
    return TRUE;
}
