// What the disciplines share in the event gear: when a throttle ends, and whether a tie between messages would be
// decided by ranks.
#include "engine/replay/event_share.h"
#include <math.h>

// Sets r->settled to the newest request that has ended by r's clock together with all older ones.
static void settle_old(const Machine *m, Rank *r)
{
    Index mark = r->newest;
    for (Index i = r->newest; i != r->settled; i = m->pool[i].older)
        if (!m->pool[i].done || m->pool[i].at.t > r->now.t)
            mark = m->pool[i].older;
    r->settled = mark;
}

// Returns when fewer than n of r's requests not waited for are pending. The time is INFINITY if it is not known yet.
static Stamp throttle_end(const Machine *m, Rank *r, int n)
{
    if (r->pending >= n)
        return (Stamp){.t = INFINITY};
    settle_old(m, r);
    int total = 0, past = 0; // requests that are not settled; those of them that have ended by r's clock
    for (Index i = r->newest; i != r->settled; i = m->pool[i].older) {
        total++;
        past += m->pool[i].done && m->pool[i].at.t <= r->now.t;
    }
    const int must_end = total - n + 1;
    if (must_end <= past)
        return r->now;
    // Find the must_end-th smallest of the known ends. Among equal ends, the oldest request's counts first.
    Stamp bound = r->now;
    while (past < must_end) {
        Stamp least = {.t = INFINITY};
        int equal = 0;
        for (Index i = r->newest; i != r->settled; i = m->pool[i].older) {
            const Req *q = &m->pool[i];
            if (!q->done || q->at.t <= bound.t)
                continue;
            equal = q->at.t < least.t ? 1 : equal + (q->at.t == least.t);
            least = q->at.t <= least.t ? q->at : least;
        }
        bound = least;
        past += equal;
    }
    return bound;
}

bool event_throttle(Machine *m, int v, int n)
{
    Rank *r = &m->ranks[v];
    // Under the eager disciplines, whether a message that ends now is known to have ended depends on the order of
    // ranks.
    m->tie |= m->mirror && m->model.transfer != TRANSFER_RENDEZVOUS;
    const Stamp end = throttle_end(m, r, n);
    if (end.t <= MAX(m->event->now, r->now.t)) {
        r->wait = 0;
        r->now = end;
        return true;
    }
    // v looks again when one more request is done, and when enough of the known ones have ended.
    r->wait = THROTTLED;
    r->missing = 1;
    if (end.t < INFINITY)
        push_event(m, end.t, v, WAKES);
    r->pc--; // back to the throttle
    return false;
}

void event_check_tie(Machine *m, int from, int to, int name, double start)
{
    if (G_LIKELY(!m->mirror))
        return;
    Served *last = &m->event->served[to];
    const int local = m->event->share ? m->event->share->site->local[from] : 0;
    if (last->t == start && last->name != name && last->local == local)
        m->tie = true;
    *last = (Served){start, name, local};
}
