#include "answer/rivalry.h"
#include "base/error.h"
#include "base/parallel.h"
#include <math.h>

static const char help_text[] =
    "For each p the size where the winner changes between two algorithms, to the element, by simulation.\n\n"
    "  collsim crossover allreduce recursive_doubling rabenseifner -p 8,64,1024\n"
    "  collsim crossover bcast pipeline binomial -p 1000 --param segment=16K --platform lumi\n\n"
    "Sizes of 1, 2, 4 .. elements are tried, up to 1T or what can be simulated. Between two of them that\n"
    "different ones win the change is bracketed: the largest size at which the one wins, the next at which\n"
    "the other does; equal times count for neither, nor do sizes at which a fallback runs. Blocks that p\n"
    "does not divide make the winner change to and fro about there: the last change is what is printed, and\n"
    "where the first one is. (These are all changes, if neither time falls as the size grows.) Several\n"
    "crossovers are told if they lie in different steps. Beside it m*, where the closed forms are equal,\n"
    "and the equation. They are of evenly cut messages.";

const CollAlgorithm *rival(const Rivalry *x, int i)
{
    return g_ptr_array_index(x->request->some, i);
}

// ---- One size, one p -------------------------------------------------------------------------------------------------

static gboolean run_duel(Duel *duel, gpointer data, GError **error)
{
    Rivalry *x = data;
    const Request *r = x->request;
    Point *side[2] = {NULL, NULL};
    gboolean good = TRUE;
    duel->fair = TRUE;
    for (int i = 0; i < 2 && good; i++) {
        side[i] = point_new(r, rival(x, i), x->p, duel->m, r->root, error);
        good = side[i] != NULL;
        duel->fair &= good && !side[i]->why;
    }
    for (int i = 0; i < 2 && good && duel->fair; i++) {
        good = point_run(side[i], r, error);
        duel->fair &= good && point_timed(side[i]);
    }
    if (good && duel->fair) {
        double figure[COSTS];
        size_form_figures(r->platform, figure);
        duel->winner = duel_winner(side[0]->prediction->count, side[1]->prediction->count, figure, COSTS);
        for (int i = 0; i < 2; i++) {
            duel->time_s[i] = side[i]->time_s;
            duel->messages += side[i]->prediction->totals.messages;
        }
    }
    point_free(side[0]);
    point_free(side[1]);
    return good;
}

static gboolean meet(const Rivalry *x, size_t m, Meeting *meeting, GError **error)
{
    const Request *r = x->request;
    *meeting = (Meeting){.known = TRUE, .m = NAN};
    for (int i = 0; i < 2; i++) {
        Point *side = point_new(r, rival(x, i), x->p, m, r->root, error);
        if (!side)
            return FALSE;
        const Operation op = point_operation(r, side);
        meeting->known &= op.algorithm == rival(x, i) && size_form(&op, r->platform, r->options.transfer,
                                                                   points_most(r, (size_t)x->p), &meeting->form[i]);
        point_free(side);
    }
    if (meeting->known)
        meeting->m = size_forms_meet(&meeting->form[0], &meeting->form[1], r->platform);
    return TRUE;
}

static gboolean find_needs(Rivalry *x, GError **error)
{
    const size_t m = x->search.first.fair ? x->search.alone.m : x->search.final.m;
    for (int i = 0; i < 2 && m > 0; i++) {
        Point *side = point_new(x->request, rival(x, i), x->p, m, x->request->root, error);
        if (!side)
            return FALSE;
        x->why[i] = side->why;
        point_free(side);
    }
    return TRUE;
}

static gboolean run_rivalry(gpointer data, gpointer user, GError **error)
{
    enum { LARGE = 1 << 20 }; // where nothing crosses, the forms are those there
    Rivalry *x = data;
    const Request *r = x->request;
    const size_t most = MIN((size_t)1 << 40, points_most(r, (size_t)x->p));
    (void)user;
    x->search = (CrossoverSearch){.element = r->elem, .most = most, .blocks = (size_t)x->p, .run = run_duel, .data = x};
    if (!crossover_search(&x->search, error) || !find_needs(x, error))
        return FALSE;
    const GArray *found = x->search.found;
    x->meeting = g_new0(Meeting, MAX(found->len, 1));
    for (guint i = 0; i < found->len; i++)
        if (!meet(x, g_array_index(found, Crossover, i).next.m, &x->meeting[i], error))
            return FALSE;
    return found->len > 0 || !x->search.first.fair ||
           meet(x, CLAMP(LARGE / r->elem * r->elem, x->search.first.m, x->search.final.m), x->meeting, error);
}

static void rivalry_free(gpointer data)
{
    Rivalry *x = data;
    crossover_search_clear(&x->search);
    g_free(x->meeting);
    g_free(x);
}

// ---- The command -----------------------------------------------------------------------------------------------------

static gboolean find_rivals(char **words, Request *r, GPtrArray *some, GError **error)
{
    if (!collective_parse(words[0], &r->collective, error))
        return FALSE;
    if (r->collective == COLL_BARRIER)
        return bad_input(error,
                         "crossover barrier: it moves nothing, its time has no size; allowed: another collective");
    for (int i = 1; i <= 2; i++) {
        const CollAlgorithm *a = algorithm_parse(r->collective, words[i], error);
        if (!a)
            return FALSE;
        if (a->shared)
            return bad_input(error, "crossover: %s is one of shared memory; allowed: algorithms of messages", a->name);
        g_ptr_array_add(some, (gpointer)(uintptr_t)a);
    }
    r->some = some;
    return g_ptr_array_index(some, 0) != g_ptr_array_index(some, 1) ||
           bad_input(error, "crossover: %s and %s are the same algorithm; allowed: two", words[1], words[2]);
}

static gboolean find_request(char **words, const RequestOptions *o, Request *r, GPtrArray *some, GError **error)
{
    r->params = o->params;
    return find_rivals(words, r, some, error) && find_element(o->element, &r->elem, error) &&
           (r->ranks = find_ranks(o->ranks, error)) && find_per_node(o->per_node, &r->per_node, error) &&
           points_check_params(r, error) && request_machine(o, r, error);
}

int cmd_crossover(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    const GOptionEntry entries[] = {
        HOCKNEY_ENTRIES(o),
        {"param", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.params, "a parameter of those that have it, as segment=64K",
         "NAME=VALUE"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_autoptr(GPtrArray) some = g_ptr_array_new(), rivalries = g_ptr_array_new_with_free_func(rivalry_free);
    Format format;
    if (!parse_options(argc, argv, "COLLECTIVE A B", help_text, entries, 3, 3, &words, error) ||
        !find_format(o.format, &format, error) || !find_request(words, &o, &r, some, error))
        return 2;
    for (guint i = 0; i < r.ranks->len; i++) {
        Rivalry *x = g_new0(Rivalry, 1);
        *x = (Rivalry){.request = &r, .p = (int)g_array_index(r.ranks, size_t, i)};
        g_ptr_array_add(rivalries, x);
    }
    if (!parallel_run(rivalries, FALSE, "points", run_rivalry, NULL, error))
        return 2;
    if (format == FORMAT_JSON)
        crossover_json(&r, rivalries);
    else if (format == FORMAT_CSV)
        crossover_csv(&r, rivalries);
    else
        crossover_table(&r, rivalries);
    return 0;
}
