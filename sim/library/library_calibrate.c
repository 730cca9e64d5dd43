#include "base/budget.h"
#include "base/error.h"
#include "library/library_types.h"
#include "search/search/calibrated.h"

enum { MOST_FILES = 1000 };

typedef struct CalibrateCall {
    const char *model, *name;
    const char *const *files;
    size_t n;
    const collsim_platform *base;
    Platform *platform; // the answer
} CalibrateCall;

static gboolean check(const CalibrateCall *call, GError **error)
{
    gboolean good = library_text(call->model, "model", error) && library_text(call->name, "name", error) &&
                    library_given(call->files, "files", error) &&
                    ((call->n >= 1 && call->n <= MOST_FILES) ||
                     bad_input(error, "there are %" G_GSIZE_FORMAT " files; allowed: 1 .. %d", call->n, MOST_FILES));
    for (size_t i = 0; good && i < call->n; i++)
        good = library_given(call->files[i], "a file", error);
    return good;
}

// Returns the base under the new name, with the figures that were found in place of its own. Free with platform_free.
static Platform *merged(const Platform *base, const Platform *found, const char *name)
{
    Platform *x = platform_copy(base);
    g_free(x->name);
    g_free(x->title);
    x->name = g_strdup(name);
    x->title = g_strdup(name);
    for (PlatformKey k = 0; k < N_PLATFORM_KEYS; k++)
        if (found->has[k])
            platform_take_figure(x, found, k);
    if (found->model) {
        g_free(x->model);
        x->model = g_strdup(found->model);
    }
    if (found->has[KEY_ALPHA] && x->pieces) { // they do not come from alpha's data
        g_clear_pointer(&x->pieces, g_array_unref);
        g_clear_pointer(&x->pieces_source, g_free);
    }
    if (found->pieces) {
        x->pieces = g_array_ref(found->pieces);
        x->pieces_source = g_strdup(found->pieces_source);
    }
    return x;
}

static gboolean find(gpointer data, gpointer unused, GError **error)
{
    CalibrateCall *call = data;
    (void)unused;
    const Model *model = check(call, error) ? model_find(call->model, error) : NULL;
    g_autoptr(GPtrArray) logs =
        model ? logs_read((char *const *)call->files, call->n, &(const LogReading){0}, error) : NULL;
    g_autoptr(Platform) base = call->base ? platform_copy(call->base->platform) : platform_new("");
    g_autoptr(Platform) assumed = logs ? calibrated_assume(base) : NULL;
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    g_auto(Calibrated) found = {0};
    if (!assumed || !calibrated_find(model, logs, assumed, kept, &found, error))
        return FALSE;
    g_autoptr(Platform) platform =
        found.fit ? NULL : calibration_platform(found.c, call->name, call->name, base, error);
    if (!found.fit && !platform)
        return FALSE;
    call->platform = merged(base, found.fit ? found.fit->platform : platform, call->name);
    return TRUE;
}

collsim_platform *collsim_calibrate(const char *model, const char *const *files, size_t n, const collsim_platform *base,
                                    const char *name, collsim_error **error)
{
    GError *why = NULL;
    CalibrateCall call = {model, name, files, n, base, NULL};
    if (!budget_try(find, &call, NULL, &why)) {
        library_fail(why, error);
        return NULL;
    }
    collsim_platform *x = g_new(collsim_platform, 1);
    x->platform = call.platform;
    return x;
}
