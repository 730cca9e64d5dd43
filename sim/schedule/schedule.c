#include "schedule/schedule.h"
#include "base/error.h"
#include "api/integers.h"

// The sums here are exact, because none reaches 2^128: a length is below 2^64, and so is the number of a loop's rounds.
typedef unsigned __int128 TotalsSum;

// The sums of one rank, or of all ranks.
typedef struct Count {
    TotalsSum sent, received, bytes_sent, bytes_received, bytes_reduced, writes, reads, bytes_written, bytes_read;
} Count;

// Returns the sum if it fits into 64 bits, otherwise UINT64_MAX, which schedule_check refuses.
static uint64_t saturated(TotalsSum sum)
{
    return sum < UINT64_MAX ? (uint64_t)sum : UINT64_MAX;
}

// Returns the sum of a length over `rounds` rounds of a loop, in bytes.
static TotalsSum sum_length(const Schedule *s, int v, uint8_t cut, Length l, int32_t stride, uint64_t rounds)
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

// Counts one rank's operations, backwards, because the OP_LOOP with the number of rounds follows the loop's body.
static Count count(const Schedule *s, int v, const Class *c)
{
    Count n = {0};
    static const Stride none;
    uint64_t rounds = 1;
    for (uint32_t i = c->n_ops, body = 0; i-- > 0;) {
        const Op *op = &c->ops[i];
        if (op->kind == OP_LOOP) {
            body = (uint32_t)op->to;
            rounds = op->out.bytes;
            continue;
        }
        if (body == 0)
            rounds = 1;
        else
            body--;
        const Stride *d = c->loops ? &c->strides[i] : &none;
        if (op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV) {
            n.sent += rounds;
            n.bytes_sent += sum_length(s, v, op->out_cut, op->out, d->out, rounds);
        }
        if (op->kind == OP_RECV || op->kind == OP_IRECV || op->kind == OP_SENDRECV) {
            n.received += rounds;
            n.bytes_received += sum_length(s, v, op->in_cut, op->in, d->in, rounds);
        }
        if (op->kind == OP_REDUCE)
            n.bytes_reduced += sum_length(s, v, op->in_cut, op->in, d->in, rounds);
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

// Adds what `ranks` ranks do, n each, to the sums and to the maxima.
static void add(Totals *t, Count *all, const Count *n, uint64_t ranks)
{
    all->sent += ranks * n->sent;
    all->received += ranks * n->received;
    all->bytes_sent += ranks * n->bytes_sent;
    all->bytes_received += ranks * n->bytes_received;
    all->bytes_reduced += ranks * n->bytes_reduced;
    all->writes += ranks * n->writes;
    all->reads += ranks * n->reads;
    all->bytes_written += ranks * n->bytes_written;
    all->bytes_read += ranks * n->bytes_read;
    t->max_messages_sent = MAX(t->max_messages_sent, saturated(n->sent));
    t->max_messages_received = MAX(t->max_messages_received, saturated(n->received));
    t->max_bytes_sent = MAX(t->max_bytes_sent, saturated(n->bytes_sent));
    t->max_bytes_received = MAX(t->max_bytes_received, saturated(n->bytes_received));
    t->max_bytes_reduced = MAX(t->max_bytes_reduced, saturated(n->bytes_reduced));
    t->max_bytes_written = MAX(t->max_bytes_written, saturated(n->bytes_written));
    t->max_bytes_read = MAX(t->max_bytes_read, saturated(n->bytes_read));
}

Totals schedule_totals(const Schedule *s)
{
    Totals t = {0};
    Count all = {0};
    g_autofree uint64_t *ranks = g_new0(uint64_t, s->n_classes);
    for (int v = 0; v < s->p; v++) {
        const uint32_t k = s->class_of ? s->class_of[v] : 0;
        if (s->classes[k].cut) {
            const Count n = count(s, v, &s->classes[k]);
            add(&t, &all, &n, 1);
        } else {
            ranks[k]++;
        }
    }
    for (uint32_t k = 0; k < s->n_classes; k++)
        if (ranks[k]) {
            const Count n = count(s, 0, &s->classes[k]);
            add(&t, &all, &n, ranks[k]);
        }
    t.messages = saturated(all.sent);
    t.bytes_sent = saturated(all.bytes_sent);
    t.bytes_received = saturated(all.bytes_received);
    t.bytes_reduced = saturated(all.bytes_reduced);
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
        {t->messages, "exchanges 2^62 messages"},
        {t->bytes_sent, "sends 2^62 bytes"},
        {t->bytes_received, "receives 2^62 bytes"},
        {t->bytes_reduced, "reduces 2^62 bytes"},
        {t->writes, "writes 2^62 times"},
        {t->bytes_written, "writes 2^62 bytes"},
        {t->reads, "reads 2^62 times"},
        {t->bytes_read, "reads 2^62 bytes"},
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

int schedule_period(const Schedule *s)
{
    if (s->peers == PEERS_ABSOLUTE || (s->peers == PEERS_XOR && !is_pow2(s->p)))
        return s->p;
    for (uint32_t i = 0; i < s->n_classes; i++)
        if (s->classes[i].cut || s->classes[i].groups)
            return s->p;
    int n = (int)s->n_classes;
    while (s->p % n || !repeats(s, n))
        n++;
    return n;
}

static void group_clear(gpointer data)
{
    Group *g = data;
    g_free(g->v);
    g_free(g->member);
}

void schedule_free(Schedule *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->n_classes; i++) {
        g_free(s->classes[i].ops);
        g_free(s->classes[i].strides);
    }
    for (int i = 1; i < s->n_groups; i++)
        g_rc_box_release_full(s->groups[i], group_clear);
    g_free(s->classes);
    g_free(s->class_of);
    g_free(s);
}
