#include "engine/replay/machine.h"
#include "engine/goal/goal.h"
#include "base/budget.h"
#include "engine/replay/flags.h"
#include "engine/replay/ledger_part.h"
#include "engine/replay/links.h"
#include <math.h>
#include <string.h>

// ---- Setting up, and the trace ------------------------------------------------------------------------------------

size_t machine_rank_bytes(void)
{
    const size_t ports = 2 * sizeof(Stamp), requests = 2 * sizeof(Req);
    return sizeof(Rank) + sizeof(int) + requests + ports;
}

size_t machine_request_bytes(void)
{
    return sizeof(Req);
}

size_t machine_trace_bytes(bool values, bool ledger)
{
    return sizeof(TraceStep) + (values ? sizeof(double) : 0) + (ledger ? sizeof(LedgerTime) : 0);
}

bool machine_trace_values(const Schedule *s, const Hockney *model, bool ledger)
{
    const Site *site = model->site;
    return ledger || (cost_is_measured(model) && (site->noise || prices_may_share(site, s) || site->links));
}

Index machine_grow(Machine *m)
{
    enum { LARGE = 1 << 20 }; // a smaller array need not ask what is left
    if (m->n_pool == m->max_pool) {
        // Messages that wait for their receives are not foreseen: how many there are depends on the order of ranks.
        const uint64_t more = (uint64_t)(m->max_pool / 2) * sizeof(Req);
        if (m->max_pool > INT32_MAX / 2 || (m->max_pool > LARGE && budget_left() < more))
            budget_exhausted(more);
        m->max_pool += m->max_pool / 2;
        m->pool = g_renew(Req, m->pool, m->max_pool);
    }
    return m->n_pool++;
}

// Returns an array of the entries of a trace, or of what goes with each of them. Entry 0 means none.
static GArray *entries_new(guint size)
{
    GArray *entries = g_array_new(FALSE, TRUE, size);
    g_array_set_size(entries, 1);
    return entries;
}

// Adds an entry that takes so long, and returns its number.
static uint32_t add_entry(Machine *m, TraceStep step, double value)
{
    g_array_append_val(m->trace, step);
    if (m->values)
        g_array_append_val(m->values, value);
    if (m->priced)
        g_array_set_size(m->priced, m->trace->len);
    if (m->noise)
        g_array_set_size(m->noise, m->trace->len);
    return m->trace->len - 1;
}

// Returns what the step of an entry takes; 0 if nobody wants to know.
static double value_at(const Machine *m, uint32_t node)
{
    return m->values ? g_array_index(m->values, double, node) : 0;
}

static void ledger_entry(Machine *m, uint32_t node, LedgerTime x)
{
    if (!m->times)
        return;
    if (m->times->len <= node)
        g_array_set_size(m->times, node + 1);
    g_array_index(m->times, LedgerTime, node) = x;
}

void machine_began(Machine *m, uint32_t node, double t)
{
    if (m->times)
        g_array_index(m->times, LedgerTime, node).begin = t;
}

void machine_met(Machine *m, uint32_t recv, uint32_t message)
{
    if (!m->times)
        return;
    while (message && g_array_index(m->trace, TraceStep, message).moves)
        message = g_array_index(m->trace, TraceStep, message).prev;
    if (!message)
        return;
    if (m->filter && (message == LEFT_OUT || recv == LEFT_OUT)) { // `met` is then what it is for a message of no entry
        filter_met(m, recv, message);
        return;
    }
    LedgerTime *all = &g_array_index(m->times, LedgerTime, 0);
    all[recv].met = message;
    const uint32_t of = all[message].of ? all[message].of : message;
    all[of].met = recv;
    if (m->filter)
        filter_met(m, recv, of);
}

bool machine_goes_on(Machine *m, int v)
{
    return filter_goes_on(m, v);
}

void machine_ended(Machine *m, int v)
{
    filter_ended(m, v);
}

uint32_t machine_trace(Machine *m, int v, bool receives)
{
    if (m->trace->len >= MAX_TRACE) { // finish_path() finds the trace full
        g_array_set_size(m->trace, MAX_TRACE);
        return 0;
    }
    if (G_UNLIKELY(m->filter) && !filter_keeps(m, v, receives))
        return LEFT_OUT;
    const Rank *r = &m->ranks[v];
    const TraceStep step = {.pc = r->pc, .round = r->round, .rank = (uint32_t)v, .receives = receives};
    const uint32_t node = add_entry(m, step, 0);
    ledger_entry(m, node, (LedgerTime){.issued = r->now.t, .begin = -1});
    return node;
}

uint32_t machine_trace_again(Machine *m, uint32_t node)
{
    if (node == 0 || m->trace->len >= MAX_TRACE)
        return 0;
    if (G_UNLIKELY(m->filter) && node == LEFT_OUT)
        return LEFT_OUT;
    const uint32_t again = add_entry(m, g_array_index(m->trace, TraceStep, node), value_at(m, node));
    ledger_entry(m, again, (LedgerTime){.begin = -1, .of = node});
    if (m->times && !g_array_index(m->times, LedgerTime, node).copy)
        g_array_index(m->times, LedgerTime, node).copy = again;
    return again;
}

uint32_t machine_trace_occupies(Machine *m, Stamp begin, uint32_t node, bool enters)
{
    TraceStep step = g_array_index(m->trace, TraceStep, node);
    if (m->trace->len >= MAX_TRACE) // then the path is too long to keep
        return begin.node;
    if (G_UNLIKELY(m->filter) && node == LEFT_OUT)
        return LEFT_OUT;
    step.occupies = true;
    step.enters = enters;
    step.prev = begin.node;
    const uint32_t entry = add_entry(m, step, value_at(m, node));
    ledger_entry(m, entry, (LedgerTime){.begin = begin.t, .of = node});
    if (m->times) {
        LedgerTime *const all = &g_array_index(m->times, LedgerTime, 0), *const of =
                                                                             &all[all[node].of ? all[node].of : node];
        *(enters ? &of->in : &of->first) = entry;
    }
    return entry;
}

Stamp machine_move(Machine *m, Stamp x, int peer)
{
    if (m->trace->len < MAX_TRACE && !(m->filter && x.node == LEFT_OUT)) {
        x.node = add_entry(m, (TraceStep){.prev = x.node, .rank = (uint32_t)peer, .moves = true}, 0);
    }
    return x;
}

// Returns v's clock at the start of the run.
static Stamp start_of(Machine *m, const GearInput *in, int v)
{
    const uint32_t rank = (uint32_t)rank_of(m->s, v);
    Stamp x = in->from ? in->from[rank] : (Stamp){.node = rank};
    if (!m->trace)
        return x;
    x.node = 0; // a chain needs no entry for a start at 0 s
    if (in->from) {
        x.node = add_entry(m, (TraceStep){.rank = rank, .begins = true}, 0);
    }
    return x;
}

void machine_init(Machine *m, const GearInput *in, bool ports)
{
    const int n = in->ranks;
    *m = (Machine){.s = in->s,
                   .model = in->model,
                   .free_req = -1,
                   .n = n,
                   .mirror = n < in->s->p,
                   .enough_s = in->s->graph ? INFINITY : in->enough_s};
    m->ranks = aligned_alloc(64, (size_t)n * sizeof *m->ranks);
    if (!m->ranks)
        budget_exhausted((uint64_t)n * sizeof *m->ranks);
    m->runnable = g_new(int, n);
    m->max_pool = 2 * n + 1024; // enough if operations are blocking: a sendrecv has two requests
    m->pool = g_new(Req, m->max_pool);
    if (ports) {
        m->out_free = g_new0(Stamp, n);
        m->in_free = g_new0(Stamp, n);
    }
    if (in->path) {
        m->trace = entries_new(sizeof(TraceStep));
        if (machine_trace_values(in->s, &in->model, in->ledger))
            m->values = entries_new(sizeof(double));
        if (in->model.site && in->model.site->links)
            m->priced = entries_new(sizeof(const LinkPrice *));
        if (in->model.site && in->model.site->noise)
            m->noise = entries_new(sizeof(uint64_t));
        if (in->ledger)
            m->times = g_array_new(FALSE, TRUE, sizeof(LedgerTime));
        ledger_entry(m, 0, (LedgerTime){0});
    }
    if (in->part) {
        add_entry(m, (TraceStep){0}, 0);
        ledger_entry(m, LEFT_OUT, (LedgerTime){.begin = -1});
        m->filter = filter_new(m, in->part, in->part_end);
    }
    if (in->s->mixed)
        m->flags = flags_new(n);
    for (int v = 0; v < n; v++)
        m->ranks[v] = (Rank){.now = start_of(m, in, v),
                             .newest = -1,
                             .near = -1,
                             .sends = {-1, -1},
                             .posted = {-1, -1},
                             .mail = {-1, -1},
                             .settled = -1};
}

// ---- The result -----------------------------------------------------------------------------------------------------

bool machine_passes(Machine *m)
{
    for (int v = 0; v < m->n && !m->beyond; v++)
        m->beyond = !machine_has_ended(m, v);
    if (!m->beyond)
        m->enough_s = INFINITY;
    return m->beyond;
}

PathStep machine_operation(const Schedule *s, const TraceStep *step, int v)
{
    const Class *k = class_of(s, v);
    const Op *op = &k->ops[step->pc];
    static const Stride none;
    const Stride *d = step->round ? &k->strides[step->pc] : &none;
    PathStep x = {.rank = rank_of(s, v), .peer = -1, .kind = op->kind, .phase = op->phase, .price = step->price};
    if (op_shares(op->kind)) {
        const bool own = op->kind != OP_READ && op->kind != OP_AWAIT;
        x.kind = step->receives ? (int)OP_READ : x.kind; // of the line of a flag that was up
        x.bytes = op->kind == OP_AWAIT || op->kind == OP_RAISE ? 0 : op->in.bytes;
        x.peer = own ? -1 : rank_of(s, peer_of(s, v, op->from, 0, 0));
        return x;
    }
    if (op_works(op->kind) || step->receives)
        x.bytes = length_of(s, v, op->in_cut, op->in, d->in, step->round);
    else
        x.bytes = length_of(s, v, op->out_cut, op->out, d->out, step->round);
    if (op_works(op->kind))
        return x;
    x.kind = step->receives ? OP_RECV : OP_SEND;
    if (s->graph && step->receives) { // it may be from any rank, and of another size than its message
        const GoalOp *send = goal_op(s->graph->goal, s->graph->met[s->graph->first[v] + step->pc]);
        x.peer = (int)send->host;
        x.bytes = send->size;
        return x;
    }
    x.peer = rank_of(s, step->receives ? op_peer(s, v, op, op->from, d->from, step->round)
                                       : op_peer(s, v, op, op->to, d->to, step->round));
    return x;
}

// Returns what a step of a path takes under measured.
static double measured_value(const Machine *m, const PathStep *x)
{
    Site *site = m->model.site;
    if (op_works(x->kind))
        return cost_own(&m->model, x->kind - OP_REDUCE, x->bytes);
    if (x->kind == PATH_NIC)
        return cost_nic(site, x->bytes);
    g_assert(x->price != PRICE_SHARE); // which is the sum of several
    const int level = site_level(site, v_of_rank(m->s, x->rank), v_of_rank(m->s, x->peer));
    return prices_value(site, prices_at(site, level, x->bytes), x->price);
}

PathStep machine_path_step(const Machine *m, const TraceStep *step, int v)
{
    const uint32_t entry = (uint32_t)(step - &g_array_index(m->trace, TraceStep, 0));
    PathStep x = machine_operation(m->s, step, v);
    x.value_s = value_at(m, entry);
    x.links = m->priced ? g_array_index(m->priced, const LinkPrice *, entry) : NULL;
    x.noise = m->noise ? g_array_index(m->noise, uint64_t, entry) : 0;
    if (op_shares(x.kind)) {
        const Op *op = &class_of(m->s, v)->ops[step->pc];
        const Site *site = m->model.site;
        x.paid = shared_paid(op, &site->shared, step->receives, shared_op_level(m->s, site, v, op));
    }
    if (step->occupies) {
        const CollNodes *nodes = m->model.site->map->nodes;
        x.kind = nodes->of[x.rank] == nodes->of[x.peer] ? PATH_MEMORY : PATH_NIC;
    }
    if (cost_is_measured(&m->model) && !m->values)
        x.value_s = measured_value(m, &x);
    return x;
}

// Returns the chain of operations that ends at `node` and determined v's clock. If ranks have different starts, *from
// becomes the rank with whose start the chain begins.
static GArray *path_to(const Machine *m, uint32_t node, int v, int *from)
{
    GArray *path = g_array_new(FALSE, FALSE, sizeof(PathStep));
    while (node) {
        const TraceStep *step = &g_array_index(m->trace, TraceStep, node);
        if (step->begins) {
            *from = (int)step->rank;
        } else if (step->moves) {
            v = peer_of(m->s, v, (int)step->rank, 0, 0);
        } else {
            const PathStep x = machine_path_step(m, step, m->mirror ? v : (int)step->rank);
            g_array_append_val(path, x);
        }
        node = step->prev;
    }
    path_in_order(path);
    return path;
}

static void machine_clear(Machine *m)
{
    if (m->trace)
        g_array_free(m->trace, TRUE);
    if (m->values)
        g_array_free(m->values, TRUE);
    if (m->times)
        g_array_free(m->times, TRUE);
    if (m->priced)
        g_array_free(m->priced, TRUE);
    if (m->noise)
        g_array_free(m->noise, TRUE);
    filter_free(m->filter);
    mailbox_free(m->mailbox);
    graph_free(m->graph);
    flags_free(m->flags);
    free(m->ranks);
    g_free(m->pool);
    g_free(m->runnable);
    g_free(m->out_free);
    g_free(m->in_free);
}

static void finish_path(const Machine *m, int v, Replay *r)
{
    const Stamp *now = &m->ranks[v % m->n].now;
    r->origin = m->trace ? 0 : (int)now->node;
    if (m->trace && m->trace->len < MAX_TRACE)
        r->path = path_to(m, now->node, v, &r->origin);
}

// Returns a result that has nothing but the ledger of a part; NULL if the run does not hold for it.
static Replay *finish_part(Machine *m, const GearInput *in)
{
    if (m->tie && !m->filter->enough)
        return NULL;
    filter_settle(m);
    Replay *r = g_new0(Replay, 1);
    r->stuck = g_array_new(FALSE, FALSE, sizeof(Stuck));
    r->ledger = in->ledger(m, 0);
    return r;
}

Replay *machine_finish(Machine *m, const GearInput *in)
{
    if (m->filter) {
        Replay *part = finish_part(m, in);
        machine_clear(m);
        return part;
    }
    if (m->beyond && !m->tie) {
        Replay *beyond = replay_beyond(m->n);
        machine_clear(m);
        return beyond;
    }
    GArray *stuck = m->tie ? NULL : machine_stuck(m); // after a tie the run was given up in the middle
    if (!stuck || (m->mirror && stuck->len > 0)) {
        if (stuck)
            g_array_free(stuck, TRUE);
        machine_clear(m);
        return NULL;
    }
    Replay *r = g_new0(Replay, 1);
    Stamp last = {.t = -1};
    int last_rank = 0;
    for (int rank = 0; rank < m->n; rank++) {
        const Stamp now = m->ranks[v_of_rank(m->s, rank) % m->n].now;
        if (now.t > last.t)
            last = now, last_rank = rank;
    }
    if (in->clocks)
        r->clocks = g_new(Stamp, m->s->p);
    for (int rank = 0; in->clocks && rank < m->s->p; rank++)
        r->clocks[rank] = m->ranks[v_of_rank(m->s, rank) % m->n].now;
    r->simulated = m->n;
    r->tally = last.n;
    r->clock_s = last.t;
    r->stuck = stuck;
    finish_path(m, v_of_rank(m->s, in->path_to ? in->path_to - 1 : last_rank), r);
    if (r->path && m->times && stuck->len == 0)
        r->ledger = in->ledger(m, v_of_rank(m->s, last_rank));
    machine_clear(m);
    return r;
}
