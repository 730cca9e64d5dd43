#include "schedule/counts.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/units.h"
#include <string.h>

const char *const counts_names[] = {
    [COUNTS_EQUAL] = "equal",   [COUNTS_LINEAR] = "linear",         [COUNTS_ONE_BIG] = "one-big",
    [COUNTS_RANDOM] = "random", [COUNTS_ZERO_HOLES] = "zero-holes", [N_COUNTS] = NULL,
};

// Takes the bytes of one block from a line: a size, with blanks around it and a comment behind it if need be. An empty
// line has none.
static gboolean read_line(const Lines *lines, char *line, size_t most, GArray *sizes, GError **error)
{
    char *const end = lines->next - 1; // the line's \n
    size_t bytes;
    *end = '\0';
    if (strlen(line) < (size_t)(end - line))
        return bad_input(error, "%s:%" G_GUINT64_FORMAT ": the line has a byte 0; allowed: text", lines->name,
                         lines->line);
    line[strcspn(line, "#")] = '\0';
    g_strstrip(line);
    if (!*line)
        return TRUE;
    if (!units_parse_size(line, &bytes, NULL)) {
        g_autofree char *quoted = error_quote(line);
        return bad_input(error,
                         "%s:%" G_GUINT64_FORMAT ": %s is not a size; allowed: a number of bytes such as 8 or 64K",
                         lines->name, lines->line, quoted);
    }
    if (sizes->len == most)
        return bad_input(error, "%s:%" G_GUINT64_FORMAT ": the file has too many numbers; allowed: one for each rank",
                         lines->name, lines->line);
    g_array_append_val(sizes, bytes);
    return TRUE;
}

static gboolean read_file(const char *name, size_t most, CountsSpec *spec, GError **error)
{
    Lines lines;
    if (!lines_open(&lines, name, NULL)) {
        g_autofree char *quoted = error_quote(name), *names = g_strjoinv(", ", (char **)(uintptr_t)counts_names);
        return bad_input(
            error, "--counts %s is neither a distribution nor a readable file; allowed: %s, random:SEED, or a file",
            quoted, names);
    }
    spec->file = g_array_new(FALSE, FALSE, sizeof(size_t));
    gboolean good;
    char *line;
    do
        good = lines_next(&lines, &line, error) && (!line || read_line(&lines, line, most, spec->file, error));
    while (good && line);
    lines_close(&lines);
    return good;
}

gboolean counts_parse(const char *text, size_t most, CountsSpec *spec, GError **error)
{
    if (!text)
        return TRUE;
    for (int kind = 0; kind < N_COUNTS; kind++)
        if (strcmp(text, counts_names[kind]) == 0) {
            spec->kind = (CountsKind)kind;
            return TRUE;
        }
    if (g_str_has_prefix(text, "random:")) {
        size_t seed;
        if (!number_size(text + strlen("random:"), 0, UINT32_MAX, &seed))
            return bad_input(
                error, "--counts %s has no valid seed; allowed: random:SEED with a number from 0 to 4294967295", text);
        spec->kind = COUNTS_RANDOM;
        spec->seed = (uint32_t)seed;
        return TRUE;
    }
    return read_file(text, most, spec, error);
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
