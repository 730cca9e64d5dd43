#include "base/nearest.h"
#include "base/error.h"
#include <string.h>

static gboolean same(char a, char b)
{
    return g_ascii_tolower(a) == g_ascii_tolower(b);
}

// Returns the number of edits that turn a into b. We keep three rows of the usual table, because a swap looks back two.
static size_t distance(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    g_autofree size_t *rows = g_new(size_t, 3 * (m + 1));
    size_t *two_above = rows, *above = rows + m + 1, *row = rows + 2 * (m + 1);

    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *const oldest = two_above;
        two_above = above;
        above = row;
        row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = MIN(MIN(above[j], row[j - 1]) + 1, above[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = MIN(row[j], two_above[j - 2] + 1);
        }
    }
    return row[m];
}

const char *nearest_name(const char *wrong, const char *const *names)
{
    const size_t n = strlen(wrong), allowed = MAX(1, n / 3);
    const char *nearest = NULL;
    size_t best = allowed + 1;

    for (; *names; names++) {
        const size_t m = strlen(*names);
        if (MAX(n, m) - MIN(n, m) > allowed)
            continue;
        const size_t d = distance(wrong, *names);
        // A name that shares no letter with the wrong one does not help, however short both are.
        if (d < best && d < MAX(n, m)) {
            best = d;
            nearest = *names;
        }
    }
    return nearest;
}

char *nearest_hint(const char *wrong, const char *const *names)
{
    const char *near = nearest_name(wrong, names);
    return near ? g_strdup_printf(", did you mean %s? ", near) : g_strdup("; ");
}

gboolean nearest_unknown(const char *kind, const char *wrong, const char *const *names, GError **error)
{
    g_autofree char *shown = error_quote(wrong), *hint = nearest_hint(wrong, names);
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    return bad_input(error, "unknown %s %s%sallowed: %s", kind, shown, hint, all);
}

// Returns true if the names differ at most in case, '-' and '_'.
static gboolean alike(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, "-_");
        b += strspn(b, "-_");
        if (!same(*a, *b) || !*a)
            return same(*a, *b);
    }
}

int nearest_match(const char *name, const char *const *names)
{
    int match = -1, n = 0;
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], name) == 0)
            return i;
        if (!alike(names[i], name))
            continue;
        match = i;
        n++;
    }
    return n == 1 ? match : -1;
}

gboolean nearest_find(const char *kind, const char *name, const char *const *names, int *index, GError **error)
{
    const int match = nearest_match(name, names);
    if (match < 0)
        return nearest_unknown(kind, name, names, error);
    *index = match;
    return TRUE;
}
