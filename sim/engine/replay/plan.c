#include "engine/replay/plan.h"
#include "engine/replay/convoy.h"
#include "engine/replay/lengths.h"
#include "engine/replay/flow_lines.h"
#include "engine/replay/gears.h"
#include "engine/replay/links.h"
#include "engine/replay/queues.h"
#include "engine/replay/turns.h"
#include "engine/schedule/part.h"
#include "api/integers.h"

// The steps that a common head or tail must have to run in lockstep; for fewer, a second part is not worth its cost.
enum { WORTH_STEPS = 64 };

// The groups of ranks that take turns which there must be to run in lockstep; for fewer, loops over all groups are too
// short.
enum { WORTH_GROUPS = 8 };

static const Stride *stride_of(const Class *k, uint32_t i)
{
    static const Stride none;
    return k->loops ? &k->strides[i] : &none;
}

// ---- Flow and chain -------------------------------------------------------------------------------------------------

// Returns true if flow may run this many ranks. Where transfers compete, fewer than p cannot stand for all unless
// messages stand in the lines of NICs, nothing else competes, and no path is asked for.
static bool may_flow(const Schedule *s, const Hockney *model, const ReplayOptions *o, int ranks)
{
    return flow_is_free(s, model) ||
           (!o->ledger && (ranks == s->p ? flow_applies(s, model) : !o->path && flow_lines_apply(s, model)));
}

static bool chain_applies(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    if (o->path || !has_only(s, OPS_BLOCKING) || !flow_is_free(s, model))
        return false;
    return model->transfer == TRANSFER_RENDEZVOUS || cost_is_measured(model);
}

// Returns true if all pairs of ranks are at the same level.
static bool has_one_level(const Hockney *model)
{
    return !model->site || site_has_one_level(model->site);
}

// Returns true if ranks of a chain may form convoys.
static bool convoys_apply(const Schedule *s, const Hockney *model)
{
    if (!has_one_level(model))
        return false;
    if (!cost_is_measured(model))
        return true;
    const Lengths lengths = lengths_of(s, model->site);
    return lengths.none_eager && lengths.gaps_within;
}

// ---- Lockstep -------------------------------------------------------------------------------------------------------

// Returns true if what any v sends in this exchange is what its peer receives in the same exchange: the shifts cancel
// or the masks are equal, and both ends have the same length or the same block.
static bool meets(const Schedule *s, const Op *op, const Stride *d)
{
    const int p = s->p;
    if (op->group)
        return false;
    if (s->peers == PEERS_XOR ? op->to != op->from : (op->to + (int64_t)op->from) % p != 0 || d->to + d->from != 0)
        return false;
    if (op->out_cut != op->in_cut)
        return false;
    if (!op->out_cut)
        return op->out.bytes == op->in.bytes;
    const int64_t first = (int64_t)op->to + op->in.blocks.first - op->out.blocks.first;
    return op->out.blocks.count == 1 && op->in.blocks.count == 1 && first % p == 0 && d->to == 0 && d->out == d->in;
}

// Returns true if all ranks can do operation i of the class in lockstep.
static bool steps(const Schedule *s, const Hockney *model, const Class *k, uint32_t i)
{
    const Op *op = &k->ops[i];
    if (op_works(op->kind))
        return !op->in_cut || op->in.blocks.count == 1;
    if (op->kind != OP_SENDRECV)
        return true;
    // Under E1 a message that takes no time lets its sender run ahead, so that the sender's next one may be served
    // first.
    return meets(s, op, stride_of(k, i)) &&
           (model->transfer != TRANSFER_EAGER_PORT || cost_at(model, 0, op->out.bytes) > 0);
}

// Returns how many operations all ranks end with that may run in lockstep, END included, without cutting a loop in two.
// Returns 0 if there is only END.
static uint32_t tail_in_step(const Schedule *s)
{
    const Class *k = &s->classes[0];
    uint32_t first = k->n_ops - schedule_common_tail(s);
    for (uint32_t i = k->n_ops - 1; i-- > first;)
        if (!(OPS_IN_STEP >> k->ops[i].kind & 1))
            first = i + 1;
    for (uint32_t i = k->n_ops - 1; i-- > first;)
        if (k->ops[i].kind == OP_LOOP && i - (uint32_t)k->ops[i].to < first)
            first = i + 1;
    return first + 1 < k->n_ops ? k->n_ops - first : 0;
}

// Returns how many operations at the end run in lockstep, END included: all operations, or enough to be worth it, or 0.
// Under measured, only chain may run what comes before.
static uint32_t lockstep_tail(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    const Class *k = &s->classes[0];
    if (s->peers == PEERS_ABSOLUTE || s->p < 2 || (s->peers == PEERS_XOR && !is_pow2(s->p)) ||
        (model->transfer == TRANSFER_EAGER_PORT && (k->cut || o->start || !has_one_level(model))) ||
        (model->site && (site_contends(model->site) || model->site->n_levels > LOCKSTEP_LEVELS)))
        return 0;
    const uint32_t tail = tail_in_step(s), first = k->n_ops - tail;
    if (tail == 0)
        return 0;
    if (cost_is_measured(model) && (!has_one_port(model) || !lengths_of(s, model->site).gaps_within))
        return 0;
    if (first > 0 || s->n_classes > 1) {
        const uint32_t requests = 1u << OP_ISEND | 1u << OP_IRECV; // these might still be open where the tail begins
        const bool before = cost_is_measured(model) ? chain_applies(s, model, o) : flow_is_free(s, model);
        if (!before || (s->kinds & requests) || class_steps(k, first, k->n_ops - 1) < WORTH_STEPS)
            return 0;
    }
    for (uint32_t i = first; i < k->n_ops; i++)
        if (!steps(s, model, k, i))
            return 0;
    return tail;
}

// Returns how many operations at the beginning run in lockstep; all ranks pay the same for them. Returns 0 if they are
// too few, if there are levels at which ranks pay differently, if every rank is to be replayed, if ranks have starts of
// their own, or if a path is wanted.
static uint32_t lockstep_head_operations(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    const Class *k = &s->classes[0];
    if (cost_is_measured(model) || !has_one_level(model) || s->peers == PEERS_ABSOLUTE ||
        (s->peers == PEERS_XOR && !is_pow2(s->p)) || o->full || o->start || o->path)
        return 0;
    const uint32_t common = schedule_common_head(s);
    uint32_t n = 0;
    for (; n < common && OPS_IN_STEP >> k->ops[n].kind & 1 && !k->ops[n].out_cut && !k->ops[n].in_cut; n++)
        if (k->ops[n].kind == OP_SENDRECV && !meets(s, &k->ops[n], stride_of(k, n)))
            break;
    uint32_t whole = n; // n, or less if that would cut a loop of some class in two
    for (uint32_t i = 0; i < s->n_classes && whole > 0; i++)
        for (uint32_t j = n; j < s->classes[i].n_ops; j++)
            if (s->classes[i].ops[j].kind == OP_LOOP) {
                whole = MIN(whole, j - (uint32_t)s->classes[i].ops[j].to);
                break;
            }
    return class_steps(k, 0, whole) < WORTH_STEPS ? 0 : whole;
}

// ---- The plan -------------------------------------------------------------------------------------------------------

// Why a gear runs: if every rank is replayed, and if few stand for all.
typedef struct GearWhy {
    const char *all, *few;
} GearWhy;

static const GearWhy free_why = {"no two transfers compete for a port",
                                 "no two transfers compete for a port; ranks repeat, so the first stand for all"};
static const GearWhy event_why = {"transfers may compete for a port, or a throttle waits for whichever ends first",
                                  "transfers may compete for a port; ranks repeat, so the first stand for all"};
static const GearWhy graph_why = {"operations form a graph, and begin as those end that they wait for", NULL};
static const GearWhy network_why = {
    "messages share links of a network, so each has a price of its own",
    "messages share links of a network; a rank that has the slowest of each round stands for all"};
static const GearWhy noise_why = {"noise makes each message longer in its own way, and messages may compete", NULL};
static const GearWhy compete_why = {
    "transfers may compete for a port; those that do not run ahead of their turn",
    "transfers may compete; those that do not run ahead of their turn; ranks repeat, so the first stand for all"};
static const GearWhy in_order_why = {
    "messages come to each port in the order of its receives",
    "messages come to each port in the order of its receives; ranks repeat, so the first stand for all"};
static const GearWhy no_order_why = {
    "messages may come to a port in another order than its receives",
    "messages may come to a port in another order than its receives; ranks repeat, so the first stand for all"};

static GearPlan plan_chain(const Schedule *s, bool convoys)
{
    return (GearPlan){.gear = GEAR_CHAIN,
                      .convoys = convoys,
                      .ranks = s->p,
                      .fixed = true,
                      .why = convoys
                                 ? "no two transfers compete for a port; neighbours pass messages on, with equal clocks"
                                 : "no two transfers compete for a port, and no operation leaves a request open"};
}

static GearPlan plan_lockstep(const Schedule *s, const Hockney *model, const ReplayOptions *o, uint32_t tail)
{
    const Class *k = &s->classes[0];
    GearPlan plan = {.gear = GEAR_LOCKSTEP,
                     .turn = 1,
                     .ranks = s->p,
                     .fixed = true,
                     .why = "every rank's k-th operation meets its partner's k-th"};
    if (s->n_classes > 1 || tail < k->n_ops) {
        plan.gear = chain_applies(s, model, o) ? GEAR_CHAIN : GEAR_FLOW;
        plan.tail = tail;
        plan.why = "all ranks end with the same exchanges, in lockstep; before, no two transfers compete for a port";
    } else if (!k->cut && !o->start && has_one_level(model) &&
               (!cost_is_measured(model) || site_is_far_alike(model->site, s))) {
        plan.one = flow_is_free(s, model) ? GEAR_FLOW : GEAR_EVENT;
    }
    return plan;
}

static GearPlan plan_turns(const Schedule *s, int turn)
{
    return (GearPlan){.gear = GEAR_LOCKSTEP,
                      .turn = turn,
                      .ranks = s->p,
                      .fixed = true,
                      .why = "ranks take turns, and every rank's k-th operation meets its partner's k-th"};
}

static GearPlan plan_queues(const Schedule *s, int ranks)
{
    const bool all = ranks == s->p;
    return (GearPlan){.gear = GEAR_LOCKSTEP,
                      .queues = true,
                      .ranks = ranks,
                      .why = all ? "every rank's k-th operation meets its partner's k-th, and waits in line for NICs"
                                 : "every rank's k-th operation meets its partner's k-th, and waits in line for NICs; "
                                   "ranks repeat, so the first stand for all"};
}

static GearPlan plan_gear(const Schedule *s, Gear gear, int ranks, const GearWhy *why)
{
    return (GearPlan){.gear = gear, .ranks = ranks, .why = ranks < s->p ? why->few : why->all};
}

static GearPlan plan_event(const Schedule *s, int ranks)
{
    return plan_gear(s, GEAR_EVENT, ranks, &event_why);
}

// Plans flow if it applies to this many ranks, otherwise event.
static GearPlan plan_one(const Schedule *s, const Hockney *model, const ReplayOptions *o, int ranks)
{
    if (!may_flow(s, model, o, ranks))
        return plan_event(s, ranks);
    const bool free = flow_is_free(s, model);
    GearPlan plan = plan_gear(s, GEAR_FLOW, ranks,
                              cost_is_measured(model) ? &in_order_why
                              : free                  ? &free_why
                                                      : &compete_why);
    plan.fixed = free;
    return plan;
}

// Returns whether ranks form convoys if the gear is not given.
static bool forms_convoys(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    return o->gear == GEAR_AUTO && !o->full && !o->start && chain_applies(s, model, o) && convoys_apply(s, model) &&
           convoy_pays(s);
}

// Plans the replay of all p ranks, if lockstep does not run them to the end.
static GearPlan plan_of_all(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    GearPlan plan = plan_one(s, model, o, s->p);
    if (!plan.fixed)
        return plan;
    const uint32_t head = lockstep_head_operations(s, model, o);
    if (chain_applies(s, model, o))
        plan = plan_chain(s, !head && forms_convoys(s, model, o));
    plan.head = head;
    if (head)
        plan.why = "all ranks begin with the same exchanges, in lockstep; then no two transfers compete for a port";
    return plan;
}

// Returns how many ranks stand for all.
static int period_of(const Schedule *s, const Hockney *model)
{
    const int n = schedule_period(s);
    return model->site && n < s->p ? site_period(model->site, s, n) : n;
}

// Plans the replay of messages next to operations in shared memory. Only two gears know these, and they replay every
// rank.
static GearPlan plan_mixed(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    const GearPlan plan = o->gear == GEAR_EVENT ? plan_event(s, s->p) : plan_one(s, model, o, s->p);
    return o->gear == GEAR_AUTO || o->gear == plan.gear ? plan : (GearPlan){.gear = GEAR_AUTO, .ranks = s->p};
}

// Plans the replay of messages that noise makes longer, each in its own way, so that no rank stands for others. The
// gears in which each message has a price of its own know noise, but for what is not in order of time where ranks share
// something.
static GearPlan plan_noise(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    const bool ahead = !s->graph && !cost_is_measured(model) && !site_contends(model->site);
    const bool chain = ahead && !s->mixed && chain_applies(s, model, o), flow = ahead && may_flow(s, model, o, s->p);
    const Gear gear = o->gear != GEAR_AUTO ? o->gear : chain ? GEAR_CHAIN : flow ? GEAR_FLOW : GEAR_EVENT;
    if (gear == GEAR_CHAIN && chain && !o->convoys)
        return plan_chain(s, false);
    if (gear == GEAR_FLOW && flow)
        return plan_one(s, model, o, s->p);
    if (gear == GEAR_EVENT)
        return plan_gear(s, GEAR_EVENT, s->p, s->graph ? &graph_why : &noise_why);
    return (GearPlan){.gear = GEAR_AUTO, .ranks = s->p};
}

// Returns true unless the model is measured, and an exchange depends on more than the clocks of its two ranks: on several
// ports, on ports that are busy for longer than messages take, or on whether a rank reacts to a message.
static bool measured_in_step(const Schedule *s, const Hockney *model)
{
    return !cost_is_measured(model) ||
           (has_one_port(model) && lengths_of(s, model->site).gaps_within && model->site->measured->far == 0);
}

// Plans the replay of messages on a network. Only two gears know these.
static GearPlan plan_on_links(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    const LinkPrices *x = model->site->links;
    const bool few = x->alike && !o->full && !o->start && !model->site->noise,
               step = x->step && !o->path && !model->site->noise && measured_in_step(s, model) &&
                      model->transfer != TRANSFER_EAGER_PORT && !site_contends(model->site);
    if (step && (o->gear == GEAR_LOCKSTEP || (o->gear == GEAR_AUTO && !few)))
        return (GearPlan){
            .gear = GEAR_LOCKSTEP,
            .links = true,
            .turn = x->turn,
            .ranks = x->ranks,
            .fixed = true,
            .why = "every rank's k-th operation meets its partner's k-th; messages share links of a network"};
    const bool event = o->gear == GEAR_AUTO || o->gear == GEAR_EVENT;
    return plan_gear(s, event ? GEAR_EVENT : GEAR_AUTO, few ? 1 : s->p, &network_why);
}

GearPlan gear_plan(const Schedule *s, const Hockney *model, const ReplayOptions *o)
{
    if (model->site && model->site->links)
        return plan_on_links(s, model, o);
    if (model->site && model->site->noise)
        return plan_noise(s, model, o);
    if (s->mixed)
        return plan_mixed(s, model, o);
    if (s->graph) {
        const bool event = o->gear == GEAR_AUTO || o->gear == GEAR_EVENT; // no other gear knows graphs
        return plan_gear(s, event ? GEAR_EVENT : GEAR_AUTO, s->p, &graph_why);
    }
    const int few = o->full || o->start ? s->p : period_of(s, model);
    const uint32_t tail =
        o->gear == GEAR_LOCKSTEP || (o->gear == GEAR_AUTO && few == s->p) ? lockstep_tail(s, model, o) : 0;
    // Before the end of a schedule, convoys move ranks with equal clocks in one step, and lockstep moves each.
    if (tail && !(tail < s->classes[0].n_ops && !cost_is_measured(model) && forms_convoys(s, model, o)))
        return plan_lockstep(s, model, o, tail);
    const int turn = o->gear == GEAR_LOCKSTEP || (o->gear == GEAR_AUTO && few == s->p) ? turns_of(s, model) : 0;
    if (turn && (o->gear == GEAR_LOCKSTEP || s->p / turn >= WORTH_GROUPS))
        return plan_turns(s, turn);
    const bool long_enough = class_steps(class_of(s, 0), 0, class_of(s, 0)->n_ops - 1) >= WORTH_STEPS;
    if ((o->gear == GEAR_LOCKSTEP || (o->gear == GEAR_AUTO && long_enough)) && !o->path && queues_apply(s, model, few))
        return plan_queues(s, few);
    switch (o->gear) {
    case GEAR_AUTO:
        return few == s->p ? plan_of_all(s, model, o) : plan_one(s, model, o, few);
    case GEAR_CHAIN:
        if (chain_applies(s, model, o) && (!o->convoys || convoys_apply(s, model)))
            return plan_chain(s, o->convoys);
        break;
    case GEAR_FLOW:
        if (may_flow(s, model, o, few))
            return plan_one(s, model, o, few);
        if (may_flow(s, model, o, s->p))
            return plan_one(s, model, o, s->p);
        break;
    case GEAR_EVENT:
        return plan_event(s, few);
    case GEAR_LOCKSTEP:
        break;
    }
    return (GearPlan){.gear = GEAR_AUTO, .ranks = s->p};
}

GearPlan gear_plan_again(const Schedule *s, const Hockney *model, const ReplayOptions *o, const GearPlan *failed)
{
    if (failed->queues)
        return plan_one(s, model, o, failed->ranks);
    const uint32_t tail = failed->convoys && o->gear == GEAR_AUTO ? lockstep_tail(s, model, o) : 0;
    if (tail)
        return plan_lockstep(s, model, o, tail);
    if (failed->convoys || (cost_is_measured(model) && failed->tail))
        return plan_chain(s, false);
    if (cost_is_measured(model) && failed->gear != GEAR_EVENT)
        return plan_gear(s, GEAR_EVENT, failed->gear == GEAR_FLOW ? failed->ranks : s->p, &no_order_why);
    if (failed->gear == GEAR_EVENT || (failed->gear == GEAR_FLOW && !failed->fixed && failed->ranks == s->p))
        return plan_event(s, s->p);
    return plan_one(s, model, o, s->p);
}
