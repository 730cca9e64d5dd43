#include "out/note.h"
#include "base/escape.h"
#include "base/progress.h"
#include "base/units.h"
#include <stdarg.h>
#include <stdio.h>

static GHashTable *made; // the notes that were printed; only the main thread makes notes

void note_begin(void)
{
    g_clear_pointer(&made, g_hash_table_unref);
}

void note_line(const char *line)
{
    if (!made)
        made = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (!g_hash_table_add(made, g_strdup(line)))
        return;
    g_autofree char *plain = escape_terminal(line); // a note may quote what a user typed
    progress_clear();
    fprintf(stderr, "collsim: note: %s\n", plain);
}

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *line = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    note_line(line);
}

void note_size(const char *text)
{
    g_autofree char *line = units_size_note(text);
    if (line)
        note_line(line);
}

void note_list(const char *option, const char *text)
{
    g_autoptr(GPtrArray) lines = units_list_notes(text, option);
    for (guint i = 0; i < lines->len; i++)
        note_line(g_ptr_array_index(lines, i));
}
