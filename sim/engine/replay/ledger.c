#include "engine/replay/links.h"
#include "engine/replay/noise.h"
#include "engine/replay/ledger.h"
#include "engine/replay/ledger_part.h"
#include "engine/replay/machine.h"
#include <math.h>
#include <string.h>

// A step of the path of a machine: an entry of its trace, and the v whose operation that is.
typedef struct LedgerPath {
    uint32_t node;
    int32_t v;
    int32_t kind;
} LedgerPath;

struct Ledger {
    int p, n; // ranks, and those that stood for all
    double last;
    double *end;     // of each of the n, by v; of p ranks, by rank, if the steps are complete
    bool *has;       // by rank; NULL for all
    bool *wanted;    // by v of the n: it has entries of its own; NULL for all
    double until;    // operations that ranks come to at this moment or later may be missing
    uint32_t *first; // of each of the n, where its entries begin in `entry`; n + 1 of them
    uint32_t *entry; // numbers of entries, or of steps, of all the n in turn
    GArray *chain;   // of PathStep: the path, if the ledger is of a part of a run; otherwise NULL
    double chain_begin;
    double *start; // by rank: when it begins; NULL if all begin at 0
    GArray *path;  // of LedgerPath; of LedgerStep, if the steps are complete; NULL for none
    // Of a machine:
    const Schedule *s;
    Schedule *owned; // NULL if the schedule is not the ledger's
    Transfer transfer;
    GArray *trace, *values, *times;
    int nics;   // of a node
    int *local; // by v: its number within its node; NULL if ranks share nothing
    int *nodes; // by rank: its node; NULL if ranks share nothing
    // Otherwise, complete steps:
    GArray *steps;
};

// ---- Making a ledger ------------------------------------------------------------------------------------------------

// Sets ledger->first and ledger->entry: entries 0 .. n-1 by rank, in order; owner() is -1 for an entry that no rank
// has.
static void sort_entries(Ledger *ledger, guint n, int (*owner)(const Ledger *ledger, guint i))
{
    ledger->first = g_new0(uint32_t, ledger->n + 1);
    for (guint i = 0; i < n; i++) {
        const int v = owner(ledger, i);
        if (v >= 0)
            ledger->first[v + 1]++;
    }
    for (int v = 0; v < ledger->n; v++)
        ledger->first[v + 1] += ledger->first[v];
    ledger->entry = g_new(uint32_t, MAX(ledger->first[ledger->n], 1));
    g_autofree uint32_t *at = g_memdup2(ledger->first, ((gsize)ledger->n + 1) * sizeof *at);
    for (guint i = 0; i < n; i++) {
        const int v = owner(ledger, i);
        if (v >= 0)
            ledger->entry[at[v]++] = i;
    }
}

static int owner_of_entry(const Ledger *ledger, guint i)
{
    const TraceStep *x = &g_array_index(ledger->trace, TraceStep, i);
    const bool none = i == 0 || x->moves || x->begins || g_array_index(ledger->times, LedgerTime, i).of;
    return none || (ledger->wanted && (i == LEFT_OUT || !ledger->wanted[x->rank])) ? -1 : (int)x->rank;
}

static int owner_of_step(const Ledger *ledger, guint i)
{
    return g_array_index(ledger->steps, LedgerStep, i).rank;
}

// Returns what an entry pays under hockney, in s.
static double cost_of(const Machine *m, const TraceStep *step)
{
    const Site *site = m->model.site;
    const PathStep x = machine_path_step(m, step, (int)step->rank);
    const double noise = noise_s(x.noise);
    if (op_works(x.kind))
        return cost_own(&m->model, x.kind - OP_REDUCE, x.bytes);
    if (op_shares(x.kind))
        return shared_paid_time(&x.paid, site->shared_value);
    if (x.links && x.kind < PATH_NIC)
        return links_message(&m->model, (Stamp){0}, site_level(site, (int)step->rank, v_of_rank(m->s, x.peer)), x.bytes,
                             x.links, x.price)
                   .t +
               noise;
    const int level = site ? site_level(site, (int)step->rank, v_of_rank(m->s, x.peer)) : 0;
    return x.kind == PATH_NIC      ? cost_nic(site, x.bytes)
           : x.kind == PATH_MEMORY ? (double)cost_memory_bytes(site, x.bytes) * site->link[level].message.byte
                                   : cost_at(&m->model, level, x.bytes) + noise;
}

// Sets ledger->path to the chain that ends with the last entry of v.
static void find_path(Ledger *ledger, const Machine *m, int v)
{
    const Ledger *const x = ledger;
    ledger->path = g_array_new(FALSE, FALSE, sizeof(LedgerPath));
    for (uint32_t node = m->ranks[v % m->n].now.node; node;) {
        const TraceStep *step = &g_array_index(x->trace, TraceStep, node);
        if (step->moves) {
            v = peer_of(m->s, v, (int)step->rank, 0, 0);
        } else if (!step->begins) {
            const int who = m->mirror ? v : (int)step->rank;
            const LedgerPath one = {node, who, machine_path_step(m, step, who).kind};
            g_array_append_val(ledger->path, one);
        }
        node = step->prev;
    }
    for (guint i = 0, j = ledger->path->len; i < j--; i++) {
        LedgerPath *a = &g_array_index(ledger->path, LedgerPath, i), *b = &g_array_index(ledger->path, LedgerPath, j),
                   t = *a;
        *a = *b;
        *b = t;
    }
}

Ledger *ledger_of_machine(Machine *m, int last)
{
    Ledger *ledger = g_new0(Ledger, 1);
    ledger->p = m->s->p;
    ledger->n = m->n;
    ledger->s = m->s;
    ledger->transfer = m->model.transfer;
    ledger->trace = m->trace;
    ledger->values = m->values;
    ledger->times = m->times;
    g_array_set_size(ledger->times, ledger->trace->len);
    for (guint i = m->filter ? LEFT_OUT + 1 : 1; i < ledger->trace->len && !cost_is_measured(&m->model); i++) {
        const TraceStep *x = &g_array_index(m->trace, TraceStep, i);
        if (!x->moves && !x->begins)
            g_array_index(m->values, double, i) = cost_of(m, x);
    }
    ledger->end = g_new(double, m->n);
    for (int v = 0; v < m->n; v++)
        ledger->end[v] = m->ranks[v].now.t;
    ledger->last = ledger->end[last % m->n];
    ledger->until = INFINITY;
    if (m->model.site && site_shares(m->model.site)) {
        ledger->nics = (int)m->model.site->nics;
        ledger->local = g_memdup2(m->model.site->local, (gsize)ledger->p * sizeof *ledger->local);
        ledger->nodes = g_memdup2(m->model.site->map->nodes->of, (gsize)ledger->p * sizeof *ledger->nodes);
    }
    if (m->filter) {
        ledger->has = g_steal_pointer(&m->filter->has);
        ledger->wanted = g_steal_pointer(&m->filter->wanted);
        ledger->until = m->filter->until;
        for (int v = 0; v < m->n; v++)
            ledger->end[v] = m->filter->after[v] >= 0 ? m->filter->after[v] : ledger->end[v];
    } else {
        find_path(ledger, m, last);
    }
    m->trace = m->values = m->times = NULL; // the ledger has them now
    sort_entries(ledger, ledger->trace->len, owner_of_entry);
    return ledger;
}

Ledger *ledger_of_steps(int p, GArray *steps, const double *ends, GArray *path, bool *has, double until)
{
    Ledger *ledger = g_new0(Ledger, 1);
    ledger->p = ledger->n = p;
    ledger->steps = steps;
    ledger->path = path;
    ledger->has = has;
    ledger->until = until;
    ledger->end = g_memdup2(ends, (gsize)p * sizeof *ends);
    for (int rank = 0; rank < p; rank++)
        ledger->last = MAX(ledger->last, ends[rank]);
    sort_entries(ledger, steps->len, owner_of_step);
    return ledger;
}

void ledger_start(Ledger *ledger, const double *start)
{
    ledger->start = g_memdup2(start, (gsize)ledger->p * sizeof *start);
}

double ledger_start_of(const Ledger *ledger, int rank)
{
    return ledger->start ? ledger->start[rank] : 0;
}

void ledger_take_path(Ledger *ledger, GArray *path, double begin, double end)
{
    ledger->chain = path;
    ledger->chain_begin = begin;
    ledger->last = end;
}

void ledger_in_order(GArray *path)
{
    for (guint i = 0, j = path->len; i < j--; i++) {
        LedgerStep *a = &g_array_index(path, LedgerStep, i), *b = &g_array_index(path, LedgerStep, j), t = *a;
        *a = *b;
        *b = t;
    }
}

bool *ledger_wanted(const LedgerWish *wish, int p, uint64_t operations)
{
    if (!wish->ranks && (operations <= LEDGER_OPERATIONS || p <= LEDGER_RANKS))
        return NULL;
    bool *has = g_new0(bool, p);
    for (guint i = 0; wish->ranks && i < wish->ranks->len; i++)
        has[g_array_index(wish->ranks, int, i)] = true;
    for (int rank = 0; !wish->ranks && rank < LEDGER_RANKS; rank++)
        has[rank] = true;
    return has;
}

static int by_time(gconstpointer a, gconstpointer b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ledger_until(GArray *issued, guint enough)
{
    if (issued->len <= enough)
        return INFINITY;
    g_array_sort(issued, by_time);
    return nextafter(g_array_index(issued, double, enough), INFINITY);
}

void ledger_keep(Ledger *ledger, Schedule *s)
{
    ledger->owned = s;
}

void ledger_free(Ledger *ledger)
{
    if (!ledger)
        return;
    schedule_free(ledger->owned);
    for (int i = 0; i < 6; i++) {
        GArray *const all[] = {ledger->chain,  ledger->path,  ledger->trace,
                               ledger->values, ledger->times, ledger->steps};
        if (all[i])
            g_array_free(all[i], TRUE);
    }
    g_free(ledger->end);
    g_free(ledger->start);
    g_free(ledger->has);
    g_free(ledger->wanted);
    g_free(ledger->local);
    g_free(ledger->nodes);
    g_free(ledger->first);
    g_free(ledger->entry);
    g_free(ledger);
}

// ---- Reading it -----------------------------------------------------------------------------------------------------

int ledger_ranks(const Ledger *ledger)
{
    return ledger->p;
}

bool ledger_has(const Ledger *ledger, int rank)
{
    return !ledger->has || ledger->has[rank];
}

double ledger_complete(const Ledger *ledger)
{
    return ledger->until;
}

double ledger_end(const Ledger *ledger)
{
    return ledger->last;
}

// Returns the number, among the ranks that stood for all, of the one that stood for this rank.
static int place_of_rank(const Ledger *ledger, int rank)
{
    return ledger->steps ? rank : v_of_rank(ledger->s, rank) % ledger->n;
}

double ledger_end_of(const Ledger *ledger, int rank)
{
    return ledger->end[place_of_rank(ledger, rank)];
}

guint ledger_count(const Ledger *ledger, int rank)
{
    const int v = place_of_rank(ledger, rank);
    return ledger->first[v + 1] - ledger->first[v];
}

static const LedgerTime *time_at(const Ledger *ledger, uint32_t node)
{
    return &g_array_index(ledger->times, LedgerTime, node);
}

double ledger_issued(const Ledger *ledger, int rank, guint i)
{
    const uint32_t node = ledger->entry[ledger->first[place_of_rank(ledger, rank)] + i];
    return ledger->steps ? g_array_index(ledger->steps, LedgerStep, node).issued : time_at(ledger, node)->issued;
}

static double end_of(const Ledger *ledger, uint32_t node)
{
    return time_at(ledger, node)->begin + g_array_index(ledger->values, double, node);
}

// Sets when the message of a receive has the in-port.
static void set_in_port(const Ledger *ledger, LedgerStep *x, uint32_t node)
{
    const LedgerTime *t = time_at(ledger, node);
    const uint32_t came = t->met;
    const bool measured = ledger->transfer == TRANSFER_MEASURED;
    x->takes = x->left = -1;
    uint32_t by = came; // the step for which the message has the port
    bool takes = ledger->transfer == TRANSFER_EAGER_PORT;
    if (measured && t->copy) { // a rendezvous: it has the port for the gap
        by = t->copy;
        takes = true;
    } else if (ledger->transfer == TRANSFER_RENDEZVOUS) {
        by = node;
        takes = true;
    } else if (measured && came) {
        const uint32_t price = g_array_index(ledger->trace, TraceStep, came).price;
        takes = price == PRICE_GAP || price == PRICE_TAKE;
    }
    if (!by || time_at(ledger, by)->begin < 0)
        return;
    x->left = end_of(ledger, by);
    x->takes = takes ? time_at(ledger, by)->begin : x->left;
}

// Returns the operation of an entry of a message.
static uint32_t message_of(const Ledger *ledger, uint32_t entry)
{
    const uint32_t of = time_at(ledger, entry)->of;
    return of ? of : entry;
}

// Returns when the message of this send is at its receiver.
static double arrival_of(const Ledger *ledger, uint32_t node)
{
    const LedgerTime *t = time_at(ledger, node);
    const bool met = t->met && time_at(ledger, t->met)->begin >= 0;
    return end_of(ledger, t->copy ? t->copy : met ? t->met : node);
}

// Returns an entry as v does it.
static LedgerStep step_of(const Ledger *ledger, uint32_t node, int v)
{
    const TraceStep *step = &g_array_index(ledger->trace, TraceStep, node);
    const LedgerTime *t = time_at(ledger, node);
    const PathStep x = machine_operation(ledger->s, step, v);
    const bool calc = ledger->s->graph && x.kind == OP_REDUCE;
    return (LedgerStep){.kind = calc ? PATH_CALC : x.kind,
                        .op = class_of(ledger->s, v)->ops[step->pc].kind,
                        .rank = x.rank,
                        .peer = x.peer,
                        .bytes = calc ? 0 : x.bytes,
                        .phase = phases_name(&ledger->s->phases, x.phase),
                        .issued = t->issued,
                        .begin = t->begin,
                        .end = end_of(ledger, node),
                        .takes = -1,
                        .left = -1};
}

// Sets what the message of an operation occupies at its own node: `entry` is the one for which it does, 0 for none.
static void set_resource(const Ledger *ledger, LedgerStep *x, uint32_t entry, LedgerResource resource)
{
    if (!entry)
        return;
    x->busy = time_at(ledger, entry)->begin;
    x->idle = end_of(ledger, entry);
    x->resource = resource;
    if (ledger->nics && resource != LEDGER_MEMORY)
        x->nic = (uint8_t)(ledger->local[v_of_rank(ledger->s, x->rank)] % ledger->nics);
}

// Returns whether the message of an operation stays in its node.
static bool stays(const Ledger *ledger, const LedgerStep *x)
{
    return ledger->nodes && ledger->nodes[x->rank] == ledger->nodes[x->peer];
}

LedgerStep ledger_step(const Ledger *ledger, int rank, guint i)
{
    const int place = place_of_rank(ledger, rank);
    const uint32_t at = ledger->first[place] + i, node = ledger->entry[at];
    if (ledger->steps)
        return g_array_index(ledger->steps, LedgerStep, node);
    LedgerStep x = step_of(ledger, node, v_of_rank(ledger->s, rank));
    if (ledger->s->graph)
        x.next = x.issued; // what a rank of a graph does next need not wait for this
    else
        x.next =
            at + 1 < ledger->first[place + 1] ? time_at(ledger, ledger->entry[at + 1])->issued : ledger->end[place];
    if (x.kind == OP_RECV) {
        set_in_port(ledger, &x, node);
        const uint32_t came = time_at(ledger, node)->met, own = time_at(ledger, node)->in;
        set_resource(ledger, &x, own || !came ? own : time_at(ledger, message_of(ledger, came))->in, LEDGER_NIC_IN);
        if (came)
            x.message = (uint64_t)message_of(ledger, came) * (uint64_t)ledger->p + (uint64_t)x.peer;
    } else if (x.kind == OP_SEND) {
        x.takes = x.begin;
        x.left = x.end;
        x.came = arrival_of(ledger, node);
        set_resource(ledger, &x, time_at(ledger, node)->first, stays(ledger, &x) ? LEDGER_MEMORY : LEDGER_NIC_OUT);
        x.message = (uint64_t)node * (uint64_t)ledger->p + (uint64_t)rank;
    }
    return x;
}

guint ledger_path_length(const Ledger *ledger)
{
    return ledger->chain ? ledger->chain->len : ledger->path ? ledger->path->len : 0;
}

const char *ledger_no_path(const Ledger *ledger)
{
    return ledger->steps ? "a critical path, because messages of 0 bytes set clocks back"
                         : "the critical path, because the run has too many operations to keep one";
}

LedgerStep ledger_path_step(const Ledger *ledger, guint i)
{
    if (ledger->chain) {
        const PathStep *x = &g_array_index(ledger->chain, PathStep, i);
        return (LedgerStep){.kind = x->kind,
                            .op = x->kind,
                            .rank = x->rank,
                            .peer = x->peer,
                            .bytes = x->bytes,
                            .begin = i > 0 ? x[-1].end_s : ledger->chain_begin,
                            .end = x->end_s};
    }
    if (ledger->steps)
        return g_array_index(ledger->path, LedgerStep, i);
    const LedgerPath *one = &g_array_index(ledger->path, LedgerPath, i);
    LedgerStep x = step_of(ledger, one->node, one->v);
    x.kind = x.kind == PATH_CALC ? PATH_CALC : one->kind;
    return x;
}
