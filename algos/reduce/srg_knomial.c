// What:   Pairs fold until f k^d ranks are left, f = floor(p / k^d), counted from the root. These reduce one part of
//         the vector each, by the reduce-scatter of allreduce sra_knomial; then the rounds backwards gather the parts
//         at the root. See shapes/butterfly.h for the parts, and shapes/fold.h for the pairs.
// Cost:   P = k^d <= p < k P, f = floor(p/P): 2 ((k-1) d + f-1) alpha + (fP-1)/(fP) m (2 beta + gamma); p != f P: alpha
//         + m beta + m gamma more; if f P does not divide m: with the parts that the root has and gets; eager: the
//         parts of a round of the gather arrive at once.
// Source: UCC, reduce srg_knomial. Here a rank takes its peers in an order in which no two ranks send to the same rank
//         at a time.
// Needs:  a commutative operation.
//
//   p = 8, k = 4      in fours at distance 1: three exchanges of m/4; in pairs at distance 4: one of m/8
//                     gather     4 .. 7 -> 0 .. 3 (m/8)      1 2 3 -> 0 (m/4)
#include "coll.h"
#include "times/times.h"

static int from_root(const Coll *up, int v)
{
    return coll_rank(up, v);
}

// Gathers the parts at rank 0 of the group, by the exchanges of parts_divide backwards.
static void gather(const Coll *c, const Parts *part)
{
    const int v = c->rank;
    for (int m = pow_floor(c->p - 1, part->k); m >= 1; m /= part->k) {
        const int k = butterfly_base(c->p, part->k, m), digit = v / m % k;
        if (digit) {
            coll_send(c, v - digit * m, parts_left(part, v, m));
            return;
        }
        const CollReq all = coll_mark(c);
        for (int j = 1; j < k; j++)
            coll_irecv(c, v + j * m, parts_left(part, v + j * m, m));
        coll_waitall(c, all);
    }
}

static void reduce_srg_knomial(const Coll *c)
{
    const Slice acc = reduce_acc(c);
    const Coll turned = coll_sub(c, c->p, coll_v(c), from_root);
    const FoldRadix f = fold_pairs(&turned);
    coll_copy(c, acc, c->in);
    fold_radix_reduce(&turned, &f, acc);
    if (f.v < 0)
        return;
    const Coll group = coll_sub(&turned, f.p, f.v, f.map);
    const Parts part = {.blocks = blocks_even(c, acc, f.p), .n = f.p, .k = c->par.radix, .nearest = true};
    coll_phase(&group, "reduce-scatter");
    parts_divide(&group, &part);
    coll_phase(&group, "gather");
    gather(&group, &part);
}

// Follows the root, which has the longest parts, and into which a rank folds if any folds.
static int64_t formula(const CollPoint *x)
{
    const int radix = x->par.radix, out = x->p % pow_floor(x->p, radix), n = x->p - out;
    const Coll bytes = {.elem = 1};
    const Parts part = {
        .blocks = blocks_even(&bytes, (Slice){.len = (size_t)x->m}, n), .n = n, .k = radix, .nearest = true};
    if (x->eager && x->m % n)
        return -1;
    int64_t T = out ? u(x, x->m) + g(x, x->m) : 0;
    for (int m = 1, k; m < n; m *= k) {
        k = butterfly_base(n, radix, m);
        const int64_t keep = (int64_t)parts_left(&part, 0, m).len;
        T += (k - 1) * (u(x, keep) + g(x, keep));
        for (int j = 1; j < (x->eager ? 2 : k); j++) // under eager, the parts of a round arrive at once
            T += u(x, (int64_t)parts_left(&part, j * m, m).len);
    }
    return T;
}

const CollAlgorithm reduce_srg_knomial_algorithm = {
    .collective = COLL_REDUCE,
    .name = "srg_knomial",
    .aliases = {"ucc:srg_knomial"},
    .summary = "a reduce-scatter with k parts among f k^d ranks, f < k, then a gather by the same rounds backwards",
    .run = reduce_srg_knomial,
    .needs = {&need_commutative},
    .params = {RADIX_OF_PAIRS(4, "k, the number of ranks that exchange parts")},
    .peers = PEERS_XOR,
    .cost = "P = k^d <= p < k P, f = floor(p/P): 2 ((k-1) d + f-1) alpha + (fP-1)/(fP) m (2 beta + gamma); p != f P: "
            "alpha + m beta + m gamma more; if f P does not divide m: with the parts that the root has and gets; "
            "eager: the parts of a round of the gather arrive at once",
    .formula = formula,
    .unknown = "eager, and parts of different lengths: a shorter part arrives early",
    .source = "UCC, reduce srg_knomial",
};
