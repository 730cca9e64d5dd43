// The only kind of error that a user can cause: bad input. Its message is one line that says what is wrong, where, and
// what is allowed. The program prints it and exits with status 2. Bugs are a g_assert, and a deadlock is a result, not
// an error.
#pragma once
#include <glib.h>

#define COLLSIM_ERROR (collsim_error_quark())
typedef enum {
    COLLSIM_ERROR_INPUT,
    COLLSIM_ERROR_TOO_LARGE, // the input is valid, but its sums would not fit into 64 bits
    COLLSIM_ERROR_TOO_MUCH,  // the input is valid, but its simulation would take too long or too much memory
    COLLSIM_ERROR_BUG,       // the input is valid, and the program is wrong; only libcollsim has this error
    COLLSIM_ERROR_HELP,      // not an error: the message is the help asked for, which ends the program with status 0
} CollsimError;

GQuark collsim_error_quark(void);

// Sets *error to a bad-input error with this message (no newline) and returns FALSE, so that callers can return the
// result. The message passes through escape_terminal(), so it stays one line if a user's text holds control characters.
gboolean bad_input(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

// Returns `text` in single quotes for a message of one line. Control and non-ASCII bytes are escaped as in C, and "..."
// replaces all after the first 60 bytes. Free with g_free.
char *error_quote(const char *text);

// Do what bad_input() does, with the codes COLLSIM_ERROR_TOO_LARGE and COLLSIM_ERROR_TOO_MUCH, by which a caller that
// tries many algorithms can skip those that are too large.
gboolean error_too_large(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
gboolean error_too_much(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
