#include "engine/schedule/follow.h"

// Expects an operation of the list, in the first round of a loop if it is in one.
static void expect(Follower *f, Followed *e, const Op *op)
{
    static const uint8_t kinds[] = {
        [OP_SEND] = COLL_SEND, [OP_RECV] = COLL_RECV, [OP_SENDRECV] = COLL_SENDRECV, [OP_REDUCE] = COLL_REDUCE_OP};
    const Schedule *s = f->s;
    *e = (Followed){.op = op, .cut = op->out_cut || op->in_cut};
    if (op->kind == OP_END) {
        e->kind = -1;
        return;
    }
    e->kind = kinds[op->kind];
    if (op->kind == OP_SEND || op->kind == OP_SENDRECV) {
        e->to = rank_of(s, peer_of(s, f->v, op->to, 0, 0));
        e->out = op->out.bytes;
    }
    if (op->kind == OP_RECV || op->kind == OP_SENDRECV)
        e->from = rank_of(s, peer_of(s, f->v, op->from, 0, 0));
    if (op->kind != OP_SEND)
        e->in = op->in.bytes;
    if (op->kind == OP_REDUCE) // its operands have the length of the result
        e->out = op->in.bytes;
}

bool follow_begin(Follower *f, const Schedule *s, int v)
{
    *f = (Follower){.s = s, .c = class_of(s, v), .v = v};
    for (const Op *op = f->c->ops; op->kind != OP_END; op++) {
        const bool known =
            op->kind == OP_SEND || op->kind == OP_RECV || op->kind == OP_SENDRECV || op->kind == OP_REDUCE;
        if (op->kind == OP_LOOP ? op->to > MAX_BODY : !known || op->text != 1 || op->group || op->phase)
            return false;
    }
    expect(f, &f->next[0], f->c->ops);
    return true;
}

// Returns true if a slice has the length that an operation says, in this round of its loop.
static bool is_length(const Follower *f, const Slice *x, uint8_t cut, Length l, int32_t stride)
{
    if (!cut)
        return x->len == l.bytes;
    return x->cut.parts == f->s->p && x->cut.whole == f->s->cuts[cut].whole && x->cut.count == l.blocks.count &&
           x->cut.first == cut_first(f->s, f->v, l, stride, (uint32_t)f->round);
}

// The same for both lengths of an operation.
static bool are_lengths(const Follower *f, const Followed *e, const CollIssue *in)
{
    const Op *op = e->op;
    const Stride none = {0}, *d = f->body ? &f->c->strides[op - f->c->ops] : &none;
    return (op->kind == OP_RECV || op->kind == OP_REDUCE || is_length(f, in->out, op->out_cut, op->out, d->out)) &&
           (op->kind == OP_SEND || is_length(f, in->in, op->in_cut, op->in, d->in));
}

static int moved(const Schedule *s, int rank, int32_t stride)
{
    rank += stride;
    return rank < 0 ? rank + s->p : rank >= s->p ? rank - s->p : rank;
}

// Expects the operation in the next round of its loop. Returns true if its peers are others there.
static bool move_on(const Follower *f, Followed *e)
{
    const Stride *d = &f->c->strides[e->op - f->c->ops];
    if (d->to)
        e->to = moved(f->s, e->to, d->to);
    if (d->from)
        e->from = moved(f->s, e->from, d->from);
    return d->to || d->from;
}

// The first round of a loop is over.
static void begin_loop(Follower *f, const Op *loop)
{
    f->body = (uint32_t)loop->to;
    f->round = 1;
    f->rounds = loop->out.bytes;
    f->same = true;
    for (uint32_t i = 0; i < f->body; i++) {
        Followed *e = &f->next[i];
        expect(f, e, loop - f->body + i);
        f->same &= !move_on(f, e) && !e->cut;
    }
}

static void next_operation(Follower *f)
{
    const Op *op = &f->c->ops[++f->at];
    f->body = f->k = 0;
    f->same = false;
    if (op->kind == OP_LOOP)
        begin_loop(f, op);
    else
        expect(f, &f->next[0], op);
}

void follow_step(Follower *f, const CollIssue *in)
{
    Followed *e = &f->next[f->k];
    bool fits = follow_fits(e, in);
    if (e->cut)
        fits = (int)in->kind == e->kind && in->to == e->to && in->from == e->from && are_lengths(f, e, in);
    f->operations++;
    f->lost |= !fits;
    if (f->lost) {
        f->same = false;
        return;
    }
    if (!f->body) {
        next_operation(f);
        return;
    }
    move_on(f, e);
    if (++f->k < f->body)
        return;
    f->k = 0;
    if (++f->round == f->rounds)
        next_operation(f);
}
