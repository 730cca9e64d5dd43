// The memory that this process may still take. A simulation that needs much asks before it begins, because a process
// that has used up the machine's memory is killed without a word.
#pragma once
#include <glib.h>
#include <stdint.h>

// Returns how many bytes this process may still take: the least of what its limits (RLIMIT_AS and RLIMIT_DATA), its
// control groups and the machine leave. It reads files in /proc and /sys, so do not ask for every operation.
uint64_t budget_left(void);

// Takes so many bytes out of the budget, which the caller is going to allocate, and gives them back when they are freed
// again. While other threads hold a part of the budget, budget_take waits for them rather than fail; a thread that
// holds some must therefore not take more. Returns FALSE and an error of what is "too much" if the bytes do not fit
// even alone; the error names what needs them, "WHAT on P ranks". Less than BUDGET_FREE bytes always fit and are not
// counted.
enum { BUDGET_FREE = 32 << 20 };
gboolean budget_take(uint64_t bytes, const char *what, int p, GError **error);
void budget_give_back(uint64_t bytes);

// Ends the program with status 2 and one line on stderr that names the bytes. Temporary files are removed. For an
// allocation that nobody could foresee.
void budget_exhausted(uint64_t bytes) G_GNUC_NORETURN;
// Makes GLib end the program in this way, too, if it cannot allocate memory. Call it once, at the start.
void budget_guard(void);
