// What:   This is recursive doubling in base k: in every round, groups of k ranks exchange all blocks that they have,
//         each rank with the k-1 others. If p is not a power of k, runs of up to k ranks first send their blocks to the
//         last rank of the run, and receive the result from it at the end. See shapes/fold.h for the runs, and
//         shapes/butterfly.h for the peers.
// Cost:   p = k^d: (k-1) d alpha + (p-1) m beta. m is the size of a block, in bytes.
// Source: MPICH, allgather recexch_doubling and recexch_halving. recexch_doubling begins with near peers,
//         recexch_halving with far ones.
// Needs:  nothing.
//
//   p = 9, k = 3, doubling      0-1-2   3-4-5   6-7-8 (1 block)
//                               0-3-6   1-4-7   2-5-8 (3 blocks)
#include "coll.h"
#include "times/times.h"

enum { DOUBLING, HALVING };
static const char *const orders[] = {"doubling", "halving", NULL};

// Returns the first of the ranks that v of the group plays for. It comes right after the last rank of v - 1, which is
// the one that plays.
static int first_of(const Coll *c, int v)
{
    return v == 0 ? 0 : c->map(c->up, v - 1) + 1;
}

// The blocks that a rank has: which[0 .. n-1], or n consecutive blocks from `first` on if `which` is NULL.
typedef struct Held {
    int n, *which;
    int first;
} Held;

// Returns the blocks that v has before the exchanges at place m. Doubling has collected the members that differ from v
// in the digits below m; halving has collected those that differ in the digits above m.
static Held held(const Coll *c, int v, int m)
{
    if (c->par.choice == DOUBLING) {
        const int first = first_of(c, v - v % m);
        return (Held){.first = first, .n = first_of(c, v - v % m + m) - first};
    }
    const int step = m * c->par.radix;
    Held h = {.which = coll_ints(c, (size_t)c->up->p)};
    for (int w = v % step; w < c->p; w += step)
        for (int r = first_of(c, w); r < first_of(c, w + 1); r++)
            h.which[h.n++] = r;
    return h;
}

static Slice slice_of(const Coll *c, const Blocks *b, const Held *h)
{
    return h->which ? coll_scratch(c, (size_t)h->n * b->size) : blocks(b, h->first, h->first + h->n);
}

// Makes the k-1 exchanges of the group at place m.
static void exchange(const Coll *c, const Blocks *b, int m)
{
    const int k = c->par.radix;
    const Held mine = held(c, c->rank, m);
    const Slice send = slice_of(c, b, &mine);
    if (mine.which)
        coll_pack(c, send, b, mine.n, mine.which);
    for (int j = 1; j < k; j++) {
        const int from = butterfly_digit_peer(c->rank, k, m, -j);
        const Held theirs = held(c, from, m);
        const Slice got = slice_of(c, b, &theirs);
        coll_sendrecv(c, butterfly_digit_peer(c->rank, k, m, j), send, from, got);
        if (theirs.which)
            coll_unpack(c, b, theirs.n, theirs.which, got);
    }
}

static void allgather_recexch(const Coll *c)
{
    const int k = c->par.radix;
    const FoldRadix f = fold_runs(c);
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->rank), c->in);
    if (f.v < 0) {
        coll_send(c, f.leader, block(&b, c->rank));
    } else {
        for (int i = 0; i < f.n; i++)
            coll_recv(c, f.first + i, block(&b, f.first + i));
        const Coll group = coll_sub(c, f.p, f.v, f.map);
        for (int m = 1; m < f.p; m *= k)
            exchange(&group, &b, c->par.choice == DOUBLING ? m : f.p / k / m);
    }
    fold_radix_return(c, &f, c->out);
}

static int same_as(const Coll *c)
{
    return pow_floor(c->p, c->par.radix) == c->p ? same_fold_runs(c) : c->rank;
}

static int64_t formula(const CollPoint *x)
{
    if (pow_floor(x->p, x->par.radix) != x->p)
        return -1;
    return times_knomial_rounds(x->p, x->par.radix) * x->alpha + (x->p - 1) * x->m * x->beta;
}

const CollAlgorithm allgather_recexch_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "recexch",
    .aliases = {"mpich:recexch_doubling", "mpich:recexch_halving"},
    .summary = "recursive doubling in base k: groups of k ranks exchange all blocks that they have",
    .run = allgather_recexch,
    .params = {RADIX(2, "number of ranks in a group"), CHOICE("order", orders, "near peers first, or far peers first")},
    .peers = PEERS_XOR,
    .same_as = same_as,
    .cost = "p = k^d: (k-1) d alpha + (p-1) m beta",
    .formula = formula,
    .unknown = "p is not a power of k: ranks exchange different numbers of blocks, because the runs differ in length",
    .source = "MPICH, allgather recexch_doubling and recexch_halving",
};
