#include "search/ahead.h"
#include "base/budget.h"
#include "base/cleanup.h"
#include "base/ending.h"
#include "base/error.h"
#include <pthread.h>

struct Ahead {
    Crew *crew;
    const Request *request;
    int p, per_node;
    size_t m;
    Try try;
    GThread *thread;
};

Point *ahead_simulate(const Request *r, int p, int per_node, size_t m, int algorithm, const CollParams *par,
                      double enough_s, GError **refused, GError **error)
{
    g_autoptr(GError) why = NULL;
    Point *point = point_new(r, algorithms[algorithm], p, per_node, m, 0, error);
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

static gboolean simulate(gpointer data, gpointer to, GError **error)
{
    const Ahead *x = data;
    Point **const point = to;
    *point = ahead_simulate(x->request, x->p, x->per_node, x->m, x->try.algorithm, &x->try.par, 0, NULL, error);
    return *point != NULL;
}

static gpointer run(gpointer data)
{
    Ahead *x = data;
    Point *point = NULL;
    pthread_cleanup_push(ending_of_thread, NULL);
    budget_try(simulate, x, &point, NULL);
    pthread_cleanup_pop(0);
    g_atomic_int_add(&x->crew->helpers, -1);
    return point;
}

Ahead *ahead_begin(Crew *crew, const Request *r, int p, int per_node, size_t m, const Try *try)
{
    const int processors = (int)g_get_num_processors();
    Ahead *x = NULL;
    if (g_atomic_int_add(&crew->helpers, 1) + g_atomic_int_get(&crew->contests) < processors) {
        x = g_new(Ahead, 1);
        *x = (Ahead){crew, r, p, per_node, m, *try, NULL};
        sigset_t before;
        cleanup_begin_threads(&before);
        x->thread = g_thread_try_new("ahead", run, x, NULL);
        cleanup_release(&before);
    }
    if (x && x->thread)
        return x;
    g_atomic_int_add(&crew->helpers, -1);
    g_free(x);
    return NULL;
}

gboolean ahead_is(const Ahead *x, const Try *try)
{
    return x->try.number == try->number;
}

Point *ahead_end(Ahead *x)
{
    Point *point = g_thread_join(x->thread);
    g_free(x);
    return point;
}
