// All contests of a request: making them, running them, and what they say together.
#include "search/search/contest.h"
#include "search/search/left_out.h"
#include "libraries/decide/decide_ways.h"
#include "base/parallel.h"
#include "base/units.h"
#include <math.h>

static void crew_clear(gpointer crew)
{
    sampled_free(((Crew *)crew)->sampled);
}

static void contest_free(gpointer data)
{
    Contest *x = data;
    if (x->ranking)
        g_ptr_array_unref(x->ranking);
    if (x->left_out)
        g_ptr_array_unref(x->left_out);
    g_rc_box_release_full(x->crew, crew_clear);
    g_free(x);
}

GPtrArray *contest_make_places(const Request *r, int top, const GArray *places)
{
    GPtrArray *contests = g_ptr_array_new_with_free_func(contest_free);
    Crew *crew = g_rc_box_new0(Crew);
    crew->sampled = sampled_new();
    for (guint i = 0; i < places->len; i++) {
        const ContestPlace *place = &g_array_index(places, ContestPlace, i);
        Contest *x = g_new0(Contest, 1);
        *x = (Contest){.request = r,
                       .p = place->p,
                       .per_node = place->per_node,
                       .m = place->m,
                       .top = top,
                       .round = 1,
                       .seeded_s = INFINITY,
                       .limit_s = place->limit_s > 0 ? place->limit_s : INFINITY,
                       .crew = g_rc_box_acquire(crew)};
        g_ptr_array_add(contests, x);
    }
    crew->contests = (int)contests->len;
    g_rc_box_release_full(crew, crew_clear);
    return contests;
}

GPtrArray *contest_make_all(const Request *r, int top, GError **error)
{
    g_autoptr(GPtrArray) points = points_make(r, error); // only to find what is wrong with the lists
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    for (guint i = 0; points && i < r->question.ranks->len; i++)
        for (guint k = 0; k < r->question.sizes->len; k++) {
            const ContestPlace place = {(int)g_array_index(r->question.ranks, size_t, i), request_per_node(r, i),
                                        g_array_index(r->question.sizes, size_t, k)};
            g_array_append_val(places, place);
        }
    return points ? contest_make_places(r, top, places) : NULL;
}

static char *contest_name(gconstpointer contest, gconstpointer unused)
{
    const Contest *x = contest;
    g_autofree char *size = units_format_size(x->m);
    (void)unused;
    return g_strdup_printf("%s bytes on %d ranks", size, x->p);
}

// Compares contests for sorting: those with more ranks come first, and of these those with more bytes.
static int by_size(const void *a, const void *b)
{
    const Contest *x = *(Contest *const *)a, *y = *(Contest *const *)b;
    return x->p != y->p ? (x->p > y->p ? -1 : 1) : (x->m < y->m) - (x->m > y->m);
}

gboolean contest_run_all(const GPtrArray *contests, void (*ready)(guint n, gpointer user), gpointer user,
                         GError **error)
{
    const ParallelWork work = {
        .run = contest_run, .what = "points", .name = contest_name, .ready = ready, .user = user};
    if (ready)
        return parallel_run(contests, &work, error);
    // Where nobody waits for the first ones, the longest begin first, so that none of them runs alone at the end.
    g_autoptr(GPtrArray) longest = g_ptr_array_new();
    g_ptr_array_extend(longest, (GPtrArray *)(uintptr_t)contests, NULL, NULL);
    g_ptr_array_sort(longest, by_size);
    return parallel_run(longest, &work, error);
}

char *contest_left_out(const GPtrArray *contests, guint n)
{
    LeftOut *all = left_out_new();
    for (guint i = 0; i < n; i++)
        left_out_add_points(all, ((const Contest *)contests->pdata[i])->left_out);
    return left_out_end(all, n);
}

// Returns the parts for which nobody knows what the library runs (decide_unknown_parts): those of the first contender
// that has some. Free with g_free.
static char *unknown_parts(const GPtrArray *contests)
{
    for (guint i = 0; i < contests->len; i++) {
        const Contest *x = contests->pdata[i];
        for (guint k = 0; x->request->library.only && k < x->ranking->len; k++) {
            const Point *point = ((const Contender *)x->ranking->pdata[k])->point;
            char *parts = decide_unknown_parts(x->request->library.only, point->algorithm, &point->par, x->m);
            if (parts)
                return parts;
        }
    }
    return NULL;
}

void contest_counts_add(ContestCounts *sum, const ContestCounts *x)
{
    sum->algorithms = MAX(sum->algorithms, x->algorithms);
    sum->excluded += x->excluded;
    sum->ran += x->ran;
    sum->stopped += x->stopped;
    sum->given_up += x->given_up;
}

char *contest_counts_text(const ContestCounts *x, const char *what)
{
    return g_strdup_printf("%d%s: %d excluded by forms and bounds, %d run, %d stopped, %d not tried",
                           x->excluded + x->ran + x->stopped + x->given_up, what, x->excluded, x->ran, x->stopped,
                           x->given_up);
}

ContestCounts contest_counts(const GPtrArray *contests)
{
    ContestCounts sum = {0};
    for (guint i = 0; i < contests->len; i++)
        contest_counts_add(&sum, &((const Contest *)contests->pdata[i])->counts);
    return sum;
}

char *contest_searched(const GPtrArray *contests)
{
    const ContestCounts sum = contest_counts(contests);
    const gboolean only = contests->len > 0 && ((const Contest *)contests->pdata[0])->request->library.only;
    const char *what =
        only ? " settings of parameters and parts that the library can be told" : " settings of parameters and parts";
    g_autofree char *unknown = unknown_parts(contests), *settings = contest_counts_text(&sum, what);
    return g_strdup_printf("%d algorithms with %s%s%s", sum.algorithms, settings,
                           unknown ? "; what HAN runs between the nodes is not in the data, and was taken to be " : "",
                           unknown ? unknown : "");
}
