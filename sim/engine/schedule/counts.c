#include "engine/schedule/counts.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/units.h"
#include <stdlib.h>
#include <string.h>

const char *const counts_names[] = {
    [COUNTS_EQUAL] = "equal",   [COUNTS_LINEAR] = "linear",         [COUNTS_ONE_BIG] = "one-big",
    [COUNTS_RANDOM] = "random", [COUNTS_ZERO_HOLES] = "zero-holes", [N_COUNTS] = NULL,
};

// Takes the bytes of one block from a line: a size, with blanks around it and a comment behind it if need be. An empty
// line has none.
static gboolean read_line(const Lines *lines, char *line, size_t most, GArray *sizes, GError **error)
{
    size_t bytes;
    if (!lines_text(lines, line, error))
        return FALSE;
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

// Reads a file into *sizes, a new array. If it cannot be read, the error says that the option takes `names` as well,
// which are `kind`.
static gboolean read_file(const char *option, const char *kind, const char *names, const char *name, size_t most,
                          GArray **sizes, GError **error)
{
    Lines lines;
    if (!lines_open(&lines, name, NULL)) {
        g_auto(GStrv) known = g_strsplit(names, ", ", -1);
        g_autofree char *quoted = error_quote(name), *hint = nearest_hint(name, (const char *const *)known);
        return bad_input(error, "%s %s is neither %s nor a readable file%sallowed: %s, or a file", option, quoted, kind,
                         hint, names);
    }
    *sizes = g_array_new(FALSE, FALSE, sizeof(size_t));
    gboolean good;
    char *line;
    do
        good = lines_next(&lines, &line, error) && (!line || read_line(&lines, line, most, *sizes, error));
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
    g_autofree char *known = g_strjoinv(", ", (char **)(uintptr_t)counts_names),
                    *names = g_strconcat(known, ", random:SEED", NULL);
    return read_file("--counts", "a distribution", names, text, most, &spec->file, error);
}

gboolean counts_parse_displs(const char *text, size_t most, CountsSpec *spec, GError **error)
{
    spec->gaps = text && strcmp(text, "gaps") == 0;
    return !text || spec->gaps || strcmp(text, "consecutive") == 0 ||
           read_file("--displs", "an arrangement", "consecutive, gaps", text, most, &spec->displs, error);
}

void counts_clear(CountsSpec *spec)
{
    g_clear_pointer(&spec->file, g_array_unref);
    g_clear_pointer(&spec->displs, g_array_unref);
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

// Returns whether the file of an option has a number for each rank. There may be no file.
static gboolean one_for_each(const char *option, const GArray *file, int p, GError **error)
{
    return !file || file->len == (guint)p ||
           bad_input(error, "the file of %s has %u numbers; allowed: %d, one for each rank", option, file->len, p);
}

// Returns whether each of p numbers of a file is a whole number of elements.
static gboolean whole_elements(const char *option, const size_t *bytes, int p, size_t elem, GError **error)
{
    for (int i = 0; i < p; i++)
        if (bytes[i] % elem != 0)
            return bad_input(error,
                             "the file of %s has %" G_GSIZE_FORMAT
                             " bytes for rank %d; allowed: multiples of --element %" G_GSIZE_FORMAT,
                             option, bytes[i], i, elem);
    return TRUE;
}

static void make_lengths(const CountsSpec *spec, int p, size_t m, size_t elem, size_t *len)
{
    GRand *random = g_rand_new_with_seed(spec->seed);
    for (int i = 0; i < p; i++)
        len[i] = spec->file ? g_array_index(spec->file, size_t, i)
                            : length_by_kind(spec->kind, i, p, m / elem, random) * elem;
    g_rand_free(random);
}

// Sets at[0 .. p] from the lengths. Returns false if the blocks and gaps are longer together than is allowed.
static gboolean place_blocks(const CountsSpec *spec, int p, size_t elem, const size_t *len, size_t *at, GError **error)
{
    const size_t most = counts_most(p), gap = spec->gaps ? elem : 0;
    size_t end = 0;
    for (int i = 0; i < p; i++) {
        // The end is at most `most`, so no sum wraps.
        const bool fits = spec->displs || gap <= most - end;
        at[i] = spec->displs ? g_array_index(spec->displs, size_t, i) : end + (fits ? gap : 0);
        if (!fits || at[i] > most || len[i] > most - at[i])
            return bad_input(error,
                             "%s of %d ranks are too long; allowed: at most %" G_GSIZE_FORMAT
                             " bytes in all, less than 2^62 / p",
                             gap || spec->displs ? "--displs: the blocks and gaps" : "--counts: the blocks", p, most);
        end = MAX(end, at[i] + len[i]);
    }
    at[p] = end;
    return TRUE;
}

// Where a block lies, for sorting.
typedef struct PlacedBlock {
    size_t at;
    int rank;
} PlacedBlock;

static int by_place(const void *a, const void *b)
{
    const PlacedBlock *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->rank > y->rank) - (x->rank < y->rank);
}

int counts_overlap(const size_t *len, const size_t *at, int p, int *other)
{
    g_autofree PlacedBlock *block = g_new(PlacedBlock, p);
    int n = 0, found = -1;
    for (int i = 0; i < p; i++)
        if (len[i] > 0)
            block[n++] = (PlacedBlock){.at = at[i], .rank = i};
    qsort(block, (size_t)n, sizeof *block, by_place);
    for (int i = 1; i < n && found < 0; i++)
        if (block[i].at - block[i - 1].at < len[block[i - 1].rank]) {
            found = block[i].rank;
            *other = block[i - 1].rank;
        }
    return found;
}

// Returns whether blocks from a file of displacements share no byte.
static gboolean apart(const size_t *len, const size_t *at, int p, GError **error)
{
    int other, rank = counts_overlap(len, at, p, &other);
    return rank < 0 ||
           bad_input(error,
                     "the file of --displs has rank %d at byte %" G_GSIZE_FORMAT ", within the %" G_GSIZE_FORMAT
                     " bytes from %" G_GSIZE_FORMAT " on of rank %d; allowed: blocks that do not overlap",
                     rank, at[rank], len[other], at[other], other);
}

gboolean counts_make(const CountsSpec *spec, int p, size_t m, size_t elem, CollCounts **counts, GError **error)
{
    *counts = NULL;
    if (spec->kind == COUNTS_EQUAL && !spec->file && !spec->displs && !spec->gaps)
        return TRUE;
    if (!one_for_each("--counts", spec->file, p, error) || !one_for_each("--displs", spec->displs, p, error))
        return FALSE;
    g_autofree size_t *len = g_new(size_t, p), *at = g_new(size_t, p + 1);
    make_lengths(spec, p, m, elem, len);
    if (!place_blocks(spec, p, elem, len, at, error) || !whole_elements("--counts", len, p, elem, error) ||
        !whole_elements("--displs", at, p, elem, error) || (spec->displs && !apart(len, at, p, error)))
        return FALSE;
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
