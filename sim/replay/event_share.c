#include "replay/event_share.h"
#include "replay/path.h"

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

// Sorts the simulated v by their numbers within the node, and then by node.
static void sort_keys(struct Sharing *x, const Machine *m)
{
    const CollNodes *nodes = x->site->map->nodes;
    int most = 0, n = 0;
    for (int node = 0; node < nodes->n; node++)
        most = MAX(most, coll_nodes_size(nodes, node));
    for (int local = 0; local < most; local++)
        for (int node = 0; node < nodes->n; node++) {
            if (local >= coll_nodes_size(nodes, node))
                continue;
            const int v = v_of_rank(m->s, nodes->member[nodes->first[node] + local]);
            if (v >= m->n)
                continue;
            x->v_at[n] = v;
            x->order[v] = n++;
        }
}

static Resource *resources_new(int n)
{
    Resource *x = g_new(Resource, n);
    for (int i = 0; i < n; i++)
        x[i] = (Resource){.free.t = -1, .head = -1, .tail = -1, .last.t = -1};
    return x;
}

struct Sharing *sharing_new(const Machine *m)
{
    const Site *site = m->model.site;
    struct Sharing *x = g_new0(struct Sharing, 1);
    x->site = site;
    x->node = g_new(int, m->n);
    x->next = g_new(int, m->n);
    x->waits = g_new0(bool, m->n);
    x->order = g_new(int, m->n);
    x->v_at = g_new(int, m->n);
    x->ready = g_new(int, m->n);
    const int nodes = x->nodes = number_nodes(x, m);
    sort_keys(x, m);
    if (site->nics) {
        x->out = resources_new(nodes * site->nics);
        x->in = resources_new(nodes * site->nics);
    }
    if (site->memory)
        x->memory = resources_new(nodes);
    return x;
}

void sharing_free(struct Sharing *x)
{
    if (!x)
        return;
    g_free(x->node);
    g_free(x->next);
    g_free(x->waits);
    g_free(x->order);
    g_free(x->v_at);
    g_free(x->ready);
    g_free(x->out);
    g_free(x->in);
    g_free(x->memory);
    g_free(x);
}

// ---- Lines ----------------------------------------------------------------------------------------------------------

static int nic_of(const struct Sharing *x, int v)
{
    return x->node[v] * x->site->nics + x->site->local[v] % x->site->nics;
}

Resource *sharing_first(const Machine *m, int v, int peer)
{
    const struct Sharing *x = m->event->share;
    if (!x)
        return NULL;
    const int other = m->mirror ? peer_of(m->s, v, peer, 0, 0) : peer;
    if (x->site->node[v] == x->site->node[other])
        return x->memory ? &x->memory[x->node[v]] : NULL;
    return x->out ? &x->out[nic_of(x, v)] : NULL;
}

static bool is_memory(const struct Sharing *x, const Resource *r)
{
    return x->memory && r >= x->memory && r < x->memory + x->nodes;
}

Resource *sharing_in_side(const Machine *m, const Resource *first, int d)
{
    const struct Sharing *x = m->event->share;
    return is_memory(x, first) ? NULL : &x->in[nic_of(x, d)];
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
        push_event(m, r->free.t, v, kind);
    } else {
        x->next[r->tail] = v;
    }
    r->tail = v;
    return false;
}

int sharing_next(const Resource *r)
{
    return r->head;
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

// Returns a stamp of the rank with this number in v's node as a stamp of v's chain.
static Stamp moved_in_node(Machine *m, Stamp x, int v, int local)
{
    const Site *site = m->event->share->site;
    if (!m->trace || !m->mirror || site->local[v] == local)
        return x;
    const CollNodes *nodes = site->map->nodes;
    const int other = v_of_rank(m->s, nodes->member[nodes->first[site->node[v]] + local]);
    return moved(m, x, m->s->peers == PEERS_XOR ? v ^ other : (other - v + m->s->p) % m->s->p);
}

Stamp sharing_latest(Machine *m, Stamp own, const Resource *r, int v)
{
    return r->free.t > own.t ? moved_in_node(m, r->free, v, r->local) : own;
}

void sharing_occupy(Machine *m, Resource *r, int v, Stamp begin, uint32_t node, int level, uint64_t bytes)
{
    const struct Sharing *x = m->event->share;
    if (node && m->trace->len < MAX_TRACE) {
        TraceStep step = g_array_index(m->trace, TraceStep, node);
        step.occupies = true;
        step.prev = begin.node;
        g_array_append_val(m->trace, step);
        begin.node = m->trace->len - 1;
    }
    r->free = is_memory(x, r) ? stamp_memory(x->site, begin, level, bytes) : stamp_nic(x->site, begin, bytes);
    r->local = x->site->local[v];
}

// ---- The heap of those that may go on now ---------------------------------------------------------------------------

void sharing_ready(struct Sharing *x, int v)
{
    const int place = x->order[v];
    int i = x->n_ready++;
    for (; i > 0 && x->ready[(i - 1) / 2] > place; i = (i - 1) / 2)
        x->ready[i] = x->ready[(i - 1) / 2];
    x->ready[i] = place;
}

bool sharing_take_ready(struct Sharing *x, int *v)
{
    if (x->n_ready == 0)
        return false;
    *v = x->v_at[x->ready[0]];
    const int last = x->ready[--x->n_ready];
    int i = 0;
    for (int child; (child = 2 * i + 1) < x->n_ready; i = child) {
        if (child + 1 < x->n_ready && x->ready[child + 1] < x->ready[child])
            child++;
        if (x->ready[child] >= last)
            break;
        x->ready[i] = x->ready[child];
    }
    x->ready[i] = last;
    return true;
}
