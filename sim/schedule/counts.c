#include "schedule/counts.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"
#include <string.h>

const char *const counts_names[] = {
    [COUNTS_EQUAL] = "equal",   [COUNTS_LINEAR] = "linear",         [COUNTS_ONE_BIG] = "one-big",
    [COUNTS_RANDOM] = "random", [COUNTS_ZERO_HOLES] = "zero-holes", [N_COUNTS] = NULL,
};

// Reads one number of bytes per line; empty lines are skipped, and # begins a comment.
static gboolean read_file(const char *name, CountsSpec *spec, GError **error)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) why = NULL;
    if (!g_file_get_contents(name, &text, NULL, &why)) {
        g_autofree char *quoted = error_quote(name), *names = g_strjoinv(", ", (char **)(uintptr_t)counts_names);
        return bad_input(
            error, "--counts %s is neither a distribution nor a readable file; allowed: %s, random:SEED, or a file",
            quoted, names);
    }
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    spec->file = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (int i = 0; lines[i]; i++) {
        size_t bytes;
        lines[i][strcspn(lines[i], "#")] = '\0';
        g_strstrip(lines[i]);
        if (!*lines[i])
            continue;
        if (!units_parse_size(lines[i], &bytes, NULL)) {
            g_autofree char *quoted = error_quote(lines[i]);
            return bad_input(error, "%s:%d: %s is not a size; allowed: a number of bytes such as 8 or 64K", name, i + 1,
                             quoted);
        }
        g_array_append_val(spec->file, bytes);
    }
    return TRUE;
}

gboolean counts_parse(const char *text, CountsSpec *spec, GError **error)
{
    if (!text)
        return TRUE;
    for (int kind = 0; kind < N_COUNTS; kind++)
        if (strcmp(text, counts_names[kind]) == 0) {
            spec->kind = (CountsKind)kind;
            return TRUE;
        }
    if (g_str_has_prefix(text, "random:")) {
        guint64 seed;
        if (!g_ascii_string_to_unsigned(text + strlen("random:"), 10, 0, G_MAXUINT32, &seed, NULL))
            return bad_input(
                error, "--counts %s has no valid seed; allowed: random:SEED with a number from 0 to 4294967295", text);
        spec->kind = COUNTS_RANDOM;
        spec->seed = (uint32_t)seed;
        return TRUE;
    }
    return read_file(text, spec, error);
}

void counts_clear(CountsSpec *spec)
{
    if (spec->file)
        g_array_free(spec->file, TRUE);
    spec->file = NULL;
}

static size_t length_by_kind(CountsKind kind, int i, int p, size_t elements, GRand *random)
{
    switch (kind) {
    case COUNTS_LINEAR:
        return (size_t)(2.0 * (double)elements * (i + 1) / (p + 1));
    case COUNTS_ONE_BIG:
        return i == p - 1 ? elements * (size_t)p : 0;
    case COUNTS_RANDOM:
        return (size_t)(g_rand_double(random) * (2.0 * (double)elements + 1));
    case COUNTS_ZERO_HOLES:
        return i % 2 == 0 ? 2 * elements : 0;
    case COUNTS_EQUAL:
    case N_COUNTS:
        break;
    }
    return elements;
}

// Returns the largest allowed sum of all blocks and gaps, in bytes. A rank may have to send or to hold all blocks, or p
// blocks of the longest one's length. If p times the sum is below 2^62, no offset, length or scratch buffer of any
// algorithm wraps.
static size_t counts_most(int p)
{
    return (((size_t)1 << 62) - 1) / (size_t)p;
}

gboolean counts_make(const CountsSpec *spec, int p, size_t m, size_t elem, CollCounts **counts, GError **error)
{
    *counts = NULL;
    if (spec->kind == COUNTS_EQUAL && !spec->file && !spec->gaps)
        return TRUE;
    if (spec->file && spec->file->len != (guint)p)
        return bad_input(error, "the file of --counts has %u numbers; allowed: %d, one for each rank", spec->file->len,
                         p);
    const size_t most = counts_most(p), gap = spec->gaps ? elem : 0;
    g_autofree size_t *len = g_new(size_t, p), *at = g_new(size_t, p + 1);
    GRand *random = g_rand_new_with_seed(spec->seed);
    at[0] = 0;
    for (int i = 0; i < p; i++) {
        len[i] = spec->file ? g_array_index(spec->file, size_t, i)
                            : length_by_kind(spec->kind, i, p, m / elem, random) * elem;
        // at[i] is at most `most`, so these differences are not negative and the sums below do not wrap.
        if (gap > most - at[i] || len[i] > most - at[i] - gap) {
            g_rand_free(random);
            return bad_input(error,
                             "%s of %d ranks are too long; allowed: at most %" G_GSIZE_FORMAT
                             " bytes in all, less than 2^62 / p",
                             gap ? "--displs: the blocks and gaps" : "--counts: the blocks", p, most);
        }
        at[i] += gap;
        at[i + 1] = at[i] + len[i];
    }
    g_rand_free(random);
    for (int i = 0; i < p; i++)
        if (len[i] % elem != 0)
            return bad_input(error,
                             "the file of --counts has %" G_GSIZE_FORMAT
                             " bytes for rank %d; allowed: multiples of --element %" G_GSIZE_FORMAT,
                             len[i], i, elem);
    *counts = counts_take(g_steal_pointer(&len), g_steal_pointer(&at));
    return TRUE;
}

CollCounts *counts_take(size_t *len, size_t *at)
{
    CollCounts *counts = g_new(CollCounts, 1);
    *counts = (CollCounts){.len = len, .at = at};
    return counts;
}

void counts_free(CollCounts *counts)
{
    if (!counts)
        return;
    g_free((size_t *)(uintptr_t)counts->len);
    g_free((size_t *)(uintptr_t)counts->at);
    g_free(counts);
}
