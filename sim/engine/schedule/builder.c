// The two stages of a builder: operations fuse first, and then what repeats folds into loops.
#include "engine/schedule/builder.h"
#include <string.h>

// ---- Loops ----------------------------------------------------------------------------------------------------------

// Returns to - from. Shifts count modulo p, so for them it returns the equivalent step above -p/2 and up to p/2.
static int32_t step(const Schedule *s, int32_t from, int32_t to)
{
    int64_t d = (int64_t)to - from;
    if (s->peers == PEERS_SHIFT && 2 * d > s->p)
        d -= s->p;
    else if (s->peers == PEERS_SHIFT && 2 * d <= -s->p)
        d += s->p;
    return (int32_t)d;
}

static bool is_flag(const Op *op)
{
    return op->kind == OP_RAISE || op->kind == OP_AWAIT;
}

// Returns true if b differs from a at most in what a loop can stride over: its peers, its first blocks or its flag's
// value. Sets *d to the differences.
static bool stride_between(const Schedule *s, const Op *a, const Op *b, Stride *d)
{
    if (a->kind != b->kind || a->group != b->group || a->phase != b->phase || a->out_cut != b->out_cut ||
        a->in_cut != b->in_cut || a->text != b->text)
        return false;
    const bool flags = is_flag(a);
    if (a->out_cut ? a->out.blocks.count != b->out.blocks.count : a->out.bytes != b->out.bytes && !flags)
        return false;
    if (a->in_cut ? a->in.blocks.count != b->in.blocks.count : a->in.bytes != b->in.bytes)
        return false;
    *d = (Stride){step(s, a->to, b->to), step(s, a->from, b->from),
                  flags        ? (int32_t)((int64_t)b->out.bytes - (int64_t)a->out.bytes)
                  : a->out_cut ? step(s, a->out.blocks.first, b->out.blocks.first)
                               : 0,
                  a->in_cut ? step(s, a->in.blocks.first, b->in.blocks.first) : 0};
    const bool peers = a->kind == OP_SEND || a->kind == OP_RECV || a->kind == OP_SENDRECV || a->kind == OP_ISEND ||
                       a->kind == OP_IRECV;
    // XOR peers have no strides, and the `to` of a wait is not a peer: these must be equal. A stride of 0 does not say so,
    // because peers are equal modulo p, and places of requests are not.
    return (peers && s->peers != PEERS_XOR) || (a->to == b->to && a->from == b->from);
}

static int32_t wrap(const Schedule *s, int32_t relative, int32_t stride)
{
    const int64_t x = (int64_t)relative + stride;
    if (s->peers != PEERS_SHIFT)
        return (int32_t)x;
    return (int32_t)(x < 0 ? x + s->p : x >= s->p ? x - s->p : x);
}

static bool moves(const Stride *d)
{
    return d->to | d->from | d->out | d->in;
}

static void advance(const Schedule *s, Op *op, const Stride *d)
{
    if (!moves(d))
        return;
    op->to = d->to ? wrap(s, op->to, d->to) : op->to;
    op->from = d->from ? wrap(s, op->from, d->from) : op->from;
    if (is_flag(op))
        op->out.bytes += (uint64_t)(int64_t)d->out;
    if (op->out_cut)
        op->out.blocks.first = wrap(s, op->out.blocks.first, d->out);
    if (op->in_cut)
        op->in.blocks.first = wrap(s, op->in.blocks.first, d->in);
}

static void append(Builder *b, const Op *op)
{
    if (b->n == b->max) {
        b->max = MAX(64, 2 * b->max);
        b->ops = g_renew(Op, b->ops, b->max);
        b->strides = g_renew(Stride, b->strides, b->max);
    }
    b->strides[b->n] = (Stride){0};
    b->ops[b->n++] = *op;
}

// If the last 3 * len operations are three rounds of one body with constant strides, makes them a loop of 3 rounds and
// returns true. Three is the minimum, because any two operations of a kind have some stride.
static bool fold(const Schedule *s, Builder *b, uint32_t len)
{
    if (b->n - b->plain < 3 * len)
        return false;
    const Op *first = b->ops + b->n - 3 * len;
    Stride *d = b->strides + b->n - 3 * len, here, again;
    for (uint32_t i = len; i-- > 0;)
        if (!stride_between(s, &first[len + i], &first[2 * len + i], &here) ||
            !stride_between(s, &first[i], &first[len + i], &again) || memcmp(&here, &again, sizeof again) != 0)
            return false;
    if (len > b->max_next) {
        b->max_next = MAX(MAX_BODY, len);
        b->next = g_renew(Op, b->next, b->max_next);
    }
    for (uint32_t i = 0; i < len; i++) {
        stride_between(s, &first[i], &first[len + i], &d[i]);
        b->next[i] = first[2 * len + i];
        advance(s, &b->next[i], &d[i]);
    }
    b->n -= 2 * len;
    b->body = len;
    b->still = true;
    for (uint32_t i = 0; i < len; i++)
        b->still &= !moves(&d[i]);
    b->rounds = 3;
    b->matched = 0;
    return true;
}

// Closes the loop with its OP_LOOP, and appends the operations of a round that was begun as plain ones.
static void end_loop(const Schedule *s, Builder *b)
{
    if (!b->body)
        return;
    const uint32_t body = b->body, matched = b->matched;
    const Stride *d = b->strides + b->n - body;
    b->body = 0;
    b->still = false;
    for (uint32_t i = 0; i < matched; i++) // push() has advanced these to the round after: move them back
        advance(s, &b->next[i], &(Stride){-d[i].to, -d[i].from, -d[i].out, -d[i].in});
    append(b, &(Op){.kind = OP_LOOP, .to = (int32_t)body, .out.bytes = b->rounds});
    b->plain = b->n;
    b->raised = 0;
    for (uint32_t i = 0; i < matched; i++)
        append(b, &b->next[i]);
}

// In shared memory, where a raise of the flag ends a fragment: folds this fragment and the two before it, if they
// repeat.
static void fold_fragment(const Schedule *s, Builder *b, const Op *op)
{
    if (op->kind != OP_RAISE || (b->raised && op->to != b->flag))
        return;
    const uint32_t last = b->raised;
    b->flag = op->to;
    b->raised = b->n;
    if (last)
        fold(s, b, b->n - last);
}

static void push(const Schedule *s, Builder *b, const Op *op)
{
    if (b->body) {
        Op *expected = &b->next[b->matched];
        if (same_op(expected, op)) {
            advance(s, expected, &b->strides[b->n - b->body + b->matched]);
            if (++b->matched == b->body) {
                b->matched = 0;
                b->rounds++;
            }
            return;
        }
        end_loop(s, b);
    }
    append(b, op);
    if (s->shared)
        fold_fragment(s, b, op);
    for (uint32_t len = 1; !s->shared && len <= MAX_BODY; len++)
        if (fold(s, b, len))
            return;
}

// ---- Fusing ---------------------------------------------------------------------------------------------------------

static void settle(const Schedule *s, Builder *b)
{
    for (uint32_t i = 0; i < b->n_open; i++)
        push(s, b, &b->open[i]);
    b->n_open = 0;
}

static void hold(Builder *b, const Op *op)
{
    if (b->n_open == b->max_open) {
        b->max_open = MAX(16, 2 * b->max_open);
        b->open = g_renew(Op, b->open, b->max_open);
    }
    b->open[b->n_open++] = *op;
}

// Replaces the n newest requests and the wait for exactly these by blocking operations that take the same time. An
// irecv becomes a recv; an irecv followed by an isend, a sendrecv; an isend, a send. Several isends become sends,
// because a port sends one after the other anyway, unless b->isends. Returns false and changes nothing for other
// requests.
static bool fuse(Builder *b, uint32_t n)
{
    if (b->n_open < n)
        return false;
    Op *last = b->open + b->n_open - n;
    if (n == 1 && last->kind == OP_IRECV) {
        last->kind = OP_RECV;
    } else if (n == 2 && last[0].kind == OP_IRECV && last[1].kind == OP_ISEND) {
        last[0].kind = OP_SENDRECV;
        last[0].to = last[1].to;
        last[0].out = last[1].out;
        last[0].out_cut = last[1].out_cut;
        last[0].text += last[1].text;
        b->n_open--;
    } else if (n > 1 && b->isends) {
        return false;
    } else {
        for (uint32_t i = 0; i < n; i++)
            if (last[i].kind != OP_ISEND)
                return false;
        for (uint32_t i = 0; i < n; i++)
            last[i].kind = OP_SEND;
    }
    b->open[b->n_open - 1].text++;
    return true;
}

void builder_take(const Schedule *s, Builder *b, const Op *op)
{
    switch ((OpKind)op->kind) {
    case OP_ISEND:
    case OP_IRECV:
        hold(b, op);
        break;
    case OP_WAIT:
    case OP_WAITALL: {
        const bool fused = op->kind == OP_WAITALL ? fuse(b, (uint32_t)op->to) : op->to == 0 && fuse(b, 1);
        settle(s, b);
        if (!fused)
            push(s, b, op);
        break;
    }
    default:
        settle(s, b);
        push(s, b, op);
    }
}

void builder_reset(Builder *b)
{
    b->n = b->n_open = b->body = b->plain = b->raised = 0;
    b->still = false;
}

void builder_finish(const Schedule *s, Builder *b)
{
    settle(s, b);
    end_loop(s, b);
    append(b, &(Op){.kind = OP_END});
}

void builder_append(Builder *b, const Op *op, const Stride *stride)
{
    append(b, op);
    b->strides[b->n - 1] = *stride;
}

void builder_clear(Builder *b)
{
    g_free(b->ops);
    g_free(b->strides);
    g_free(b->open);
    g_free(b->next);
}
