#include "search/form/path_walk.h"
#include <math.h>
#include <string.h>

// A request that a rank has not waited for.
typedef struct Open {
    double end_s, after_s; // when it ends at least, by both clocks of Walker
    double posted_s;       // of a receive by rendezvous, which begins after that; otherwise below 0
    int receive;           // its place among all receives of the rank, from 1; 0 for a send
    int ended;             // Walker.ended when it was issued
    bool resets;           // it is one of the messages of WalkAfter
} Open;

void path_costs_begin(PathCosts *x, const Platform *platform, Transfer transfer, const Mapping *map)
{
    *x = (PathCosts){.transfer = transfer, .ports = 1, .n_levels = 1};
    if (transfer == TRANSFER_MEASURED) {
        x->measured = platform->measured;
        x->map = map;
        x->ports = x->measured->ports;
        x->n_levels = x->measured->n_levels;
        x->nic_byte = platform->has[KEY_NIC_RATE] ? platform->value[KEY_NIC_RATE] : 0;
        x->nic_message = platform->has[KEY_NIC_MESSAGES] ? platform->value[KEY_NIC_MESSAGES] : 0;
        x->nics = map && (x->nic_byte > 0 || x->nic_message > 0) ? (int)platform->value[KEY_NICS] : 0;
        return;
    }
    x->hockney = hockney_figures(platform, transfer);
    x->hockney.site = x->site = site_of_platform(platform, map, transfer);
    x->map = x->site ? x->site->map : NULL;
    x->n_levels = x->site ? x->site->n_levels : 1;
    x->nics = x->site ? x->site->nics : 0;
    x->nic_byte = x->site ? x->site->nic_byte : 0;
    x->nic_message = x->site ? x->site->nic_message : 0;
}

void path_costs_end(PathCosts *x)
{
    site_free(x->site);
}

bool peers_have(const Peers *x, int rank)
{
    bool any = false;
    for (int i = 0; i < MIN(x->n, PEERS); i++)
        any |= x->rank[i] == rank;
    return any && x->n <= PEERS;
}

void peers_add(Peers *x, int rank)
{
    if (x->n > PEERS || peers_have(x, rank))
        return;
    if (x->n < PEERS)
        x->rank[x->n] = rank;
    x->n++;
}

static int level_of(const Walker *x, int peer)
{
    return x->costs->map ? mapping_level(x->costs->map, x->rank, peer) : x->costs->n_levels - 1;
}

double path_gap(const PathCosts *x, int level, size_t len)
{
    return x->measured ? table_time_at(x->measured->level[level].gap, len) : cost_at(&x->hockney, level, len);
}

double path_way(const PathCosts *x, int level, size_t len)
{
    if (!x->measured)
        return cost_at(&x->hockney, level, len);
    const MeasuredLevel *at = &x->measured->level[level];
    const double one_s = table_time_at(at->one, len);
    return at->step ? MIN(one_s, table_time_at(at->step, len)) : one_s;
}

double path_nic(const PathCosts *x, size_t len)
{
    return MAX((double)len * x->nic_byte, x->nic_message);
}

// Returns true if messages between the rank and its peer go through NICs.
static bool is_far(const Walker *x, int peer)
{
    const PathCosts *costs = x->costs;
    return costs->nics > 0 && costs->map->nodes->of[x->rank] != costs->map->nodes->of[peer];
}

// Notes a message through NICs, whose times have been looked up.
static void note_far(const Walker *x, FarSide *side, double begins_s, size_t len)
{
    const double nic_s = path_nic(x->costs, len);
    side->messages++;
    side->begins_s = MIN(side->begins_s, begins_s);
    side->nics_s += nic_s;
    side->nic_most_s = MAX(side->nic_most_s, nic_s);
    side->way_rest_s = MIN(side->way_rest_s, x->way_s - nic_s);
    side->gap_rest_s = MIN(side->gap_rest_s, x->gap_s - nic_s);
}

// Sets the times of messages to those of one with this peer.
static void look_up(Walker *x, int peer, size_t len)
{
    const int level = level_of(x, peer);
    if (level == x->level && len == x->len)
        return;
    x->level = level;
    x->len = len;
    x->gap_s = path_gap(x->costs, level, len);
    x->way_s = path_way(x->costs, level, len);
    const MeasuredLevel *at = x->costs->measured ? &x->costs->measured->level[level] : NULL;
    x->in_gap_s = at && (int64_t)len <= at->eager ? measured_take(at, len) : x->gap_s;
}

// Begins a send. A port takes the messages in the order of issue.
static Open send(Walker *x, int to, size_t len)
{
    const bool single = x->costs->ports == 1;
    look_up(x, to, len);
    const double gap_s = x->gap_s, begin_s = single ? MAX(x->now_s, x->out_s) : x->now_s,
                 begin_after_s = single ? MAX(x->after_s, x->out_after_s) : x->after_s;
    if (to == x->goal && --x->nth == 0) {
        x->there = true;
        x->now_s = begin_s;
        x->after_s = begin_after_s;
    }
    const bool far = is_far(x, to);
    if (far)
        note_far(x, &x->far_out, begin_s, len);
    if (x->notes_sends) {
        const WalkerSend sent = {to, {x->level, len}, begin_after_s, x->ended};
        g_array_append_val(x->sends, sent);
    }
    x->out_s = begin_s + gap_s;
    x->out_after_s = begin_after_s + gap_s;
    x->out_sum_s += gap_s;
    peers_add(&x->to, to);
    x->longest_sent = MAX(x->longest_sent, len);
    x->longest = MAX(x->longest, len);
    x->shortest = x->sent == 0 ? len : MIN(x->shortest, len);
    x->sent_level = x->sent == 0 || x->level == x->sent_level ? x->level : ANY_LEVEL;
    x->sent++;
    return (Open){
        .end_s = x->out_s, .after_s = x->out_after_s, .ended = x->ended, .resets = far && x->after == AFTER_FAR};
}

// Posts a receive. The transfer of a rendezvous message begins after that.
static Open receive(Walker *x, int from, size_t len)
{
    look_up(x, from, len);
    const Measured *measured = x->costs->measured;
    const bool eager =
        measured ? (int64_t)len <= measured->level[x->level].eager : x->costs->transfer != TRANSFER_RENDEZVOUS;
    const double takes_s = !eager ? x->way_s : measured ? x->in_gap_s : 0;
    const bool far = is_far(x, from);
    if (far)
        note_far(x, &x->far_in, eager ? 0 : x->now_s, len);
    if (G_UNLIKELY(x->n_received == x->max_received)) {
        x->max_received = MAX(64, 2 * x->max_received);
        x->received = g_renew(Received, x->received, x->max_received);
    }
    x->longest = MAX(x->longest, len);
    x->received[x->n_received++] = (Received){from, len};
    const bool one = x->after == AFTER_ONE && from == x->after_from && ++x->after_came == x->after_nth;
    return (Open){.end_s = x->now_s + takes_s,
                  .after_s = x->after_s + takes_s,
                  .posted_s = eager ? -1 : x->now_s,
                  .receive = x->n_received,
                  .ended = x->ended,
                  .resets = x->after == AFTER_RECEIVES || (far && x->after == AFTER_FAR) || one};
}

// Counts what passes through the in-ports once a message has come. A port takes one message at a time, in an order that
// the text does not say. So if several are there, and one port has been busy for so long, the last of them began when
// it was free but for one gap. Under hockney a message keeps the port until it has come, and an eager one does not need
// it.
static void count_in(Walker *x, const Open *open)
{
    if (x->costs->transfer == TRANSFER_EAGER)
        return;
    x->in_sum_s += x->in_gap_s;
    x->in_most_s = MAX(x->in_most_s, x->in_gap_s);
    x->way_least_s = MIN(x->way_least_s, x->way_s);
    const double rest_s = x->costs->measured ? x->way_least_s - x->in_most_s : 0;
    x->now_s = MAX(x->now_s, x->in_sum_s / x->costs->ports + rest_s);
    if (open->posted_s < x->in_posted_s || x->costs->ports > 1)
        return;
    // The port is free first if it takes rendezvous messages in the order in which they were posted.
    x->in_posted_s = open->posted_s;
    x->in_s = MAX(x->in_s, open->posted_s) + x->in_gap_s;
    x->now_s = MAX(x->now_s, x->in_s + rest_s);
}

static void wait_for(Walker *x, const Open *open)
{
    x->now_s = MAX(x->now_s, open->end_s);
    if (open->receive > 0) {
        const Received *message = &x->received[open->receive - 1];
        look_up(x, message->from, message->len);
        count_in(x, open);
        x->last = MAX(x->last, open->receive);
    }
    if (open->resets) {
        x->ended++;
        x->after_s = x->out_after_s = 0;
    } else if (open->ended == x->ended) {
        x->after_s = MAX(x->after_s, open->after_s);
    }
}

static guint n_open(const Walker *x)
{
    return x->open->len - x->hole_n;
}

static const Open *open_at(const Walker *x, guint i)
{
    return &g_array_index(x->open, Open, i < x->hole ? i : i + x->hole_n);
}

// Takes out the open request at index i. Only those between it and the hole move, so that a text that waits for
// thousands of requests one after the other, wherever it begins, does not move all of them each time.
static void take_out(Walker *x, guint i)
{
    Open *const all = &g_array_index(x->open, Open, 0);
    if (i < x->hole)
        memmove(all + i + 1 + x->hole_n, all + i + 1, (x->hole - i - 1) * sizeof *all);
    else
        memmove(all + x->hole, all + x->hole + x->hole_n, (i - x->hole) * sizeof *all);
    x->hole = i;
    x->hole_n++;
    if (x->hole_n > n_open(x)) {
        g_array_remove_range(x->open, x->hole, x->hole_n);
        x->hole_n = 0;
    }
}

// Takes out the open requests from index i on.
static void take_rest_out(Walker *x, guint i)
{
    if (i <= x->hole) {
        x->hole = i;
        x->hole_n = 0;
    }
    g_array_set_size(x->open, i + x->hole_n);
}

// Waits for the n open requests from the one at index i on.
static void wait_each(Walker *x, guint i, guint n)
{
    // The sends first: what follows a receive need not wait for them.
    for (int receives = 0; receives < 2; receives++)
        for (guint k = i; k < i + n; k++)
            if ((open_at(x, k)->receive > 0) == receives)
                wait_for(x, open_at(x, k));
}

static void wait_all(Walker *x, guint n)
{
    wait_each(x, n_open(x) - n, n);
    take_rest_out(x, n_open(x) - n);
}

static void wait_one(Walker *x, guint i)
{
    wait_each(x, i, 1);
    take_out(x, i);
}

static bool has_enough(const Walker *x)
{
    return x->now_s >= x->enough_s || x->far_out.nics_s - x->costs->nics * x->far_out.nic_most_s >= x->nics_enough_s;
}

static void go_on(CollRun *run, const CollIssue *op)
{
    Walker *x = (Walker *)run;
    const CollOpKind k = op->kind;
    const bool sends = k == COLL_SEND || k == COLL_SENDRECV || k == COLL_ISEND,
               receives = k == COLL_RECV || k == COLL_SENDRECV || k == COLL_IRECV;
    x->operations++;
    if (x->there || has_enough(x)) {
        text_leave(&x->text);
        return; // to a text that cannot be left
    }
    Open in, out;
    if (receives)
        in = receive(x, op->from, op->in->len);
    if (sends)
        out = send(x, op->to, op->out->len);
    if (x->there)
        return;
    if (k == COLL_SEND || k == COLL_SENDRECV)
        wait_for(x, &out);
    if (k == COLL_RECV || k == COLL_SENDRECV)
        wait_for(x, &in);
    if (k == COLL_ISEND || k == COLL_IRECV)
        g_array_append_vals(x->open, k == COLL_ISEND ? &out : &in, 1);
    if (k == COLL_WAIT)
        wait_one(x, n_open(x) - 1 - (guint)op->n);
    if (k == COLL_WAITALL)
        wait_all(x, (guint)op->n);
    if (k == COLL_REDUCE_OP) {
        const Measured *measured = x->costs->measured;
        const double work_s = measured ? measured_work_time(&measured->work[WORK_REDUCE], op->in->len)
                                       : cost_own(&x->costs->hockney, WORK_REDUCE, op->in->len);
        x->now_s += work_s;
        x->after_s += work_s;
    }
}

void walker_begin(Walker *x, const PathCosts *costs)
{
    *x = (Walker){.costs = costs,
                  .open = g_array_new(FALSE, FALSE, sizeof(Open)),
                  .sends = g_array_new(FALSE, FALSE, sizeof(WalkerSend)),
                  .level = -1};
    x->nics_enough_s = INFINITY;
    text_run_init(&x->text, go_on);
}

void walker_end(Walker *x)
{
    coll_run_clear(&x->text.run);
    g_array_unref(x->open);
    g_array_unref(x->sends);
    g_free(x->received);
}

bool walker_run(Walker *x, const Operation *op, int rank, int to, int nth, double enough_s)
{
    static const FarSide none = {.begins_s = INFINITY, .way_rest_s = INFINITY, .gap_rest_s = INFINITY};
    g_array_set_size(x->open, 0);
    g_array_set_size(x->sends, 0);
    *x = (Walker){.text = x->text,
                  .costs = x->costs,
                  .rank = rank,
                  .goal = to,
                  .nth = nth,
                  .way_least_s = INFINITY,
                  .after = x->after,
                  .after_from = x->after_from,
                  .after_nth = x->after_nth,
                  .notes_sends = x->notes_sends,
                  .far_out = none,
                  .far_in = none,
                  .open = x->open,
                  .sends = x->sends,
                  .received = x->received,
                  .max_received = x->max_received,
                  .enough_s = enough_s,
                  .nics_enough_s = x->nics_enough_s,
                  .level = -1};
    text_run(&x->text, op, rank);
    if (has_enough(x))
        return false;
    if (to < 0) { // a send ends when its port is free again
        x->now_s = MAX(x->now_s, MAX(x->out_s, x->out_sum_s / x->costs->ports));
        x->after_s = MAX(x->after_s, x->out_after_s);
    }
    return to < 0 || x->there;
}

bool walker_back(const Walker *x, int *rank, int *nth, Hop *hop)
{
    if (x->last == 0)
        return false;
    const Received *all = x->received, *last = &all[x->last - 1];
    *rank = last->from;
    *nth = 0;
    for (int i = 0; i < x->last; i++)
        *nth += all[i].from == last->from;
    *hop = (Hop){level_of(x, last->from), last->len};
    return true;
}

bool walker_forth(const Walker *x, int *rank, int *nth, WalkerSend *sent)
{
    if (x->sends->len == 0)
        return false;
    *sent = g_array_index(x->sends, WalkerSend, x->sends->len - 1);
    *rank = sent->to;
    *nth = 0;
    for (guint i = 0; i < x->sends->len; i++)
        *nth += g_array_index(x->sends, WalkerSend, i).to == sent->to;
    return sent->ended == x->ended;
}
