#include "engine/trace/chrome.h"
#include "base/escape.h"
#include "engine/schedule/schedule.h"

enum { RUN = 1 }; // the process of the run; node i is process RUN + 1 + i

// The file while it is written.
typedef struct Chrome {
    FILE *to;
    const Trace *t;
    const CollNodes *nodes;
    int tid;     // of the track that is being written
    guint phase; // the next one to be written
    bool any;
} Chrome;

static int process_of(const Chrome *x, const TraceSlice *s)
{
    return s->track == TRACE_PATH ? RUN
           : s->node >= 0         ? RUN + 1 + s->node
                                  : RUN + 1 + (x->nodes ? x->nodes->of[s->rank] : s->rank);
}

// Begins an event; each has a line.
static void begin(Chrome *x)
{
    fputs(x->any ? ",\n{" : "\n{", x->to);
    x->any = true;
}

// Prints a moment in us, which is what the format wants, to the ns.
static void put_time(const Chrome *x, const char *key, int64_t ns)
{
    fprintf(x->to, ",\"%s\":%" G_GINT64_FORMAT ".%03d", key, ns / 1000, (int)(ns % 1000));
}

static void put_name(Chrome *x, const char *what, int pid, int tid, const char *name)
{
    begin(x);
    fprintf(x->to, "\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":\"%s\"}}", pid, tid, what,
            name);
}

static void put_order(Chrome *x, const char *what, int pid, int tid, int order)
{
    begin(x);
    fprintf(x->to, "\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s\",\"args\":{\"sort_index\":%d}}", pid, tid, what,
            order);
}

// Names the track of a slice, the first one there. A node's tracks are above those of its ranks.
static void put_track(Chrome *x, const TraceSlice *s)
{
    static const char *const names[] = {"CPU", "out", "in", "NIC out", "NIC in", "memory", "critical path"};
    const int pid = process_of(x, s);
    g_autofree char *unit = s->unit ? g_strdup_printf("[%d]", s->unit) : g_strdup("");
    g_autofree char *part = s->lane ? g_strdup_printf(" %d", s->lane + 1) : g_strdup("");
    g_autofree char *rank =
        s->track == TRACE_PATH || s->node >= 0 ? g_strdup("") : g_strdup_printf("rank %d ", s->rank);
    g_autofree char *name = g_strdup_printf("%s%s%s%s", rank, names[s->track], unit, part);
    put_name(x, "thread_name", pid, x->tid, name);
    put_order(x, "thread_sort_index", pid, x->tid,
              s->track == TRACE_PATH ? 0
              : s->node >= 0         ? s->track - TRACE_PATH
                                     : 4 * s->rank + s->track);
}

static void put_processes(Chrome *x)
{
    put_name(x, "process_name", RUN, 0, "run");
    put_order(x, "process_sort_index", RUN, 0, 0);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < x->t->ranks->len; i++) {
        const int rank = g_array_index(x->t->ranks, int, i), node = x->nodes ? x->nodes->of[rank] : rank;
        if (!g_hash_table_add(seen, GINT_TO_POINTER(node + 1)))
            continue;
        g_autofree char *name = g_strdup_printf("%s %d", x->nodes ? "node" : "rank", node);
        put_name(x, "process_name", RUN + 1 + node, 0, name);
        put_order(x, "process_sort_index", RUN + 1 + node, 0, node + 1);
    }
}

static void put_slice(Chrome *x, const TraceSlice *s)
{
    const int pid = process_of(x, s);
    g_autofree char *name = trace_name(s);
    begin(x);
    fprintf(x->to, "\"ph\":\"X\",\"pid\":%d,\"tid\":%d", pid, x->tid);
    put_time(x, "ts", s->begin);
    put_time(x, "dur", s->end - s->begin);
    fprintf(x->to, ",\"name\":\"%s\"", name);
    if (!s->waits && s->kind != OP_AWAIT && s->kind != PATH_CALC && s->kind != PATH_ARRIVAL)
        fprintf(x->to, ",\"args\":{\"bytes\":%" G_GUINT64_FORMAT "%s%s%s}", s->bytes, s->phase ? ",\"phase\":\"" : "",
                s->phase ? s->phase : "", s->phase ? "\"" : "");
    fputc('}', x->to);
    if (!s->flows)
        return;
    begin(x);
    fprintf(x->to, "\"ph\":\"%s\",\"pid\":%d,\"tid\":%d", s->track == TRACE_OUT ? "s" : "f\",\"bp\":\"e", pid, x->tid);
    put_time(x, "ts", s->track == TRACE_OUT ? s->begin : s->came);
    fprintf(x->to, ",\"cat\":\"message\",\"name\":\"message\",\"id\":%" G_GUINT64_FORMAT "}", s->message);
}

// Writes the phases that begin with a slice of a CPU track or before it. A viewer nests the slice in the last of them.
static void put_phases(Chrome *x, const TraceSlice *s)
{
    for (; x->phase < x->t->phases->len; x->phase++) {
        const TracePhase *phase = &g_array_index(x->t->phases, TracePhase, x->phase);
        if (phase->rank != s->rank || phase->begin > s->begin)
            return;
        begin(x);
        fprintf(x->to, "\"ph\":\"X\",\"pid\":%d,\"tid\":%d", process_of(x, s), x->tid);
        put_time(x, "ts", phase->begin);
        put_time(x, "dur", phase->end - phase->begin);
        fprintf(x->to, ",\"cat\":\"phase\",\"name\":\"%s\"}", phase->name);
    }
}

static void put_count(Chrome *x, const TraceCount *c)
{
    begin(x);
    fprintf(x->to, "\"ph\":\"C\",\"pid\":%d", c->node < 0 ? RUN : RUN + 1 + c->node);
    put_time(x, "ts", c->at);
    fprintf(x->to, ",\"name\":\"bytes in flight\",\"args\":{\"bytes\":%" G_GUINT64_FORMAT "}}", c->bytes);
}

// Writes the busiest links as counters of the run: the messages that share one, and their bytes.
static void put_links(Chrome *x)
{
    for (guint i = 0; x->t->links && i < x->t->links->len; i++) {
        const TraceLink *link = &g_array_index(x->t->links, TraceLink, i);
        for (guint k = 0; k < link->counts->len; k++) {
            const TraceLinkCount *c = &g_array_index(link->counts, TraceLinkCount, k);
            begin(x);
            fprintf(x->to, "\"ph\":\"C\",\"pid\":%d", RUN);
            put_time(x, "ts", c->at);
            fprintf(x->to,
                    ",\"name\":\"link %u: %s\",\"args\":{\"messages\":%" G_GUINT32_FORMAT
                    ",\"bytes\":%" G_GUINT64_FORMAT "}}",
                    i + 1, link->name, c->messages, c->bytes);
        }
    }
}

void chrome_write(const Trace *t, const CollNodes *nodes, const ChromeFact *facts, size_t n_facts, FILE *to)
{
    Chrome x = {.to = to, .t = t, .nodes = t->nodes ? nodes : NULL};
    fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{", to);
    for (size_t i = 0; i < n_facts; i++) {
        g_autofree char *value = escape_json(facts[i].value);
        fprintf(to, "%s\"%s\":\"%s\"", i ? "," : "", facts[i].name, value);
    }
    fputs("},\"traceEvents\":[", to);
    put_processes(&x);
    const TraceSlice *before = NULL;
    for (guint i = 0; i < t->slices->len; i++) {
        const TraceSlice *s = &g_array_index(t->slices, TraceSlice, i);
        if (!before || !trace_same_track(before, s)) {
            x.tid++;
            put_track(&x, s);
        }
        if (s->track == TRACE_CPU)
            put_phases(&x, s);
        put_slice(&x, s);
        before = s;
    }
    for (guint i = 0; i < t->counts->len; i++)
        put_count(&x, &g_array_index(t->counts, TraceCount, i));
    put_links(&x);
    fputs("\n]}\n", to);
}
