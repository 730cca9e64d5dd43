// A NIC delays nobody if the ports of its messages keep these apart: every message that leaves through it is from the
// same rank, every message that enters through it is for the same rank, and a port is busy for longer than the NIC. In
// a ring, for example, one rank of each node sends to the next node, and one receives from the node before. Where a
// receiver's port does not wait (eager), all messages that enter must also come from the same rank.
#include "engine/replay/nics.h"
#include "engine/replay/gears.h"
#include "engine/replay/lengths.h"

typedef struct NicUse {
    const Schedule *s;
    const Site *site;
    int *sender, *receiver, *source; // by the number of a node's NIC: who uses it; NOBODY so far
    bool one_source;                 // all messages that enter a NIC must be from one rank
    uint64_t outside;                // bits: the levels of messages between nodes
    int64_t looks;                   // at single messages, before it gives up
} NicUse;

enum { NOBODY = -1, LOOKS = 1 << 12, LOOKS_PER_RANK = 32 };

static bool uses_alone(int *user, int v)
{
    if (*user == NOBODY)
        *user = v;
    return *user == v;
}

static int64_t nic_of(const Site *site, int v)
{
    return (int64_t)site->node[v] * site->nics + site->local[v] % site->nics;
}

// Notes a message. Returns false if another rank uses the same side of a NIC.
static bool note_message(NicUse *x, int from, int to)
{
    const Site *site = x->site;
    if (site->node[from] == site->node[to])
        return true;
    x->outside |= (uint64_t)1 << site_level(site, from, to);
    const int64_t in = nic_of(site, to);
    return uses_alone(&x->sender[nic_of(site, from)], from) && uses_alone(&x->receiver[in], to) &&
           (!x->one_source || uses_alone(&x->source[in], from));
}

// Notes all messages that v sends in one operation of a loop, in all of its rounds. Messages count where they are sent,
// because one that nobody receives enters a NIC too.
static bool note_operation(NicUse *x, int v, const Op *op, const Stride *d, uint64_t rounds)
{
    const bool sends = op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV;
    bool alone = true;
    for (uint64_t round = 0; alone && sends && round < (d->to ? rounds : 1); round++)
        alone = note_message(x, v, op_peer(x->s, v, op, op->to, d->to, (uint32_t)round)) && x->looks-- > 0;
    return alone;
}

static bool note_rank(NicUse *x, int v)
{
    const Class *k = class_of(x->s, v);
    static const Stride none;
    bool alone = true;
    uint32_t loop = 0; // the first loop that is not over
    for (uint32_t i = 0; alone && k->ops[i].kind != OP_END; i++) {
        uint64_t rounds = 1;
        if (k->loops) {
            while (loop < i || (k->ops[loop].kind != OP_LOOP && k->ops[loop].kind != OP_END))
                loop++;
            if (k->ops[loop].kind == OP_LOOP && loop - (uint32_t)k->ops[loop].to <= i)
                rounds = k->ops[loop].out.bytes;
        }
        alone = note_operation(x, v, &k->ops[i], k->loops ? &k->strides[i] : &none, rounds);
    }
    return alone;
}

// Returns whether every port is busy for longer than the NIC of its message, at these levels.
static bool ports_last(const Hockney *model, const Schedule *s, uint64_t levels)
{
    const Site *site = model->site;
    if (cost_is_measured(model))
        return has_one_port(model) && lengths_outlast_nics(s, site, levels);
    bool last = true;
    for (int k = 0; k < site->n_levels; k++)
        if (levels >> k & 1)
            last =
                last && site->link[k].message.once > site->nic_message && site->link[k].message.byte >= site->nic_byte;
    return last;
}

void nics_look(const Hockney *model, const Schedule *s)
{
    Site *site = model->site;
    site->idle = false;
    if (site->nics == 0 || site->memory || s->graph || model->transfer == TRANSFER_EAGER_PORT)
        return;
    const size_t n = (size_t)site->map->nodes->n * (size_t)site->nics;
    g_autofree int *users = g_new(int, 3 * n);
    for (size_t i = 0; i < 3 * n; i++)
        users[i] = NOBODY;
    NicUse x = {.s = s,
                .site = site,
                .sender = users,
                .receiver = users + n,
                .source = users + 2 * n,
                .one_source = model->transfer != TRANSFER_RENDEZVOUS,
                .looks = LOOKS + (int64_t)LOOKS_PER_RANK * s->p};
    bool alone = true;
    for (int v = 0; alone && v < s->p; v++)
        alone = note_rank(&x, v);
    site->idle = alone && ports_last(model, s, x.outside);
}
