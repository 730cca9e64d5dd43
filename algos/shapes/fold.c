// Folds. If p is not a power of two, the first 2r ranks form r = p - 2^floor(log2 p) pairs. Each pair reduces to one of
// its ranks, which runs the algorithm and hands the result to the other rank at the end. Folds to a power of k work
// alike.
#include "shapes/fold.h"
#include "api/blocks.h"
#include "api/communicate.h"
#include "api/integers.h"
#include "shapes/reduce.h"

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

// The two ranks exchange halves, each reduces one half, and the odd rank sends its half back. The upper half has the
// odd element.
static void fold_halves(const Coll *c, const Fold *f, Slice acc)
{
    const Blocks even = blocks_even(c, acc, 2);
    const size_t low = acc.len / c->elem / 2 * c->elem;
    const Slice half[2] = {even.longer ? slice_at(acc, 0, low) : block(&even, 0),
                           even.longer ? slice_at(acc, low, acc.len - low) : block(&even, 1)};
    const int mine = f->v >= 0 ? 0 : 1;
    const Slice keep = half[mine], inbox = slice_like(coll_scratch(c, keep.len), keep);
    coll_sendrecv(c, f->other, half[1 - mine], f->other, inbox);
    reduce_in_order(c, keep, inbox, mine == 1);
    if (mine == 0)
        coll_recv(c, f->other, half[1]);
    else
        coll_send(c, f->other, keep);
}

void fold_reduce(const Coll *c, const Fold *f, CollPrestep prestep, Slice acc)
{
    if (f->other < 0)
        return;
    coll_phase(c, "fold");
    if (prestep == PRESTEP_OMPI) {
        fold_halves(c, f, acc);
    } else if (f->v < 0) {
        coll_send(c, f->other, acc);
    } else {
        const Slice inbox = slice_like(coll_scratch(c, acc.len), acc);
        coll_recv(c, f->other, inbox);
        reduce_in_order(c, acc, inbox, f->other < c->rank);
    }
    coll_phase(c, NULL);
}

void fold_return(const Coll *c, const Fold *f, Slice result)
{
    if (f->other < 0)
        return;
    coll_phase(c, "unfold");
    if (f->v >= 0)
        coll_send(c, f->other, result);
    else
        coll_recv(c, f->other, result);
}

void fold_run(const Coll *c, CollPrestep prestep, void (*run)(const Coll *group))
{
    const Fold f = fold_ranks(c, prestep);
    coll_copy(c, c->out, c->in);
    fold_reduce(c, &f, prestep, c->out);
    if (f.v >= 0) {
        const Coll group = coll_sub(c, pow2_floor(c->p), f.v, f.map);
        run(&group);
    }
    fold_return(c, &f, c->out);
}

// ---- Powers of k ---------------------------------------------------------------------------------------------------

static int run_leader(const Coll *up, int v)
{
    const int k = up->par.radix, out = up->p - pow_floor(up->p, k);
    return v < out / (k - 1) ? v * k + k - 1 : v + out;
}

FoldRadix fold_runs(const Coll *c)
{
    const int k = c->par.radix, P = pow_floor(c->p, k), out = c->p - P;
    const int runs = out / (k - 1),
              shorter = out % (k - 1); // k-1 ranks of each run stay out, and `shorter` of the shorter one
    const bool in_run = c->rank < runs * k;
    const int first = in_run ? c->rank / k * k : runs * k, n = in_run ? k - 1 : shorter;
    FoldRadix f = {.v = -1, .p = P, .leader = first + n, .map = run_leader};
    if (c->rank >= first + n) {
        f.v = in_run ? c->rank / k : c->rank - out;
        f.first = first;
        f.step = 1;
        f.n = c->rank == first + n ? n : 0;
    }
    return f;
}

static int itself(const Coll *up, int v)
{
    (void)up;
    return v;
}

FoldRadix fold_beyond(const Coll *c)
{
    const int P = pow_floor(c->p, c->par.radix);
    FoldRadix f = {.v = c->rank, .p = P, .first = c->rank + P, .step = P, .map = itself};
    f.n = (c->p - 1 - c->rank) / P;
    if (c->rank >= P) {
        f.v = -1;
        f.leader = c->rank % P;
    }
    return f;
}

// Returns the number of ranks that fold_pairs takes away.
static int paired(const Coll *c)
{
    return c->p % pow_floor(c->p, c->par.radix);
}

static int first_plays(const Coll *up, int v)
{
    const int out = paired(up);
    return v < out ? 2 * v : v + out;
}

FoldRadix fold_pairs(const Coll *c)
{
    const int out = paired(c);
    const bool in_pair = c->rank < 2 * out;
    FoldRadix f = {.v = in_pair ? c->rank / 2 : c->rank - out,
                   .p = c->p - out,
                   .first = c->rank + 1,
                   .step = 1,
                   .n = in_pair,
                   .map = first_plays};
    if (in_pair && c->rank % 2) {
        f.v = -1;
        f.leader = c->rank - 1;
    }
    return f;
}

Slice fold_pairs_blocks(const Coll *group, const Blocks *b, int v, int m)
{
    const int first = v - v % m, end = first + m;
    return blocks(b, first_plays(group->up, first), end == group->p ? b->n : first_plays(group->up, end));
}

void fold_radix_reduce(const Coll *c, const FoldRadix *f, Slice acc)
{
    coll_phase(c, "fold");
    if (f->v < 0) {
        coll_send(c, f->leader, acc);
        return;
    }
    const Slice inbox = coll_scratch(c, f->n ? acc.len : 0);
    for (int i = f->n - 1; i >= 0; i--) { // the nearest rank first: its vector comes right before acc in rank order
        const int from = f->first + i * f->step;
        coll_recv(c, from, inbox);
        reduce_in_order(c, acc, inbox, from < c->rank);
    }
    coll_phase(c, NULL);
}

void fold_radix_return(const Coll *c, const FoldRadix *f, Slice result)
{
    coll_phase(c, "unfold");
    if (f->v < 0) {
        coll_recv(c, f->leader, result);
        return;
    }
    const CollReq sends = coll_mark(c);
    for (int i = 0; i < f->n; i++)
        coll_isend(c, f->first + i * f->step, result);
    coll_waitall(c, sends);
}

void fold_radix_run(const Coll *c, const FoldRadix *f, void (*run)(const Coll *group))
{
    coll_copy(c, c->out, c->in);
    fold_radix_reduce(c, f, c->out);
    if (f->v >= 0) {
        const Coll group = coll_sub(c, f->p, f->v, f->map);
        run(&group);
    }
    fold_radix_return(c, f, c->out);
}
