// Traces, over the registry: what is charged is on the tracks, without overlaps; the ends of every message are joined;
// the last end is the predicted time; few ranks that stood for all give the trace of all; and the file is what viewers
// read.
#include "api/make.h"
#include "registry/composition.h"
#include "base/json.h"
#include "machines.h"
#include "judge/prove/nodes.h"
#include "only.h"
#include "tap.h"
#include "engine/trace/chrome.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A run to trace.
typedef struct Traced {
    const Model *model;
    Operation op;
    const Platform *platform;
    const Mapping *map;
    Transfer transfer;
    char *what;
} Traced;

// Sets the operation. Returns false if the algorithm does not run there.
static bool set_operation(Operation *op, const CollAlgorithm *a, int p, int root, size_t m, const CollNodes *nodes)
{
    const char *why;
    Coll c = {.p = p, .root = root, .elem = 1, .commutative = true, .nodes = nodes, .par = algorithm_defaults(a)};
    *op = (Operation){.algorithm = a, .c = c, .m = m};
    Coll whole = coll_make(a->collective, &c, 0, m, NULL);
    return coll_resolve(a, &whole, &why) == a;
}

static const LedgerWish all_of_it;

static Prediction *predict(const Traced *x, bool ledger, bool full)
{
    GError *error = NULL;
    const PredictOptions o = {
        .transfer = x->transfer, .map = x->map, .ledger = ledger ? &all_of_it : NULL, .full = full};
    Prediction *p = x->model->predict(x->model, &x->op, x->platform, &o, &error);
    if (error)
        g_error("%s: %s", x->what, error->message);
    return p;
}

static const TraceSlice *traced_slice(const Trace *t, guint i)
{
    return &g_array_index(t->slices, TraceSlice, i);
}

// Nothing on a track overlaps, and the last end is the predicted time.
static void check_tracks(const Traced *x, const Trace *t, bool lanes)
{
    int64_t last = 0;
    for (guint i = 0; i < t->slices->len; i++) {
        const TraceSlice *s = traced_slice(t, i), *before = i ? s - 1 : NULL;
        if (s->begin < 0 || s->begin > s->end || s->end > t->end)
            g_error("%s: slice %u is %" G_GINT64_FORMAT " .. %" G_GINT64_FORMAT, x->what, i, s->begin, s->end);
        if (s->lane && !lanes)
            g_error("%s: rank %d, track %d: a slice overlaps another at %" G_GINT64_FORMAT " ns", x->what, s->rank,
                    s->track, s->begin);
        if (before && trace_same_track(before, s) && s->begin < before->end)
            g_error("%s: rank %d, track %d: slices overlap at %" G_GINT64_FORMAT " ns", x->what, s->rank, s->track,
                    s->begin);
        if (s->track == TRACE_CPU)
            last = MAX(last, s->end);
    }
    if (t->n_ranks == t->p && last != t->end)
        g_error("%s: the last end is %" G_GINT64_FORMAT " ns, not %" G_GINT64_FORMAT, x->what, last, t->end);
}

// The critical path has no gap, from the beginning to the end.
static void check_path(const Traced *x, const Trace *t)
{
    int64_t at = 0;
    for (guint i = t->slices->len - t->path_steps; i < t->slices->len; i++) {
        const TraceSlice *s = traced_slice(t, i);
        if (s->track != TRACE_PATH || s->begin != at)
            g_error("%s: the path has a gap before %" G_GINT64_FORMAT " ns", x->what, s->begin);
        at = s->end;
    }
    if (at != t->end)
        g_error("%s: the path ends at %" G_GINT64_FORMAT " ns, not %" G_GINT64_FORMAT, x->what, at, t->end);
}

// Returns what a slice should take, in s: -1 if this test does not know.
static double cost_of_slice(const Traced *x, const TraceSlice *s)
{
    const double *v = x->platform->value, n = (double)s->bytes, further = MAX(n - 1, 0);
    const bool port = s->track == TRACE_OUT || s->track == TRACE_IN;
    if (s->track == TRACE_CPU && !s->waits && s->kind == OP_REDUCE && x->model != &measured_model)
        return n * v[KEY_GAMMA];
    if (x->model == &hockney_model && !x->map)
        return s->track == TRACE_OUT || (port && x->transfer != TRANSFER_EAGER) ? v[KEY_ALPHA] + n * v[KEY_BETA] : -1;
    if (!x->model->keys || x->model == &hockney_model || x->model == &measured_model || x->model == &shared_model)
        return -1;
    const double G = x->model == &logp_model ? 0 : v[KEY_G_BYTE], O = x->model == &loggops_model ? v[KEY_O_BYTE] : 0;
    if (port)
        return v[KEY_G_GAP] + further * G;
    if (s->track == TRACE_CPU && s->works)
        return v[KEY_O_CPU] + further * (s->kind == OP_SEND ? O : MAX(O, G));
    return -1;
}

// Slices are as long as what they stand for costs; their starts and ends are rounded.
static void check_costs(const Traced *x, const Trace *t)
{
    for (guint i = 0; i < t->slices->len; i++) {
        const TraceSlice *s = traced_slice(t, i);
        const double cost = cost_of_slice(x, s) * 1e9, took = (double)(s->end - s->begin);
        const bool cut = s->end == t->end && took < cost; // a NIC's gap may be longer than the run
        if (cost >= 0 && !cut && fabs(took - cost) > 1 + 1e-9 * (double)t->end)
            g_error("%s: rank %d, track %d: a slice of %" G_GUINT64_FORMAT " bytes takes %g ns, not %g", x->what,
                    s->rank, s->track, s->bytes, took, cost);
    }
}

// Every message has an end at an out-port and one at an in-port, which name each other.
static void check_flows(const Traced *x, const Trace *t, uint64_t messages)
{
    g_autoptr(GHashTable) sent = g_hash_table_new(g_int64_hash, g_int64_equal);
    uint64_t out = 0, in = 0;
    for (guint i = 0; i < t->slices->len; i++)
        if (traced_slice(t, i)->track == TRACE_OUT) {
            out++;
            if (!g_hash_table_insert(sent, &g_array_index(t->slices, TraceSlice, i).message,
                                     &g_array_index(t->slices, TraceSlice, i)))
                g_error("%s: two messages have one number", x->what);
        }
    for (guint i = 0; i < t->slices->len; i++) {
        const TraceSlice *r = traced_slice(t, i);
        if (r->track != TRACE_IN)
            continue;
        in++;
        const TraceSlice *s = g_hash_table_lookup(sent, &r->message);
        if (!s || s->peer != r->rank || r->peer != s->rank || s->bytes != r->bytes || !s->flows || !r->flows ||
            r->came < s->begin || r->came < r->begin || r->came > r->end || s->came < s->begin)
            g_error("%s: a message to %d joins nothing, or another one: %d %d %d, %" G_GINT64_FORMAT
                    " .. %" G_GINT64_FORMAT ", at %" G_GINT64_FORMAT,
                    x->what, r->rank, s ? s->rank : -1, r->flows, s ? s->flows : 0, r->begin, r->end,
                    s ? s->begin : -1);
        g_hash_table_remove(sent, &r->message);
    }
    if (out != messages || in != messages || t->flows != messages)
        g_error("%s: %" G_GUINT64_FORMAT " messages; sent %" G_GUINT64_FORMAT ", received %" G_GUINT64_FORMAT
                ", joined %u",
                x->what, messages, out, in, t->flows);
}

// Phases of a rank do not overlap, and a slice of its CPU is in one of them if it has a phase, which is then the same one.
static void check_phases(const Traced *x, const Trace *t)
{
    guint next = 0;
    for (guint i = 0; i < t->slices->len; i++) {
        const TraceSlice *s = traced_slice(t, i);
        if (s->track != TRACE_CPU || s->end == s->begin)
            continue;
        const TracePhase *phase = &g_array_index(t->phases, TracePhase, next);
        if (next < t->phases->len && (phase->rank < s->rank || (phase->rank == s->rank && phase->end <= s->begin))) {
            next++;
            phase++;
        }
        const bool inside = next < t->phases->len && phase->rank == s->rank && phase->begin <= s->begin;
        if (inside != (s->phase != NULL) || (inside && (phase->name != s->phase || phase->end < s->end)))
            g_error("%s: rank %d: the slice at %" G_GINT64_FORMAT " ns is not in its phase", x->what, s->rank,
                    s->begin);
    }
    g_assert_cmpuint(next + 1, >=, t->phases->len);
}

// Counters end at 0 and are in order.
static void check_counts(const Traced *x, const Trace *t)
{
    for (guint i = 0; i < t->counts->len; i++) {
        const TraceCount *c = &g_array_index(t->counts, TraceCount, i);
        const bool last = i + 1 == t->counts->len || c[1].node != c->node;
        if (last ? c->bytes != 0 : c[1].at <= c->at)
            g_error("%s: the counter of node %d is wrong at %" G_GINT64_FORMAT " ns", x->what, c->node, c->at);
    }
}

static bool same_slice(const TraceSlice *a, const TraceSlice *b)
{
    return a->begin == b->begin && a->end == b->end && a->bytes == b->bytes && a->came == b->came &&
           a->rank == b->rank && a->peer == b->peer && a->track == b->track && a->kind == b->kind && a->op == b->op &&
           a->waits == b->waits && a->flows == b->flows && a->lane == b->lane;
}

static void check_same(const Traced *x, const Trace *a, const Trace *b)
{
    bool same = a->slices->len == b->slices->len && a->counts->len == b->counts->len;
    for (guint i = 0; same && i < a->slices->len; i++)
        same = same_slice(traced_slice(a, i), traced_slice(b, i));
    if (!same)
        g_error("%s: with --full the trace is another one", x->what);
}

// Every line of the file is an event of the format; the whole is JSON.
static void check_file(const Traced *x, const Trace *t, const CollNodes *nodes)
{
    char *text = NULL, *why = NULL;
    size_t length = 0, line;
    FILE *to = open_memstream(&text, &length);
    const ChromeFact fact = {"operation", "a \"name\""};
    chrome_write(t, nodes, &fact, 1, to);
    fclose(to);
    g_autoptr(JsonNode) json = json_parse(text, length, JSON_AS_PARSER, &why, &line);
    if (!json)
        g_error("%s: line %zu of the trace: %s", x->what, line, why);
    const JsonNode *events = json_member(json, "traceEvents")->value;
    guint n = 0;
    for (guint i = 0; i < events->members->len; i++) {
        const JsonNode *e = g_array_index(events->members, JsonMember, i).value;
        const char *ph = json_member(e, "ph")->value->text;
        g_assert_nonnull(strstr("M X s f C", ph));
        g_assert_nonnull(json_member(e, "pid"));
        g_assert_nonnull(json_member(e, "name"));
        n += *ph != 'M';
        if (*ph == 'X')
            g_assert_true(json_member(e, "ts") && json_member(e, "dur") && json_member(e, "tid"));
        if (*ph == 's' || *ph == 'f')
            g_assert_true(json_member(e, "id") && json_member(e, "ts") && json_member(e, "cat"));
        if (*ph == 'C')
            g_assert_true(json_member(e, "ts") && json_member(e, "args"));
    }
    g_assert_cmpuint(n, ==, trace_events(t));
    free(text);
}

static void check(const Traced *x, bool lanes, bool file)
{
    g_autoptr(Prediction) plain = predict(x, false, false), few = predict(x, true, false), all = predict(x, true, true);
    if (plain->time_s != few->time_s || plain->time_s != all->time_s)
        g_error("%s: %.17g s, and traced %.17g s", x->what, plain->time_s, few->time_s);
    const LedgerWish wish = {.from = 0};
    g_autoptr(Trace) t = trace_new(few->ledger, few->time_s, x->map, &wish),
                     u = trace_new(all->ledger, all->time_s, x->map, &wish);
    g_assert_cmpint(t->end, ==, (int64_t)(plain->time_s * 1e9 + 0.5));
    check_tracks(x, t, lanes);
    check_path(x, t);
    check_costs(x, t);
    check_flows(x, t, few->totals.messages);
    check_phases(x, t);
    check_counts(x, t);
    if (few->ranks_simulated < x->op.c.p)
        check_same(x, t, u);
    g_assert_null(trace_missing(t));
    if (file)
        check_file(x, t, x->map ? x->map->nodes : NULL);
}

static char *name_of(const Traced *x, int p)
{
    return g_strdup_printf("%s %s p=%d root=%d m=%zu %s %s", collectives[x->op.algorithm->collective].name,
                           x->op.algorithm->name, p, x->op.c.root, x->op.m, x->model->name,
                           x->transfer <= TRANSFER_EAGER_PORT ? transfer_names[x->transfer] : "");
}

static const int all_p[] = {4, 5, 8};

// Goes over the algorithms that send messages.
static void go_over(const Model *model, int has, Transfer transfer, bool flat)
{
    GRand *random = g_rand_new_with_seed(20270101);
    int64_t n = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(all_p); k++)
        for (int i = only_first(); i < only_end(); i++) {
            const CollAlgorithm *a = algorithms[i];
            const int p = all_p[k];
            DrawnMachine machine;
            if (model == &measured_model)
                machines_draw_measured(&machine, random, p, i % 2 ? 2 : 0, has);
            else
                machines_draw(&machine, random, p, i % 2 ? 2 : 0, has);
            Traced x = {
                .model = model, .platform = machine.platform, .map = flat ? NULL : machine.map, .transfer = transfer};
            const size_t m = a->collective == COLL_BARRIER ? 0 : i % 3 ? 7 * (size_t)p + 3 : 2 * (size_t)p;
            if (!a->shared && set_operation(&x.op, a, p, collectives[a->collective].rooted ? p / 3 : 0, m,
                                            flat ? NULL : machine.map->nodes)) {
                x.what = name_of(&x, p);
                check(&x, model == &measured_model, k == 0);
                g_free(x.what);
                n++;
            }
            machines_clear(&machine);
        }
    g_rand_free(random);
    only_visited(n);
}

static void test_rendezvous(void)
{
    go_over(&hockney_model, MACHINES_LEVELS | MACHINES_FREE, TRANSFER_RENDEZVOUS, false);
}

static void test_eager(void)
{
    go_over(&hockney_model, MACHINES_LEVELS, TRANSFER_EAGER, false);
}

static void test_eager_port(void)
{
    go_over(&hockney_model, MACHINES_LEVELS, TRANSFER_EAGER_PORT, false);
}

static void test_resources(void)
{
    go_over(&hockney_model, MACHINES_LEVELS | MACHINES_NICS | MACHINES_MEMORY, TRANSFER_RENDEZVOUS, false);
    go_over(&hockney_model, MACHINES_LEVELS | MACHINES_NICS | MACHINES_MEMORY, TRANSFER_EAGER, false);
    go_over(&hockney_model, MACHINES_LEVELS | MACHINES_NICS | MACHINES_MEMORY, TRANSFER_EAGER_PORT, false);
}

static void test_measured(void)
{
    go_over(&measured_model, MACHINES_LEVELS | MACHINES_WORK, TRANSFER_MEASURED, false);
    go_over(&measured_model, MACHINES_LEVELS | MACHINES_WORK | MACHINES_NICS | MACHINES_MEMORY | MACHINES_PORTS,
            TRANSFER_MEASURED, false);
}

// A machine whose figures are not whole ns, with all that shared memory needs.
static Platform *fractions(void)
{
    static const PlatformKey keys[] = {KEY_ALPHA, KEY_BETA, KEY_GAMMA, KEY_WRITE, KEY_READ, KEY_LANES, KEY_FLAG};
    static const double figures[] = {1.01e-6, 0.0833e-9, 0.0417e-9, 0.31e-9, 0.27e-9, 3, 0.1003e-6};
    Platform *x = platform_new("fractions");
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        x->value[keys[i]] = figures[i];
        x->has[keys[i]] = TRUE;
    }
    return x;
}

// Times are rounded as starts and ends, and shared memory has a track a rank.
static void test_fractions(void)
{
    Platform *platform = fractions();
    int64_t n = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(all_p); k++)
        for (int i = only_first(); i < only_end(); i++) {
            const CollAlgorithm *a = algorithms[i];
            const int p = all_p[k], root = collectives[a->collective].rooted ? p - 1 : 0;
            const size_t m = a->collective == COLL_BARRIER ? 0 : 1001;
            for (int t = 0; t < (a->shared ? 1 : 3); t++) {
                Traced x = {
                    .model = a->shared ? &shared_model : &hockney_model, .platform = platform, .transfer = (Transfer)t};
                if (!set_operation(&x.op, a, p, root, m, NULL))
                    continue;
                x.what = name_of(&x, p);
                check(&x, false, a->shared);
                g_free(x.what);
                n++;
            }
        }
    platform_free(platform);
    only_visited(n);
}

// A machine of the LogP family whose figures are not whole ns, with levels.
static Platform *logp_machine(double S)
{
    static const PlatformKey keys[] = {KEY_L, KEY_O_CPU, KEY_G_GAP, KEY_GAMMA, KEY_G_BYTE, KEY_O_BYTE, KEY_S};
    const double figures[] = {1.013e-6, 0.3071e-6, 0.5003e-6, 0.0417e-9, 0.0833e-9, 0.0211e-9, S};
    Platform *x = platform_new("parts");
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        x->value[keys[i]] = figures[i];
        x->has[keys[i]] = TRUE;
    }
    return x;
}

// The LogP family: a CPU has o, a NIC g and G.
static void test_logp(void)
{
    const Model *const family[] = {&loggops_model, &loggp_model, &logp_model};
    Platform *machines[] = {logp_machine(INFINITY), logp_machine(16)};
    int64_t n = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(all_p); k++)
        for (int i = only_first(); i < only_end(); i++) {
            const CollAlgorithm *a = algorithms[i];
            const int p = all_p[k];
            const size_t m = a->collective == COLL_BARRIER ? 0 : 101;
            for (size_t j = 0; j < 4; j++) {
                Traced x = {.model = family[j % 3], .platform = machines[j == 3]};
                if (a->shared || !set_operation(&x.op, a, p, collectives[a->collective].rooted ? 1 : 0, m, NULL))
                    continue;
                x.what = name_of(&x, p);
                check(&x, false, j == 3);
                g_free(x.what);
                n++;
            }
        }
    platform_free(machines[0]);
    platform_free(machines[1]);
    only_visited(n);
}

// A trace that is cut keeps to the limit, uses most of it, and still has the whole path.
static void test_cut(void)
{
    const CollAlgorithm *a = NULL;
    for (int i = 0; i < n_algorithms; i++)
        if (algorithms[i]->collective == COLL_ALLREDUCE && strcmp(algorithms[i]->name, "ring") == 0)
            a = algorithms[i];
    Platform *platform = fractions();
    Traced x = {.model = &hockney_model, .platform = platform, .what = g_strdup("ring, cut")};
    g_assert_true(set_operation(&x.op, a, 8192, 0, 1 << 20, NULL));
    g_autoptr(Prediction) p = predict(&x, true, false);
    const LedgerWish wish = {.from = 0};
    g_autoptr(Trace) t = trace_new(p->ledger, p->time_s, NULL, &wish);
    g_autofree char *missing = trace_missing(t);
    g_assert_cmpuint(trace_events(t), <=, TRACE_EVENTS);
    g_assert_cmpuint(trace_events(t), >, TRACE_EVENTS / 2);
    g_assert_cmpint(t->n_ranks, ==, TRACE_RANKS);
    g_assert_nonnull(strstr(missing, "8128 of 8192 ranks, and what begins at "));
    check_tracks(&x, t, false);
    check_path(&x, t);
    g_free(x.what);
    platform_free(platform);
}

// Returns the number of slices of ranks that begin before a moment.
static GArray *before(const Trace *t, int64_t end)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(TraceSlice));
    for (guint i = 0; i + t->path_steps < t->slices->len; i++)
        if (traced_slice(t, i)->begin < end)
            g_array_append_val(all, *traced_slice(t, i));
    return all;
}

// Where the trace is of a part of all ranks, which the run itself keeps to, it is that of a few that stood for all.
static void test_part(void)
{
    const CollAlgorithm *a = NULL;
    for (int i = 0; i < n_algorithms; i++)
        if (algorithms[i]->collective == COLL_ALLREDUCE && strcmp(algorithms[i]->name, "ring") == 0)
            a = algorithms[i];
    GRand *random = g_rand_new_with_seed(19);
    DrawnMachine machine;
    machines_draw_measured(&machine, random, 320, 0, MACHINES_WORK);
    Platform *platform = fractions();
    for (int transfer = 0; transfer < 4; transfer++) {
        const bool measured = transfer == 3;
        Traced x = {.model = measured ? &measured_model : &hockney_model,
                    .platform = measured ? machine.platform : platform,
                    .transfer = measured ? TRANSFER_MEASURED : (Transfer)transfer};
        g_assert_true(set_operation(&x.op, a, 320, 0, 320 * 64, NULL));
        x.what = name_of(&x, 320);
        g_autoptr(Prediction) few = predict(&x, true, false), all = predict(&x, true, true);
        const LedgerWish wish = {.from = 0};
        g_autoptr(Trace) t = trace_new(few->ledger, few->time_s, NULL, &wish),
                         u = trace_new(all->ledger, all->time_s, NULL, &wish);
        g_assert_true(isinf(ledger_complete(few->ledger)) && ledger_has(few->ledger, 319));
        g_assert_false(ledger_has(all->ledger, 319));
        check_path(&x, u);
        check_tracks(&x, u, measured);
        check_counts(&x, u);
        const int64_t end = MIN(t->cut < 0 ? INT64_MAX : t->cut, u->cut < 0 ? INT64_MAX : u->cut);
        g_autoptr(GArray) ours = before(u, end), theirs = before(t, end);
        g_assert_cmpuint(ours->len, >, 50000);
        g_assert_cmpuint(ours->len, ==, theirs->len);
        for (guint i = 0; i < ours->len; i++) {
            TraceSlice b = g_array_index(theirs, TraceSlice, i);
            const TraceSlice *s = &g_array_index(ours, TraceSlice, i);
            b.flows = s->flows;
            b.came = s->track == TRACE_IN ? s->came : b.came; // it is set with the flows
            if (!same_slice(s, &b))
                g_error("%s: slice %u of rank %d, track %d: %" G_GINT64_FORMAT " .. %" G_GINT64_FORMAT
                        ", and of all ranks %" G_GINT64_FORMAT " .. %" G_GINT64_FORMAT,
                        x.what, i, b.rank, b.track, b.begin, b.end, s->begin, s->end);
        }
        g_free(x.what);
    }
    platform_free(platform);
    machines_clear(&machine);
    g_rand_free(random);
}

static void add(void)
{
    g_test_add_func("/trace/rendezvous", test_rendezvous);
    g_test_add_func("/trace/eager", test_eager);
    g_test_add_func("/trace/eager_port", test_eager_port);
    g_test_add_func("/trace/resources", test_resources);
    g_test_add_func("/trace/measured", test_measured);
    g_test_add_func("/trace/fractions", test_fractions);
    g_test_add_func("/trace/logp", test_logp);
    g_test_add_func("/trace/cut", test_cut);
    g_test_add_func("/trace/part", test_part);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
