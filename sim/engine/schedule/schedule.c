#include "engine/schedule/schedule.h"
#include "base/error.h"
#include "api/integers.h"
#include <string.h>

const Stride schedule_still[MAX_STILL] = {{0}};

// The sums here are exact, because none reaches 2^128: a length is below 2^64, and so is the number of a loop's rounds.
typedef unsigned __int128 TotalsSum;

// A kind of work is its operation's distance from OP_REDUCE (op_works). A kind of flow is what is sent, what is
// received, or after these a kind of work.
enum { COPIED = OP_COPY - OP_REDUCE, FRESH = OP_FRESH - OP_REDUCE, N_WORKS };
enum { N_FOR_MESSAGES = OP_BOUNCE - OP_CONNECT + 1 };
enum { SENT, RECEIVED, WORKED, N_FLOWS = WORKED + N_WORKS };

// The sums of one rank, or of all ranks.
typedef struct Count {
    TotalsSum sent, received, works, bytes[N_FLOWS], writes, reads, bytes_written, bytes_read;
    TotalsSum for_messages[N_FOR_MESSAGES]; // the lengths of OP_CONNECT and those after it
} Count;

// Returns the sum if it fits into 64 bits, otherwise UINT64_MAX, which schedule_check refuses.
static uint64_t saturated(TotalsSum sum)
{
    return sum < UINT64_MAX ? (uint64_t)sum : UINT64_MAX;
}

unsigned __int128 schedule_sum_length(const Schedule *s, int v, uint8_t cut, Length l, int32_t stride, uint64_t rounds)
{
    if (!cut)
        return (TotalsSum)l.bytes * rounds;
    const Cut *k = &s->cuts[cut];
    const uint64_t p = (uint64_t)s->p;
    uint64_t longer = 0; // how many of the blocks of all rounds are longer ones
    if (l.blocks.count == 1 && (stride == 1 || stride == -1)) {
        // A ring has up to 2^27 rounds, so count them without a loop over the rounds: they visit consecutive blocks,
        // whole turns of p blocks each and then the blocks from .. to - 1.
        const uint64_t whole = rounds / p, rest = rounds % p;
        const int first = cut_first(s, v, l, 0, 0);
        const int64_t from = stride > 0 ? first : ((int64_t)first - (int64_t)rest + 1 + s->p) % s->p;
        const int64_t to = from + (int64_t)rest; // block p is block 0 again
        longer = whole * (uint64_t)k->longer + (uint64_t)MAX(MIN(to, k->longer) - from, 0) +
                 (uint64_t)CLAMP(to - s->p, 0, k->longer);
    } else {
        for (uint64_t i = 0; i < rounds; i++) {
            const int first = cut_first(s, v, l, stride, (uint32_t)i);
            longer += (uint64_t)cut_longer(k, s->p, first, l.blocks.count);
        }
    }
    return (TotalsSum)l.blocks.count * k->size * rounds + (TotalsSum)longer * k->elem;
}

// Goes through a class's operations backwards, because the OP_LOOP with the number of rounds follows the loop's body.
typedef struct CountCursor {
    uint32_t i, body; // the operation; how many operations before it are in the same loop
    uint64_t rounds;  // how many times it is executed
} CountCursor;

// Moves to the operation before, other than OP_LOOP; begin with i = n_ops. Returns false if there is none.
static bool step_before(const Class *c, CountCursor *at)
{
    while (at->i-- > 0) {
        const Op *op = &c->ops[at->i];
        if (op->kind != OP_LOOP) {
            if (at->body == 0)
                at->rounds = 1;
            else
                at->body--;
            return true;
        }
        at->body = (uint32_t)op->to;
        at->rounds = op->out.bytes;
    }
    return false;
}

static const Stride *stride_at(const Class *c, uint32_t i)
{
    static const Stride none;
    return c->loops ? &c->strides[i] : &none;
}

static bool sends(const Op *op)
{
    return op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV;
}

static bool receives(const Op *op)
{
    return op->kind == OP_RECV || op->kind == OP_IRECV || op->kind == OP_SENDRECV;
}

// Counts one rank's operations.
static Count count(const Schedule *s, int v, const Class *c)
{
    Count n = {0};
    for (CountCursor at = {.i = c->n_ops}; step_before(c, &at);) {
        const Op *op = &c->ops[at.i];
        const Stride *d = stride_at(c, at.i);
        const uint64_t rounds = at.rounds;
        if (sends(op)) {
            n.sent += rounds;
            n.bytes[SENT] += schedule_sum_length(s, v, op->out_cut, op->out, d->out, rounds);
        }
        if (receives(op)) {
            n.received += rounds;
            n.bytes[RECEIVED] += schedule_sum_length(s, v, op->in_cut, op->in, d->in, rounds);
        }
        if (op_works(op->kind)) {
            n.works += rounds;
            if (op->kind >= OP_CONNECT)
                n.for_messages[op->kind - OP_CONNECT] += (TotalsSum)op->in.bytes * rounds;
            else
                n.bytes[WORKED + op->kind - OP_REDUCE] += schedule_sum_length(s, v, op->in_cut, op->in, d->in, rounds);
        }
        if (op->kind == OP_WRITE) {
            n.writes += rounds;
            n.bytes_written += (TotalsSum)op->in.bytes * rounds;
        }
        if (op->kind == OP_READ) {
            n.reads += rounds;
            n.bytes_read += (TotalsSum)op->in.bytes * rounds;
        }
    }
    return n;
}

// ---- All ranks of a class with cuts ---------------------------------------------------------------------------------
// Its ranks differ only in how many of their blocks are longer. To count these rank by rank would go over the class's
// operations as many times; here it goes over them once.

// How often each block is visited by v = 0, as differences: visits of block b = diff[0] + .. + diff[b]. There are p + 1
// entries. Unsigned sums may wrap on their way.
typedef struct Visits {
    uint64_t *diff;
    int p;
    bool any; // false if there are none
} Visits;

// Adds n visits of the blocks first .. first + count - 1, modulo p; count is at most p.
static void visit(Visits *x, int first, int count, uint64_t n)
{
    const int64_t end = (int64_t)first + count;
    x->any = true;
    x->diff[first] += n;
    x->diff[MIN(end, x->p)] -= n;
    if (end > x->p) {
        x->diff[0] += n;
        x->diff[end - x->p] -= n;
    }
}

// Adds the blocks of a length, in all rounds of its loop.
static void visit_length(const Schedule *s, Visits *x, Length l, int32_t stride, uint64_t rounds)
{
    if (stride == 0) {
        visit(x, cut_first(s, 0, l, 0, 0), l.blocks.count, rounds);
        return;
    }
    if (l.blocks.count == 1 && (stride == 1 || stride == -1)) { // whole turns of p blocks, and then consecutive blocks
        const int rest = (int)(rounds % (uint64_t)s->p);
        visit(x, 0, s->p, rounds / (uint64_t)s->p);
        if (rest > 0)
            visit(x, cut_first(s, 0, l, stride, stride > 0 ? 0 : (uint32_t)rest - 1), rest, 1);
        return;
    }
    for (uint64_t i = 0; i < rounds; i++)
        visit(x, cut_first(s, 0, l, stride, (uint32_t)i), l.blocks.count, 1);
}

// Adds to longer[v], for all v, how many of the blocks that v visits are longer ones. v visits block b + v, modulo p,
// as often as 0 visits b. Makes the visits empty.
static void add_longer(Visits *x, const Cut *cut, uint64_t *longer)
{
    const int p = x->p;
    if (!x->any)
        return;
    for (int b = 1; b < p; b++)
        x->diff[b] += x->diff[b - 1]; // now the visits themselves
    uint64_t sum = 0;
    for (int b = 0; b < cut->longer; b++)
        sum += x->diff[b];
    for (int v = 0; v < p; v++) { // sum: the visits of the blocks -v .. -v + longer - 1
        longer[v] += sum;
        const int next = p - 1 - v, last = (next + cut->longer) % p;
        sum += x->diff[next] - x->diff[last];
    }
    memset(x->diff, 0, ((size_t)p + 1) * sizeof *x->diff);
    x->any = false;
}

// Counts the longer blocks of all ranks in a class's operations, and adds those of flow i to longer[i p + v], which has
// N_FLOWS p entries.
static void count_longer(const Schedule *s, const Class *c, uint64_t *longer)
{
    const size_t p = (size_t)s->p;
    Visits x[N_FLOWS];
    for (int i = 0; i < N_FLOWS; i++)
        x[i] = (Visits){g_new0(uint64_t, p + 1), s->p};
    for (int cut = 1; cut < s->n_cuts; cut++) {
        for (CountCursor at = {.i = c->n_ops}; step_before(c, &at);) {
            const Op *op = &c->ops[at.i];
            const Stride *d = stride_at(c, at.i);
            if (sends(op) && op->out_cut == cut)
                visit_length(s, &x[SENT], op->out, d->out, at.rounds);
            if ((receives(op) || op_works(op->kind)) && op->in_cut == cut)
                visit_length(s, &x[receives(op) ? RECEIVED : WORKED + op->kind - OP_REDUCE], op->in, d->in, at.rounds);
        }
        for (int i = 0; i < N_FLOWS; i++)
            add_longer(&x[i], &s->cuts[cut], longer + i * s->p);
    }
    for (int i = 0; i < N_FLOWS; i++)
        g_free(x[i].diff);
}

// Adds what `ranks` ranks do, n each, to the sums and to the maxima.
static void add(Totals *t, Count *all, const Count *n, uint64_t ranks)
{
    all->sent += ranks * n->sent;
    all->received += ranks * n->received;
    all->works += ranks * n->works;
    for (int i = 0; i < N_FLOWS; i++)
        all->bytes[i] += ranks * n->bytes[i];
    all->writes += ranks * n->writes;
    all->reads += ranks * n->reads;
    all->bytes_written += ranks * n->bytes_written;
    all->bytes_read += ranks * n->bytes_read;
    for (int i = 0; i < N_FOR_MESSAGES; i++)
        all->for_messages[i] += ranks * n->for_messages[i];
    t->max_messages_sent = MAX(t->max_messages_sent, saturated(n->sent));
    t->max_messages_received = MAX(t->max_messages_received, saturated(n->received));
    t->max_bytes_sent = MAX(t->max_bytes_sent, saturated(n->bytes[SENT]));
    t->max_bytes_received = MAX(t->max_bytes_received, saturated(n->bytes[RECEIVED]));
    t->max_bytes_reduced = MAX(t->max_bytes_reduced, saturated(n->bytes[WORKED]));
    t->max_bytes_written = MAX(t->max_bytes_written, saturated(n->bytes_written));
    t->max_bytes_read = MAX(t->max_bytes_read, saturated(n->bytes_read));
}

// Returns true if the `ranks` ranks of class k should be counted together although it has cuts, because one by one
// would take longer: for each rank the operations, and not for each cut the operations and all ranks.
static bool together(const Schedule *s, const Class *k, uint64_t ranks)
{
    return (double)ranks * k->n_ops > (s->n_cuts - 1.0) * (2.0 * k->n_ops + 4.0 * s->p);
}

// Adds what the ranks of class k do, counted together.
static void add_together(Totals *t, Count *all, const Schedule *s, uint32_t k)
{
    const size_t p = (size_t)s->p;
    g_autofree uint64_t *longer = g_new0(uint64_t, N_FLOWS * p);
    count_longer(s, &s->classes[k], longer);
    Count fixed = {0}; // what they do, without the further elements of longer blocks
    const TotalsSum elem = s->cuts[0].elem;
    bool known = false;
    for (int v = 0; v < s->p; v++) {
        if ((s->class_of ? s->class_of[v] : 0) != k)
            continue;
        if (!known) {
            fixed = count(s, v, &s->classes[k]);
            for (size_t i = 0; i < N_FLOWS; i++)
                fixed.bytes[i] -= longer[i * p + (size_t)v] * elem;
            known = true;
        }
        Count n = fixed;
        for (size_t i = 0; i < N_FLOWS; i++)
            n.bytes[i] += longer[i * p + (size_t)v] * elem;
        add(t, all, &n, 1);
    }
}

uint64_t schedule_bytes_shared(const Class *c)
{
    TotalsSum bytes = 0;
    for (CountCursor at = {.i = c->n_ops}; step_before(c, &at);)
        if (c->ops[at.i].kind == OP_WRITE || c->ops[at.i].kind == OP_READ)
            bytes += (TotalsSum)c->ops[at.i].in.bytes * at.rounds;
    return saturated(bytes);
}

Totals schedule_totals(const Schedule *s)
{
    Totals t = {0};
    Count all = {0};
    g_autofree uint64_t *ranks = schedule_class_ranks(s, s->p);
    bool some_alone = false; // some classes are counted rank by rank
    for (uint32_t k = 0; k < s->n_classes; k++) {
        if (s->classes[k].cut && !together(s, &s->classes[k], ranks[k])) {
            some_alone = true;
            continue;
        }
        if (s->classes[k].cut) {
            add_together(&t, &all, s, k);
        } else if (ranks[k]) {
            const Count n = count(s, 0, &s->classes[k]);
            add(&t, &all, &n, ranks[k]);
        }
        ranks[k] = 0;
    }
    for (int v = 0; some_alone && v < s->p; v++) {
        const uint32_t k = s->class_of ? s->class_of[v] : 0;
        if (ranks[k]) {
            const Count n = count(s, v, &s->classes[k]);
            add(&t, &all, &n, 1);
        }
    }
    t.messages = saturated(all.sent);
    t.bytes_sent = saturated(all.bytes[SENT]);
    t.bytes_received = saturated(all.bytes[RECEIVED]);
    t.bytes_reduced = saturated(all.bytes[WORKED]);
    t.bytes_copied = saturated(all.bytes[WORKED + COPIED]);
    t.bytes_fresh = saturated(all.bytes[WORKED + FRESH]);
    t.connects = saturated(all.for_messages[0]);
    t.matches = saturated(all.for_messages[OP_MATCH - OP_CONNECT]);
    t.bytes_bounced = saturated(all.for_messages[OP_BOUNCE - OP_CONNECT]);
    t.works = saturated(all.works);
    t.writes = saturated(all.writes);
    t.reads = saturated(all.reads);
    t.bytes_written = saturated(all.bytes_written);
    t.bytes_read = saturated(all.bytes_read);
    return t;
}

gboolean schedule_check(const Totals *t, const char *name, int p, GError **error)
{
    const struct {
        uint64_t n;
        const char *what;
    } sums[] = {
        {t->messages, "exchanges 2^62 messages"},    {t->bytes_sent, "sends 2^62 bytes"},
        {t->bytes_received, "receives 2^62 bytes"},  {t->bytes_reduced, "reduces 2^62 bytes"},
        {t->bytes_copied, "copies 2^62 bytes"},      {t->bytes_fresh, "has buffers of 2^62 bytes"},
        {t->works, "reduces and copies 2^62 times"}, {t->writes, "writes 2^62 times"},
        {t->bytes_written, "writes 2^62 bytes"},     {t->reads, "reads 2^62 times"},
        {t->bytes_read, "reads 2^62 bytes"},         {t->matches, "passes 2^62 messages in line"},
        {t->bytes_bounced, "copies 2^62 bytes"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(sums); i++)
        if (sums[i].n >= SCHEDULE_MOST)
            return error_too_large(
                error,
                "%s on %d ranks %s or more, all ranks together; allowed: less, with a smaller -p, -m or "
                "--counts",
                name, p, sums[i].what);
    return TRUE;
}

// Returns true if all v that differ by a multiple of n share a class. With XOR peers v and peer move together only if n
// is a power of two.
static bool repeats(const Schedule *s, int n)
{
    if (s->peers == PEERS_XOR && !is_pow2(n))
        return false;
    for (int v = n; s->class_of && v < s->p; v++)
        if (s->class_of[v] != s->class_of[v - n])
            return false;
    return true;
}

uint64_t *schedule_class_ranks(const Schedule *s, int n)
{
    uint64_t *ranks = g_new0(uint64_t, s->n_classes);
    for (int v = 0; v < n; v++)
        ranks[s->class_of ? s->class_of[v] : 0]++;
    return ranks;
}

int schedule_turn(const Schedule *s)
{
    int n = (int)s->n_classes;
    while (s->p % n || !repeats(s, n))
        n++;
    return n;
}

int schedule_period(const Schedule *s)
{
    if (s->peers == PEERS_ABSOLUTE || (s->peers == PEERS_XOR && !is_pow2(s->p)))
        return s->p;
    for (uint32_t i = 0; i < s->n_classes; i++)
        if (s->classes[i].cut || s->classes[i].groups)
            return s->p;
    return schedule_turn(s);
}

static void group_clear(gpointer data)
{
    Group *g = data;
    g_free(g->v);
    g_free(g->member);
}

Schedule *schedule_ref(Schedule *s)
{
    g_atomic_int_inc(&s->others);
    return s;
}

size_t schedule_bytes(const Schedule *s)
{
    size_t bytes = sizeof *s + (s->class_of ? (size_t)s->p * sizeof *s->class_of : 0) +
                   s->n_classes * sizeof *s->classes + (size_t)(s->n_groups - 1) * (size_t)s->p * 2 * sizeof(int32_t);
    for (uint32_t i = 0; i < s->n_classes; i++) {
        const Class *const class = &s->classes[i];
        const bool own = class->strides && class->strides != schedule_still;
        bytes += class->n_ops * (sizeof *class->ops + (own ? sizeof *class->strides : 0));
    }
    return bytes;
}

void schedule_free(Schedule *s)
{
    if (!s || g_atomic_int_add(&s->others, -1) > 0)
        return;
    for (uint32_t i = 0; i < s->n_classes; i++) {
        g_free(s->classes[i].ops);
        if (s->classes[i].strides != schedule_still)
            g_free((Stride *)s->classes[i].strides);
    }
    for (int i = 1; i < s->n_groups; i++)
        g_rc_box_release_full(s->groups[i], group_clear);
    if (s->graph) {
        g_free(s->graph->first);
        g_free(s->graph->met);
        g_free(s->graph->any);
        g_free(s->graph);
    }
    phases_clear(&s->phases);
    g_free(s->classes);
    g_free(s->class_of);
    g_free(s);
}
