#include "machine/platform/pieces.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/units.h"
#include "machine/platform/figure_units.h"
#include <string.h>

const char *const piece_keys[] = {"from", "alpha", "beta", "source", NULL};

static gboolean read_item(int key, const char *item, PlatformPiece *piece, GError **error)
{
    if (key == 0)
        return units_parse_size(item, &piece->from, error);
    if (key == 1)
        return units_parse_time(item, &piece->alpha, error) && figure_check(PLATFORM_TIME, piece->alpha, error);
    return units_parse_per_byte(item, &piece->beta, error) && figure_check(PLATFORM_PER_BYTE, piece->beta, error);
}

gboolean pieces_read(GArray **pieces, char **source, int key, const char *value, GError **error)
{
    if (strcmp(piece_keys[key], "source") == 0) {
        *source = escape_line(value);
        return *value || bad_input(error, "source is empty; allowed: a text that says where the pieces come from");
    }
    g_auto(GStrv) items = g_strsplit(value, ",", -1);
    const guint n = g_strv_length(items);
    if (!*pieces)
        *pieces = g_array_new(FALSE, TRUE, sizeof(PlatformPiece));
    if (n == 0 || n > MAX_PIECES || ((*pieces)->len && (*pieces)->len != n))
        return bad_input(error, "%s has %u values; allowed: 1 to %d, the same number for from, alpha and beta",
                         piece_keys[key], n, MAX_PIECES);
    g_array_set_size(*pieces, n);
    for (guint i = 0; i < n; i++) {
        PlatformPiece *piece = &g_array_index(*pieces, PlatformPiece, i);
        if (!read_item(key, g_strstrip(items[i]), piece, error)) {
            g_prefix_error(error, "%s: ", piece_keys[key]);
            return FALSE;
        }
        if (key == 0 && (i == 0 ? piece->from != 0 : piece->from <= piece[-1].from))
            return bad_input(error, "from does not rise from 0; allowed: 0, then where each further piece begins");
    }
    return TRUE;
}

gboolean pieces_check(const guint *lines, guint *line, GError **error)
{
    guint given = 0;
    for (int k = 0; piece_keys[k]; k++) {
        given += lines[k] > 0;
        *line = MAX(*line, lines[k]);
    }
    for (int k = 0; given && piece_keys[k]; k++)
        if (!lines[k])
            return bad_input(error, "[pieces] has no %s; allowed: from, alpha, beta and source together",
                             piece_keys[k]);
    return TRUE;
}
