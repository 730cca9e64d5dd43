#include "serve.h"
#include "base/budget.h"
#include "base/escape.h"
#include "base/output.h"
#include "base/progress.h"
#include "engine/plugin/plugin.h"
#include "engine/schedule/goal_entry.h"
#include "engine/schedule/kept.h"
#include "out/note.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// Schedules may take this much memory, or this part of what is left.
enum { MOST_KEPT = 512 << 20, PART_KEPT = 4 };

// Reads the words of a request; NULL at the end of stdin. Free with g_ptr_array_unref.
static GPtrArray *read_request(void)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    char *word = NULL;
    size_t room = 0;
    while (getdelim(&word, &room, '\0', stdin) > 1)
        g_ptr_array_add(words, g_strdup(word));
    const gboolean complete = !feof(stdin) && !ferror(stdin) && words->len > 1;
    free(word);
    g_ptr_array_add(words, NULL);
    return complete ? g_steal_pointer(&words) : NULL;
}

// Lets the process use so many seconds of CPU time from now on.
static void allow_time(guint seconds)
{
    struct rusage used;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &used) == 0 && getrlimit(RLIMIT_CPU, &limit) == 0) {
        limit.rlim_cur = MIN((rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds, limit.rlim_max);
        setrlimit(RLIMIT_CPU, &limit);
    }
}

// Makes the process as it was before the first request, apart from what is kept to answer sooner: whoever asked before may
// be another, whose notes, plugins and GOAL schedule say nothing about this request.
static void forget(void)
{
    note_begin();
    progress_forget();
    plugin_forget();
    goal_entry_forget();
    algorithm_remove_added();
}

// Runs a command whose stdout is this file. Returns its exit status, or 2 and an error.
static int run_into(const char *path, int (*run)(int, char **, GError **), GPtrArray *words, GError **error)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || dup2(file, STDOUT_FILENO) < 0) {
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "%s: %s", path, g_strerror(errno));
        if (file >= 0)
            close(file);
        return 2;
    }
    close(file);
    forget();
    // Options are taken out of the list, so it is a copy whose words stay with the request.
    g_autofree char **argv = g_memdup2(words->pdata + 1, (words->len - 1) * sizeof *argv);
    return run((int)words->len - 2, argv, error);
}

int serve_requests(int (*run)(int argc, char **argv, GError **error), guint seconds)
{
    FILE *const replies = fdopen(dup(STDOUT_FILENO), "w");
    if (!replies)
        return 2;
    kept_limit(MIN(MOST_KEPT, budget_left() / PART_KEPT));
    gboolean writes = TRUE; // stdout, which writes nothing more once a write has failed
    for (GPtrArray *words; writes && (words = read_request());) {
        g_autoptr(GError) error = NULL;
        allow_time(seconds);
        int status = run_into(words->pdata[0], run, words, &error);
        writes = output_check_stdout(error ? NULL : &error);
        status = writes ? status : 2;
        g_autofree char *plain = error ? escape_terminal(error->message) : NULL;
        fprintf(replies, "%d %s\n", status, plain ? plain : "");
        fflush(replies);
        g_ptr_array_unref(words);
    }
    return 0;
}
