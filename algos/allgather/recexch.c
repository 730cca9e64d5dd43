// What:   This is recursive doubling in base k: in every round, groups of k ranks exchange all blocks that they have,
//         each rank with the k-1 others. In the order halving, which begins with far peers, rank v first exchanges its
//         block with the rank whose number is v with its digits reversed; what a rank has is then consecutive in every
//         round, as in the order doubling. If p is not a power of k, runs of up to k ranks first send their blocks to
//         the last rank of the run, and receive the result from it at the end. If p < k, p takes the place of k. See
//         shapes/fold.h for the runs, and shapes/butterfly.h for the peers.
// Cost:   p = k^d: (k-1) d alpha + (p-1) m beta; halving, d > 1: + alpha + m beta. m is the size of a block, in bytes.
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

static int radix_of(int p, int radix)
{
    return radix <= p ? radix : p > 2 ? p : 2;
}

// Returns v with its log_k p digits in base k reversed.
static int reversed(int v, int p, int k)
{
    int result = 0;
    for (int place = 1; place < p; place *= k)
        result = result * k + v / place % k;
    return result;
}

// Returns the first of the ranks that v of the group plays for. It comes right after the last rank of v - 1, which is
// the one that plays.
static int first_of(const Coll *c, int v)
{
    return v == 0 ? 0 : c->map(c->up, v - 1) + 1;
}

// Returns the blocks that v has when it has those of n members.
static Slice held(const Coll *c, const Blocks *b, int v, int n)
{
    const int w = c->par.choice == DOUBLING ? v : reversed(v, c->p, c->par.radix), first = w - w % n;
    return blocks(b, first_of(c, first), first_of(c, first + n));
}

// Makes the k-1 exchanges of the group at place m, in which each rank has the blocks of n members.
static void exchange(const Coll *c, const Blocks *b, int m, int n)
{
    const int k = c->par.radix;
    for (int j = 1; j < k; j++) {
        const int to = butterfly_digit_peer(c->rank, k, m, j), from = butterfly_digit_peer(c->rank, k, m, -j);
        coll_sendrecv(c, to, held(c, b, c->rank, n), from, held(c, b, from, n));
    }
}

static void allgather_recexch(const Coll *whole)
{
    Coll view = *whole;
    const Coll *c = &view;
    const int k = view.par.radix = radix_of(whole->p, whole->par.radix);
    const FoldRadix f = fold_runs(c);
    const Blocks b = coll_out(c);
    coll_copy(c, block(&b, c->rank), c->in);
    coll_phase(c, "fold");
    if (f.v < 0) {
        coll_send(c, f.leader, block(&b, c->rank));
    } else {
        for (int i = 0; i < f.n; i++)
            coll_recv(c, f.first + i, block(&b, f.first + i));
        const Coll group = coll_sub(c, f.p, f.v, f.map);
        const int w = reversed(f.v, f.p, k);
        coll_phase(c, "doubling");
        if (c->par.choice == HALVING && w != f.v)
            coll_sendrecv(&group, w, blocks(&b, first_of(&group, f.v), first_of(&group, f.v + 1)), w,
                          blocks(&b, first_of(&group, w), first_of(&group, w + 1)));
        for (int n = 1; n < f.p; n *= k)
            exchange(&group, &b, c->par.choice == DOUBLING ? n : f.p / k / n, n);
    }
    fold_radix_return(c, &f, c->out);
}

// In the order halving, ranks are alike if v xor reversed(v) is equal, as in reduce_scatter butterfly.
static int same_as(const Coll *whole)
{
    Coll c = *whole;
    c.par.radix = radix_of(c.p, c.par.radix);
    const int d = log2_floor(c.p);
    if (pow_floor(c.p, c.par.radix) != c.p)
        return c.rank;
    if (c.par.choice == DOUBLING)
        return same_fold_runs(&c);
    return c.par.radix == 2 ? (c.rank ^ reversed(c.rank, c.p, 2)) & ((1 << d / 2) - 1) : c.rank;
}

static int64_t formula(const CollPoint *x)
{
    const int k = radix_of(x->p, x->par.radix);
    if (pow_floor(x->p, k) != x->p)
        return -1;
    return times_knomial_rounds(x->p, k) * x->alpha + (x->p - 1) * x->m * x->beta +
           (x->par.choice == HALVING && x->p > k ? u(x, x->m) : 0);
}

const CollAlgorithm allgather_recexch_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "recexch",
    .aliases = {"mpich:recexch_doubling", "mpich:recexch_halving"},
    .presets = {{"mpich:recexch_halving", "order", HALVING}},
    .summary = "recursive doubling in base k: groups of k ranks exchange all blocks that they have",
    .run = allgather_recexch,
    .params = {RADIX(2, "number of ranks in a group"), CHOICE("order", orders, "near peers first, or far peers first")},
    .peers = PEERS_XOR,
    .same_as = same_as,
    .cost = "p = k^d: (k-1) d alpha + (p-1) m beta; halving, d > 1: + alpha + m beta",
    .formula = formula,
    .unknown = "p is not a power of k: ranks exchange different numbers of blocks, because the runs differ in length",
    .source = "MPICH, allgather recexch_doubling and recexch_halving",
};
