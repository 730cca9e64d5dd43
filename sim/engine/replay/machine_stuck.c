// What a run that does not end leaves behind: ranks that wait forever, and messages that nobody receives.
#include "engine/replay/flags.h"
#include "engine/replay/machine.h"

// Returns the number, in the rank's text, of the operation at pc in this round of its loop.
static uint64_t text_number(const Class *k, uint32_t pc, uint32_t round)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < pc; i++) {
        n += k->ops[i].text;
        if (k->ops[i].kind == OP_LOOP)
            for (int32_t j = 1; j <= k->ops[i].to; j++)
                n += (k->ops[i].out.bytes - 1) * k->ops[i - (uint32_t)j].text;
    }
    for (uint32_t i = pc; round && i < k->n_ops; i++) // if pc is inside a loop, add the loop's earlier rounds
        if (k->ops[i].kind == OP_LOOP) {
            for (int32_t j = 1; j <= k->ops[i].to; j++)
                n += round * (uint64_t)k->ops[i - (uint32_t)j].text;
            break;
        }
    return n;
}

bool machine_has_ended(const Machine *m, int v)
{
    const Rank *r = &m->ranks[v];
    return class_of(m->s, v)->ops[r->pc].kind == OP_END && !r->wait;
}

// Adds v to the list if it did not come to its end.
static void add_stuck(GArray *stuck, const Machine *m, int v)
{
    const Rank *r = &m->ranks[v];
    const Schedule *s = m->s;
    const Class *k = class_of(s, v);
    if (machine_has_ended(m, v))
        return;
    const Op *const here = &k->ops[r->pc];
    if (here->kind == OP_AWAIT && !r->wait) {
        const Stuck x = {.rank = rank_of(s, v),
                         .kind = (OpKind)OP_AWAIT,
                         .peer = rank_of(s, peer_of(s, v, here->from, 0, 0)),
                         .queue = rank_of(s, shared_queue(s, v, here)),
                         .operation = text_number(k, r->pc, r->round),
                         .bytes = flags_awaited(m->flags, v)};
        g_array_append_val(stuck, x);
        return;
    }
    // pc is one behind the operation in which the rank waits, except in a throttle. That operation is not an OP_LOOP,
    // which would run only once the rank goes on.
    const uint32_t pc = r->wait == THROTTLED ? r->pc : r->pc - 1;
    g_assert(r->wait && pc < k->n_ops);
    Stuck x = {.rank = rank_of(s, v), .kind = k->ops[pc].kind, .peer = -1, .operation = text_number(k, pc, r->round)};
    Index i = r->newest;
    for (int n = r->wait < 0 && r->wait != THROTTLED ? -r->wait - 1 : 0; n > 0; n--)
        i = m->pool[i].older;
    for (int n = r->wait == THROTTLED ? INT_MAX : MAX(r->wait, 1); n > 0 && i >= 0; n--, i = m->pool[i].older)
        if (!m->pool[i].done) { // the last one that this finds is the oldest open request
            x.peer = rank_of(s, m->pool[i].peer);
            x.bytes = (uint64_t)m->pool[i].bytes;
        }
    g_array_append_val(stuck, x);
}

// Orders the list by what a Stuck holds, so that the order does not depend on the gear.
static int by_rank(gconstpointer a, gconstpointer b)
{
    const Stuck *x = a, *y = b;
    const int64_t difference[] = {x->rank - y->rank, (int)x->left_over - (int)y->left_over, (int)x->kind - (int)y->kind,
                                  x->peer - y->peer, (int64_t)x->bytes - (int64_t)y->bytes};
    for (size_t i = 0; i < G_N_ELEMENTS(difference); i++)
        if (difference[i])
            return difference[i] < 0 ? -1 : 1;
    return 0;
}

GArray *machine_stuck(const Machine *m)
{
    GArray *stuck = g_array_new(FALSE, FALSE, sizeof(Stuck));
    if (m->graph) {
        graph_stuck(m, stuck);
        g_array_sort(stuck, by_rank);
        return stuck;
    }
    for (int v = 0; v < m->n; v++)
        add_stuck(stuck, m, v);
    for (Index i = 0; i < m->n_pool; i++) {
        const Req *r = &m->pool[i];
        const bool mail = r->kind == REQ_MAIL, open = !r->done && !r->awaited && m->ranks[r->owner].wait != THROTTLED;
        const bool unsent = r->kind == OP_SEND && open, unmet = r->kind == OP_RECV && open;
        if (mail || unsent || unmet) {
            const Stuck x = {.rank = rank_of(m->s, mail ? r->peer : r->owner),
                             .peer = rank_of(m->s, mail ? r->owner : r->peer),
                             .kind = unmet ? OP_RECV : OP_SEND,
                             .bytes = (uint64_t)r->bytes,
                             .left_over = true};
            g_array_append_val(stuck, x);
        }
    }
    g_array_sort(stuck, by_rank);
    return stuck;
}
