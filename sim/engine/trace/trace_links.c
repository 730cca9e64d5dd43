#include "engine/trace/trace_links.h"

typedef struct LinkChange {
    int64_t at;
    int64_t bytes; // in 1 / whole
    int32_t messages;
} LinkChange;

typedef struct LinkMaker {
    const Trace *t;
    const Network *n;
    const int *host;
    NetworkHop *hops;
    uint64_t *sum;   // by link: of bytes, in 1 / whole
    int32_t wanted;  // the link whose changes are collected
    GArray *changes; // of LinkChange
} LinkMaker;

static void trace_link_clear(gpointer link)
{
    TraceLink *x = link;
    g_free(x->name);
    g_array_unref(x->counts);
}

static void add_changes(LinkMaker *x, const TraceSlice *s, uint64_t bytes)
{
    const LinkChange begins = {s->begin, (int64_t)bytes, 1}, ends = {s->came, -(int64_t)bytes, -1};
    g_array_append_val(x->changes, begins);
    g_array_append_val(x->changes, ends);
}

// Goes through the links of all messages in the trace: adds up their bytes, or with a wanted link finds when that changes.
static void each_message(LinkMaker *x)
{
    for (guint i = 0; i < x->t->slices->len; i++) {
        const TraceSlice *s = &g_array_index(x->t->slices, TraceSlice, i);
        if (s->track != TRACE_OUT || s->bytes == 0 || s->came <= s->begin)
            continue;
        const int count = network_route(x->n, x->host[s->rank], x->host[s->peer], x->hops);
        for (int k = 0; k < count; k++) {
            const NetworkHop *hop = &x->hops[k];
            for (int32_t j = 0, link = hop->first; j < hop->n; j++, link += hop->stride)
                if (x->wanted < 0)
                    x->sum[link] += s->bytes * hop->weight;
                else if (link == x->wanted)
                    add_changes(x, s, s->bytes * hop->weight);
        }
    }
}

static int by_time(gconstpointer a, gconstpointer b)
{
    const LinkChange *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static TraceLink link_of(LinkMaker *x, int32_t link)
{
    TraceLink made = {.name = network_link_text(x->n, link),
                      .bytes = x->sum[link] / x->n->whole,
                      .counts = g_array_new(FALSE, FALSE, sizeof(TraceLinkCount))};
    int64_t bytes = 0, messages = 0;
    x->wanted = link;
    g_array_set_size(x->changes, 0);
    each_message(x);
    g_array_sort(x->changes, by_time);
    for (guint i = 0; i < x->changes->len; i++) {
        const LinkChange *c = &g_array_index(x->changes, LinkChange, i);
        bytes += c->bytes;
        messages += c->messages;
        if (i + 1 < x->changes->len && c[1].at == c->at)
            continue;
        const TraceLinkCount now = {c->at, (uint32_t)messages, (uint64_t)bytes / x->n->whole};
        g_array_append_val(made.counts, now);
        made.most = MAX(made.most, now.messages);
    }
    return made;
}

void trace_add_links(Trace *t, const Network *n, const int *host)
{
    LinkMaker x = {.t = t, .n = n, .host = host, .wanted = -1};
    x.hops = g_new(NetworkHop, n->most_hops);
    x.sum = g_new0(uint64_t, n->n_links);
    x.changes = g_array_new(FALSE, FALSE, sizeof(LinkChange));
    each_message(&x);
    t->links = g_array_new(FALSE, FALSE, sizeof(TraceLink));
    g_array_set_clear_func(t->links, trace_link_clear);
    for (int k = 0; k < TRACE_LINKS; k++) {
        int32_t best = -1;
        for (int32_t i = 0; i < n->n_links; i++)
            if (x.sum[i] > (best < 0 ? 0 : x.sum[best]))
                best = i;
        if (best < 0)
            break;
        TraceLink link = link_of(&x, best);
        if (trace_events(t) + link.counts->len > TRACE_EVENTS) {
            trace_link_clear(&link);
            break;
        }
        g_array_append_val(t->links, link);
        x.sum[best] = 0;
    }
    g_free(x.hops);
    g_free(x.sum);
    g_array_unref(x.changes);
}
