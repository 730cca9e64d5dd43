#include "base/parallel.h"
#include "base/budget.h"
#include "base/cleanup.h"
#include "base/ending.h"
#include "base/progress.h"
#include <pthread.h>

typedef struct Task {
    gpointer job;
    gboolean done;
    GError *error;
} Task;

// What the threads share.
typedef struct Pool {
    const ParallelWork *work;
    GAsyncQueue *done; // of Task *, as they are done
    const gint *stop;  // see parallel_stoppable
} Pool;

static int left;                      // jobs that have not ended, of all callers
static __thread gboolean inside;      // this thread runs a job
static __thread const gint *stopping; // ends the jobs that this thread starts

guint parallel_threads(guint n)
{
    const int others = inside ? g_atomic_int_get(&left) - 1 : 0;
    return (guint)CLAMP((int)g_get_num_processors() - others, 1, (int)MAX(n, 1));
}

const gint *parallel_stoppable(const gint *stop)
{
    const gint *before = stopping;
    stopping = stop;
    return before;
}

gboolean parallel_stopped(GError **error)
{
    if (!stopping || !g_atomic_int_get(stopping))
        return FALSE;
    g_set_error_literal(error, PARALLEL_STOPPED, 0, "stopped; allowed: to ask again");
    return TRUE;
}

static void run_task(gpointer data, gpointer user)
{
    Task *task = data;
    const Pool *pool = user;
    const gboolean nested = inside;
    // A job whose thread ends, by pthread_exit() in the code of a plugin, would be waited for without an end.
    const gint *stop = parallel_stoppable(pool->stop);
    pthread_cleanup_push(ending_of_thread, NULL);
    inside = TRUE;
    if (!parallel_stopped(&task->error))
        budget_try(pool->work->run, task->job, pool->work->user, &task->error);
    inside = nested;
    pthread_cleanup_pop(0);
    g_atomic_int_add(&left, -1);
    parallel_stoppable(stop);
    g_async_queue_push(pool->done, task);
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

static void show(Progress *progress, const ParallelWork *work, guint done, const Task *running)
{
    if (!progress_due(progress))
        return;
    g_autofree char *name = work->name ? work->name(running->job, work->user) : NULL;
    progress_show(progress, done, name);
}

// Takes the tasks as they are done, and says how many at the beginning are ready. Without a pool it runs them.
static void collect(Pool *shared, Task *tasks, guint n, gboolean pooled)
{
    const ParallelWork *work = shared->work;
    Progress progress;
    guint ready = 0;
    progress_begin(&progress, work->what, n);
    for (guint done = 0; done < n; done++) {
        const guint before = ready;
        show(&progress, work, done, &tasks[MIN(ready, n - 1)]);
        if (!pooled)
            run_task(&tasks[done], shared);
        Task *task = g_async_queue_pop(shared->done);
        task->done = TRUE;
        progress_foresee(&progress, done + 1);
        while (ready < n && tasks[ready].done && !tasks[ready].error)
            ready++;
        if (work->ready && ready > before) {
            progress_end(&progress);
            work->ready(ready, work->user);
        }
    }
    progress_end(&progress);
}

gboolean parallel_run(const GPtrArray *jobs, const ParallelWork *work, GError **error)
{
    const guint n = jobs->len;
    Pool shared = {work, g_async_queue_new(), stopping};
    g_autofree Task *tasks = g_new0(Task, n);
    const int threads = work->alone ? 1 : (int)parallel_threads(n);
    g_autoptr(GError) no_threads = NULL;
    sigset_t before;
    cleanup_begin_threads(&before);
    GThreadPool *pool = threads > 1 ? g_thread_pool_new(run_task, &shared, threads, TRUE, &no_threads) : NULL;
    cleanup_release(&before);
    if (no_threads) { // then GLib returns a pool that may have no thread at all
        g_thread_pool_free(pool, TRUE, FALSE);
        pool = NULL;
    }
    g_atomic_int_add(&left, (int)n);
    for (guint i = 0; i < n; i++) {
        tasks[i].job = g_ptr_array_index(jobs, i);
        if (pool)
            g_thread_pool_push(pool, &tasks[i], NULL);
    }
    collect(&shared, tasks, n, pool != NULL);
    if (pool)
        g_thread_pool_free(pool, FALSE, TRUE);
    g_async_queue_unref(shared.done);
    return first_error(tasks, n, error);
}
