// What a command has done by the time that a person stops it. A long command whose answer goes to standard output begins
// with stop_begin(): the first INT, TERM or HUP then ends its work, but not the program. The command prints what is done,
// says what is missing, and stop_end() ends the program by that signal. The second signal ends the program at once. A file
// is complete or not written at all, so a command with -o does not begin.
#pragma once
#include <glib.h>

// Lets parallel_run() of this thread, and loops that ask stop_came(), end early. It is meant for the main thread.
void stop_begin(void);
// Returns TRUE once a signal has come.
gboolean stop_came(void);
// Clears *error if the work ended early because of the signal. Returns TRUE if it did.
gboolean stop_excuses(GError **error);
// Ends the program by the signal, if one has come. It notes "stopped after DONE of ALL WHAT" if some are missing.
void stop_end(guint done, guint all, const char *what);
