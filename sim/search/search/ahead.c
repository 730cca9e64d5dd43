#include "search/search/ahead.h"
#include "base/budget.h"
#include "base/cleanup.h"
#include "base/ending.h"
#include "base/error.h"
#include <pthread.h>

// Jobs that wait for a helper: enough that it need not wait for the contest, and so few that most of them will be of
// use.
enum { WAITING = 4 };
// Threads are not worth their start in a contest that is over in a few milliseconds.
enum { LONG_US = 3000 };

typedef struct Begun {
    AheadJob *job;
    gboolean done;
} Begun;

struct Ahead {
    Crew *crew;
    const Request *request;
    int p, per_node;
    size_t m;
    gint64 begin_us;
    int processors;
    GPtrArray *threads; // GThread *
    GMutex lock;        // of what follows
    GCond changed;
    GQueue waiting;  // of AheadJob *
    GQueue begun;    // of Begun *
    GHashTable *all; // the kinds and numbers of all jobs so far, as pointers
    gboolean ends;
};

Point *ahead_simulate(const Request *r, int p, int per_node, size_t m, int algorithm, const CollParams *par,
                      double enough_s, GError **refused, GError **error)
{
    g_autoptr(GError) why = NULL;
    Point *point = point_new(r, algorithms[algorithm], p, per_node, m, error);
    if (!point)
        return NULL;
    point->par = point->asked = *par;
    point->enough_s = enough_s;
    if (point_run(point, r, &why) && (point_timed(point) || point_beyond(point)) && !point->why)
        return point;
    if (!why)
        why = g_steal_pointer(&point->refused);
    point_free(point);
    if (g_error_matches(why, COLLSIM_ERROR, COLLSIM_ERROR_TOO_LARGE) ||
        g_error_matches(why, COLLSIM_ERROR, COLLSIM_ERROR_TOO_MUCH))
        g_propagate_error(refused, g_steal_pointer(&why));
    else if (why)
        g_propagate_error(error, g_steal_pointer(&why));
    return NULL;
}

// ---- Jobs -----------------------------------------------------------------------------------------------------------

void ahead_job_free(AheadJob *job)
{
    if (!job)
        return;
    if (job->tries)
        g_array_unref(job->tries);
    point_free(job->point);
    g_clear_error(&job->refused);
    g_clear_error(&job->error);
    g_free(job);
}

static gboolean do_job(gpointer data, gpointer to, GError **error)
{
    const Ahead *x = data;
    AheadJob *job = to;
    (void)error;
    switch (job->kind) {
    case AHEAD_GROUP:
        job->tries = g_array_new(FALSE, FALSE, sizeof(Try));
        tries_of_group(x->request, x->p, x->per_node, x->m, &job->group, job->limit_s, job->tries);
        break;
    case AHEAD_REFINE:
        try_refine(x->request, x->p, x->per_node, x->m, job->limit_s, &job->try);
        break;
    case AHEAD_SIMULATE:
        job->excluded = job->limit_s > 0 && try_excluded(x->request, x->p, x->per_node, x->m, job->limit_s, &job->try);
        job->point = job->excluded ? NULL
                                   : ahead_simulate(x->request, x->p, x->per_node, x->m, job->try.algorithm,
                                                    &job->try.par, job->limit_s, &job->refused, &job->error);
        break;
    }
    return TRUE;
}

// Does the next job, or waits for a change if there is none. The caller has the lock.
static void do_next(Ahead *x)
{
    AheadJob *job = g_queue_pop_head(&x->waiting);
    if (!job) {
        g_cond_wait(&x->changed, &x->lock);
        return;
    }
    Begun *begun = g_new(Begun, 1);
    *begun = (Begun){job, FALSE};
    g_queue_push_tail(&x->begun, begun);
    g_mutex_unlock(&x->lock);
    budget_try(do_job, x, job, NULL);
    g_mutex_lock(&x->lock);
    begun->done = TRUE;
    g_cond_broadcast(&x->changed);
}

static gpointer help(gpointer data)
{
    Ahead *x = data;
    // A job whose thread ends, by pthread_exit() in the code of a plugin, would be waited for without an end.
    pthread_cleanup_push(ending_of_thread, NULL);
    g_mutex_lock(&x->lock);
    while (!x->ends)
        do_next(x);
    g_mutex_unlock(&x->lock);
    pthread_cleanup_pop(0);
    return NULL;
}

// ---- Helpers --------------------------------------------------------------------------------------------------------

Ahead *ahead_new(Crew *crew, const Request *r, int p, int per_node, size_t m)
{
    Ahead *x = g_new0(Ahead, 1);
    *x = (Ahead){.crew = crew,
                 .request = r,
                 .p = p,
                 .per_node = per_node,
                 .m = m,
                 .begin_us = g_get_monotonic_time(),
                 .processors = (int)g_get_num_processors(),
                 .threads = g_ptr_array_new(),
                 .all = g_hash_table_new(NULL, NULL)};
    g_mutex_init(&x->lock);
    g_cond_init(&x->changed);
    return x;
}

// Starts a helper if there is a processor for it. Returns FALSE if there is none.
static gboolean start_helper(Ahead *x)
{
    GThread *thread = NULL;
    if (g_atomic_int_add(&x->crew->helpers, 1) + g_atomic_int_get(&x->crew->contests) < x->processors) {
        sigset_t before;
        cleanup_begin_threads(&before);
        thread = g_thread_try_new("ahead", help, x, NULL);
        cleanup_release(&before);
    }
    if (thread)
        g_ptr_array_add(x->threads, thread);
    else
        g_atomic_int_add(&x->crew->helpers, -1);
    return thread != NULL;
}

int ahead_room(Ahead *x)
{
    if (x->processors == 1 || (x->threads->len == 0 && g_get_monotonic_time() - x->begin_us < LONG_US))
        return 0;
    while (start_helper(x))
        continue;
    if (x->threads->len == 0)
        return 0;
    g_mutex_lock(&x->lock);
    const int room = WAITING * (int)x->threads->len - (int)g_queue_get_length(&x->waiting);
    g_mutex_unlock(&x->lock);
    return MAX(room, 0);
}

static gpointer key_of(AheadKind kind, int number)
{
    return GUINT_TO_POINTER((guint)number * 3 + kind + 1);
}

gboolean ahead_add(Ahead *x, const AheadJob *job)
{
    if (!g_hash_table_add(x->all, key_of(job->kind, job->number)))
        return FALSE;
    g_mutex_lock(&x->lock);
    g_queue_push_tail(&x->waiting, g_memdup2(job, sizeof *job));
    g_cond_broadcast(&x->changed);
    g_mutex_unlock(&x->lock);
    return TRUE;
}

AheadJob *ahead_take(Ahead *x, AheadKind kind, int number)
{
    AheadJob *found = NULL;
    if (!g_hash_table_contains(x->all, key_of(kind, number)))
        return NULL;
    g_mutex_lock(&x->lock);
    for (GList *i = x->waiting.head; i; i = i->next) {
        AheadJob *job = i->data;
        if (job->kind != kind || job->number != number)
            continue;
        g_queue_delete_link(&x->waiting, i);
        ahead_job_free(job);
        break;
    }
    for (GList *i = x->begun.head; i && !found; i = i->next) {
        Begun *begun = i->data;
        if (begun->job->kind != kind || begun->job->number != number)
            continue;
        while (!begun->done)
            do_next(x);
        found = begun->job;
        g_free(begun);
        g_queue_delete_link(&x->begun, i);
        break;
    }
    g_mutex_unlock(&x->lock);
    return found;
}

static void free_begun(gpointer data)
{
    ahead_job_free(((Begun *)data)->job);
    g_free(data);
}

static void free_job(gpointer data)
{
    ahead_job_free(data);
}

void ahead_free(Ahead *x)
{
    g_mutex_lock(&x->lock);
    x->ends = TRUE;
    g_cond_broadcast(&x->changed);
    g_mutex_unlock(&x->lock);
    for (guint i = 0; i < x->threads->len; i++)
        g_thread_join(x->threads->pdata[i]);
    g_atomic_int_add(&x->crew->helpers, -(int)x->threads->len);
    g_queue_clear_full(&x->waiting, free_job);
    g_queue_clear_full(&x->begun, free_begun);
    g_ptr_array_unref(x->threads);
    g_hash_table_unref(x->all);
    g_mutex_clear(&x->lock);
    g_cond_clear(&x->changed);
    g_free(x);
}
