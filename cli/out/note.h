// Remarks on what was typed or left out: they go to stderr, so that they never mix with an answer.
#pragma once
#include <glib.h>

// Begins another command, for which notes that were printed before are printed again.
void note_begin(void);
// Prints "collsim: note: TEXT" on stderr, a line of its own even where progress is shown. A note that the command printed
// before is not printed again.
void note(const char *format, ...) G_GNUC_PRINTF(1, 2);
// Prints one line of text the same way.
void note_line(const char *line);
// Notes that a size is taken as a power of 1024 although it is spelled like a power of ten (see units_size_note).
void note_size(const char *text);
// Notes the same about a list, and where it ends before its end (see units_list_notes). `option` names the list ("-m").
void note_list(const char *option, const char *text);
