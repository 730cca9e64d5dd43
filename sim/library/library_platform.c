#include "base/budget.h"
#include "base/limits.h"
#include "base/error.h"
#include "library/library_types.h"

// A call, and its answer.
typedef struct PlatformCall {
    const char *name, *text; // the text of an .ini file, or an assignment
    size_t length;
    Platform *platform;
    char *answer;
} PlatformCall;

// Does the work of a call, and returns the platform that it has made; NULL and an error if it fails.
static collsim_platform *make(BudgetWork *work, PlatformCall *call, collsim_error **error)
{
    GError *why = NULL;
    if (!budget_try(work, call, NULL, &why)) {
        library_fail(why, error);
        return NULL;
    }
    collsim_platform *x = g_new(collsim_platform, 1);
    x->platform = call->platform;
    return x;
}

static gboolean load(gpointer data, gpointer unused, GError **error)
{
    PlatformCall *call = data;
    (void)unused;
    return library_text(call->name, "name_or_file", error) && (call->platform = platform_load(call->name, error));
}

collsim_platform *collsim_platform_open(const char *name_or_file, collsim_error **error)
{
    return make(load, &(PlatformCall){.name = name_or_file}, error);
}

static gboolean check_length(size_t length, GError **error)
{
    return length <= LIMIT_PLATFORM_BYTES ||
           bad_input(error, "the text has %" G_GSIZE_FORMAT " bytes; allowed: at most %d", length,
                     LIMIT_PLATFORM_BYTES);
}

static gboolean parse(gpointer data, gpointer unused, GError **error)
{
    PlatformCall *call = data;
    (void)unused;
    return library_text(call->name, "name", error) && library_given(call->text, "text", error) &&
           check_length(call->length, error) &&
           (call->platform = platform_parse(call->name, call->text, call->length, error));
}

collsim_platform *collsim_platform_parse(const char *name, const char *text, size_t length, collsim_error **error)
{
    return make(parse, &(PlatformCall){.name = name, .text = text, .length = length}, error);
}

static gboolean set(gpointer data, gpointer unused, GError **error)
{
    const PlatformCall *call = data;
    (void)unused;
    return library_given(call->platform, "platform", error) && library_text(call->text, "assignment", error) &&
           platform_set(call->platform, call->text, error);
}

int collsim_platform_set(collsim_platform *platform, const char *assignment, collsim_error **error)
{
    GError *why = NULL;
    PlatformCall call = {.platform = platform ? platform->platform : NULL, .text = assignment};
    return budget_try(set, &call, NULL, &why) ? COLLSIM_OK : library_fail(why, error);
}

const char *collsim_platform_name(const collsim_platform *platform)
{
    return platform ? platform->platform->name : NULL;
}

static gboolean write(gpointer data, gpointer unused, GError **error)
{
    PlatformCall *call = data;
    (void)unused;
    return library_given(call->platform, "platform", error) &&
           (call->answer = platform_text(call->platform, NULL, error));
}

char *collsim_platform_text(const collsim_platform *platform, collsim_error **error)
{
    GError *why = NULL;
    PlatformCall call = {.platform = platform ? platform->platform : NULL};
    if (!budget_try(write, &call, NULL, &why))
        library_fail(why, error);
    return call.answer;
}

void collsim_platform_free(collsim_platform *platform)
{
    if (platform)
        platform_free(platform->platform);
    g_free(platform);
}
