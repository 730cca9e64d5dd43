#include "base/ini.h"
#include "base/error.h"
#include <string.h>

// Returns the first line that GKeyFile refuses. GKeyFile does not say which one it is, but it accepts the lines before
// it, so we bisect.
static guint refused_line(char *const *lines)
{
    guint good = 0, bad = g_strv_length((char **)lines);
    while (bad - good > 1) {
        const guint middle = good + (bad - good) / 2;
        g_autoptr(GString) head = g_string_new(NULL);
        g_autoptr(GKeyFile) file = g_key_file_new();
        for (guint i = 0; i < middle; i++)
            g_string_append_printf(head, "%s\n", lines[i]);
        if (g_key_file_load_from_data(file, head->str, head->len, G_KEY_FILE_NONE, NULL))
            good = middle;
        else
            bad = middle;
    }
    return bad;
}

gboolean ini_open(Ini *x, const char *text, size_t length, GError **error)
{
    g_autofree char *all = g_strndup(text, length);
    *x = (Ini){.file = g_key_file_new(), .lines = g_strsplit(all, "\n", -1)};
    if (g_key_file_load_from_data(x->file, all, length, G_KEY_FILE_NONE, NULL))
        return TRUE;
    x->line = refused_line(x->lines);
    g_autofree char *shown = error_quote(x->lines[x->line - 1]);
    return bad_input(error, "%s is not a valid line; allowed: key = value within a section, [section], # comment",
                     shown);
}

static void clear_key(Ini *x)
{
    g_clear_pointer(&x->key, g_free);
    g_clear_pointer(&x->value, g_free);
}

gboolean ini_next(Ini *x, gboolean *more, GError **error)
{
    const char *line = NULL;
    clear_key(x);
    while ((*more = x->lines[x->line] != NULL)) {
        line = x->lines[x->line++];
        line += strspn(line, " \t\r\v\f");
        if (*line && *line != '#')
            break;
    }
    if (!*more)
        return TRUE;
    if (*line == '[') {
        g_free(x->section);
        x->section = g_strndup(line + 1, strcspn(line, "]") - 1);
        return TRUE;
    }
    g_assert(x->section); // GKeyFile refuses a key before the first section
    x->key = g_strchomp(g_strndup(line, strcspn(line, "=")));
    x->value = g_key_file_get_value(x->file, x->section, x->key, NULL);
    if (!x->value) {
        g_autofree char *shown = error_quote(x->key);
        return bad_input(error, "%s is not a valid key; allowed: key = value", shown);
    }
    g_strstrip(x->value);
    return TRUE;
}

void ini_clear(Ini *x)
{
    g_clear_pointer(&x->file, g_key_file_free);
    g_clear_pointer(&x->lines, g_strfreev);
    g_clear_pointer(&x->section, g_free);
    clear_key(x);
}
