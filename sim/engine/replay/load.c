#include "engine/replay/load.h"
#include "base/budget.h"
#include "base/error.h"
#include "engine/replay/convoy.h"
#include "engine/replay/late.h"
#include "engine/replay/path.h"
#include "engine/replay/queues.h"
#include "engine/schedule/part.h"

// What ranks do between two operations of their classes.
typedef struct Load {
    double messages;     // sends
    double requests;     // that ranks may have open at the same time, all together
    double ranks, steps; // in lockstep: ranks, and the steps of each
    uint64_t bytes;      // of memory
} Load;

static bool sends(const Op *op)
{
    return op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV;
}

// Returns how many requests the operation opens, or, below 0, how many it ends. A blocking operation ends its own.
static int64_t opens(const Op *op)
{
    return op->kind == OP_ISEND || op->kind == OP_IRECV ? 1
           : op->kind == OP_WAIT                        ? -1
           : op->kind == OP_WAITALL                     ? -op->to
                                                        : 0;
}

// Adds what n ranks do in operations 0 .. end-1 of the class from `first` on. No loop is cut in two.
static void add(Load *load, const Class *k, uint32_t first, uint32_t end, double n)
{
    double messages = 0, open = 0, most = 0;
    for (uint32_t i = first; i < end; i++) {
        const Op *op = &k->ops[i];
        if (op->kind != OP_LOOP) {
            messages += sends(op);
            open += (double)opens(op);
            most = MAX(most, open);
            continue;
        }
        // One round has been counted. In the others, requests that a round leaves open add up.
        const double again = (double)op->out.bytes - 1;
        double round = 0, in_round = 0;
        for (uint32_t j = i - (uint32_t)op->to; j < i; j++) {
            in_round += sends(&k->ops[j]);
            round += (double)opens(&k->ops[j]);
        }
        messages += again * in_round;
        open += again * round;
        most = MAX(most, most + again * round);
    }
    load->messages += n * messages;
    load->requests += n * most;
}

// Adds what v = 0 .. n-1 do between the first `head` and the last `tail` operations of their classes.
static void add_ranks(Load *load, const Schedule *s, int n, uint32_t head, uint32_t tail)
{
    g_autofree uint64_t *of = schedule_class_ranks(s, n);
    for (uint32_t i = 0; i < s->n_classes; i++)
        if (of[i])
            add(load, &s->classes[i], head, s->classes[i].n_ops - tail, (double)of[i]);
}

static size_t rank_bytes(const Schedule *s, const Hockney *model, const GearPlan *plan, const ReplayOptions *o,
                         Gear gear)
{
    const bool skewed = o->start || plan->head;
    if (gear == GEAR_CHAIN)
        return plan->convoys ? convoy_rank_bytes(s, skewed) : blocking_rank_bytes(s, model, skewed);
    return machine_rank_bytes() + (gear == GEAR_FLOW ? flow_rank_bytes(s, model) : event_rank_bytes());
}

// Returns how many entries of a trace messages may have. Under measured, each end of a message may have two.
static double entries_of(const Load *load, const Hockney *model)
{
    return (cost_is_measured(model) ? 4 : 2) * load->messages;
}

static Load load_of(const Schedule *s, const Hockney *model, const GearPlan *plan, const ReplayOptions *o)
{
    const Class *k = &s->classes[0];
    const double p = s->p;
    Load load = {.ranks = 0};
    const bool whole = plan->gear == GEAR_LOCKSTEP; // all operations of all ranks
    const Gear gear = whole ? plan->one : plan->gear;
    const int n = whole ? schedule_period(s) : plan->ranks;
    if (gear != GEAR_AUTO) {
        add_ranks(&load, s, n, plan->head, plan->tail);
        load.bytes += (uint64_t)n * rank_bytes(s, model, plan, o, gear) +
                      (uint64_t)(MAX(load.requests - 2.0 * n, 0) * (double)machine_request_bytes());
        load.bytes += graph_bytes(s);
        if (cost_is_measured(model))
            load.bytes += late_bytes(s, model->site, n, load.messages);
        if (o->path)
            load.bytes += (uint64_t)MIN(entries_of(&load, model), o->part ? MOST_OF_PART : MAX_TRACE) *
                          machine_trace_bytes(machine_trace_values(s, model, o->ledger), o->ledger);
    }
    if (whole || plan->tail) {
        load.ranks = plan->queues || plan->links ? plan->ranks : p;
        load.steps = (double)class_steps(k, k->n_ops - (whole ? k->n_ops : plan->tail), k->n_ops - 1);
        load.bytes += plan->queues  ? queues_bytes(s, plan->ranks)
                      : plan->links ? lockstep_links_bytes(plan->ranks)
                                    : lockstep_bytes(s->p, plan->turn, (int64_t)load.steps);
    } else if (plan->head) {
        load.ranks = 1;
        load.steps = (double)class_steps(k, 0, plan->head);
    }
    if (model->site && site_shares(model->site))
        load.bytes += (uint64_t)n * sharing_rank_bytes();
    if (o->start || plan->head)
        load.bytes += (uint64_t)s->p * sizeof(Stamp);
    if (o->clocks || plan->tail)
        load.bytes += (uint64_t)s->p * sizeof(Stamp);
    return load;
}

double load_messages(const Schedule *s, const Hockney *model, const GearPlan *plan, const ReplayOptions *o)
{
    return load_of(s, model, plan, o).messages;
}

bool load_admit(const Schedule *s, const Hockney *model, const GearPlan *plan, const ReplayOptions *o, uint64_t *bytes,
                GError **error)
{
    Load load = load_of(s, model, plan, o);
    if (s->mixed) {
        const Totals totals = schedule_totals(s);
        const double accesses = (double)totals.writes + (double)totals.reads;
        if (accesses > SHARED_MOST_ACCESSES)
            return error_too_much(error,
                                  "%s on %d ranks has %.0f accesses to shared memory to simulate; allowed: at most %d, "
                                  "with a smaller -p or a smaller -m",
                                  s->name, s->p, accesses, SHARED_MOST_ACCESSES);
        load.bytes += (uint64_t)accesses * SHARED_ACCESS_BYTES; // about one raise for each, whose history is kept
    }
    // A trace has two entries for each message at least, if the gear keeps one. If only a part is wanted, the run ends
    // early.
    if (o->path && !o->part && plan->gear != GEAR_LOCKSTEP && !plan->head && !plan->tail &&
        2 * load.messages >= MAX_TRACE) {
        path_too_long(error);
        return false;
    }
    if (o->part) {
        *bytes = load.bytes;
        return budget_take(load.bytes, s->name, s->p, error);
    }
    if ((plan->gear == GEAR_EVENT || plan->gear == GEAR_FLOW) && !plan->fixed && plan->ranks == s->p &&
        load.messages > MAX_CONTENDED)
        return error_too_much(error,
                              "%s on %d ranks has %.0f messages that compete for ports; allowed: at most %d if every "
                              "rank is replayed, with a smaller -p, longer segments, or without --full",
                              s->name, s->p, load.messages, MAX_CONTENDED);
    // Convoys move many messages in one step. If they turn out not to, they are asked for one by one.
    if (load.messages + load.steps > MAX_MESSAGES && !plan->convoys)
        return error_too_much(error,
                              "%s on %d ranks has %.0f messages to simulate; allowed: at most %d, with a smaller -p, "
                              "longer segments, or without --full",
                              s->name, s->p, load.messages + load.steps, MAX_MESSAGES);
    const double most_steps = plan->links ? MAX_LINK_STEPS : MAX_STEPS;
    if (load.ranks * load.steps > most_steps)
        return error_too_much(
            error,
            "%s on %d ranks has %.3g operations to simulate; allowed: at most %.3g, with a smaller -p, "
            "a -m that all ranks share evenly, or without --full",
            s->name, s->p, load.ranks * load.steps, most_steps);
    if (load.requests > MAX_REQUESTS)
        return error_too_much(error,
                              "%s on %d ranks has %.0f requests open at a time; allowed: at most %d, with a smaller -p "
                              "or without --full",
                              s->name, s->p, load.requests, MAX_REQUESTS);
    *bytes = load.bytes;
    return budget_take(load.bytes, s->name, s->p, error);
}
