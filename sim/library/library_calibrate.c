#include "base/budget.h"
#include "base/error.h"
#include "library/library.h"
#include "search/calibrated.h"
#include <string.h>

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

// Returns a copy of a platform, which has all that a file can have but a topology. Free with platform_free.
static Platform *copy(const Platform *platform, const char *name, GError **error)
{
    g_autofree char *text = platform_text(platform, NULL, error);
    return text ? platform_parse(name, text, strlen(text), error) : NULL;
}

static gboolean find(gpointer data, gpointer unused, GError **error)
{
    CalibrateCall *call = data;
    (void)unused;
    const Model *model = check(call, error) ? model_find(call->model, error) : NULL;
    g_autoptr(GPtrArray) logs =
        model ? logs_read((char *const *)call->files, call->n, &(const LogReading){0}, error) : NULL;
    g_autoptr(Platform) assumed = !logs        ? NULL
                                  : call->base ? copy(call->base->platform, call->name, error)
                                               : platform_new("");
    g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    g_auto(Calibrated) found = {0};
    if (!assumed || !calibrated_find(model, logs, assumed, kept, &found, error))
        return FALSE;
    g_autoptr(Platform) platform = found.fit ? NULL : calibration_platform(found.c, call->name, call->name);
    return (call->platform = copy(found.fit ? found.fit->platform : platform, call->name, error)) != NULL;
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
