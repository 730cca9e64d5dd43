// Removes temporary files when a signal stops the program.
//
// A module that creates a temporary file or folder adds its name here and takes it back when the file is complete or
// removed. INT, TERM, HUP, QUIT and PIPE then unlink every name that is still in the table before they end the program,
// and the program's exit status is the signal's. So do XCPU and XFSZ (a limit of ulimit), and ABRT and TRAP, by which
// the program itself ends if it finds a bug or gets no memory. Signals that were ignored when the program started
// (nohup) stay ignored.
#pragma once
#include <glib.h>
#include <signal.h>

enum { CLEANUP_MAX = 4096 }; // names at the same time; those beyond it would survive a signal

// Adds the name of a file or folder that this process creates next or has just created, and returns its place in the
// table, or -1 if the table is full. The name is copied. A folder is removed only if it is empty by then, so its files
// need entries of their own.
int cleanup_add(const char *name);
// Lets a signal give the file at this place the name `target`, and write the line `said` to standard error, instead of
// unlinking it: it is complete. Both texts are copied.
void cleanup_keep(int place, const char *target, const char *said);
// Takes a name back; nothing happens to the file. `place` is what cleanup_add() returned, or -1.
void cleanup_drop(int place);

// Removes all files and folders in the table at once, for a program that ends without a return from main().
void cleanup_remove(void);

// Installs a handler for each of these signals that has its default action. cleanup_add() calls it. A module that has
// changed a signal and set it back to the default (as a GLib signal source does when it ends) must call it again.
void cleanup_guard(void);

// From now on the first INT, TERM or HUP sets *stop to its number and does nothing else, so that the program can end in its
// own way; the next one ends it. NULL: the first one ends it, as before.
void cleanup_ask(gint *stop);

// Returns true if `number` is not ignored, so that a module which waits for signals knows which ones it may take.
gboolean cleanup_wants(int number);

// Sets *set to those of the signals above that are not ignored.
void cleanup_stops(sigset_t *set);

// Does as cleanup_hold() for a thread that starts others, which inherit what it blocks: only the main thread then takes
// signals that come from outside, so that one which it holds back cannot remove its files from another thread. ABRT and
// TRAP, which a thread sends to itself, are not blocked.
void cleanup_begin_threads(sigset_t *before);

// Blocks the signals and keeps the old mask in *before; cleanup_release() restores that mask, and a signal that arrived
// in between takes effect.
void cleanup_hold(sigset_t *before);
void cleanup_release(const sigset_t *before);
