#include "search/search/relief.h"
#include "base/parallel.h"

enum { MOST_KEYS = 4 };

// Figures that change together, and how.
typedef struct Change {
    PlatformKey key[MOST_KEYS];
    int n;
    const char *factor;
} Change;

static void clear_relief(gpointer relief)
{
    g_free(((Relief *)relief)->change);
}

// One run with a change.
typedef struct ReliefRun {
    Operation op;
    PredictOptions options;
    Platform *platform;  // NULL for that of the request
    NetworkSpec network; // what options.network points to, if its figures change; nodes and hosts are borrowed
    Skew skew;           // likewise; its file is borrowed
    Relief result;
    bool ends; // it was not refused, and came to its end
} ReliefRun;

static void run_free(gpointer run)
{
    ReliefRun *x = run;
    platform_free(x->platform);
    topology_clear(&x->network.topology);
    g_free(x->result.change);
    g_free(x);
}

static void add_run(GPtrArray *runs, const Operation *op, const PredictOptions *options, Platform *platform,
                    char *change)
{
    ReliefRun *x = g_new0(ReliefRun, 1);
    x->op = *op;
    x->options = *options;
    x->options.why = x->options.clocks = false;
    x->options.ledger = NULL;
    x->platform = platform;
    x->result.change = change;
    g_ptr_array_add(runs, x);
}

static void add_change(GPtrArray *runs, const RequestMachine *machine, const Operation *op,
                       const PredictOptions *options, const Change *change)
{
    g_autoptr(Platform) platform = platform_copy(machine->platform);
    g_autoptr(GString) text = g_string_new(NULL);
    for (int i = 0; i < change->n; i++) {
        const PlatformKey key = change->key[i];
        const bool none = !platform->has[key] && !platform->by_level[key];
        if (none || !platform_set_figure(platform, key, NULL, change->factor, "what if", NULL))
            continue;
        g_string_append_printf(text, "%s%s=%s", text->len ? " " : "", platform_keys[key].name, change->factor);
    }
    if (text->len)
        add_run(runs, op, options, g_steal_pointer(&platform), g_strdup(text->str));
}

// Adds a run on a network whose links have rates or hops of so many times the speed.
static void add_faster(GPtrArray *runs, const Operation *op, const PredictOptions *options, double rates, double hops,
                       const char *change)
{
    add_run(runs, op, options, NULL, g_strdup(change));
    ReliefRun *x = g_ptr_array_index(runs, runs->len - 1);
    x->network = *options->network;
    x->network.topology = topology_copy(&options->network->topology);
    topology_speed_up(&x->network.topology, rates, hops);
    x->options.network = &x->network;
}

static void add_network(GPtrArray *runs, const Operation *op, const PredictOptions *options, const GArray *shares)
{
    bool paid[N_TERM_KINDS] = {false};
    for (guint i = 0; i < shares->len; i++)
        paid[g_array_index(shares, Share, i).term->kind] = true;
    if (paid[TERM_HOP])
        add_faster(runs, op, options, 1, 2, "hop=x0.5");
    if (paid[TERM_LINK])
        add_faster(runs, op, options, 2, 1, "rate=x2");
}

// Adds runs in which all ranks arrive at 0, and without noise, if the path pays for them.
static void add_undisturbed(GPtrArray *runs, const Operation *op, const PredictOptions *options, const GArray *shares)
{
    static const struct {
        TermKind kind;
        const char *change;
    } without[] = {{TERM_ARRIVAL, "arrival=0"}, {TERM_NOISE, "noise=0"}};
    for (guint i = 0; i < shares->len; i++)
        for (size_t k = 0; k < G_N_ELEMENTS(without); k++) {
            if (g_array_index(shares, Share, i).term->kind != without[k].kind)
                continue;
            add_run(runs, op, options, NULL, g_strdup(without[k].change));
            ReliefRun *x = g_ptr_array_index(runs, runs->len - 1);
            x->skew = *options->skew;
            x->options.skew = &x->skew;
            if (without[k].kind == TERM_ARRIVAL)
                x->skew.arrival = (Arrival){.kind = ARRIVAL_TOGETHER};
            else
                x->skew.noise = (NoiseSpec){.message.kind = NOISE_NONE};
        }
}

// Runs the operation. A run that is refused, or that does not end, has no result.
static gboolean run_one(gpointer job, gpointer user, GError **error G_GNUC_UNUSED)
{
    ReliefRun *x = job;
    const Request *r = user;
    const Platform *platform = x->platform ? x->platform : r->machine.platform;
    g_autoptr(Prediction) p = r->machine.model->predict(r->machine.model, &x->op, platform, &x->options, NULL);
    x->ends = p && p->stuck->len == 0;
    if (!x->ends)
        return TRUE;
    g_autoptr(GArray) shares = shares_of(p);
    double sum[N_RESOURCES];
    const TermResource limit = shares_by_resource(shares, sum);
    x->result.time_s = p->time_s;
    x->result.limit = limit;
    x->result.limit_share = p->time_s > 0 ? sum[limit] / p->time_s : 0;
    return TRUE;
}

// Runs all, and returns the results.
static GArray *run_all(const Request *r, const GPtrArray *runs)
{
    const ParallelWork work = {.run = run_one, .what = "changes", .user = (gpointer)r};
    GArray *reliefs = g_array_new(FALSE, FALSE, sizeof(Relief));
    g_array_set_clear_func(reliefs, clear_relief);
    parallel_run(runs, &work, NULL);
    for (guint i = 0; i < runs->len; i++) {
        ReliefRun *x = g_ptr_array_index(runs, i);
        if (!x->ends)
            continue;
        g_array_append_val(reliefs, x->result);
        x->result.change = NULL;
    }
    return reliefs;
}

// Returns true if a term pays one of the figures.
static bool pays(const GArray *shares, const Change *change)
{
    for (guint i = 0; i < shares->len; i++)
        for (int k = 0; k < change->n; k++)
            if (term_kinds[g_array_index(shares, Share, i).term->kind].key == change->key[k])
                return true;
    return false;
}

// Returns true if it makes sense to halve a figure alone: a time or a rate, and not a table of times or a share.
static bool stands_alone(PlatformKey key)
{
    const PlatformUnit unit = platform_keys[key].unit;
    return unit == PLATFORM_TIME || unit == PLATFORM_PER_BYTE || unit == PLATFORM_WORK;
}

// Adds a run for each figure that is paid and stands alone.
static void add_halves(GPtrArray *runs, const RequestMachine *machine, const Operation *op,
                       const PredictOptions *options, const GArray *shares)
{
    bool done[N_PLATFORM_KEYS] = {false};
    for (TermKind kind = 0; kind < N_TERM_KINDS; kind++) {
        const PlatformKey key = term_kinds[kind].key;
        if (key == N_PLATFORM_KEYS)
            continue;
        const bool instead =
            key == KEY_REDUCE && !machine->platform->has[key]; // gamma of [hockney] serves measured then
        const Change paid = {{key}, 1, NULL}, half = {{instead ? KEY_GAMMA : key}, 1, "x0.5"};
        if (!done[key] && stands_alone(key) && pays(shares, &paid))
            add_change(runs, machine, op, options, &half);
        done[key] = true;
    }
}

GArray *relief_of(const Request *r, const Operation *op, const PredictOptions *options, const ReliefNodes *fewer,
                  const Prediction *prediction)
{
    static const Change messages = {{KEY_ONE, KEY_STEP, KEY_GAP, KEY_TAKE}, 4, "x0.5"}, swap = {{KEY_SWAP}, 1, "1"},
                        nics = {{KEY_NIC_RATE, KEY_NIC_MESSAGES}, 2, "x2"};
    g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(run_free);
    g_autoptr(GArray) shares = shares_of(prediction);
    if (r->machine.model == &measured_model && prediction->totals.messages > 0)
        add_change(runs, &r->machine, op, options, &messages);
    add_halves(runs, &r->machine, op, options, shares);
    if (options->network)
        add_network(runs, op, options, shares);
    if (options->skew)
        add_undisturbed(runs, op, options, shares);
    if (pays(shares, &swap))
        add_change(runs, &r->machine, op, options, &swap);
    if (options->map && model_replays(r->machine.model) && (pays(shares, &nics) || options->map->nodes->n < op->c.p))
        add_change(runs, &r->machine, op, options, &nics);
    if (fewer->op.algorithm) {
        PredictOptions there = *options;
        there.map = request_mapping(&r->machine, op->c.p, fewer->per_node);
        add_run(runs, &fewer->op, &there, NULL,
                g_strdup_printf("%d rank%s per node", fewer->per_node, fewer->per_node == 1 ? "" : "s"));
    }
    return run_all(r, runs);
}
