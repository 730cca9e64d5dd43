// Numbers with units, read strictly from what a user wrote and printed as people write them. Sizes are binary (64K is
// 65536 bytes, or ranks), times and bandwidths decimal. No function depends on the locale. Every error is one line,
// "WHAT; allowed: ..."; on error the output is left as it was.
#pragma once
#include <glib.h>
#include <stddef.h>

// Reads a size: digits and at most one of K M G T (powers of 1024), 0 to 2^62: `8`, `64K`, `1G`. No sign, fraction or
// space.
gboolean units_parse_size(const char *text, size_t *out, GError **error);

// Returns a * b, or G_MAXSIZE if that does not fit into 64 bits.
size_t units_multiply_sizes(size_t a, size_t b);

// Reads a time into seconds: a decimal number from 0 (`1.6`, `1e-3`) and one of s ms us ns ps. *out is the double
// nearest to the time written, so `1us` is 1e-6 and not 1 * 1e-6 rounded twice.
gboolean units_parse_time(const char *text, double *out, GError **error);

// Reads a cost per byte into seconds per byte: a time and /B (`0.085ns/B`, `0s/B`), or a bandwidth above 0 in GB/s MB/s
// KB/s B/s, decimal (`12.5GB/s` is 0.08e-9).
gboolean units_parse_per_byte(const char *text, double *out, GError **error);

// Reads a list of sizes, in the order written (duplicates kept). Items are joined by commas: a size, `A..B` (steps of
// 1), `A..B:xF` (A, AF, AFF, ...; F >= 2, A >= 1) or `A..B:+S` (steps of S >= 1); B belongs to the list only if it is
// hit. A <= B, A and B within [min, max], at most 10,000 values in all. `what` names the list in errors ("-p"). Returns
// an array of size_t, never empty, to free with g_array_unref; NULL on error.
GArray *units_parse_list(const char *text, const char *what, size_t min, size_t max, GError **error);

// `size` with the largest suffix that divides it: "8", "64K", "1536K", "1M". units_parse_size reads it back (to 2^62).
// The caller frees it.
char *units_format_size(size_t size);

// `seconds` (>= 0) in the unit that suits it, four significant digits: "1.23 us", "4.5 ms", "2.1 s", "0 s". From 1000 s
// on, whole seconds. The caller frees it.
char *units_format_time(double seconds);
