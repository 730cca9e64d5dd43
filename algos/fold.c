// What a power-of-two algorithm does first and last where p is no power of two: r = p - 2^floor(log2 p) pairs among the
// first 2r ranks reduce to one rank each, and that one hands the result back.
#include "coll.h"

static int remainder_of(const Coll *c)
{
    return c->p - pow2_floor(c->p);
}

static int even_plays(const Coll *up, int v)
{
    const int r = remainder_of(up);
    return v < r ? 2 * v : v + r;
}

static int odd_plays(const Coll *up, int v)
{
    const int r = remainder_of(up);
    return v < r ? 2 * v + 1 : v + r;
}

Fold fold_ranks(const Coll *c, CollPrestep prestep)
{
    const int r = remainder_of(c);
    Fold f = {.v = c->rank - r, .other = -1, .map = prestep == PRESTEP_OMPI ? even_plays : odd_plays};
    if (c->rank < 2 * r) {
        f.other = c->rank ^ 1;
        f.v = c->rank % 2 == (prestep == PRESTEP_OMPI ? 0 : 1) ? c->rank / 2 : -1;
    }
    return f;
}

// The pair exchanges halves, each reduces one, and the odd rank sends its half back.
static void fold_halves(const Coll *c, const Fold *f, Slice acc)
{
    const Blocks half = blocks_even(c, acc, 2);
    const int mine = f->v >= 0 ? 0 : 1;
    const Slice keep = block(&half, mine), inbox = slice_like(coll_scratch(c, keep.len), keep);
    coll_sendrecv(c, f->other, block(&half, 1 - mine), f->other, inbox);
    if (mine == 0)
        coll_reduce(c, keep, keep, inbox);
    else
        coll_reduce(c, keep, inbox, keep);
    if (mine == 0)
        coll_recv(c, f->other, block(&half, 1));
    else
        coll_send(c, f->other, keep);
}

void fold_reduce(const Coll *c, const Fold *f, CollPrestep prestep, Slice acc)
{
    if (f->other < 0)
        return;
    if (prestep == PRESTEP_OMPI) {
        fold_halves(c, f, acc);
    } else if (f->v < 0) {
        coll_send(c, f->other, acc);
    } else {
        const Slice inbox = coll_scratch(c, acc.len);
        coll_recv(c, f->other, inbox);
        coll_reduce(c, acc, inbox, acc); // the even rank's comes before ours
    }
}

void fold_return(const Coll *c, const Fold *f, Slice result)
{
    if (f->other < 0)
        return;
    if (f->v >= 0)
        coll_send(c, f->other, result);
    else
        coll_recv(c, f->other, result);
}

int same_fold(const Coll *c)
{
    const int r = remainder_of(c);
    return c->rank < 2 * r ? c->rank % 2 : 2 * r;
}

int same_fold_even(const Coll *c)
{
    const size_t count = c->in.len / c->elem, parts = (size_t)pow2_floor(c->p);
    return count % parts == 0 && (is_pow2(c->p) || count % 2 == 0) ? same_fold(c) : c->rank;
}
