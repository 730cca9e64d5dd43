// Numbers with units: parses what a user wrote, and prints them as people write them.
//
// The suffixes of sizes are powers of 1024 (64K is 65536 bytes, or ranks); the units of times and bandwidths are powers
// of ten.
// No function depends on the locale. Every error is one line, "WHAT; allowed: ..", and leaves the output unchanged.
#pragma once
#include <glib.h>
#include <stddef.h>

// Parses a size, which must be an integer from 0 to 2^62: digits, a fraction of at most 18 digits, and one of K M G T
// (in either case), each alone or followed by B or iB: `8`, `64K`, `64KiB`, `64kB` (all 65536 bytes), `1.5M`. Signs,
// exponents and spaces are errors, and so is `1.5`, which is not an integer.
gboolean units_parse_size(const char *text, size_t *out, GError **error);

// Returns "1MB is taken as 1 MiB, 1048576 bytes" if the text is a size with one of the suffixes KB MB GB TB, which
// elsewhere stand for powers of ten; otherwise NULL. Free with g_free.
char *units_size_note(const char *text);

// Returns a * b, or G_MAXSIZE if that does not fit into 64 bits.
size_t units_multiply_sizes(size_t a, size_t b);

// Parses a time into seconds: a decimal number from 0 (`1.6`, `1e-3`) and one of s ms us ns ps; 0 needs no unit. *out
// is the double nearest to the time written, so `1us` is 1e-6 and not 1 * 1e-6 rounded twice.
gboolean units_parse_time(const char *text, double *out, GError **error);

// Parses a cost per byte into seconds per byte: a time with /B (`0.085ns/B`), 0, or a bandwidth above 0. Bandwidths are
// decimal (`12.5GB/s` is 0.08e-9), unless they are written with an i (`1GiB/s` is 2^30 bytes per second). Bandwidths in
// bits are written `100Gb/s`, `100Gbit/s` or `100Gbps`.
gboolean units_parse_per_byte(const char *text, double *out, GError **error);

// Parses how often something happens per second, a number above 0, into the seconds from one time to the next: `10M/s`
// is 1e-7. K, M and G are powers of ten here.
gboolean units_parse_per_second(const char *text, double *out, GError **error);

// Parses a list of sizes and keeps the order in which they are written, and duplicates. Items are joined by commas,
// with spaces around them if need be. An item is a size, `A..B` (steps of 1), `A..B:xF` (A, AF, AFF, ..; F >= 2, A >=
// 1) or `A..B:+S` (steps of S >= 1). The end B is in the list only if a step hits it. A <= B, A and B must lie in [min,
// max], and the list has at most 10,000 values. `what` names the list in errors ("-p"). Returns an array of size_t,
// which has at least one value; free with g_array_unref. Returns NULL on error.
GArray *units_parse_list(const char *text, const char *what, size_t min, size_t max, GError **error);

// Returns what a user may want to know about a list that units_parse_list accepts: the note of units_size_note on the
// first size to which it applies, and for each range whose end is not hit "-m 8..64M:x8 ends at 16M: 128M is beyond
// 64M". Returns an array of texts, empty if there is nothing to say; free with g_ptr_array_unref.
GPtrArray *units_list_notes(const char *text, const char *what);

// Returns `size` with the largest suffix that divides it: "8", "64K", "1536K", "1M". units_parse_size reads it back if
// it is at most 2^62. Free with g_free.
char *units_format_size(size_t size);

// Returns ranks as -p takes them: "64", or "16x4" for 16 nodes of 4. With a per_node of 0 they are on no nodes, and if it does
// not divide p they are a plain number. Free with g_free.
char *units_format_ranks(int p, int per_node);

// Returns `seconds` (>= 0) with four significant digits in the unit that keeps the number below 1000: "1.23 us",
// "4.5 ms", "2.1 s", "0 s". Above 1000 s it has whole seconds, and below 1 ps it stays in ps. Free with g_free.
char *units_format_time(double seconds);
// Returns about how long that is, in tens of seconds or, from two on, in minutes: "10 s" at least, "40 s", "2 minutes".
// Free with g_free.
char *units_format_about(double seconds);
