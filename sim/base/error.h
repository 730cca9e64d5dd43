// The one error a user can cause: bad input. Its message is one line that says what, where, and what is allowed; the
// program prints it and exits with status 2. Bugs are g_assert; a deadlock is a result, not an error.
#pragma once
#include <glib.h>

#define COLLSIM_ERROR (collsim_error_quark())
typedef enum {
    COLLSIM_ERROR_INPUT,
    COLLSIM_ERROR_TOO_LARGE, // bad input as well: valid, but its sums would not fit into 64 bits
    COLLSIM_ERROR_HELP,      // none: the message is the help that was asked for, and the program ends there, well
} CollsimError;

GQuark collsim_error_quark(void);

// Sets *error to a bad-input error with this message (no newline) and returns false, so that callers can `return` it.
gboolean bad_input(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

// Returns `text` in single quotes, fit for a message of one line: control and non-ASCII bytes are escaped as in C, and what
// follows the first 60 bytes is cut. The caller frees it.
char *error_quote(const char *text);

// Does the same with COLLSIM_ERROR_TOO_LARGE. A caller that tries many algorithms can pass over those that are too large.
gboolean error_too_large(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
