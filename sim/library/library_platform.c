#include "base/limits.h"
#include "base/error.h"
#include "library/library.h"

static collsim_platform *wrap(Platform *platform, GError *why, collsim_error **error)
{
    if (!platform) {
        library_fail(why, error);
        return NULL;
    }
    collsim_platform *x = g_new(collsim_platform, 1);
    x->platform = platform;
    return x;
}

collsim_platform *collsim_platform_open(const char *name_or_file, collsim_error **error)
{
    GError *why = NULL;
    Platform *platform = library_text(name_or_file, "name_or_file", &why) ? platform_load(name_or_file, &why) : NULL;
    return wrap(platform, why, error);
}

static gboolean check_length(size_t length, GError **error)
{
    return length <= LIMIT_PLATFORM_BYTES ||
           bad_input(error, "the text has %" G_GSIZE_FORMAT " bytes; allowed: at most %d", length,
                     LIMIT_PLATFORM_BYTES);
}

collsim_platform *collsim_platform_parse(const char *name, const char *text, size_t length, collsim_error **error)
{
    GError *why = NULL;
    Platform *platform =
        library_text(name, "name", &why) && library_given(text, "text", &why) && check_length(length, &why)
            ? platform_parse(name, text, length, &why)
            : NULL;
    return wrap(platform, why, error);
}

int collsim_platform_set(collsim_platform *platform, const char *assignment, collsim_error **error)
{
    GError *why = NULL;
    return library_given(platform, "platform", &why) && library_text(assignment, "assignment", &why) &&
                   platform_set(platform->platform, assignment, &why)
               ? COLLSIM_OK
               : library_fail(why, error);
}

const char *collsim_platform_name(const collsim_platform *platform)
{
    return platform ? platform->platform->name : NULL;
}

char *collsim_platform_text(const collsim_platform *platform, collsim_error **error)
{
    GError *why = NULL;
    char *text = library_given(platform, "platform", &why) ? platform_text(platform->platform, NULL, &why) : NULL;
    if (!text)
        library_fail(why, error);
    return text;
}

void collsim_platform_free(collsim_platform *platform)
{
    if (platform)
        platform_free(platform->platform);
    g_free(platform);
}
