#include "schedule/schedule.h"

typedef struct Count {
    uint64_t sent, received, bytes_sent, bytes_received, bytes_reduced, writes, reads, bytes_written, bytes_read;
} Count;

// The bytes of a length over `rounds` rounds of a loop.
static uint64_t sum_length(const Schedule *s, int v, uint8_t cut, Length l, int32_t stride, uint64_t rounds)
{
    if (!cut)
        return l.bytes * rounds;
    const Cut *k = &s->cuts[cut];
    const uint64_t p = (uint64_t)s->p;
    uint64_t longer = 0; // how often it is one of the longer blocks
    if (l.blocks.count == 1 && (stride == 1 || stride == -1)) {
        // rounds blocks in a row, upwards from the first or down to it
        const uint64_t whole = rounds / p, rest = rounds % p;
        const int first = cut_first(s, v, l, 0, 0);
        const int64_t from = stride > 0 ? first : ((int64_t)first - (int64_t)rest + 1 + s->p) % s->p;
        const int64_t to = from + (int64_t)rest; // beyond p it goes on at 0
        longer = whole * (uint64_t)k->longer + (uint64_t)MAX(MIN(to, k->longer) - from, 0) +
                 (uint64_t)CLAMP(to - s->p, 0, k->longer);
    } else {
        for (uint64_t i = 0; i < rounds; i++) {
            const int first = cut_first(s, v, l, stride, (uint32_t)i);
            longer += (uint64_t)cut_longer(k, s->p, first, l.blocks.count);
        }
    }
    return (uint64_t)l.blocks.count * k->size * rounds + longer * k->elem;
}

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
            n.bytes_written += op->in.bytes * rounds;
        }
        if (op->kind == OP_READ) {
            n.reads += rounds;
            n.bytes_read += op->in.bytes * rounds;
        }
    }
    return n;
}

static void add(Totals *t, const Count *n, uint64_t ranks)
{
    t->messages += ranks * n->sent;
    t->bytes_sent += ranks * n->bytes_sent;
    t->writes += ranks * n->writes;
    t->reads += ranks * n->reads;
    t->bytes_written += ranks * n->bytes_written;
    t->bytes_read += ranks * n->bytes_read;
    t->max_messages_sent = MAX(t->max_messages_sent, n->sent);
    t->max_messages_received = MAX(t->max_messages_received, n->received);
    t->max_bytes_sent = MAX(t->max_bytes_sent, n->bytes_sent);
    t->max_bytes_received = MAX(t->max_bytes_received, n->bytes_received);
    t->max_bytes_reduced = MAX(t->max_bytes_reduced, n->bytes_reduced);
    t->max_bytes_written = MAX(t->max_bytes_written, n->bytes_written);
    t->max_bytes_read = MAX(t->max_bytes_read, n->bytes_read);
}

Totals schedule_totals(const Schedule *s)
{
    Totals t = {0};
    g_autofree uint64_t *ranks = g_new0(uint64_t, s->n_classes);
    for (int v = 0; v < s->p; v++) {
        const uint32_t k = s->class_of ? s->class_of[v] : 0;
        if (s->classes[k].cut) {
            const Count n = count(s, v, &s->classes[k]);
            add(&t, &n, 1);
        } else {
            ranks[k]++;
        }
    }
    for (uint32_t k = 0; k < s->n_classes; k++)
        if (ranks[k]) {
            const Count n = count(s, 0, &s->classes[k]);
            add(&t, &n, ranks[k]);
        }
    return t;
}

// Moving all v by a multiple of n, or by an xor with it, changes nothing.
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
