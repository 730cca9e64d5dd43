// Reads plain decimal numbers: the one place where the text of a file or of an argument becomes a number without a
// unit (units.h has those with one). The whole text must be the number. A sign, a blank, a suffix, 0x and a value out
// of range are refused, never cut off or wrapped, so 4294967300 is not read as 4. No function depends on the locale.
// If a function returns FALSE, *out is unchanged.
#pragma once
#include <glib.h>
#include <stddef.h>

// Reads an integer from `least` to `most`, in decimal digits. If `most` is below `least`, every text is refused.
gboolean number_size(const char *text, size_t least, size_t most, size_t *out);
// Does the same for an int; `least` is 0 or above, and `most` may be negative.
gboolean number_int(const char *text, int least, int most, int *out);

// Reads a finite number of 0 or above: "1.5", "2e-6".
gboolean number_real(const char *text, double *out);

// Reads a share from 0% to below 100%, such as `example`, as a number from 0 to 1. Errors call it `what` ("--tie"). *out
// keeps its value if the text is NULL, which is allowed. Returns FALSE and an error if it is not such a share.
gboolean number_percent(const char *what, const char *text, const char *example, double *out, GError **error);

// Returns what an error says is allowed: "an integer from 1 to 2^27", or "an integer, 0 or above" if `most` is the
// largest size_t. Powers of two from 2^20 on are written as such. Free with g_free.
char *number_range(size_t least, size_t most);
