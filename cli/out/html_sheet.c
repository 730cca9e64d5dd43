#include "out/html_sheet.h"

// Trims the blanks with which heads and cells of terminals are aligned.
static char *trimmed(const char *text)
{
    return g_strstrip(g_strdup(text));
}

void html_sheet(Html *page, const Sheet *sheet, const SheetView *view, guint first, guint end, const char *caption)
{
    guint n = 0;
    while (view[n].column)
        n++;
    if (first >= end)
        return;
    g_autofree HtmlCell *cell = g_new0(HtmlCell, n);
    g_auto(GStrv) text = g_new0(char *, n + 1);
    for (guint k = 0; k < n; k++) {
        gboolean number;
        const char *head = sheet_head(sheet, view[k].column, &number);
        text[k] = trimmed(view[k].head ? view[k].head : head);
        cell[k] = (HtmlCell){.text = text[k], .kind = number ? HTML_NUMBER : HTML_WORDS};
    }
    html_table(page, caption, cell, n);
    for (guint i = first; i < end; i++) {
        for (guint k = 0; k < n; k++) {
            g_autofree char *shown = sheet_shown(sheet, i, view[k].column);
            g_free(text[k]);
            cell[k].text = text[k] = trimmed(shown);
        }
        html_row(page, NULL, NULL, cell, n);
    }
    html_table_end(page);
}
