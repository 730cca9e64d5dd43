#include "error.h"

G_DEFINE_QUARK(collsim-error-quark, collsim_error)

gboolean bad_input(GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (error)
        *error = g_error_new_valist(COLLSIM_ERROR, COLLSIM_ERROR_INPUT, format, args);
    va_end(args);
    return FALSE;
}
