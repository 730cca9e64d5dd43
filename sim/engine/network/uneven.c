#include "engine/network/uneven.h"
#include <string.h>

// An entry of a class's heap, the largest load first: a load that a link has, or had once.
typedef struct LinkLoad {
    uint64_t load;
    int32_t link;
} LinkLoad;

struct Uneven {
    const Network *n;
    const int *host;
    uint64_t *total;
    UnevenSent *sent;
    gpointer user;
    const Schedule *s; // of the last round; NULL before the first
    int to, first;     // .. and what its ranks did: v sent block v + first
    uint8_t cut;
    int64_t round;  // how many rounds have been like that
    uint64_t *load; // by link
    int64_t *since; // by link: from which round on it has that load
    bool *longer;   // by v: it sends a longer block
    int64_t *count; // by v: in how many rounds before `begun` it sent a longer block
    int64_t *begun; // by v: since when it sends the block that it does
    NetworkHop *hops;
    LoadPattern *now;
    GArray **heap; // of LinkLoad, by class
};

bool uneven_knows(const WalkRound *r)
{
    const LockstepStep *step = r->step;
    return r->turn == 1 && r->s->peers == PEERS_SHIFT && step->out_cut && step->out.blocks.count == 1 && step->to != 0;
}

Uneven *uneven_new(const Network *n, const int *host, uint64_t *total, UnevenSent *sent, gpointer user)
{
    Uneven *x = g_new0(Uneven, 1);
    *x = (Uneven){.n = n, .host = host, .total = total, .sent = sent, .user = user};
    x->load = g_new0(uint64_t, n->n_links);
    x->since = g_new0(int64_t, n->n_links);
    x->hops = g_new(NetworkHop, n->most_hops);
    x->now = g_malloc0(sizeof *x->now + (size_t)n->n_classes * sizeof *x->now->part);
    x->heap = g_new(GArray *, n->n_classes);
    for (int i = 0; i < n->n_classes; i++)
        x->heap[i] = g_array_new(FALSE, FALSE, sizeof(LinkLoad));
    return x;
}

void uneven_free(Uneven *x)
{
    if (!x)
        return;
    for (int i = 0; i < x->n->n_classes; i++)
        g_array_unref(x->heap[i]);
    g_free(x->heap);
    g_free(x->load);
    g_free(x->since);
    g_free(x->longer);
    g_free(x->count);
    g_free(x->begun);
    g_free(x->hops);
    g_free(x->now);
    g_free(x);
}

// ---- The largest load of a class ------------------------------------------------------------------------------------

static void push(GArray *heap, LinkLoad x)
{
    guint i = heap->len;
    g_array_append_val(heap, x);
    LinkLoad *at = &g_array_index(heap, LinkLoad, 0);
    for (; i > 0 && at[(i - 1) / 2].load < x.load; i = (i - 1) / 2)
        at[i] = at[(i - 1) / 2];
    at[i] = x;
}

static void pop(GArray *heap)
{
    LinkLoad *at = &g_array_index(heap, LinkLoad, 0);
    const guint n = heap->len - 1;
    const LinkLoad x = at[n];
    guint i = 0;
    for (guint child = 1; child < n; child = 2 * i + 1) {
        child += child + 1 < n && at[child + 1].load > at[child].load;
        if (at[child].load <= x.load)
            break;
        at[i] = at[child];
        i = child;
    }
    at[i] = x;
    g_array_set_size(heap, n);
}

static void find_most(Uneven *x)
{
    for (int i = 0; i < x->n->n_classes; i++) {
        GArray *heap = x->heap[i];
        const LinkLoad *top = &g_array_index(heap, LinkLoad, 0);
        while (heap->len && x->load[top->link] != top->load) { // it has another load by now
            pop(heap);
            top = &g_array_index(heap, LinkLoad, 0);
        }
        x->now->part[i].most = heap->len ? top->load : 0;
        x->now->part[i].link = heap->len && top->load ? top->link : -1;
    }
}

// ---- Rounds ---------------------------------------------------------------------------------------------------------

// Adds a share to the links of v's message, or takes it away: `bytes` modulo 2^64.
static void change_message(Uneven *x, int v, uint64_t bytes, uint64_t *work)
{
    const int from = x->host[v], to = x->host[(int)(((int64_t)v + x->to) % x->s->p)];
    if (from == to) {
        x->now->bytes_inside += bytes;
        return;
    }
    const int count = network_route(x->n, from, to, x->hops);
    uint64_t used = 0;
    x->now->bytes += bytes;
    for (int i = 0; i < count; i++) {
        const NetworkHop *h = &x->hops[i];
        const uint64_t share = bytes * h->weight;
        used |= (uint64_t)1 << h->class;
        x->now->part[h->class].sum += share * (uint64_t)h->n;
        *work += (uint64_t)h->n;
        for (int32_t k = 0, link = h->first; k < h->n; k++, link += h->stride) {
            x->total[link] += x->load[link] * (uint64_t)(x->round - x->since[link]);
            x->since[link] = x->round;
            x->load[link] += share;
            push(x->heap[h->class], (LinkLoad){x->load[link], link});
        }
    }
    for (; used; used &= used - 1)
        x->now->part[__builtin_ctzll(used)].bytes += bytes;
}

static void note_message(Uneven *x, int v)
{
    const int from = x->host[v], to = x->host[(int)(((int64_t)v + x->to) % x->s->p)];
    if (from == to) {
        x->now->inside++;
        return;
    }
    const int count = network_route(x->n, from, to, x->hops);
    uint64_t used = 0;
    x->now->messages++;
    for (int i = 0; i < count; i++)
        used |= (uint64_t)1 << x->hops[i].class;
    for (; used; used &= used - 1)
        x->now->part[__builtin_ctzll(used)].messages++;
}

static bool is_longer(const Uneven *x, int v)
{
    return ((int64_t)v + x->first) % x->s->p < x->s->cuts[x->cut].longer;
}

static void begin(Uneven *x, const WalkRound *r, uint64_t *work)
{
    const int p = r->s->p;
    uneven_end(x);
    if (!x->longer) {
        x->longer = g_new(bool, p);
        x->count = g_new(int64_t, p);
        x->begun = g_new(int64_t, p);
    }
    x->s = r->s;
    x->to = r->step->to;
    x->cut = r->step->out_cut;
    x->first = cut_first(r->s, 0, r->step->out, 0, 0);
    x->round = 0;
    memset(x->now, 0, sizeof *x->now + (size_t)x->n->n_classes * sizeof *x->now->part);
    memset(x->load, 0, (size_t)x->n->n_links * sizeof *x->load);
    memset(x->since, 0, (size_t)x->n->n_links * sizeof *x->since);
    for (int i = 0; i < x->n->n_classes; i++)
        g_array_set_size(x->heap[i], 0);
    const Cut *cut = &x->s->cuts[x->cut];
    for (int v = 0; v < p; v++) {
        x->longer[v] = is_longer(x, v);
        x->count[v] = x->begun[v] = 0;
        note_message(x, v);
        change_message(x, v, cut->size + (x->longer[v] ? cut->elem : 0), work);
    }
}

// Looks at the n ranks from the one with this block in the round before on.
static void change_ranks(Uneven *x, int64_t block, int n, int first_before, uint64_t *work)
{
    const int p = x->s->p;
    const Cut *cut = &x->s->cuts[x->cut];
    for (int i = 0; i < n; i++) {
        const int v = (int)((((block + i - first_before) % p) + p) % p);
        if (x->longer[v] == is_longer(x, v))
            continue;
        if (x->longer[v])
            x->count[v] += x->round - x->begun[v];
        x->begun[v] = x->round;
        x->longer[v] = !x->longer[v];
        change_message(x, v, x->longer[v] ? cut->elem : -(uint64_t)cut->elem, work);
    }
}

const LoadPattern *uneven_round(Uneven *x, const WalkRound *r, uint64_t *work)
{
    const int p = r->s->p, first = cut_first(r->s, 0, r->step->out, 0, 0), up = (first - x->first + p) % p,
              moved = MIN(up, p - up);
    if (x->s != r->s || x->to != r->step->to || x->cut != r->step->out_cut || moved > p / 8) {
        begin(x, r, work);
    } else {
        // Ranks whose block moves across the end of the longer ones, or across block 0.
        const int before = x->first;
        x->first = first;
        change_ranks(x, (int64_t)r->s->cuts[x->cut].longer - moved, 2 * moved, before, work);
        change_ranks(x, -(int64_t)moved, 2 * moved, before, work);
    }
    find_most(x);
    x->round++;
    return x->now;
}

void uneven_end(Uneven *x)
{
    if (!x->s)
        return;
    for (int32_t i = 0; i < x->n->n_links; i++)
        x->total[i] += x->load[i] * (uint64_t)(x->round - x->since[i]);
    const Cut *cut = &x->s->cuts[x->cut];
    for (int v = 0; x->sent && v < x->s->p; v++) {
        const int64_t longer = x->count[v] + (x->longer[v] ? x->round - x->begun[v] : 0);
        x->sent(x->host[v], x->host[(int)(((int64_t)v + x->to) % x->s->p)],
                cut->size * (uint64_t)x->round + cut->elem * (uint64_t)longer, x->user);
    }
    x->s = NULL;
}
