#include "out/answer.h"
#include "base/nearest.h"
#include "out/note.h"

void answer_options_clear(AnswerOptions *o)
{
    g_free(o->format);
    g_free(o->output);
}

static gboolean find_format(const AnswerOptions *o, Format *format, GError **error)
{
    static const char *const names[] = {"table", "csv", "json", NULL};
    int index = FORMAT_TABLE;
    if (o->format && !nearest_find("format", o->format, names, &index, error))
        return FALSE;
    if (!o->format && o->output && g_str_has_suffix(o->output, ".csv"))
        index = FORMAT_CSV;
    if (!o->format && o->output && g_str_has_suffix(o->output, ".json"))
        index = FORMAT_JSON;
    *format = (Format)index;
    return TRUE;
}

gboolean answer_open(Answer *answer, const AnswerOptions *o, GError **error)
{
    if (!find_format(o, &answer->format, error) || !output_open(&answer->output, o->output, error))
        return FALSE;
    answer->to = answer->output.to;
    return TRUE;
}

gboolean answer_close(Answer *answer, GError **error)
{
    return output_close(&answer->output, error);
}

void answer_clear(Answer *answer)
{
    output_abandon(&answer->output); // nothing, if it is closed
}

void answer_notes(const Sheet *notes)
{
    for (guint row = 0; notes && row < sheet_rows(notes); row++) {
        g_autofree char *text = sheet_shown(notes, row, "note");
        note_line(text);
    }
}

void answer_sheets(const Answer *answer, const char *command, const Sheet *const *sheets, int n)
{
    if (answer->format == FORMAT_JSON) {
        sheet_json(command, sheets, n, answer->to);
        return;
    }
    sheet_csv(sheets[0], answer->to);
    for (int i = 1; i < n; i++)
        if (sheets[i] && sheet_is_notes(sheets[i]))
            answer_notes(sheets[i]);
}
