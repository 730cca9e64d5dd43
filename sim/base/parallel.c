#include "base/parallel.h"
#include <stdio.h>
#include <unistd.h>

typedef struct ParallelProgress {
    ParallelFunc run;
    gpointer user;
    const char *what;
    guint done, total; // `done` is atomic
    gboolean shown;
} ParallelProgress;

typedef struct Task {
    gpointer job;
    GError *error;
} Task;

static void run_one(gpointer data, gpointer user)
{
    Task *task = data;
    ParallelProgress *progress = user;
    progress->run(task->job, progress->user, &task->error);
    const guint done = (guint)g_atomic_int_add(&progress->done, 1) + 1;
    if (progress->shown)
        fprintf(stderr, "\r%u of %u %s ", done, progress->total, progress->what);
}

static gboolean first_error(Task *tasks, guint n, GError **error)
{
    gboolean good = TRUE;
    for (guint i = 0; i < n; i++)
        if (good && tasks[i].error) {
            g_propagate_error(error, tasks[i].error);
            good = FALSE;
        } else {
            g_clear_error(&tasks[i].error);
        }
    return good;
}

gboolean parallel_run(const GPtrArray *jobs, gboolean alone, const char *what, ParallelFunc run, gpointer user,
                      GError **error)
{
    ParallelProgress progress = {run, user, what, 0, jobs->len, isatty(STDERR_FILENO) && jobs->len > 1};
    g_autofree Task *tasks = g_new0(Task, jobs->len);
    const int threads = alone ? 1 : (int)MIN(g_get_num_processors(), jobs->len);
    GThreadPool *pool = threads > 1 ? g_thread_pool_new(run_one, &progress, threads, TRUE, NULL) : NULL;
    for (guint i = 0; i < jobs->len; i++) {
        tasks[i].job = g_ptr_array_index(jobs, i);
        if (!pool || !g_thread_pool_push(pool, &tasks[i], NULL))
            run_one(&tasks[i], &progress);
    }
    if (pool)
        g_thread_pool_free(pool, FALSE, TRUE);
    if (progress.shown)
        fputs("\r                              \r", stderr);
    return first_error(tasks, jobs->len, error);
}
