#include "engine/schedule/goal_entry.h"
#include "api/communicate.h"
#include "base/error.h"
#include "engine/goal/goal_text.h"
#include "engine/schedule/schedule_graph.h"

// The schedule that was added. It is written while there is one thread.
static struct {
    Goal *goal;      // NULL until one is added
    uint32_t *first; // schedule_graph_first()
} program;

// Lists what the rank does, in the order of the file. A message to itself connects it to nobody, and whom a receive
// from any rank connects it to is not known. A slice of the schedule has a length and no place.
static void run(const Coll *c)
{
    for (uint32_t i = program.first[c->rank]; i < program.first[c->rank + 1]; i++) {
        const GoalOp *o = goal_op(program.goal, i);
        const Slice s = {.len = o->size};
        if (o->kind == GOAL_CALC)
            coll_reduce(c, s, s, s);
        else if (o->peer == GOAL_ANY || o->peer == o->host)
            continue;
        else if (o->kind == GOAL_SEND)
            coll_isend(c, (int)o->peer, s);
        else
            coll_irecv(c, (int)o->peer, s);
    }
    coll_waitall(c, 0);
}

static CollAlgorithm entry = {
    .name = GOAL_ENTRY_NAME,
    .summary = "a GOAL schedule, from a file",
    .run = run,
    .peers = PEERS_ABSOLUTE,
    .cost = "none: a schedule in a file has no formula",
    .unknown = "a schedule in a file has no formula",
    .source = "the file of --goal",
};

int goal_entry_ranks(void)
{
    return program.goal ? (int)goal_n_hosts(program.goal) : 0;
}

const Goal *goal_entry_graph(const CollAlgorithm *a)
{
    return a == &entry ? program.goal : NULL;
}

gboolean goal_entry_add(Goal *goal, const char *file, Collective collective, GError **error)
{
    g_assert(!program.goal);
    g_autoptr(Goal) owned = goal;
    if (!schedule_graph_check(owned, error)) {
        g_prefix_error(error, "%s: ", file);
        return FALSE;
    }
    program.goal = g_steal_pointer(&owned);
    program.first = schedule_graph_first(program.goal);
    entry.collective = collective;
    algorithm_add(&entry);
    return TRUE;
}

void goal_entry_forget(void)
{
    g_clear_pointer(&program.goal, goal_free);
    g_clear_pointer(&program.first, g_free);
}
