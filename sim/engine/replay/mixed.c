// Operations in shared memory, on slots and flags: of an algorithm that has no others, or of a part of a composition,
// next to messages. They run in the gears flow and event, whose machine this extends.
#include "engine/replay/event_gear.h"
#include "engine/replay/flags.h"

// Returns x after an operation in shared memory of v, at v's pc; `found` says that it is an await that finds its flag
// raised. An operation that pays nothing is not a step of a chain.
static Stamp pay(Machine *m, int v, const Op *op, Stamp x, bool found)
{
    const Site *site = m->model.site;
    const SharedPaid paid = shared_paid(op, &site->shared, found, shared_op_level(m->s, site, v, op));
    if (paid.n == 0)
        return x;
    x = traced(m, x, G_UNLIKELY(m->trace) ? machine_trace(m, v, found) : 0);
    x.t += shared_paid_time(&paid, site->shared_value);
    for (int i = 0; i < paid.n; i++)
        tally_add(&x.n, site->shared_field[paid.of[i].term], (uint64_t)paid.of[i].n);
    return x;
}

bool machine_shared(Machine *m, int v, const Op *op, uint64_t n)
{
    Rank *r = &m->ranks[v];
    const Schedule *s = m->s;
    if (op->kind == OP_RAISE) {
        r->now = pay(m, v, op, r->now, false);
        flags_raise(m->flags, v, shared_queue(s, v, op), n, &r->now, m->runnable, &m->n_runnable);
        r->pc++;
        return true;
    }
    if (op->kind == OP_AWAIT) {
        const int who = peer_of(s, v, op->from, 0, 0);
        const Stamp *raised = flags_await(m->flags, v, who, shared_queue(s, v, op), n);
        if (!raised)
            return false; // v looks again once it is raised
        const Site *site = m->model.site;
        const double seen = raised->t + shared_flag(&site->shared, shared_op_level(s, site, v, op));
        if (seen - r->now.t > SHARED_ROUNDING * seen)
            r->now = pay(m, v, op, *raised, false);
        else
            r->now = pay(m, v, op, r->now, true);
    } else {
        r->now = pay(m, v, op, r->now, false);
    }
    r->pc++;
    // Under rendezvous, the event gear keeps all clocks together.
    if (!m->event || m->model.transfer != TRANSFER_RENDEZVOUS || r->now.t <= m->event->now)
        return true;
    push_event(m, r->now.t, v, WAKES);
    return false;
}
