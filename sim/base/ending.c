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

void ending_at_once(int status)
{
    cleanup_remove();
    end(status);
}

// Only async-signal-safe calls are allowed here: the code that calls exit() may hold any lock.
static void refuse_early_end(void)
{
    if (guarded == 0 || guarded != getpid())
        return;
    const char *const said = line ? line : "collsim: the program was ended before its answer\n";
    ssize_t n = write(STDERR_FILENO, said, strlen(said));
    (void)n;
    ending_at_once(1);
}

void ending_of_thread(void *unused)
{
    (void)unused;
    refuse_early_end();
}

void ending_immediate(int status)
{
    refuse_early_end();
    end(status);
}

void ending_guard(void)
{
    guarded = getpid();
    if (atexit(refuse_early_end) != 0 || at_quick_exit(refuse_early_end) != 0)
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
