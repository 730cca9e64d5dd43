#include "base/cleanup.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ, SIGABRT, SIGTRAP};

// A signal handler has no arguments of its own, so what it needs is global. A name is complete before its pointer is
// stored, and the pointer is taken out before the name is freed.
static char *names[CLEANUP_MAX];
static char *targets[CLEANUP_MAX], *lines[CLEANUP_MAX]; // of cleanup_keep(); a target is stored last
static volatile pid_t owner;
static gint *asked; // see cleanup_ask()

// Only async-signal-safe calls are allowed here. A forked child that has not yet called exec shares the table but must
// not remove its parent's files.
void cleanup_remove(void)
{
    for (int i = 0; owner == getpid() && i < CLEANUP_MAX; i++)
        if (names[i] && targets[i] && rename(names[i], targets[i]) == 0) {
            ssize_t n = write(STDERR_FILENO, lines[i], strlen(lines[i]));
            (void)n;
        } else if (names[i]) {
            unlink(names[i]);
        }
    for (int removed = 1; owner == getpid() && removed > 0;) { // again for the folder in which a removed one lay
        removed = 0;
        for (int i = 0; i < CLEANUP_MAX; i++)
            removed += names[i] && rmdir(names[i]) == 0;
    }
}

static void stop(int number)
{
    gint *const flag = g_atomic_pointer_get(&asked);
    if (flag && owner == getpid() && (number == SIGINT || number == SIGTERM || number == SIGHUP) &&
        g_atomic_int_compare_and_exchange(flag, 0, number))
        return;
    cleanup_remove();
    signal(number, SIG_DFL);
    raise(number); // it is delivered when this handler returns, so the exit status is the signal's
}

void cleanup_guard(void)
{
    struct sigaction action = {.sa_handler = stop}, now;
    owner = getpid();
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        if (!sigaction(signals[i], NULL, &now) && now.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
}

void cleanup_ask(gint *flag)
{
    cleanup_guard();
    g_atomic_pointer_set(&asked, flag);
}

int cleanup_add(const char *name)
{
    char *const copy = g_strdup(name);
    cleanup_guard();
    for (int i = 0; i < CLEANUP_MAX; i++)
        if (g_atomic_pointer_compare_and_exchange(&names[i], NULL, copy))
            return i;
    g_free(copy);
    return -1;
}

void cleanup_drop(int place)
{
    if (place < 0)
        return;
    char **const texts[] = {&targets[place], &lines[place], &names[place]};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        char *const text = g_atomic_pointer_get(texts[i]);
        g_atomic_pointer_set(texts[i], NULL);
        g_free(text);
    }
}

void cleanup_keep(int place, const char *target, const char *said)
{
    if (place < 0)
        return;
    lines[place] = g_strdup_printf("%s\n", said);
    g_atomic_pointer_set(&targets[place], g_strdup(target));
}

gboolean cleanup_wants(int number)
{
    struct sigaction now;
    return !sigaction(number, NULL, &now) && now.sa_handler != SIG_IGN;
}

void cleanup_stops(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        if (cleanup_wants(signals[i]))
            sigaddset(set, signals[i]);
}

void cleanup_hold(sigset_t *before)
{
    sigset_t held;
    cleanup_stops(&held);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

void cleanup_begin_threads(sigset_t *before)
{
    sigset_t held;
    cleanup_stops(&held);
    sigdelset(&held, SIGABRT);
    sigdelset(&held, SIGTRAP);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

void cleanup_release(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}
