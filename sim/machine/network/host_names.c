#include "machine/network/host_names.h"
#include "base/error.h"
#include "base/number.h"
#include <stdint.h>
#include <string.h>

static gboolean bad_list(GError **error, const char *word, const char *what)
{
    g_autofree char *shown = error_quote(word);
    return bad_input(error, "%s %s; allowed: names such as n1, or n[001-064,100] for several", shown, what);
}

static gboolean expand(GPtrArray *names, const char *head, const char *rest, const char *word, GError **error);

// Adds the names with one number of a range, "7", or all of them, "001-064", between `head` and `rest`.
static gboolean expand_range(GPtrArray *names, const char *head, char *range, const char *rest, const char *word,
                             GError **error)
{
    char *dash = strchr(range, '-');
    size_t from, to;
    if (dash)
        *dash = '\0';
    if (!number_size(range, 0, UINT32_MAX, &from) || !number_size(dash ? dash + 1 : range, 0, UINT32_MAX, &to))
        return bad_list(error, word, "has a range that is not made of numbers");
    if (to < from)
        return bad_list(error, word, "has a range that goes down");
    for (size_t i = from; i <= to; i++) {
        g_autofree char *next = g_strdup_printf("%s%0*" G_GSIZE_FORMAT, head, (int)MIN(strlen(range), 20), i);
        if (!expand(names, next, rest, word, error))
            return FALSE;
    }
    return TRUE;
}

// Adds the names that begin with `head`, followed by what `rest` stands for. `word` is the whole list, for errors.
static gboolean expand(GPtrArray *names, const char *head, const char *rest, const char *word, GError **error)
{
    const char *open = strchr(rest, '['), *close = open ? strchr(open, ']') : NULL;
    if (!open) {
        if (strchr(rest, ']'))
            return bad_list(error, word, "has ] without [");
        if (names->len >= HOST_NAMES_MOST)
            return bad_list(error, word, "makes too many names, more than 2^20");
        g_ptr_array_add(names, g_strconcat(head, rest, NULL));
        return TRUE;
    }
    if (!close)
        return bad_list(error, word, "has [ without ]");
    g_autofree char *first = g_strndup(rest, (gsize)(open - rest)), *before = g_strconcat(head, first, NULL),
                    *inside = g_strndup(open + 1, (gsize)(close - open - 1));
    g_auto(GStrv) ranges = g_strsplit(inside, ",", -1);
    for (char **range = ranges; *range; range++)
        if (!expand_range(names, before, *range, close + 1, word, error))
            return FALSE;
    return *ranges != NULL || bad_list(error, word, "has [ ] with nothing inside");
}

gboolean host_names_add(GPtrArray *names, const char *list, GError **error)
{
    g_autoptr(GString) word = g_string_new(NULL);
    gboolean inside = FALSE;
    for (const char *at = list;; at++) {
        inside = *at == '[' || (inside && *at != ']');
        const gboolean ends = !*at || (!inside && (*at == ',' || g_ascii_isspace(*at)));
        if (!ends) {
            if ((guchar)*at < ' ' || *at == 127)
                return bad_list(error, list, "has a control character");
            g_string_append_c(word, *at);
            continue;
        }
        if (word->len && !expand(names, "", word->str, word->str, error))
            return FALSE;
        g_string_truncate(word, 0);
        if (!*at)
            return TRUE;
    }
}
