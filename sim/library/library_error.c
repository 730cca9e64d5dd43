#include "base/error.h"
#include "base/parallel.h"
#include "base/version.h"
#include "library/library_types.h"
#include <string.h>

struct collsim_error {
    int code;
    char *message;
};

static int code_of(const GError *why)
{
    return g_error_matches(why, COLLSIM_ERROR, COLLSIM_ERROR_TOO_LARGE)  ? COLLSIM_TOO_LARGE
           : g_error_matches(why, COLLSIM_ERROR, COLLSIM_ERROR_TOO_MUCH) ? COLLSIM_TOO_MUCH
           : g_error_matches(why, COLLSIM_ERROR, COLLSIM_ERROR_BUG)      ? COLLSIM_BUG
           : why->domain == PARALLEL_STOPPED                             ? COLLSIM_STOPPED
                                                                         : COLLSIM_INPUT;
}

int library_fail(GError *why, collsim_error **error)
{
    const int code = code_of(why);
    if (error) {
        *error = g_new(collsim_error, 1);
        **error = (collsim_error){code, g_strdup(why->message)};
    }
    g_error_free(why);
    return code;
}

gboolean library_given(const void *pointer, const char *what, GError **error)
{
    return pointer || bad_input(error, "%s is NULL; allowed: an object or a text of the caller", what);
}

gboolean library_text(const char *text, const char *what, GError **error)
{
    return library_given(text, what, error) &&
           (g_utf8_validate(text, -1, NULL) || bad_input(error, "%s is not text; allowed: UTF-8", what));
}

int collsim_error_code(const collsim_error *error)
{
    return error ? error->code : COLLSIM_OK;
}

const char *collsim_error_message(const collsim_error *error)
{
    return error ? error->message : "";
}

void collsim_error_free(collsim_error *error)
{
    if (error)
        g_free(error->message);
    g_free(error);
}

const char *collsim_version(void)
{
    return COLLSIM_VERSION;
}

void collsim_free(char *text)
{
    g_free(text);
}

size_t collsim_collective_count(void)
{
    return N_COLLECTIVES;
}

const char *collsim_collective_name(size_t i)
{
    return i < N_COLLECTIVES ? collectives[i].name : NULL;
}

static gboolean is_of(const CollAlgorithm *a, const char *collective)
{
    return collective && strcmp(collectives[a->collective].name, collective) == 0;
}

size_t collsim_algorithm_count(const char *collective)
{
    size_t n = 0;
    for (int i = 0; i < n_algorithms; i++)
        n += is_of(algorithms[i], collective);
    return n;
}

const char *collsim_algorithm_name(const char *collective, size_t i)
{
    for (int k = 0; k < n_algorithms; k++)
        if (is_of(algorithms[k], collective) && i-- == 0)
            return algorithms[k]->name;
    return NULL;
}
