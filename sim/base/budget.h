// The memory that this process may still take. A simulation that needs much asks before it begins, because a process
// that has used up the machine's memory is killed without a word.
#pragma once
#include <glib.h>
#include <stdint.h>

// Returns how many bytes this process may still take: the least of what its limits (RLIMIT_AS and RLIMIT_DATA), its
// control groups and the machine leave. It reads files in /proc and /sys, so do not ask for every operation.
uint64_t budget_left(void);

// Takes bytes that the caller is going to allocate out of the budget, and gives them back when the caller has freed
// them. While other threads hold a part of the budget, budget_take waits for them rather than fail; a thread that holds
// some must therefore not take more. Returns FALSE and an error of what is "too much" if the bytes do not fit even
// alone; the error names what needs them, "WHAT on P ranks". Less than BUDGET_FREE bytes always fit and are not
// counted.
enum { BUDGET_FREE = 32 << 20 };
gboolean budget_take(uint64_t bytes, const char *what, int p, GError **error);
void budget_give_back(uint64_t bytes);

// For an allocation that nobody could foresee: goes back to the budget_try of this thread. If there is none, ends the
// program with status 2 and one line on stderr that names the bytes; temporary files are removed.
void budget_exhausted(uint64_t bytes) G_GNUC_NORETURN;
// For a bug, which `message` describes: goes back to the budget_try of this thread in the same way. Returns if there is
// none.
void budget_abandon(const char *message);
// Does some work, such as one job of parallel_run. If it calls budget_exhausted, returns FALSE and an error of what is
// "too much", and after budget_abandon an error of a bug; then what it has allocated is lost, and what it took out of
// the budget is given back.
typedef gboolean BudgetWork(gpointer job, gpointer user, GError **error);
gboolean budget_try(BudgetWork *work, gpointer job, gpointer user, GError **error);
// Makes a program end instead, also if GLib cannot allocate memory. A program may call it once, at the start; a library
// must not.
void budget_guard(void);
