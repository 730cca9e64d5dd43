#include "engine/loggops/loggops_places.h"

// Returns the place of a host's CPU and NIC with these numbers, a new one if it is not there. `places` numbers the
// places; `room` is how many the arrays have room for.
static uint32_t add(LoggopsPlaces *x, GoalNumbers *places, size_t *room, uint32_t host, const GoalOp *o)
{
    const uint32_t place = numbers_add(places, (GoalKey){host, (uint64_t)o->cpu << 8 | o->nic});
    if (place < x->n)
        return place;
    if (x->n == *room) {
        *room = MAX(1024, 2 * *room);
        x->cpu = g_renew(uint32_t, x->cpu, *room);
        x->nic = g_renew(uint32_t, x->nic, *room);
    }
    x->cpu[place] = numbers_add(&x->cpus, (GoalKey){host, o->cpu});
    x->nic[place] = numbers_add(&x->nics, (GoalKey){host, o->nic});
    return x->n++;
}

void loggops_places_init(LoggopsPlaces *x, const Goal *goal)
{
    const uint32_t n_hosts = goal_n_hosts(goal), n_ops = goal_n_ops(goal);
    *x = (LoggopsPlaces){.n = n_hosts, .n_cpus = n_hosts, .n_nics = n_hosts};
    if (!goal_is_placed(goal))
        return;

    x->n = 0;
    x->of_op = g_new(uint32_t, n_ops);
    x->of_message = g_new(uint32_t, n_ops);
    GoalNumbers places = {0};
    size_t room = 0;
    for (uint32_t op = 0; op < n_ops; op++) {
        const GoalOp *o = goal_op(goal, op);
        x->of_op[op] = add(x, &places, &room, o->host, o);
        if (o->kind == GOAL_SEND)
            x->of_message[op] = add(x, &places, &room, o->peer, o);
    }
    numbers_clear(&places);
    x->n_cpus = x->cpus.n;
    x->n_nics = x->nics.n;
    x->host = g_new(uint32_t, x->n_cpus);
    for (uint32_t cpu = 0; cpu < x->n_cpus; cpu++)
        x->host[cpu] = (uint32_t)x->cpus.key[cpu].a;
}

void loggops_places_clear(LoggopsPlaces *x)
{
    g_free(x->of_op);
    g_free(x->of_message);
    g_free(x->cpu);
    g_free(x->nic);
    g_free(x->host);
    numbers_clear(&x->cpus);
    numbers_clear(&x->nics);
}
