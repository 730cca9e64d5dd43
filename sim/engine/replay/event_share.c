#include "engine/replay/event_share.h"
#include "engine/replay/path.h"
#include "engine/replay/transfer.h"
#include <math.h>

// ---- Setting up -----------------------------------------------------------------------------------------------------

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// Numbers the nodes that are simulated. If the machine mirrors, v and v mod n are on nodes that count as one.
static int number_nodes(struct Sharing *x, const Machine *m)
{
    const Site *site = x->site;
    const int p = m->s->p, all = site->map->nodes->n;
    g_autofree int *parent = g_new(int, all), *number = g_new(int, all);
    int n = 0;
    for (int i = 0; i < all; i++)
        parent[i] = i;
    for (int v = 0; m->mirror && v < p; v++)
        parent[root_of(parent, site->node[v])] = root_of(parent, site->node[v % m->n]);
    for (int i = 0; i < all; i++)
        if (parent[i] == i)
            number[i] = n++;
    for (int v = 0; v < m->n; v++)
        x->node[v] = number[root_of(parent, site->node[v])];
    return n;
}

// Numbers the NICs of the simulated nodes and returns how many there are. NICs that no rank of a node uses do not
// count.
static unsigned number_nics(struct Sharing *x, const Machine *m)
{
    const Site *site = x->site;
    g_autofree unsigned *first =
        g_new0(unsigned, x->nodes + 1); // node i has the NICs from first[i] on; before that, how many
    for (int v = 0; v < m->n; v++) {
        unsigned *of_node = &first[x->node[v] + 1];
        *of_node = MAX(*of_node, (unsigned)(site->local[v] % site->nics) + 1);
    }
    for (int node = 0; node < x->nodes; node++)
        first[node + 1] += first[node];
    for (int v = 0; v < m->n; v++)
        x->nic[v] = (int)first[x->node[v]] + site->local[v] % site->nics;
    return first[x->nodes];
}

// Sorts the simulated v by their numbers within the node, and then by node.
static void sort_keys(EventGear *e, const Machine *m)
{
    const CollNodes *nodes = e->share->site->map->nodes;
    g_autofree int *next = g_new0(int, m->s->p + 1); // by local number: where the next one goes
    for (int v = 0; v < m->n; v++)
        next[e->share->site->local[v] + 1]++;
    for (int local = 0; local < m->s->p; local++)
        next[local + 1] += next[local];
    for (int node = 0; node < nodes->n; node++)
        for (int local = 0; local < coll_nodes_size(nodes, node); local++) {
            const int v = v_of_rank(m->s, nodes->member[nodes->first[node] + local]);
            if (v >= m->n)
                continue;
            e->place[v] = next[local]++;
            e->v_at[e->place[v]] = v;
        }
}

static Resource *resources_new(unsigned n)
{
    Resource *x = g_new(Resource, n);
    for (unsigned i = 0; i < n; i++)
        x[i] = (Resource){.free.t = -1, .head = -1, .tail = -1, .last.t = -1};
    return x;
}

// Adds what v sends to other nodes to the work of its NIC.
static void add_work(struct Sharing *x, const Machine *m, int v)
{
    const Schedule *s = m->s;
    const Class *k = class_of(s, v);
    OutWork *work = &x->work[x->nic[v]];
    static const Stride none;
    for (Cursor at = {0}; k->ops[at.pc].kind != OP_END; at = next_step(k, at)) {
        const Op *op = &k->ops[at.pc];
        const Stride *d = at.round ? &k->strides[at.pc] : &none;
        const bool sends = op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV;
        if (sends && x->site->node[op_peer(s, v, op, op->to, d->to, at.round)] != x->site->node[v]) {
            const double nic_s = cost_nic(x->site, length_of(s, v, op->out_cut, op->out, d->out, at.round));
            work->left_s += nic_s;
            work->most_s = MAX(work->most_s, nic_s);
        }
    }
}

// Finds the work of a few nodes' NICs. A run whose NICs are idle for long shows in these, and to find the work of all
// nodes would take as long as a part of the run.
static void find_work(struct Sharing *x, const Machine *m)
{
    const int of[] = {x->node[0], x->node[m->n / 2]};
    if (isinf(m->enough_s) || !x->out)
        return;
    x->work = g_new0(OutWork, x->nics);
    for (int v = 0; v < m->n; v++)
        if (x->node[v] == of[0] || x->node[v] == of[1])
            add_work(x, m, v);
}

size_t sharing_rank_bytes(void)
{
    return 6 * sizeof(int) + sizeof(bool) + 3 * sizeof(Resource);
}

void sharing_begin(Machine *m)
{
    const Site *site = m->model.site;
    EventGear *e = m->event;
    if (!site || !site_shares(site))
        return;
    struct Sharing *x = e->share = g_new0(struct Sharing, 1);
    x->site = site;
    x->node = g_new(int, m->n);
    x->nic = g_new(int, m->n);
    x->next = g_new(int, m->n);
    x->waits = g_new0(bool, m->n);
    x->ready = g_new(int, m->n);
    e->place = g_new(int, m->n);
    e->v_at = g_new(int, m->n);
    x->nodes = number_nodes(x, m);
    sort_keys(e, m);
    if (site->nics) {
        x->nics = number_nics(x, m);
        x->out = resources_new(x->nics);
        x->in = resources_new(x->nics);
    }
    if (site->memory)
        x->memory = resources_new((unsigned)x->nodes);
    find_work(x, m);
}

void sharing_end(EventGear *e)
{
    struct Sharing *x = e->share;
    if (!x)
        return;
    g_free(x->node);
    g_free(x->nic);
    g_free(x->next);
    g_free(x->waits);
    g_free(x->ready);
    g_free(x->out);
    g_free(x->in);
    g_free(x->memory);
    g_free(x->work);
    g_free(x);
    g_free(e->place);
    g_free(e->v_at);
}

// ---- Lines ----------------------------------------------------------------------------------------------------------

static void push_turn(Machine *m, double t, int v, int kind)
{
    if (cost_is_measured(&m->model))
        push_measured(m, t, kind, v);
    else
        push_event(m, t, v, kind);
}

bool sharing_take(Machine *m, Resource *r, int v, int kind)
{
    struct Sharing *x = m->event->share;
    if (x->waits[v]) { // its turn has come
        x->waits[v] = false;
        r->head = x->next[v];
        return true;
    }
    if (r->head < 0 && r->free.t <= m->event->now)
        return true;
    x->waits[v] = true;
    x->next[v] = -1;
    if (r->head < 0) {
        r->head = v;
        push_turn(m, r->free.t, v, kind);
    } else {
        x->next[r->tail] = v;
    }
    r->tail = v;
    return false;
}

// Messages leave one after the other. The last of them begins when all others have left, and the run ends no earlier.
// (It may end before the last one has left: an eager message can arrive while its NIC is still busy.) The sums have
// rounding of their own.
void sharing_left(Machine *m, const Resource *r, uint64_t bytes)
{
    const double no_rounding = 1 + 1e-9;
    struct Sharing *x = m->event->share;
    if (r < x->out || r >= x->out + x->nics)
        return;
    OutWork *work = &x->work[r - x->out];
    work->left_s -= cost_nic(x->site, bytes);
    if (r->free.t + work->left_s - work->most_s > m->enough_s * no_rounding)
        m->enough_s = -INFINITY; // machine_beyond() gives it up before anything happens later
}

void sharing_check_tie(Machine *m, Resource *in, int v, int name, double t)
{
    if (!m->mirror)
        return;
    const int local = m->event->share->site->local[v];
    if (in->last.t == t && in->last.local == local && in->last.name != name)
        m->tie = true;
    in->last = (Served){.t = t, .name = name, .local = local};
}

// ---- Chains ---------------------------------------------------------------------------------------------------------

Stamp sharing_moved(Machine *m, const Resource *r, int v)
{
    const Site *site = m->event->share->site;
    const CollNodes *nodes = site->map->nodes;
    const int other = v_of_rank(m->s, nodes->member[nodes->first[site->node[v]] + r->local]);
    return moved(m, r->free, m->s->peers == PEERS_XOR ? v ^ other : (other - v + m->s->p) % m->s->p);
}

// Returns the later of two stamps, the first if their times are equal.
static const Stamp *later_of(const Stamp *first, const Stamp *then)
{
    return then->t > first->t ? then : first;
}

void sharing_meet(Machine *m, const Resource *first, const Resource *in, const SharingPair *pair, Stamp *send_from,
                  Stamp *recv_from)
{
    const Stamp *const ours = &pair->ours, *const theirs = &pair->theirs,
                       *const line = in ? later_of(&first->free, &in->free) : &first->free,
                       *const sender = later_of(later_of(ours, line), theirs),
                       *const receiver = later_of(later_of(theirs, line), ours);
    *send_from = *sender;
    *recv_from = *receiver;
    if (G_LIKELY(!m->trace || !m->mirror))
        return;
    // Each side goes on with a chain of its own.
    if (sender == &first->free)
        *send_from = sharing_chain(m, first, pair->v);
    else if (sender != ours)
        *send_from = moved(m, sender == theirs ? *theirs : sharing_chain(m, in, pair->d), pair->v_to_d);
    if (receiver == line && in && line == &in->free)
        *recv_from = sharing_chain(m, in, pair->d);
    else if (receiver != theirs)
        *recv_from = moved(m, receiver == ours ? *ours : sharing_chain(m, first, pair->v), pair->d_to_v);
}

void sharing_transfer(Machine *m, Index recv, Resource *first, Resource *in)
{
    const Index send = m->pool[recv].match;
    Req *s = &m->pool[send], *r = &m->pool[recv];
    const int v = s->owner, d = r->owner, level = level_of(m, v, s->peer);
    const uint64_t bytes = (uint64_t)s->bytes;
    transfer_agree(m, d, r->peer, s->bytes, r->bytes);
    if (in)
        sharing_check_tie(m, in, v, r->peer, m->event->now);
    Stamp send_from, recv_from;
    const SharingPair pair = {.v = v,
                              .d = d,
                              .v_to_d = s->peer,
                              .d_to_v = r->peer,
                              .ours = stamp_latest(s->at, m->out_free[v]),
                              .theirs = stamp_latest(r->at, m->in_free[d])};
    sharing_meet(m, first, in, &pair, &send_from, &recv_from);
    sharing_occupy(m, first, v, send_from, s->node, level, bytes);
    if (in)
        sharing_occupy(m, in, d, recv_from, r->node, level, bytes);
    const TransferMessage x = transfer_begins(m, v, d, level, s->bytes);
    s->at = m->out_free[v] =
        transfer_message(m, send_from, x.priced ? stamp_latest(pair.ours, pair.theirs) : send_from, s->node, &x);
    r->at = m->in_free[d] =
        transfer_message(m, recv_from, x.priced ? stamp_latest(pair.theirs, pair.ours) : recv_from, r->node, &x);
    trace_met(m, r->node, s->node);
}
