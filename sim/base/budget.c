#include "base/budget.h"
#include "base/ending.h"
#include "base/error.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// ---- What is left ---------------------------------------------------------------------------------------------------

// Returns the number that follows `key` in a file, or the first one if key is "". Returns `otherwise` if there is none.
static uint64_t number_in(const char *file, const char *key, uint64_t otherwise)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents(file, &text, NULL, NULL))
        return otherwise;
    const char *at = strstr(text, key);
    char *end = NULL;
    const uint64_t n = at ? g_ascii_strtoull(at + strlen(key), &end, 10) : 0;
    return end && end != at + strlen(key) ? n : otherwise;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

// The names of a control group's files, in the two versions that Linux has.
typedef struct GroupFiles {
    const char *mount, *controller; // the group's line in /proc/self/cgroup has the controller before its path
    const char *limit, *usage, *cache;
} GroupFiles;

static const GroupFiles versions[] = {
    {"/sys/fs/cgroup", "0::", "memory.max", "memory.current", "\ninactive_file "},
    {"/sys/fs/cgroup/memory", ":memory:", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "},
};

// Returns what one group leaves. Pages of files that nobody uses are counted as used, but make room.
static uint64_t left_in_group(const GroupFiles *v, const char *path)
{
    g_autofree char *limit = g_build_filename(v->mount, path, v->limit, NULL);
    g_autofree char *usage = g_build_filename(v->mount, path, v->usage, NULL);
    g_autofree char *stat = g_build_filename(v->mount, path, "memory.stat", NULL);
    const uint64_t most = number_in(limit, "", UINT64_MAX);
    return most == UINT64_MAX ? most : minus(most, minus(number_in(usage, "", 0), number_in(stat, v->cache, 0)));
}

// Returns what the process's group leaves, and all groups that it is part of.
static uint64_t left_in_groups(const GroupFiles *v)
{
    g_autofree char *text = NULL;
    uint64_t left = UINT64_MAX;
    char *at = g_file_get_contents("/proc/self/cgroup", &text, NULL, NULL) ? strstr(text, v->controller) : NULL;
    if (!at)
        return left;
    char *path = at + strlen(v->controller);
    path[strcspn(path, "\n")] = '\0';
    for (char *end; (end = strrchr(path, '/')) != NULL; *end = '\0')
        left = MIN(left, left_in_group(v, path));
    return MIN(left, left_in_group(v, ""));
}

// Returns what a limit of the process leaves if it uses this many pages.
static uint64_t left_of(int resource, uint64_t pages)
{
    struct rlimit r;
    if (getrlimit((__rlimit_resource_t)resource, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return minus(r.rlim_cur, pages * (uint64_t)sysconf(_SC_PAGESIZE));
}

uint64_t budget_left(void)
{
    g_autofree char *statm = NULL;
    unsigned long long size = 0, data = 0;
    uint64_t left = number_in("/proc/meminfo", "MemAvailable:", UINT64_MAX / 1024 / 64) * 1024;
    if (g_file_get_contents("/proc/self/statm", &statm, NULL, NULL))
        sscanf(statm, "%llu %*u %*u %*u %*u %llu", &size, &data);
    left = MIN(left, MIN(left_of(RLIMIT_AS, size), left_of(RLIMIT_DATA, data)));
    for (size_t i = 0; i < G_N_ELEMENTS(versions); i++)
        left = MIN(left, left_in_groups(&versions[i]));
    return left;
}

// ---- Who has taken it -----------------------------------------------------------------------------------------------

static GMutex lock;
static GCond given_back;
static uint64_t taken;         // by all threads together
static __thread uint64_t held; // by this thread

gboolean budget_take(uint64_t bytes, const char *what, int p, GError **error)
{
    uint64_t left;
    if (bytes < BUDGET_FREE)
        return TRUE;
    g_mutex_lock(&lock);
    // What the others have taken may be in use already, and then counts twice: we wait too long, but not for ever.
    while (minus(left = budget_left(), taken) < bytes && taken > 0)
        g_cond_wait(&given_back, &lock);
    const gboolean fits = bytes <= left;
    taken += fits ? bytes : 0;
    held += fits ? bytes : 0;
    g_mutex_unlock(&lock);
    return fits || error_too_much(error,
                                  "%s on %d ranks needs %" G_GUINT64_FORMAT "M of memory, and %" G_GUINT64_FORMAT
                                  "M are left; allowed: less, with a smaller -p or longer segments",
                                  what, p, bytes >> 20, left >> 20);
}

void budget_give_back(uint64_t bytes)
{
    if (bytes < BUDGET_FREE)
        return;
    g_mutex_lock(&lock);
    taken -= bytes;
    held -= MIN(held, bytes);
    g_cond_broadcast(&given_back);
    g_mutex_unlock(&lock);
}

// ---- When it is too late --------------------------------------------------------------------------------------------

// Writes the line without allocating memory, and ends the program.
static void G_GNUC_NORETURN die(const char *bytes)
{
    char line[200];
    snprintf(line, sizeof line,
             "collsim: there is no memory for %s bytes more; allowed: what fits into the memory of this "
             "process, with a smaller -p or -m\n",
             bytes);
    ending_with(line, 2);
}

// Where budget_try goes on in this thread, and why: the bytes that were lacking, or the bug.
typedef struct BudgetEscape {
    jmp_buf back;
    uint64_t lacking;
    char *bug;
} BudgetEscape;
static __thread BudgetEscape *escape;
static gboolean ends; // the program wants to end; set once, before any thread begins

gboolean budget_try(BudgetWork *work, gpointer job, gpointer user, GError **error)
{
    if (ends)
        return work(job, user, error);
    BudgetEscape here = {.bug = NULL};
    BudgetEscape *const before = escape;
    const uint64_t held_before = held;
    if (setjmp(here.back) == 0) {
        escape = &here;
        const gboolean good = work(job, user, error);
        escape = before;
        return good;
    }
    escape = before;
    budget_give_back(held - held_before);
    if (here.bug) {
        g_set_error_literal(error, COLLSIM_ERROR, COLLSIM_ERROR_BUG, here.bug);
        g_free(here.bug);
        return FALSE;
    }
    return error_too_much(error,
                          "there is no memory for %" G_GUINT64_FORMAT
                          " bytes more; allowed: what fits into the memory of this process, with a smaller -p or -m",
                          here.lacking);
}

void budget_exhausted(uint64_t bytes)
{
    char text[24];
    if (escape) {
        escape->lacking = bytes;
        longjmp(escape->back, 1);
    }
    snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, bytes);
    die(text);
}

void budget_abandon(const char *message)
{
    if (!escape)
        return;
    escape->bug = g_strdup(message);
    longjmp(escape->back, 1);
}

// GLib's message is "FILE:LINE: failed to allocate N bytes".
static void failed(const char *domain, GLogLevelFlags level, const char *message, gpointer user)
{
    static const char words[] = "failed to allocate ";
    const char *at = strstr(message, words);
    char bytes[24] = "";
    if (at && sscanf(at + strlen(words), "%23[0-9*]", bytes) == 1)
        die(bytes);
    g_log_default_handler(domain, level, message, user);
}

void budget_guard(void)
{
    ends = TRUE;
    g_log_set_handler("GLib", G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION, failed, NULL);
}
