#include "machine/platform/map.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/lines.h"
#include "base/nearest.h"
#include "base/number.h"
#include <string.h>

// ---- Reading --map --------------------------------------------------------------------------------------------------

// Parses the K of block:K or cyclic:K.
static gboolean read_k(const char *text, const char *k, MapSpec *spec, GError **error)
{
    if (number_int(k, 1, LIMIT_RANKS, &spec->k))
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(error,
                     "--map: %s has no valid number of ranks per node; allowed: block:K or cyclic:K, K from 1 to %d",
                     shown, LIMIT_RANKS);
}

// Lines without a node, between two ranks.
typedef struct MapSkip {
    guint ranks;     // how many ranks come before them
    guint64 skipped; // how many such lines there are up to here
} MapSkip;

// Reads the numbers of a line into units->data. Returns FALSE and a bad-input error if one is malformed.
static gboolean read_units(const Lines *lines, const char *line, MapSpec *spec, GError **error)
{
    g_auto(GStrv) items = g_strsplit(line, ".", LEVELS_MOST + 1);
    const int n = (int)g_strv_length(items);
    for (int i = 0; i < n; i++) {
        int unit;
        if (n > LEVELS_MOST || !number_int(items[i], 0, LIMIT_RANKS - 1, &unit)) {
            g_autofree char *quoted = error_quote(line);
            return bad_input(error,
                             "%s:%" G_GUINT64_FORMAT
                             ": %s is not a node; allowed: the number of a node, such as 3, or with units inside it, "
                             "such as 3.1",
                             lines->name, lines->line, quoted);
        }
        g_array_append_val(spec->units, unit);
    }
    if (!spec->numbers)
        spec->numbers = n;
    return n == spec->numbers || bad_input(error,
                                           "%s:%" G_GUINT64_FORMAT ": %s has %s numbers than the first rank; allowed: "
                                           "as many for each rank",
                                           lines->name, lines->line, line, n < spec->numbers ? "fewer" : "more");
}

static guint ranks_of(const MapSpec *spec)
{
    return spec->numbers ? spec->units->len / (guint)spec->numbers : 0;
}

// Counts a line that has no node.
static void skip_line(MapSpec *spec)
{
    const guint ranks = ranks_of(spec), n = spec->skipped->len;
    MapSkip *last = n ? &g_array_index(spec->skipped, MapSkip, n - 1) : NULL;
    const MapSkip next = {ranks, last ? last->skipped + 1 : 1};
    if (last && last->ranks == ranks)
        *last = next;
    else
        g_array_append_val(spec->skipped, next);
}

static const char *file_name(const MapSpec *spec)
{
    return strcmp(spec->file, "-") == 0 ? "standard input" : spec->file;
}

// Returns the line of the file that names a rank's node.
static guint64 line_of(const MapSpec *spec, int rank)
{
    guint64 skipped = 0;
    for (guint i = 0; i < spec->skipped->len && g_array_index(spec->skipped, MapSkip, i).ranks <= (guint)rank; i++)
        skipped = g_array_index(spec->skipped, MapSkip, i).skipped;
    return (guint64)rank + 1 + skipped;
}

static gboolean read_line(const Lines *lines, char *line, size_t most, MapSpec *spec, GError **error)
{
    if (!lines_text(lines, line, error))
        return FALSE;
    if (!*line) {
        skip_line(spec);
        return TRUE;
    }
    if (ranks_of(spec) >= most)
        return bad_input(error,
                         "%s:%" G_GUINT64_FORMAT ": the file has too many ranks; allowed: one line for each rank",
                         lines->name, lines->line);
    if (spec->units->len >= LIMIT_RANKS)
        return bad_input(error, "%s:%" G_GUINT64_FORMAT ": the file has too many numbers; allowed: at most 2^27",
                         lines->name, lines->line);
    return read_units(lines, line, spec, error);
}

static gboolean read_file(const char *name, size_t most, MapSpec *spec, GError **error)
{
    static const char *const words[] = {"block:K", "cyclic:K", NULL};
    Lines lines;
    gboolean good;
    char *line;
    if (!lines_open(&lines, name, NULL)) {
        g_autofree char *word = g_strndup(name, strcspn(name, ":")), *as = g_strconcat(word, ":K", NULL),
                        *quoted = error_quote(name);
        g_autofree char *hint = nearest_hint(as, words);
        return bad_input(error,
                         "--map %s is neither a mapping nor a readable file%sallowed: block:K, cyclic:K, or a file",
                         quoted, hint);
    }
    *spec = (MapSpec){.kind = MAP_FILE,
                      .file = g_strdup(name),
                      .units = g_array_new(FALSE, FALSE, sizeof(int)),
                      .skipped = g_array_new(FALSE, FALSE, sizeof(MapSkip))};
    do
        good = lines_next(&lines, &line, error) && (!line || read_line(&lines, line, most, spec, error));
    while (good && line);
    lines_close(&lines);
    if (!good)
        map_clear(spec);
    return good;
}

gboolean map_parse(const char *text, size_t most, MapSpec *spec, GError **error)
{
    *spec = (MapSpec){.kind = MAP_BLOCK};
    if (g_str_has_prefix(text, "block:"))
        return read_k(text, text + strlen("block:"), spec, error);
    spec->kind = MAP_CYCLIC;
    if (g_str_has_prefix(text, "cyclic:"))
        return read_k(text, text + strlen("cyclic:"), spec, error);
    return read_file(text, most, spec, error);
}

void map_clear(MapSpec *spec)
{
    g_free(spec->file);
    if (spec->units)
        g_array_unref(spec->units);
    if (spec->skipped)
        g_array_unref(spec->skipped);
    *spec = (MapSpec){0};
}

// ---- What a file says ---------------------------------------------------------------------------------------------

// Starts an error about a rank's line with "FILE:LINE: 3.1". Free with g_free.
static char *at_line(const MapSpec *spec, int rank)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%s:%" G_GUINT64_FORMAT ":", file_name(spec), line_of(spec, rank));
    for (int i = 0; i < spec->numbers; i++)
        g_string_append_printf(text, "%s%d", i ? "." : " ", map_units(spec, rank)[i]);
    return g_string_free(text, FALSE);
}

// Returns an error if there are nodes without ranks below the highest one.
static gboolean check_gaps(const MapSpec *spec, int p, GError **error)
{
    g_autofree gboolean *used = g_new0(gboolean, p);
    int highest = 0, empty = 0;
    for (int rank = 0; rank < p; rank++) {
        const int node = *map_units(spec, rank);
        if (node > *map_units(spec, highest))
            highest = rank;
        if (node < p)
            used[node] = TRUE;
    }
    while (empty < p && used[empty])
        empty++;
    if (*map_units(spec, highest) < empty)
        return TRUE;
    return bad_input(error,
                     "%s:%" G_GUINT64_FORMAT ": node %d, but no rank is on node %d; allowed: nodes from 0 without gaps",
                     file_name(spec), line_of(spec, highest), *map_units(spec, highest), empty);
}

// Returns an error if a line names a unit that is not there.
static gboolean check_units(const MapSpec *spec, const Levels *levels, int p, GError **error)
{
    const int node = levels ? MAX(0, levels_node(levels)) : 0; // the number of levels inside a node
    if (spec->numbers > node + 1) {
        g_autofree char *at = at_line(spec, 0);
        return node ? bad_input(error,
                                "%s, but the platform has %d level%s inside a node; allowed: a node and at most %d "
                                "such unit%s",
                                at, node, node == 1 ? "" : "s", node, node == 1 ? "" : "s")
                    : bad_input(error, "%s, but the platform has no level inside a node; allowed: the node alone", at);
    }
    for (int rank = 0; rank < p; rank++)
        for (int i = 1; i < spec->numbers; i++) {
            const PlatformLevel *unit = &levels->at[node - i], *around = unit + 1;
            const int most = (int)(around->ranks / unit->ranks);
            if (map_units(spec, rank)[i] < most)
                continue;
            g_autofree char *at = at_line(spec, rank);
            g_autofree char *has = levels_units_text(levels, node - i, (size_t)most);
            return bad_input(error, "%s: a %s has %s; allowed: 0 to %d", at, around->name, has, most - 1);
        }
    return TRUE;
}

gboolean map_check(const MapSpec *spec, const Levels *levels, int p, GError **error)
{
    g_assert(p > 0);
    if (ranks_of(spec) != (guint)p)
        return bad_input(error, "the file of --map has %u rank%s; allowed: %d, one line for each rank", ranks_of(spec),
                         ranks_of(spec) == 1 ? "" : "s", p);
    return check_units(spec, levels, p, error) && check_gaps(spec, p, error);
}
