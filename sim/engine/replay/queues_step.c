// One step of lockstep with lines at NICs: a rank's own work, or an exchange of all ranks.
#include "engine/replay/queues_step.h"
#include <string.h>

// ---- The messages of an exchange ------------------------------------------------------------------------------------

// Sets the peers of the ranks of a class.
static void set_peers(Queues *x, int class)
{
    const Site *site = x->model.site;
    const LockstepStep *step = &x->now_in[class];
    for (int v = class; v < x->n; v += x->turn) {
        const int peer = peer_of(x->s, v, step->to, 0, 0);
        x->d[v] = place_of_peer(x, v, step->to);
        x->source[v] = place_of_peer(x, v, step->from);
        x->level[v] = (uint8_t)site_level(site, v, peer);
        x->busy[v] = x->e.share && site->node[v] != site->node[peer] ? 0 : -1;
    }
}

// Sets which block the ranks send in this step, and bytes[] to the lengths of a shorter and of a longer block.
static void begin_times(const Queues *x, QueuesTimes *t, int number, Length l, uint64_t *bytes)
{
    const Cut *cut = &x->s->cuts[number];
    t->several = number && l.blocks.count != 1;
    t->first = number ? l.blocks.first : 0;
    t->longer = number ? cut->longer : 0;
    bytes[0] = number ? cut->size : l.bytes;
    bytes[1] = number ? cut->size + cut->elem : l.bytes;
}

// Returns whether v's block is a longer one.
static inline int is_longer(const Queues *x, const QueuesTimes *t, int v)
{
    const int block = v + t->first;
    return block - (block >= x->s->p ? x->s->p : 0) < t->longer;
}

// Sets how long all messages take.
static void set_times(Queues *x)
{
    const Site *site = x->model.site;
    for (int c = 0; c < x->turn; c++) {
        QueuesTimes *t = &x->times[c];
        uint64_t bytes[2];
        begin_times(x, t, x->now_in[c].out_cut, x->now_in[c].out, bytes);
        for (int i = 0; i < 2; i++) {
            t->busy[i] = cost_nic(site, bytes[i]);
            for (int k = 0; k < site->n_levels; k++)
                t->time[i][k] = cost_at(&x->model, k, bytes[i]);
        }
    }
    for (int v = 0, c = 0; v < x->n; v++, c = c + 1 == x->turn ? 0 : c + 1) {
        const QueuesTimes *t = &x->times[c];
        const int i = is_longer(x, t, v);
        x->time[v] = t->time[i][x->level[v]];
        x->busy[v] = x->busy[v] < 0 ? -1 : t->busy[i];
        if (G_UNLIKELY(t->several)) {
            const uint64_t n = out_bytes(x->s, &x->now_in[c], v);
            x->time[v] = cost_at(&x->model, x->level[v], n);
            x->busy[v] = x->busy[v] < 0 ? -1 : cost_nic(site, n);
        }
    }
}

// Finds the messages of this exchange. Sets *moved if some peers are other ones than in the last exchange. Returns
// false if the messages do not meet.
static bool find_messages(Queues *x, bool *moved)
{
    bool same = x->any;
    *moved = false;
    for (int c = 0; c < x->turn; c++) {
        same = same && lockstep_same(&x->now_in[c], &x->then[c]);
    }
    if (same)
        return true;
    if (!lockstep_steps_meet(x->s, x->now_in, x->turn))
        return false;
    for (int c = 0; c < x->turn; c++) {
        if (!x->any || x->now_in[c].to != x->then[c].to || x->now_in[c].from != x->then[c].from) {
            set_peers(x, c);
            *moved = true;
        }
    }
    set_times(x);
    memcpy(x->then, x->now_in, (size_t)x->turn * sizeof *x->then);
    x->any = true;
    return true;
}

// ---- One step -------------------------------------------------------------------------------------------------------

static bool goes_before(const Queues *x, int a, int b)
{
    return x->ready[a] < x->ready[b] || (x->ready[a] == x->ready[b] && x->e.place[a] < x->e.place[b]);
}

// Puts the messages that leave their nodes into the order in which they come to their lines; it is mostly almost that
// of the last exchange.
static void sort_line(Queues *x)
{
    for (int i = 1; i < x->n_line; i++) {
        const int v = x->line[i];
        int k = i;
        for (; k > 0 && goes_before(x, v, x->line[k - 1]); k--)
            x->line[k] = x->line[k - 1];
        x->line[k] = v;
    }
}

// Returns what one end waited for, if the transfer begins at `begin`, the end itself is ready at `own`, and the sides
// are free at these times.
static uint8_t waited_for(double begin, double own, double out, double in)
{
    return own == begin ? OWN : MAX(out, in) < begin ? OTHER : in > out ? LINE_IN : LINE_OUT;
}

// Lets v's message pass through its two sides. Returns false if they serve others in this exchange as well, or if a
// message of an earlier exchange may come later.
static bool pass(Queues *x, int64_t step, int v)
{
    const int d = x->d[v], from = x->e.share->nic[v], to = x->e.share->nic[d];
    NicSide *out = &x->out[from], *in = &x->in[to];
    const double ready = x->ready[v], taken = MAX(ready, out->free), begin = MAX(taken, in->free);
    if (out->other < 0 && in->other < 0) {
        if (ready <= out->latest || taken <= in->latest)
            return false;
        out->other = to;
        in->other = from;
    }
    if (out->other != to || in->other != from || x->busy[v] <= 0)
        return false;
    if (x->note) {
        const size_t at = note_at(x, step, v);
        x->note[at] = (uint8_t)(waited_for(begin, x->now[v], out->free, in->free) |
                                waited_for(begin, x->now[d], out->free, in->free) << RECEIVER);
        x->before[at] = (Before){out->last, in->last};
    }
    x->end[v] = begin + x->time[v];
    out->free = in->free = begin + x->busy[v];
    out->last = in->last = (Sent){(int32_t)step, v};
    out->latest = ready; // until the exchange is over, only the next message of this exchange looks at the other field
    in->latest = taken;
    return true;
}

static bool pass_all(Queues *x, int64_t step)
{
    sort_line(x);
    bool good = true;
    for (int i = 0; i < x->n_line && good; i++)
        good = pass(x, step, x->line[i]);
    for (int i = 0; i < x->n_line; i++) {
        const int v = x->line[i];
        x->out[x->e.share->nic[v]].other = x->in[x->e.share->nic[x->d[v]]].other = -1;
    }
    return good;
}

// Puts the messages that leave their nodes into the line, those of the last exchange in their order.
static void fill_line(Queues *x)
{
    int n = 0;
    for (int i = 0; i < x->n; i++) {
        const int v = x->line[i];
        if (x->busy[v] >= 0) {
            x->line[i] = x->line[n];
            x->line[n++] = v;
        }
    }
    x->n_line = n;
}

// Notes what the ends of all messages waited for, as if they stood in no line.
static void note_waits(const Queues *x, int64_t step)
{
    uint8_t *note = x->note + note_at(x, step, 0);
    for (int v = 0; v < x->n; v++) {
        const double own = x->now[v], other = x->now[x->d[v]];
        note[v] = (uint8_t)((own >= other ? OWN : OTHER) | (other >= own ? OWN : OTHER) << RECEIVER);
    }
}

static void note_received(const Queues *x, int64_t step)
{
    uint8_t *note = x->note + note_at(x, step, 0);
    for (int v = 0; v < x->n; v++)
        note[v] |= x->end[x->source[v]] >= x->end[v] ? RECEIVED : 0;
}

static bool exchange(Queues *x, int64_t step)
{
    bool moved;
    if (!find_messages(x, &moved))
        return false;
    if (moved)
        fill_line(x);
    for (int v = 0; v < x->n; v++) {
        const double own = x->now[v], other = x->now[x->d[v]], ready = MAX(own, other);
        x->ready[v] = ready;
        x->end[v] = ready + x->time[v];
    }
    if (x->note)
        note_waits(x, step);
    if (x->n_line > 0 && !pass_all(x, step))
        return false;
    if (x->note)
        note_received(x, step);
    for (int v = 0; v < x->n; v++) {
        const double sent = x->end[v], received = x->end[x->source[v]];
        x->now[v] = MAX(sent, received);
    }
    return true;
}

static void work(Queues *x, WorkKind kind)
{
    for (int c = 0; c < x->turn; c++) {
        uint64_t bytes[2];
        begin_times(x, &x->times[c], x->now_in[c].in_cut, x->now_in[c].in, bytes);
        for (int i = 0; i < 2; i++)
            x->times[c].time[i][0] = cost_own(&x->model, kind, bytes[i]);
    }
    for (int v = 0, c = 0; v < x->n; v++, c = c + 1 == x->turn ? 0 : c + 1) {
        const QueuesTimes *t = &x->times[c];
        if (G_LIKELY(!t->several))
            x->now[v] += t->time[is_longer(x, t, v)][0];
        else
            x->now[v] += cost_own(&x->model, kind, in_bytes(x->s, &x->now_in[c], v));
    }
}

bool queues_step(Queues *x, int64_t number)
{
    for (int c = 0; c < x->turn; c++) {
        x->now_in[c] = lockstep_step_at(x->s, x->k[c], x->at[c]);
        x->at[c] = next_step(x->k[c], x->at[c]);
        if (x->now_in[c].kind != x->now_in[0].kind)
            return false;
    }
    if (!op_works(x->now_in[0].kind))
        return exchange(x, number);
    work(x, x->now_in[0].kind - OP_REDUCE);
    return true;
}
