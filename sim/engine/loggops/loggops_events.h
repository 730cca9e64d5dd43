// The event loop. It is private to loggops_run.c and loggops_ticks.c, which each compile it for their own clocks. It is
// LogGOPSim's loop with one shortcut that does not change any result: of the events that wait for the same CPU and NIC,
// only the oldest is in the queue. Otherwise n messages that meet at one receiver would cost n^2 events.
#pragma once
#include "engine/loggops/loggops_cost.h"
#include "engine/goal/goal_match.h"
#include "engine/loggops/loggops_few.h"
#include "engine/loggops/loggops_places.h"
#include "engine/loggops/loggops_queue.h"

// ---- The state of a run ----

// LoggopsEvent.what is op * 4 plus these flags: MESSAGE if a send's message arrives (otherwise the operation starts),
// and LEADS if the event is the leader of Waiters.
enum { MESSAGE = 1, LEADS = 2 };

// When a CPU or a direction of a NIC is next free, and the step that set this time: op * 8 + LoggopsStepKind, or
// NOTHING at time 0.
typedef struct Clock {
    LoggopsTime t;
    uint32_t by;
} Clock;

// The events that wait for the same clocks. The one with the smallest seq, the leader, is in the queue; there the
// others would only be put back each time the leader is. Nearly all begin to wait in the order of seq: these are in a
// line, and the rest is in a heap.
typedef struct Waiters {
    uint32_t leader; // its operation, or NOTHING
    uint32_t heap;   // line_heap_join()
    GoalLine line;
#ifdef LOGGOPS_TICKS
    LoggopsTime until; // the time of the leader's event in the queue
#endif
} Waiters;

static inline void waits_until(Waiters *waiters, LoggopsTime t)
{
#ifdef LOGGOPS_TICKS
    waiters->until = t;
#else
    (void)waiters;
    (void)t;
#endif
}

// Returns TRUE if an event at time t comes before the leader's. Only clocks that wrap can go back while events wait.
static inline gboolean goes_before(const Waiters *waiters, LoggopsTime t)
{
#ifdef LOGGOPS_TICKS
    return waiters->leader != NOTHING && t < waiters->until;
#else
    (void)waiters;
    (void)t;
    return FALSE;
#endif
}

typedef struct Ready {
    uint32_t *op;
    size_t n, room;
} Ready;

typedef struct LoggopsRun {
    const GoalOp *ops;
    LoggopsCosts costs;
    uint32_t n_hosts, n_ops;
    LoggopsPlaces places;
    Clock *cpu, *snd, *rcv;       // per CPU, and per NIC
    Clock *other_cpu;             // per host, see free_sender(); NULL if all CPUs and NICs are 0
    Waiters *waiters;             // by place, then by Role
    GoalMatch match;              // posted receives and arrived messages that are not matched
    GoalDependents done, started; // the operations that wait for each to be done, and to have started
    uint32_t *open; // per operation, the dependencies that are not yet fulfilled; see was_ready() for those below 0
    Chain chain;
    uint32_t *start_by; // per operation, what set the time of its start, as Clock.by
    uint32_t *take_by;  // per send, what set the time at which its message was taken; per receive, the send that it met
    double *start, *take; // per operation, when it started; per send, when its message was taken; NULL unless asked for
    Ready ready[2];       // operations that became ready at the event's host, and at one other host
    uint32_t host;        // the event's host
    uint32_t next_seq;
    LoggopsQueue queue;
    LoggopsUnequal unequal;
    FewHosts few;
} LoggopsRun;

typedef enum { STARTS_SEND, TAKES_MESSAGE, STARTS_CALC, ROLES } Role;

// The clocks that an event waits for, and the events that wait for the same clocks.
typedef struct Resources {
    Clock *cpu, *port; // port is a direction of the NIC, or the CPU again if the event needs no NIC
    Waiters *waiters;
} Resources;

static Resources resources(const LoggopsRun *run, uint32_t place, Role role)
{
    const uint32_t nic = places_nic(&run->places, place);
    Clock *cpu = &run->cpu[places_cpu(&run->places, place)];
    Clock *port = role == STARTS_SEND ? &run->snd[nic] : role == TAKES_MESSAGE ? &run->rcv[nic] : cpu;
    return (Resources){cpu, port, &run->waiters[(size_t)place * ROLES + role]};
}

// Returns a clock that was set by a step which began at t.
static inline Clock set_by(const LoggopsRun *run, uint32_t op, LoggopsStepKind kind, LoggopsTime t)
{
    return (Clock){loggops_charge(&run->costs, kind, &run->ops[op], t), op * 8 + kind};
}

// ---- Readiness ----

static void add_ready(Ready *ready, uint32_t op)
{
    if (ready->n == ready->room) {
        ready->room = MAX(2 * ready->room, 64);
        ready->op = g_renew(uint32_t, ready->op, ready->room);
    }
    ready->op[ready->n++] = op;
}

// Fulfils the dependencies on `op` in `waiting`, and collects the operations that become ready by that: in ready[0] if
// they are at the event's host.
static void fulfil(LoggopsRun *run, const GoalDependents *waiting, uint32_t op, Ready *ready)
{
    if (!waiting->first)
        return;
    for (uint32_t i = waiting->first[op]; i < waiting->first[op + 1]; i++)
        if (--run->open[waiting->op[i]] == 0)
            add_ready(ready, waiting->op[i]);
}

// Returns TRUE if all dependencies of the operation were fulfilled at some time. The count is then 0, or below 0
// (modulo 2^32) if a send on which it depends was done twice (see start_recv).
static gboolean was_ready(const LoggopsRun *run, uint32_t op)
{
    return (int32_t)run->open[op] <= 0;
}

// Queues the operations that are ready at one host: first sends, then receives, then calcs, each in the order in which
// they became ready. Their time is taken from the host's clocks, and may be before the current event's if the host has
// several CPUs. `from` is how far the event's host is from theirs, if few hosts stand for all.
static void release(LoggopsRun *run, Ready *ready, uint32_t from)
{
    for (GoalKind kind = GOAL_SEND; kind <= GOAL_CALC && ready->n > 0; kind++)
        for (size_t i = 0; i < ready->n; i++) {
            const uint32_t op = ready->op[i];
            const GoalOp *o = &run->ops[op];
            if (o->kind != kind)
                continue;
            const Resources at =
                resources(run, places_of_op(&run->places, op, o), kind == GOAL_SEND ? STARTS_SEND : STARTS_CALC);
            if (G_UNLIKELY(run->few.p))
                few_bear(&run->few, op, from);
            run->start_by[op] = at.cpu->by; // final for a receive, which starts now; the others set it when they start
            queue_push(&run->queue, (LoggopsEvent){MAX(at.cpu->t, at.port->t), run->next_seq++, op * 4});
        }
    ready->n = 0;
}

// ---- The events ----

static void add_waiter(LoggopsRun *run, Waiters *waiters, uint32_t op)
{
    Chain *chain = &run->chain;
    if (waiters->line.head == NOTHING || chain->seq[waiters->line.tail] < chain->seq[op]) {
        line_append(chain, &waiters->line, op);
        return;
    }
    if (!chain->right)
        chain->right = g_new(uint32_t, run->n_ops);
    chain->next[op] = chain->right[op] = NOTHING;
    waiters->heap = line_heap_join(chain, waiters->heap, op);
}

// Removes the waiting event with the smallest seq and returns its operation, or NOTHING if none waits.
static uint32_t take_waiter(const LoggopsRun *run, Waiters *waiters)
{
    const Chain *chain = &run->chain;
    const uint32_t first = waiters->line.head, root = waiters->heap;
    if (root != NOTHING && (first == NOTHING || chain->seq[root] < chain->seq[first])) {
        waiters->heap = line_heap_join(chain, chain->next[root], chain->right[root]);
        return root;
    }
    if (first != NOTHING)
        waiters->line.head = chain->next[first];
    return first;
}

// Lets an event wait until time t, with the seq that it has: in the queue, or behind the older event that already waits
// for the same clocks.
static void put_back(LoggopsRun *run, Waiters *waiters, LoggopsEvent e, LoggopsTime t)
{
    const uint32_t op = e.what / 4;
    run->chain.seq[op] = e.seq;
    if (G_UNLIKELY(run->few.p) && waiters->leader != NOTHING && waiters->leader != op)
        few_compare(&run->few, run->few.birth[op], run->few.birth[waiters->leader]);
    if (goes_before(waiters, t)) {
        queue_push(&run->queue, (LoggopsEvent){t, e.seq, e.what & ~LEADS});
    } else if (waiters->leader == NOTHING || e.seq <= run->chain.seq[waiters->leader]) {
        waiters->leader = op; // an older leader, if any, stays in the queue and comes back here in its turn
        waits_until(waiters, t);
        queue_push(&run->queue, (LoggopsEvent){t, e.seq, e.what | LEADS});
    } else {
        add_waiter(run, waiters, op);
    }
}

// After the leader has started: lets the oldest event that waits behind it enter the queue. Its time is not before now,
// even if a clock that wraps has gone back.
static void pass_lead(LoggopsRun *run, const Resources *at, LoggopsEvent e)
{
    Waiters *waiters = at->waiters;
    if (waiters->leader != e.what / 4)
        return;
    const uint32_t op = take_waiter(run, waiters);
    waiters->leader = op;
    if (op == NOTHING)
        return;
    if (G_UNLIKELY(run->few.p))
        few_compare(&run->few, run->few.now.birth, run->few.birth[op]);
    const LoggopsEvent successor = {MAX(MAX(at->cpu->t, at->port->t), e.t), run->chain.seq[op], op * 4 + (e.what & 3)};
    waits_until(waiters, successor.t);
    queue_push(&run->queue, successor);
}

// Sets a clock to t if that is later.
static void raise_to(Clock *clock, LoggopsTime t, uint32_t by)
{
    if (t > clock->t)
        *clock = (Clock){t, by};
}

// Ends a send at time t, which the step `by` determined. Its host's CPU and NIC with the numbers of `named`, which is
// the send or its receive, are not free before. If the host does not use such a CPU, nothing waits for it, but the host
// does not end before its clock; one clock stands for all of these.
static void free_sender(LoggopsRun *run, uint32_t send, const GoalOp *named, LoggopsTime t, uint32_t by)
{
    const uint32_t host = run->ops[send].host;
    gboolean elsewhere = host != run->host;
    if (G_UNLIKELY(run->few.p))
        elsewhere = few_free(&run->few, &run->ops[send]);
    const uint32_t cpu = places_find_cpu(&run->places, host, named->cpu);
    const uint32_t nic = places_find_nic(&run->places, host, named->nic);
    fulfil(run, &run->done, send, &run->ready[elsewhere]);
    raise_to(cpu == GOAL_NO_NUMBER ? &run->other_cpu[host] : &run->cpu[cpu], t, by);
    if (nic != GOAL_NO_NUMBER)
        raise_to(&run->snd[nic], t, by);
}

static inline gboolean is_rendezvous(const LoggopsRun *run, uint32_t op)
{
    return (LoggopsTime)run->ops[op].size > run->costs.S;
}

// Notes a time of an operation, if times are asked for. Clocks of ticks may be below 0.
static inline void keep_time(double *times, uint32_t op, LoggopsTime t)
{
    if (G_UNLIKELY(times))
#ifdef LOGGOPS_TICKS
        times[op] = (double)(int64_t)t;
#else
        times[op] = t;
#endif
}

static void start_calc(LoggopsRun *run, uint32_t op, const Resources *at, LoggopsTime t)
{
    run->start_by[op] = at->cpu->by;
    keep_time(run->start, op, t);
    *at->cpu = set_by(run, op, LOGGOPS_CALC, t);
    fulfil(run, &run->started, op, &run->ready[0]);
    fulfil(run, &run->done, op, &run->ready[0]);
}

static void start_send(LoggopsRun *run, uint32_t op, const Resources *at, LoggopsTime t)
{
    run->start_by[op] = at->cpu->t >= at->port->t ? at->cpu->by : at->port->by;
    keep_time(run->start, op, t);
    fulfil(run, &run->started, op, &run->ready[0]);
    *at->cpu = set_by(run, op, LOGGOPS_SEND, t);
    *at->port = set_by(run, op, LOGGOPS_SEND_GAP, t);
    const LoggopsTime arrival = loggops_charge(&run->costs, LOGGOPS_FLIGHT, &run->ops[op], t);
    if (G_UNLIKELY(run->few.p))
        few_bear(&run->few, op, few_opposite(&run->few, run->ops[op].tag));
    queue_push(&run->queue, (LoggopsEvent){arrival, run->next_seq++, op * 4 + MESSAGE});
    if (!is_rendezvous(run, op))
        fulfil(run, &run->done, op, &run->ready[0]);
}

static void note_match(LoggopsRun *run, uint32_t send, uint32_t recv)
{
    run->take_by[recv] = send;
    if (run->ops[send].size == run->ops[recv].size)
        return;
    if (run->unequal.n < LOGGOPS_UNEQUAL_KEPT)
        run->unequal.first[run->unequal.n] = (LoggopsPair){send, recv};
    run->unequal.n++;
}

static void take_message(LoggopsRun *run, uint32_t op, const Resources *at, LoggopsTime t)
{
    const GoalOp *send = &run->ops[op];
    run->take_by[op] = at->cpu->t >= t ? at->cpu->by : at->port->t >= t ? at->port->by : op * 8 + LOGGOPS_FLIGHT;
    keep_time(run->take, op, t);
    *at->cpu = set_by(run, op, LOGGOPS_TAKE, t);
    *at->port = set_by(run, op, LOGGOPS_TAKE_GAP, t);
    const uint32_t recv = match_meet(&run->match, op);
    if (recv == NOTHING)
        return;
    note_match(run, op, recv);
    if (is_rendezvous(run, op))
        free_sender(run, op, send, t, op * 8 + LOGGOPS_ANSWER);
    fulfil(run, &run->done, recv, &run->ready[0]);
}

static void start_recv(LoggopsRun *run, uint32_t op, LoggopsTime t)
{
    const GoalOp *recv = &run->ops[op];
    keep_time(run->start, op, t);
    fulfil(run, &run->started, op, &run->ready[0]);
    const uint32_t send = match_meet(&run->match, op);
    if (send == NOTHING)
        return;
    note_match(run, send, op);
    // As in LogGOPSim, the size of the receive decides. If the two sizes differ, an eager send may be done a second
    // time here, and a rendezvous send may never be done.
    if (is_rendezvous(run, op))
        free_sender(run, send, recv, t, op * 8 + LOGGOPS_LATE_ANSWER);
    fulfil(run, &run->done, op, &run->ready[0]);
}

// Handles the event: starts its operation, or takes its message. If the CPU or the NIC that it needs is busy, the event
// waits instead.
static void handle(LoggopsRun *run, LoggopsEvent e)
{
    const uint32_t op = e.what / 4;
    const GoalOp *o = &run->ops[op];
    const gboolean is_message = (e.what & MESSAGE) != 0;
    run->host = is_message ? o->peer : o->host;
    if (G_UNLIKELY(run->few.p))
        few_begin(&run->few, run->host, op, e.t);
    if (o->kind == GOAL_RECV) {
        start_recv(run, op, e.t);
        return;
    }
    const Role role = is_message ? TAKES_MESSAGE : o->kind == GOAL_SEND ? STARTS_SEND : STARTS_CALC;
    const uint32_t place = is_message ? places_of_message(&run->places, op, o) : places_of_op(&run->places, op, o);
    const Resources at = resources(run, place, role);
    const LoggopsTime free_at = MAX(at.cpu->t, at.port->t);
    if (free_at > e.t) {
        put_back(run, at.waiters, e, free_at);
        return;
    }
    if (is_message)
        take_message(run, op, &at, e.t);
    else if (o->kind == GOAL_SEND)
        start_send(run, op, &at, e.t);
    else
        start_calc(run, op, &at, e.t);
    if (e.what & LEADS)
        pass_lead(run, &at, e);
}

// ---- The run as a whole ----

static Clock *loggops_clocks_new(size_t n)
{
    Clock *clocks = g_new(Clock, n);
    for (size_t i = 0; i < n; i++)
        clocks[i] = (Clock){0, NOTHING};
    return clocks;
}

static void run_init(LoggopsRun *run, const Goal *goal, const LoggopsCosts *costs, const LoggopsFew *few)
{
    const uint32_t n_ops = goal_n_ops(goal);
    const size_t n_hosts = goal_n_hosts(goal);
    LoggopsPlaces places;
    loggops_places_init(&places, goal);
    *run = (LoggopsRun){.ops = n_ops > 0 ? goal_op(goal, 0) : NULL,
                        .costs = *costs,
                        .n_hosts = n_hosts,
                        .n_ops = n_ops,
                        .places = places,
                        .cpu = loggops_clocks_new(places.n_cpus),
                        .snd = loggops_clocks_new(places.n_nics),
                        .rcv = loggops_clocks_new(places.n_nics),
                        .other_cpu = places.host ? loggops_clocks_new(n_hosts) : NULL,
                        .waiters = g_new(Waiters, (size_t)places.n * ROLES),
                        .open = g_new0(uint32_t, n_ops),
                        .start_by = g_new(uint32_t, n_ops),
                        .take_by = g_new(uint32_t, n_ops)};
    run->chain = (Chain){.next = g_new(uint32_t, n_ops), .seq = g_new(uint32_t, n_ops)};
    goal_match_init(&run->match, goal, &run->chain);
    memset(run->waiters, 0xff, (size_t)places.n * ROLES * sizeof(Waiters)); // NOTHING
    run->done = goal_required(goal, run->open);
    run->started = goal_irequired(goal, run->open);
    few_init(&run->few, few, n_ops, run->n_hosts);
}

// Makes the run keep the times of its operations.
static void run_keep_times(LoggopsRun *run)
{
    run->start = g_new0(double, run->n_ops);
    run->take = g_new0(double, run->n_ops);
}

// Frees everything but start_by, take_by, start and take, which the result may keep.
static void run_clear(LoggopsRun *run)
{
    void *const owned[] = {run->cpu,     run->snd,           run->rcv,        run->other_cpu,   run->waiters,
                           run->open,    run->chain.next,    run->chain.seq,  run->chain.right, run->done.first,
                           run->done.op, run->started.first, run->started.op, run->ready[0].op, run->ready[1].op};
    for (size_t i = 0; i < G_N_ELEMENTS(owned); i++)
        g_free(owned[i]);
    few_clear(&run->few);
    loggops_places_clear(&run->places);
    goal_match_clear(&run->match);
    queue_clear(&run->queue);
}

// Returns for each host the clock of the CPU that becomes idle last: of several, the first that the graph names. The
// clock of a host without an operation is 0. The result belongs to the run, which must have ended.
static const Clock *last_clocks(LoggopsRun *run)
{
    if (!run->other_cpu)
        return run->cpu;
    for (uint32_t i = 0; i < run->places.n_cpus; i++) {
        const Clock *cpu = &run->cpu[i];
        Clock *last = &run->other_cpu[places_host(&run->places, i)];
        if (cpu->t > last->t || last->by == NOTHING) // steps that take no time count too
            *last = *cpu;
    }
    return run->other_cpu;
}

// Asks for what the next events need, because in a large graph it is not in the cache. For an event that comes later,
// only the operation is asked for; it says where the rest is. (Not inlined, gcc would take it for a function of no
// effect.)
static inline __attribute__((always_inline)) void prefetch_soon(const LoggopsRun *run)
{
    enum { NEAR = 3, FAR = 6 };
    const LoggopsEvents *line = &run->queue.run, *heap = &run->queue.heap;
    if (heap->end > 0)
        __builtin_prefetch(&run->ops[heap->at[0].what / 4]);
    if (line->first + FAR >= line->end)
        return;
    __builtin_prefetch(&run->ops[line->at[line->first + FAR].what / 4]);
    const uint32_t what = line->at[line->first + NEAR].what;
    const GoalOp *o = &run->ops[what / 4];
    const uint32_t host = what & MESSAGE ? o->peer : o->host;
    if (run->places.of_op)
        return;
    __builtin_prefetch(&run->cpu[host], 1);
    __builtin_prefetch(what & MESSAGE ? &run->rcv[host] : &run->snd[host], 1);
    __builtin_prefetch(&run->match.line[match_receives(host)], 1);
}

static void run_events(LoggopsRun *run)
{
    const gboolean large = run->n_ops > 1 << 16;
    for (uint32_t op = 0; op < run->n_ops;) {
        const uint32_t host = run->ops[op].host;
        for (; op < run->n_ops && run->ops[op].host == host; op++)
            if (run->open[op] == 0)
                add_ready(&run->ready[0], op);
        release(run, &run->ready[0], 0);
    }
    for (LoggopsEvent e; !run->few.undecided && queue_pop(&run->queue, &e);) {
        if (large)
            prefetch_soon(run);
        handle(run, e);
        // An event makes operations ready at its own host and, by an answer, at one other host. The lower host goes
        // first.
        const Ready *other = &run->ready[1];
        const gboolean other_first = other->n > 0 && run->ops[other->op[0]].host < run->host;
        const uint32_t from[] = {0, run->few.other};
        release(run, &run->ready[other_first], from[other_first]);
        release(run, &run->ready[!other_first], from[!other_first]);
    }
}

static void add_stuck(const LoggopsRun *run, GArray *stuck, LoggopsStuckKind why, uint32_t op)
{
    const LoggopsStuck entry = {why, op, run->ops[op]};
    g_array_append_val(stuck, entry);
}

static GArray *find_stuck(const LoggopsRun *run)
{
    GArray *stuck = g_array_new(FALSE, FALSE, sizeof(LoggopsStuck));
    const GoalMatch *m = &run->match;
    for (uint32_t host = 0; host < run->n_hosts; host++) {
        const size_t receives = match_receives(host), messages = match_messages(host);
        for (uint32_t op = match_first(m, receives); op != NOTHING; op = match_next(m, receives, op))
            add_stuck(run, stuck, LOGGOPS_STUCK_RECEIVE, op);
        for (uint32_t op = match_first(m, messages); op != NOTHING; op = match_next(m, messages, op))
            add_stuck(run, stuck, LOGGOPS_STUCK_MESSAGE, op);
    }
    for (uint32_t op = 0; op < run->n_ops; op++)
        if (!was_ready(run, op))
            add_stuck(run, stuck, LOGGOPS_STUCK_BLOCKED, op);
    return stuck;
}
