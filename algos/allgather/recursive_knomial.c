// What:   Pairs fold until f k^d ranks are left, f = floor(p / k^d): one rank of a pair sends its block to the other.
//         Then groups of k ranks at distance 1, k, k^2 .. exchange all blocks that they have, all with all; the last
//         groups are of f ranks. At the end the ranks that did not play get the result. See shapes/fold.h for the
//         pairs, and shapes/butterfly.h for the peers.
// Cost:   p = f P, P = k^d <= p < k P: ((k-1) d + f-1) alpha + (p-1) m beta. m is the size of a block, in bytes.
// Source: allgather recursive_knomial: UCC, allgather knomial.
//         allgatherv recursive_knomial: UCC, allgatherv knomial.
//         Here a rank takes its peers in an order in which no two ranks send to the same rank at a time, and blocks
//         that are not contiguous, as they are in UCC, are put into a buffer first.
// Needs:  nothing.
//
//   p = 13, k = 4      1 -> 0      players 0 2-12 as 0-11:  0-1-2-3  4-5-6-7  8-9-10-11
//                                                          0-4-8  1-5-9  2-6-10  3-7-11      0 -> 1
#include "coll.h"
#include "times/times.h"

// Makes the exchanges at place m of the group.
static void exchange(const Coll *c, const Blocks *b, int m, int k)
{
    const CollReq all = coll_mark(c);
    for (int j = 1; j < k; j++) {
        const int from = butterfly_digit_peer(c->rank, k, m, -j);
        coll_irecv(c, from, fold_pairs_blocks(c, b, from, m));
        coll_isend(c, butterfly_digit_peer(c->rank, k, m, j), fold_pairs_blocks(c, b, c->rank, m));
    }
    coll_waitall(c, all);
}

static bool contiguous(const Blocks *b)
{
    for (int i = 0; b->counts && i + 1 < b->n; i++)
        if (!blocks_touch(b, i, i + 1))
            return false;
    return true;
}

static void allgather_recursive_knomial(const Coll *c)
{
    const FoldRadix f = fold_pairs(c);
    const Blocks out = coll_out(c);
    const bool in_place = contiguous(&out);
    const Blocks b = in_place ? out : blocks_turned(c, &out, 0);
    coll_copy(c, block(&b, c->rank), c->in);
    coll_phase(c, "fold");
    if (f.v < 0) {
        coll_send(c, f.leader, block(&b, c->rank));
    } else {
        if (f.n)
            coll_recv(c, f.first, block(&b, f.first));
        const Coll group = coll_sub(c, f.p, f.v, f.map);
        coll_phase(&group, "exchange");
        for (int m = 1, k; m < f.p; m *= k) {
            k = butterfly_base(f.p, c->par.radix, m);
            exchange(&group, &b, m, k);
        }
    }
    fold_radix_return(c, &f, blocks(&b, 0, c->p));
    if (!in_place)
        coll_unpack(c, &out, c->p, blocks_numbers(c, 0, 1, c->p, c->p), b.all);
}

static int pattern(const Coll *c, int *x)
{
    return fold_pairs(c).p == c->p ? symmetry_fold_pairs(c, x) : 0;
}

static int64_t formula(const CollPoint *x)
{
    const int k = x->par.radix, P = pow_floor(x->p, k);
    if (x->p % P)
        return -1;
    return ((P > 1 ? times_knomial_rounds(P, k) : 0) + x->p / P - 1) * x->alpha + (x->p - 1) * x->m * x->beta;
}

#define COMMON                                                                                                         \
    .name = "recursive_knomial", .aliases = {"ucc:knomial"},                                                           \
    .summary = "recursive doubling in base k among f k^d ranks, f < k: pairs fold until such a number is left",        \
    .run = allgather_recursive_knomial, .params = {RADIX_OF_PAIRS(4, "number of ranks in a group")},                   \
    .peers = PEERS_XOR, .pattern = pattern,                                                                            \
    .cost = "p = f P, P = k^d <= p < k P: ((k-1) d + f-1) alpha + (p-1) m beta", .formula = formula,                   \
    .unknown = "p is not f k^d: ranks exchange different numbers of blocks, because some have those of a pair"

const CollAlgorithm allgather_recursive_knomial_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHER,
    .source = "UCC, allgather knomial",
};

const CollAlgorithm allgatherv_recursive_knomial_algorithm = {
    COMMON,
    .collective = COLL_ALLGATHERV,
    .source = "UCC, allgatherv knomial",
};
