#include "engine/trace/trace.h"

// A change of a counter.
typedef struct TraceChange {
    int64_t at, bytes;
    int32_t node;
} TraceChange;

static int by_node(gconstpointer a, gconstpointer b)
{
    const TraceChange *x = a, *y = b;
    return x->node != y->node ? (x->node > y->node) - (x->node < y->node) : (x->at > y->at) - (x->at < y->at);
}

static void add_change(GArray *changes, int node, int64_t at, int64_t bytes)
{
    const TraceChange x = {at, bytes, node};
    g_array_append_val(changes, x);
}

void trace_count_bytes(Trace *t, const CollNodes *nodes)
{
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(TraceChange));
    for (guint i = 0; i < t->slices->len; i++) {
        const TraceSlice *s = &g_array_index(t->slices, TraceSlice, i);
        if (s->track != TRACE_OUT || s->bytes == 0 || s->came <= s->begin)
            continue;
        for (int k = 0; k < (nodes ? 2 : 1); k++) {
            const int node = k == 0 ? -1 : nodes->of[s->rank];
            add_change(changes, node, s->begin, (int64_t)s->bytes);
            add_change(changes, node, s->came, -(int64_t)s->bytes);
        }
    }
    g_array_sort(changes, by_node);
    g_array_set_size(t->counts, 0);
    int64_t now = 0;
    for (guint i = 0; i < changes->len; i++) {
        const TraceChange *c = &g_array_index(changes, TraceChange, i);
        now += c->bytes;
        if (i + 1 < changes->len && c[1].node == c->node && c[1].at == c->at)
            continue;
        const TraceCount count = {c->at, c->node, (uint64_t)now};
        const TraceCount *last = t->counts->len ? &g_array_index(t->counts, TraceCount, t->counts->len - 1) : NULL;
        if (!last || last->node != count.node || last->bytes != count.bytes)
            g_array_append_val(t->counts, count);
    }
}
