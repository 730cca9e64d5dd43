// Sees to it that the program does not end without its answer.
//
// The program ends by a return from main(). Code that it has loaded (engine/plugin/plugin.h) can end it as well, by
// exit() or by what has the same effect; the exit status would then be 0, and the caller would take the missing answer
// for an empty one. Between ending_guard() and ending_allow() such an end prints one line, removes the temporary files,
// and has exit status 1. A process that was forked may end as it likes.
#pragma once
#include <glib.h>

// Begins to guard this process. main() calls it once.
void ending_guard(void);
// Names the file whose code is loaded next, for the line.
void ending_blame(const char *file);
// The answer is given, and the program may end.
void ending_allow(void);

// Writes a line to stderr and ends this process at once: removes temporary files, and runs no exit handler. If several
// threads call it, only the first line is written. It is async-signal-safe.
void ending_with(const char *line, int status) G_GNUC_NORETURN;

// Treats the end of a thread as that of the program. A handler for pthread_cleanup_push(); `unused` is not used.
void ending_of_thread(void *unused);

// Ends the program with the line if it is guarded. A program that defines exit() and quick_exit() itself, with this
// function at their begin, catches each call of the code that it loads, where exit handlers run for one thread only.
void ending_refuse(void);
// Does the same, or ends the process as _exit() does, for a program that defines _exit() itself.
void ending_immediate(int status) G_GNUC_NORETURN;
