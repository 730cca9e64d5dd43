#include "parallel.h"
#include <stdio.h>
#include <unistd.h>

typedef struct Progress {
    GFunc run;
    gpointer user;
    const char *what;
    guint done, total; // done: atomic
    gboolean shown;
} Progress;

static void run_one(gpointer job, gpointer user)
{
    Progress *progress = user;
    progress->run(job, progress->user);
    const guint done = (guint)g_atomic_int_add(&progress->done, 1) + 1;
    if (progress->shown)
        fprintf(stderr, "\r%u of %u %s ", done, progress->total, progress->what);
}

void run_jobs(const GPtrArray *jobs, gboolean alone, const char *what, GFunc run, gpointer user)
{
    Progress progress = {run, user, what, 0, jobs->len, isatty(STDERR_FILENO) && jobs->len > 1};
    const int threads = alone ? 1 : (int)MIN(g_get_num_processors(), jobs->len);
    GThreadPool *pool = threads > 1 ? g_thread_pool_new(run_one, &progress, threads, TRUE, NULL) : NULL;
    for (guint i = 0; i < jobs->len; i++)
        if (!pool || !g_thread_pool_push(pool, g_ptr_array_index(jobs, i), NULL))
            run_one(g_ptr_array_index(jobs, i), &progress);
    if (pool)
        g_thread_pool_free(pool, FALSE, TRUE);
    if (progress.shown)
        fputs("\r                              \r", stderr);
}
