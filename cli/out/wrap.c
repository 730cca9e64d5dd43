#include "out/wrap.h"
#include "base/escape.h"
#include <glib.h>

void wrap_print(FILE *to, const char *head, const char *text)
{
    const int indent = (int)g_utf8_strlen(head, -1);
    g_autofree char *plain = escape_terminal(text);
    g_auto(GStrv) words = g_strsplit(plain, " ", -1);
    int at = indent;
    fputs(head, to);
    for (char **w = words; *w; w++) {
        const int len = (int)g_utf8_strlen(*w, -1);
        if (w != words && at + 1 + len > WRAP_WIDTH) {
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
