// Makes a platform of what a calibration found.
#include "measurements/calibrate/calibrate.h"
#include "base/error.h"
#include <string.h>

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
    if (c->model == &hockney_model && like->measured &&
        (calibration_finds(c, KEY_ALPHA) || calibration_finds(c, KEY_BETA)))
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
