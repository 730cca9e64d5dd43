// Lets a long command print what it has done when a person stops it. If its answer goes to standard output, it calls
// stop_begin(): the first INT, TERM or HUP then ends its work, but not the program. The command prints what is done, and
// stop_end() says what is missing and ends the program by that signal. The second signal ends the program at once. A
// command with -o does not call stop_begin(), because its file is complete or not written at all.
#pragma once
#include <glib.h>

// Lets parallel_run() of this thread, and loops that ask stop_came(), end early. It is meant for the main thread.
void stop_begin(void);
// Returns TRUE once a signal has come.
gboolean stop_came(void);
// Ends the program by the signal, if one has come. It notes "stopped after DONE of ALL WHAT" if some are missing. Without
// stop_begin() it does nothing.
void stop_end(guint done, guint all, const char *what);
