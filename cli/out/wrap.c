#include "out/wrap.h"
#include "base/escape.h"
#include <glib.h>
#include <string.h>

// Returns TRUE if a word is a unit, perhaps with a punctuation mark, that belongs to the number before it, as in "5
// ms;".
static gboolean is_unit(const char *before, const char *word)
{
    static const char *const units[] = {"%", "s", "ms", "us", "ns"};
    const size_t end = strlen(before), length = strcspn(word, ".,;:)");
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
        if (strlen(units[i]) == length && strncmp(units[i], word, length) == 0)
            return end > 0 && g_ascii_isdigit(before[end - 1]);
    return FALSE;
}

void wrap_print(FILE *to, const char *head, const char *text)
{
    const int indent = (int)g_utf8_strlen(head, -1);
    g_autofree char *plain = escape_terminal(text);
    g_auto(GStrv) words = g_strsplit(plain, " ", -1);
    int at = indent;
    fputs(head, to);
    for (char **w = words; *w; w++) {
        const int len = (int)g_utf8_strlen(*w, -1),
                  unit = w[1] && is_unit(*w, w[1]) ? 1 + (int)g_utf8_strlen(w[1], -1) : 0;
        const gboolean stays = w == words || is_unit(w[-1], *w);
        if (!stays && at + 1 + len + unit > WRAP_WIDTH) {
            fprintf(to, "\n%*s", indent, "");
            at = indent;
        } else if (w != words) {
            fputc(' ', to);
            at++;
        }
        fputs(*w, to);
        at += len;
    }
    fputc('\n', to);
}
