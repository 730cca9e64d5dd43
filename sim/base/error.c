#include "base/error.h"
#include "base/escape.h"
#include <string.h>

GQuark collsim_error_quark(void)
{
    return g_quark_from_static_string("collsim-error-quark");
}

static void set_error(GError **error, CollsimError code, const char *format, va_list args)
{
    if (!error)
        return;
    g_autofree char *message = g_strdup_vprintf(format, args);
    g_autofree char *plain = escape_terminal(message); // a user's text may hold anything, and the message is one line
    *error = g_error_new_literal(COLLSIM_ERROR, code, plain);
}

gboolean bad_input(GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_error(error, COLLSIM_ERROR_INPUT, format, args);
    va_end(args);
    return FALSE;
}

gboolean error_too_large(GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_error(error, COLLSIM_ERROR_TOO_LARGE, format, args);
    va_end(args);
    return FALSE;
}

gboolean error_too_much(GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_error(error, COLLSIM_ERROR_TOO_MUCH, format, args);
    va_end(args);
    return FALSE;
}

char *error_quote(const char *text)
{
    enum { MAX_QUOTED = 60 };
    const size_t len = strnlen(text, MAX_QUOTED + 1);
    g_autofree char *head = g_strndup(text, MIN(len, MAX_QUOTED));
    g_autofree char *plain = g_strescape(head, "\"");
    return g_strdup_printf("'%s%s'", plain, len > MAX_QUOTED ? "..." : "");
}
