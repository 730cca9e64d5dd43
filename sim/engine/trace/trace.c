#include "engine/trace/trace.h"
#include "engine/replay/site.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What the trace is made with.
typedef struct TraceMaker {
    Trace *t;
    const Ledger *ledger;
    const CollNodes *nodes; // NULL unless ranks are on nodes of several ranks
    double from, to, end;   // the window, and the run's end by its clocks
} TraceMaker;

// Returns a moment in whole ns. The last rank's clock and the predicted time are the same time up to rounding; the
// latter counts.
static int64_t ns_of(const TraceMaker *x, double t)
{
    return t >= x->end ? x->t->end : MIN((int64_t)(t * 1e9 + 0.5), x->t->end);
}

static void add_slice(const TraceMaker *x, TraceSlice slice, double begin, double end)
{
    if (end < x->from || begin > x->to)
        return;
    slice.begin = ns_of(x, begin);
    slice.end = ns_of(x, end);
    g_array_append_val(x->t->slices, slice);
}

static bool is_message(int kind)
{
    return kind == OP_SEND || kind == OP_RECV;
}

// Adds the slice of a message on the track of what it occupies at its node.
static void add_resource(const TraceMaker *x, const LedgerStep *s, TraceSlice slice)
{
    static const uint8_t tracks[] = {0, TRACE_NIC_OUT, TRACE_NIC_IN, TRACE_MEMORY};
    if (!x->nodes)
        return;
    slice.track = tracks[s->resource];
    slice.node = x->nodes->of[s->rank];
    if (s->kind == OP_RECV) {
        slice.rank = s->peer;
        slice.peer = s->rank;
    }
    add_slice(x, slice, s->busy, s->idle);
}

// Adds the slices of one operation.
static void add_step(const TraceMaker *x, const LedgerStep *s)
{
    TraceSlice slice = {.bytes = s->bytes,
                        .phase = s->phase,
                        .rank = s->rank,
                        .peer = s->peer,
                        .node = -1,
                        .unit = s->cpu,
                        .track = TRACE_CPU,
                        .kind = (uint8_t)s->kind,
                        .op = (uint8_t)s->op};
    double done = s->issued;
    if (s->works) {
        done = s->end;
        slice.works = is_message(s->kind);
        add_slice(x, slice, s->issued, done);
        slice.works = false;
    } else if (s->kind == OP_END) {
        done = s->issued;
    } else if (!is_message(s->kind)) {
        done = s->kind == OP_AWAIT ? s->next : s->end;
        add_slice(x, slice, s->issued, done);
    } else if (s->op <= OP_SENDRECV && s->next > s->issued) {
        done = s->next;
        add_slice(x, slice, s->issued, s->next);
    }
    if (s->next > done) {
        slice.waits = true;
        add_slice(x, slice, done, s->next);
        slice.waits = false;
    }
    slice.unit = s->nic;
    if (s->resource != LEDGER_NOTHING)
        add_resource(x, s, slice);
    if (s->takes < 0)
        return;
    slice.unit = s->works ? s->nic : 0;
    slice.track = s->kind == OP_SEND ? TRACE_OUT : TRACE_IN;
    slice.message = s->message;
    slice.came = s->kind == OP_SEND ? ns_of(x, s->came) : 0;
    add_slice(x, slice, s->takes, s->left);
}

// Adds the time until a rank arrives.
static void add_arrival(const TraceMaker *x, int rank)
{
    const double arrives = ledger_start_of(x->ledger, rank);
    const TraceSlice slice = {
        .rank = rank, .peer = -1, .node = -1, .track = TRACE_CPU, .kind = PATH_ARRIVAL, .op = OP_END};
    if (arrives > 0)
        add_slice(x, slice, 0, arrives);
}

// Returns how many of a rank's first operations it came to before `t`.
static guint count_before(const Ledger *ledger, int rank, double t)
{
    guint low = 0, high = ledger_count(ledger, rank);
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (ledger_issued(ledger, rank, middle) < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Returns how many operations the ranks come to in the window before `t`.
static uint64_t operations_before(const TraceMaker *x, double t)
{
    uint64_t n = 0;
    for (guint i = 0; i < x->t->ranks->len; i++) {
        const int rank = g_array_index(x->t->ranks, int, i);
        const guint to = count_before(x->ledger, rank, t), from = count_before(x->ledger, rank, x->from);
        n += to > from ? to - from : 0;
    }
    return n;
}

// Returns a moment before which the ranks come to at most `most` operations, and all of these if there are no more.
static double early(const TraceMaker *x, uint64_t most)
{
    double low = x->from, high = MIN(MIN(x->to, x->end) * (1 + 1e-9) + 1e-12, ledger_complete(x->ledger));
    if (operations_before(x, high) <= most)
        return high;
    for (int i = 0; i < 60; i++) {
        const double middle = low + (high - low) / 2;
        if (operations_before(x, middle) <= most)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// ---- Order, lanes and flows -----------------------------------------------------------------------------------------

static int by_begin(gconstpointer a, gconstpointer b)
{
    const TraceSlice *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static int by_place(gconstpointer a, gconstpointer b)
{
    const TraceSlice *x = a, *y = b;
    const int64_t difference[] = {x->track - y->track, x->node - y->node, x->node < 0 ? x->rank - y->rank : 0,
                                  x->unit - y->unit,   x->lane - y->lane, x->begin - y->begin,
                                  x->end - y->end,     x->rank - y->rank, x->peer - y->peer};
    for (size_t i = 0; i < G_N_ELEMENTS(difference); i++)
        if (difference[i])
            return difference[i] < 0 ? -1 : 1;
    return (x->message > y->message) - (x->message < y->message);
}

// Returns whether two slices are on tracks that differ in their lanes at most.
static bool same_place(const TraceSlice *a, const TraceSlice *b)
{
    return a->track == b->track && a->unit == b->unit && a->node == b->node && (a->node >= 0 || a->rank == b->rank);
}

bool trace_same_track(const TraceSlice *a, const TraceSlice *b)
{
    return a->track == TRACE_PATH ? b->track == TRACE_PATH : same_place(a, b) && a->lane == b->lane;
}

// Gives each slice the first lane of its track that is free when it begins; the slices are in order, all in lane 0.
static void set_lanes(GArray *slices)
{
    g_autoptr(GArray) free_at = g_array_new(FALSE, FALSE, sizeof(int64_t)); // by lane of the present track
    const TraceSlice *before = NULL;
    for (guint i = 0; i < slices->len; i++) {
        TraceSlice *x = &g_array_index(slices, TraceSlice, i);
        if (!before || !same_place(before, x))
            g_array_set_size(free_at, 0);
        guint lane = 0;
        while (lane < free_at->len && g_array_index(free_at, int64_t, lane) > x->begin)
            lane++;
        if (lane == free_at->len)
            g_array_append_val(free_at, x->end);
        g_array_index(free_at, int64_t, lane) = x->end;
        x->lane = (uint16_t)MIN(lane, UINT16_MAX);
        before = x;
    }
}

// An end of a message: the number of its slice.
typedef struct TraceEnd {
    uint64_t message;
    guint slice;
} TraceEnd;

static int by_message(gconstpointer a, gconstpointer b)
{
    const TraceEnd *x = a, *y = b;
    return x->message != y->message ? (x->message > y->message) - (x->message < y->message)
                                    : (x->slice > y->slice) - (x->slice < y->slice);
}

// Marks the slices whose message has both ends in the trace, and counts the messages.
static void find_flows(Trace *t)
{
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(TraceEnd));
    t->flows = 0;
    for (guint i = 0; i < t->slices->len; i++) {
        TraceSlice *x = &g_array_index(t->slices, TraceSlice, i);
        const TraceEnd end = {x->message, i};
        x->flows = false;
        if (x->message && (x->track == TRACE_OUT || x->track == TRACE_IN))
            g_array_append_val(ends, end);
    }
    g_array_sort(ends, by_message);
    for (guint i = 0; i + 1 < ends->len; i++) {
        const TraceEnd *a = &g_array_index(ends, TraceEnd, i), *b = a + 1;
        if (a->message != b->message)
            continue;
        TraceSlice *x = &g_array_index(t->slices, TraceSlice, a->slice),
                   *y = &g_array_index(t->slices, TraceSlice, b->slice);
        TraceSlice *const in = x->track == TRACE_IN ? x : y;
        in->came = MAX(x->begin, y->begin);
        x->flows = y->flows = true;
        t->flows++;
    }
}

// ---- Phases ---------------------------------------------------------------------------------------------------------

static bool has_phase(const TraceSlice *s)
{
    return s->track == TRACE_CPU && s->phase && s->end > s->begin;
}

static int by_rank(gconstpointer a, gconstpointer b)
{
    const TracePhase *x = a, *y = b;
    return x->rank != y->rank ? x->rank - y->rank : (x->begin > y->begin) - (x->begin < y->begin);
}

// Finds the phases. The slices of each rank's CPU are in the order of time.
static void find_phases(Trace *t)
{
    g_autofree guint *last = g_new0(guint, t->p); // by rank: 1 + the index of its phase, 0 for none
    g_array_set_size(t->phases, 0);
    for (guint i = 0; i < t->slices->len; i++) {
        const TraceSlice *s = &g_array_index(t->slices, TraceSlice, i);
        if (s->track != TRACE_CPU || s->end == s->begin)
            continue;
        TracePhase *now = last[s->rank] ? &g_array_index(t->phases, TracePhase, last[s->rank] - 1) : NULL;
        if (now && s->phase == now->name) {
            now->end = s->end;
            continue;
        }
        const TracePhase phase = {s->begin, s->end, s->phase, s->rank};
        if (s->phase)
            g_array_append_val(t->phases, phase);
        last[s->rank] = s->phase ? t->phases->len : 0;
    }
    g_array_sort(t->phases, by_rank);
}

// ---- The trace ------------------------------------------------------------------------------------------------------

guint trace_events(const Trace *t)
{
    guint events = t->slices->len + t->phases->len + 2 * t->flows + t->counts->len;
    for (guint i = 0; t->links && i < t->links->len; i++)
        events += g_array_index(t->links, TraceLink, i).counts->len;
    return events;
}

// Sets what follows from the slices.
static void finish(const TraceMaker *x)
{
    find_flows(x->t);
    find_phases(x->t);
    trace_count_bytes(x->t, x->nodes);
}

// Returns at most how many events a slice is. `phase` has the phase of each rank's last slice.
static guint weight(const TraceMaker *x, const TraceSlice *s, const char **phase)
{
    const guint begins = has_phase(s) && s->phase != phase[s->rank];
    if (s->track == TRACE_CPU && s->end > s->begin)
        phase[s->rank] = s->phase;
    return 1 + begins + (s->message ? 1 : 0) + (s->track == TRACE_OUT ? x->nodes ? 4 : 2 : 0);
}

// Keeps the slices that begin before t->cut, and as many of these as there is room for, and sets t->cut to the begin of
// the first one that is not kept.
static void trim(const TraceMaker *x, uint64_t room)
{
    Trace *t = x->t;
    g_array_sort(t->slices, by_begin);
    g_autofree const char **phase = g_new0(const char *, t->p);
    uint64_t events = 0;
    guint keep = 0;
    for (; keep < t->slices->len; keep++) {
        const TraceSlice *s = &g_array_index(t->slices, TraceSlice, keep);
        if ((t->cut >= 0 && s->begin >= t->cut) || (events += weight(x, s, phase)) > room)
            break;
    }
    if (keep < t->slices->len) // all that begin at one moment, or none
        for (t->cut = g_array_index(t->slices, TraceSlice, keep).begin;
             keep > 0 && g_array_index(t->slices, TraceSlice, keep - 1).begin == t->cut;)
            keep--;
    g_array_set_size(t->slices, keep);
}

// Adds the operations of the trace's ranks, as many as there is room for after reserving `path` events.
static void add_ranks(const TraceMaker *x, guint path)
{
    enum { MORE = TRACE_EVENTS / 4 }; // slices after which those are dropped that turn out to have no room
    Trace *t = x->t;
    const uint64_t room = TRACE_EVENTS - MIN(path, TRACE_EVENTS);
    g_array_set_size(t->slices, 0);
    const double before = early(x, room); // each is an event at least
    const bool all = before > MIN(x->to, x->end);
    guint kept = 0;
    t->cut = all ? -1 : ns_of(x, before);
    for (guint i = 0; i < t->ranks->len; i++) {
        const int rank = g_array_index(t->ranks, int, i);
        const guint n = count_before(x->ledger, rank, before);
        add_arrival(x, rank);
        for (guint k = 0; k < n; k++) {
            const LedgerStep s = ledger_step(x->ledger, rank, k);
            add_step(x, &s);
        }
        if (!all && t->slices->len > kept + MORE) {
            trim(x, room);
            kept = t->slices->len;
        }
    }
    if (all) {
        finish(x);
        if (trace_events(t) <= room)
            return;
    }
    trim(x, room);
    finish(x);
}

// Adds the time until the rank arrives with which the path begins: one of the two of its first step. Returns whether the
// path begins so.
static bool add_path_arrival(const TraceMaker *x)
{
    const LedgerStep first = ledger_path_step(x->ledger, 0);
    const int ends[] = {first.rank, first.peer};
    for (int i = 0; i < 2 && first.begin > 0; i++)
        if (ends[i] >= 0 && ledger_start_of(x->ledger, ends[i]) == first.begin) {
            const TraceSlice slice = {.end = ns_of(x, first.begin),
                                      .rank = ends[i],
                                      .peer = -1,
                                      .node = -1,
                                      .track = TRACE_PATH,
                                      .kind = PATH_ARRIVAL,
                                      .op = OP_END};
            g_array_append_val(x->t->slices, slice);
            return true;
        }
    return false;
}

static void add_path(const TraceMaker *x)
{
    const guint n = ledger_path_length(x->ledger);
    const bool late = n > 0 && add_path_arrival(x);
    x->t->path_steps = MIN(n, TRACE_EVENTS);
    x->t->path_left = n - x->t->path_steps;
    x->t->no_path = n == 0 && x->end > 0 ? ledger_no_path(x->ledger) : NULL;
    for (guint i = 0; i < x->t->path_steps; i++) {
        const LedgerStep s = ledger_path_step(x->ledger, i);
        const TraceSlice slice = {.begin = ns_of(x, s.begin),
                                  .end = ns_of(x, s.end),
                                  .bytes = s.bytes,
                                  .phase = s.phase,
                                  .rank = s.rank,
                                  .peer = s.peer,
                                  .node = -1,
                                  .track = TRACE_PATH,
                                  .kind = (uint8_t)s.kind,
                                  .op = (uint8_t)s.op};
        g_array_append_val(x->t->slices, slice);
    }
    x->t->path_steps += late;
}

static void take_ranks(Trace *t, int n)
{
    g_array_set_size(t->ranks, 0);
    for (int rank = 0; rank < n; rank++)
        g_array_append_val(t->ranks, rank);
}

Trace *trace_new(const Ledger *ledger, double time_s, const Mapping *map, const LedgerWish *wish)
{
    Trace *t = g_new0(Trace, 1);
    t->slices = g_array_new(FALSE, FALSE, sizeof(TraceSlice));
    t->phases = g_array_new(FALSE, FALSE, sizeof(TracePhase));
    t->counts = g_array_new(FALSE, FALSE, sizeof(TraceCount));
    t->ranks = g_array_new(FALSE, FALSE, sizeof(int));
    t->p = ledger_ranks(ledger);
    t->end = (int64_t)(time_s * 1e9 + 0.5);
    t->nodes = map && map->nodes->n < map->p;
    t->window = wish->from > 0 || wish->to > 0;
    const TraceMaker x = {.t = t,
                          .ledger = ledger,
                          .nodes = t->nodes ? map->nodes : NULL,
                          .from = wish->from,
                          .to = wish->to > 0 ? wish->to : INFINITY,
                          .end = ledger_end(ledger)};
    const guint path = ledger_path_length(ledger);
    if (wish->ranks) {
        g_array_append_vals(t->ranks, wish->ranks->data, wish->ranks->len);
        add_ranks(&x, path);
    } else {
        take_ranks(t, t->p);
        // Each operation is an event at least.
        const bool few = ledger_has(ledger, t->p - 1) && operations_before(&x, INFINITY) + path <= TRACE_EVENTS;
        if (few)
            add_ranks(&x, path);
        if (!few || t->cut >= 0) {
            take_ranks(t, MIN(t->p, TRACE_RANKS));
            add_ranks(&x, path);
        }
    }
    t->n_ranks = (int)t->ranks->len;
    g_array_sort(t->slices, by_place);
    set_lanes(t->slices);
    g_array_sort(t->slices, by_place);
    add_path(&x);
    return t;
}

void trace_free(Trace *t)
{
    if (!t)
        return;
    g_array_free(t->slices, TRUE);
    g_array_free(t->phases, TRUE);
    g_array_free(t->counts, TRUE);
    g_array_free(t->ranks, TRUE);
    if (t->links)
        g_array_free(t->links, TRUE);
    g_free(t);
}
