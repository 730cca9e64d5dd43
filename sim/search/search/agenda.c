#include "search/search/agenda.h"
#include "search/search/early_runs.h"

// On nodes, where runs before it may show that it is of no use, no helper begins a run with so many messages early.
enum { COSTLY_ON_NODES = 1 << 18 };

static const Try *try_at(const Agenda *todo, guint i)
{
    return i < todo->tries->len ? &g_array_index(todo->tries, Try, i) : NULL;
}

const TryGroup *agenda_group(const Agenda *todo, guint i)
{
    return i < todo->groups->len ? &g_array_index(todo->groups, TryGroup, i) : NULL;
}

// Returns TRUE if the turn of the try comes before that of the group; either may be NULL for none.
static gboolean comes_first(const Try *try, const TryGroup *group)
{
    return !group || (try && try_waits(try) == 0 && try->least_s < group->from_s);
}

// Returns TRUE if what some ranks do in the try has run, or is in `begun` (Try); else adds it there.
static gboolean is_begun(Contest *x, const Standing *c, const Try *try, GArray *begun)
{
    gboolean found = standing_is_alike(x, c, try);
    for (guint i = 0; i < begun->len && !found; i++)
        found = standing_same(x, &g_array_index(begun, Try, i), try);
    if (!found)
        g_array_append_vals(begun, try, 1);
    return found;
}

// Returns what the algorithm's standing is going to be, which is the present one at first. To copy those of all algorithms takes
// longer than to look ahead.
static Standing *expected_standing(GHashTable *then, const Standing *standings, int algorithm)
{
    Standing *c = g_hash_table_lookup(then, GINT_TO_POINTER(algorithm));
    if (!c) {
        c = g_memdup2(&standings[algorithm], sizeof *c);
        g_hash_table_insert(then, GINT_TO_POINTER(algorithm), c);
    }
    return c;
}

void agenda_look_ahead(const Agenda *todo, Contest *x, const Standing *standings, guint i, const Try *now)
{
    int room = ahead_room(x->ahead);
    if (room <= 0)
        return;
    g_autofree gboolean *begun = g_new0(gboolean, n_algorithms), *comes = g_new0(gboolean, n_algorithms);
    // What the standings are going to be if nothing gains anything.
    g_autoptr(GHashTable) then = g_hash_table_new_full(NULL, NULL, NULL, g_free); // of Standing
    g_autoptr(GArray) simulated = g_array_new(FALSE, FALSE, sizeof(Try));
    guint expected = x->ranking->len; // algorithms in the ranking, with those whose first try comes before
    if (now) {
        begun[now->algorithm] = comes[now->algorithm] = TRUE;
        is_begun(x, &standings[now->algorithm], now, simulated);
        standing_count(expected_standing(then, standings, now->algorithm), now, standings[now->algorithm].run_messages,
                       FALSE);
        expected += standings[now->algorithm].best == NULL;
    }
    for (guint k = todo->next_group; room > 0;) {
        const Try *try = try_at(todo, i);
        const TryGroup *group = agenda_group(todo, k);
        const gboolean first = comes_first(try, group);
        const int algorithm = !first ? group->algorithm : try ? try->algorithm : -1;
        AheadJob job = {.kind = AHEAD_GROUP};
        if (first && (!try || try_waits(try)))
            return;
        if (!first) {
            job.group = *group;
            job.number = group->number;
        } else {
            job.kind = try->rough ? AHEAD_REFINE : AHEAD_SIMULATE;
            job.try = *try;
            job.number = try->number;
        }
        Standing *c = expected_standing(then, standings, algorithm);
        job.limit_s = job.kind == AHEAD_SIMULATE ? standing_enough_s(x, c, try) : standing_useful_s(x, algorithm, c);
        const gboolean unlimited = job.kind == AHEAD_SIMULATE && job.limit_s == 0;
        // The runs before it may show that it is of no use, or set a limit that stops it early.
        const gboolean costly =
            job.kind == AHEAD_SIMULATE && MAX(c->run_messages, try->work) >= (x->flat ? TRY_COSTLY : COSTLY_ON_NODES);
        const gboolean again = job.kind == AHEAD_SIMULATE && x->flat && !x->changing && comes[algorithm],
                       wanted = !again && (!unlimited || (!begun[algorithm] && expected < (guint)x->top)) &&
                                !(first && standing_puts_off(x, c, try));
        if ((first ? standing_promises(x, c, try) : !group->cut && group->bound_s < job.limit_s) && wanted && !costly &&
            !(job.kind == AHEAD_SIMULATE && (early_runs_have(x, try) || is_begun(x, c, try, simulated)))) {
            room -= ahead_add(x->ahead, &job);
            if (job.kind == AHEAD_SIMULATE) {
                // Before an algorithm's first run, a try's own work is all that is known of how many it has.
                standing_count(c, try, c->run_messages > 0 ? c->run_messages : try->work, FALSE);
                comes[algorithm] = TRUE;
            }
        }
        expected += unlimited && !begun[algorithm];
        begun[algorithm] |= unlimited;
        i += first;
        k += !first;
    }
}

// Returns TRUE if a helper has refined a try as try_refine() does it with limit_s. How far a bound is found depends on
// the limit, but what is of no use with a longer one is of none with a shorter one either.
static gboolean is_refined(const AheadJob *job, double limit_s)
{
    return job && (job->limit_s == limit_s || (job->limit_s > limit_s && job->try.least_s >= job->limit_s));
}

// Refines the next try.
static void refine(Contest *x, Agenda *todo, const Standing *standings)
{
    Try try = *try_at(todo, todo->next_try);
    agenda_look_ahead(todo, x, standings, todo->next_try + 1, NULL);
    AheadJob *job = ahead_take(x->ahead, AHEAD_REFINE, try.number);
    const double limit_s = standing_useful_s(x, try.algorithm, &standings[try.algorithm]);
    if (is_refined(job, limit_s))
        try = job->try;
    else
        try_refine(x->request, x->p, x->per_node, x->m, limit_s, &try);
    ahead_job_free(job);
    tries_replace(todo->tries, todo->next_try, &try);
}

// Returns TRUE if a helper has found the tries of a group as tries_of_group() does it with limit_s, as far as the limit
// matters. Only uneven tries are made from others that have been refined.
static gboolean is_found(const AheadJob *job, double limit_s)
{
    gboolean refined = FALSE;
    for (guint i = 0; job && i < job->tries->len; i++)
        refined |= g_array_index(job->tries, Try, i).longest > 0;
    return job && (job->limit_s == limit_s || !refined);
}

// Adds the tries of the next group, if they may be of use.
static void add_group(Contest *x, Agenda *todo, Standing *standings)
{
    const TryGroup *group = agenda_group(todo, todo->next_group);
    const double limit_s = standing_useful_s(x, group->algorithm, &standings[group->algorithm]);
    if (tries_deepen(x->request, x->p, x->per_node, x->m, limit_s, todo->groups, todo->next_group))
        return;
    todo->next_group++;
    if (group->bound_s >= limit_s) {
        standings[group->algorithm].seen = TRUE; // a text has run
        x->counts.excluded++;
        return;
    }
    agenda_look_ahead(todo, x, standings, todo->next_try, NULL);
    AheadJob *job = ahead_take(x->ahead, AHEAD_GROUP, group->number);
    g_array_remove_range(todo->tries, 0, todo->next_try);
    todo->next_try = 0;
    if (is_found(job, limit_s))
        tries_add(todo->tries, job->tries);
    else
        tries_of_group(x->request, x->p, x->per_node, x->m, group, limit_s, todo->tries);
    ahead_job_free(job);
}

// Returns TRUE if the text of a rough try is to run now. One that is put off is refined when it comes again, under the
// limit of then.
static gboolean is_wanted(const Contest *x, const Standing *c, const Try *try)
{
    return standing_promises(x, c, try) && !standing_puts_off(x, c, try);
}

const Try *agenda_next(Agenda *todo, Contest *x, Standing *standings)
{
    for (;;) {
        const Try *try = try_at(todo, todo->next_try);
        if (!comes_first(try, agenda_group(todo, todo->next_group))) {
            add_group(x, todo, standings);
        } else if (try && try->rough && is_wanted(x, &standings[try->algorithm], try)) {
            refine(x, todo, standings);
        } else {
            if (try && x->flat && !x->changing) // there, bounds are often next to times
                tries_prefer(todo->tries, todo->next_try);
            todo->next_try += try != NULL;
            return try;
        }
    }
}
