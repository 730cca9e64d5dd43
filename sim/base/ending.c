#define _GNU_SOURCE // syscall
#include "base/ending.h"
#include "base/cleanup.h"
#include "base/escape.h"
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Exit handlers have no arguments, so what they need is global.
static volatile pid_t guarded; // the process that must not end; 0 if it may
static char *line;             // what it then says; NULL for what it says without a plugin

static void G_GNUC_NORETURN end(int status)
{
    for (;;)
        syscall(SYS_exit_group, status); // _exit() may be the program's own, which leads here
}

void ending_with(const char *said, int status)
{
    static int begun;
    static __thread gboolean here;
    if (here) // a fault of what follows
        end(status);
    here = TRUE;
    while (__atomic_exchange_n(&begun, 1, __ATOMIC_SEQ_CST) != 0)
        pause(); // another thread ends the process
    ssize_t n = write(STDERR_FILENO, said, strlen(said));
    (void)n;
    cleanup_remove();
    end(status);
}

// Only async-signal-safe calls are allowed here: the code that calls exit() may hold any lock.
void ending_refuse(void)
{
    if (guarded != 0 && guarded == getpid())
        ending_with(line ? line : "collsim: the program was ended before its answer\n", 1);
}

void ending_of_thread(void *unused)
{
    (void)unused;
    ending_refuse();
}

void ending_immediate(int status)
{
    ending_refuse();
    end(status);
}

void ending_guard(void)
{
    guarded = getpid();
    if (atexit(ending_refuse) != 0 || at_quick_exit(ending_refuse) != 0)
        g_error("no memory for an exit handler"); // 32 of each kind need none
}

void ending_blame(const char *file)
{
    g_autofree char *shown = escape_terminal(file);
    char *const before = line;
    line =
        g_strdup_printf("collsim: the program was ended before its answer, after the code of %s was loaded; allowed: "
                        "code that returns, without exit()\n",
                        shown);
    g_free(before); // a handler may use the line at any time
}

void ending_allow(void)
{
    guarded = 0;
}
