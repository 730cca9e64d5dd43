// What:   a ring in every group of k ranks, and rings of ranks that have the same place in their group:
//         blocks travel around the groups' rings k-1 times for every step from group to group. Reduce-scatter first,
//         then allgather, which is the same backwards. Where a group is a node, k-1 of k steps stay inside.
// Cost:   T = 2(p-1) alpha + (p-1)/p m (2 beta + gamma). The ring takes as long.
// Source: Wilkins et al. 2023.
// Needs:  a commutative operation, count >= p, p a multiple of the radix; else ring runs.
//
//   p = 8, k = 4, allgather      3 times   0 -> 1 -> 2 -> 3 -> 0   4 -> 5 -> 6 -> 7 -> 4
//                                once      0 <-> 4   1 <-> 5   2 <-> 6   3 <-> 7
//                                3 times   0 -> 1 -> 2 -> 3 -> 0   4 -> 5 -> 6 -> 7 -> 4
#include "coll.h"
#include "times/times.h"

// Step s = 0 .. p-2 of the allgather.
typedef struct KRingStep {
    int to, from;     // ranks
    int out, arrives; // blocks
} KRingStep;

static KRingStep step_of(const Coll *c, int s)
{
    const int k = c->par.radix, group = c->rank / k * k, i = c->rank % k, turn = s / k, t = s % k;
    const int of = (group - turn * k + c->p) % c->p; // the group whose blocks are under way
    if (t == k - 1)
        return (KRingStep){.to = (c->rank + k) % c->p,
                           .from = (c->rank - k + c->p) % c->p,
                           .out = of + i,
                           .arrives = (of - k + c->p) % c->p + i};
    return (KRingStep){.to = group + (i + 1) % k,
                       .from = group + (i + k - 1) % k,
                       .out = of + (i - t + k) % k,
                       .arrives = of + (i - t - 1 + k) % k};
}

static void allreduce_k_ring(const Coll *c)
{
    const Blocks b = blocks_even(c, c->out, c->p);
    const Slice inbox = coll_scratch(c, blocks_longest(&b));
    coll_copy(c, c->out, c->in);
    // What the allgather hands on comes back reduced.
    for (int s = c->p - 2; s >= 0; s--) {
        const KRingStep x = step_of(c, s);
        const Slice sum = block(&b, x.out), got = slice_like(inbox, sum);
        coll_sendrecv(c, x.from, block(&b, x.arrives), x.to, got);
        coll_reduce(c, sum, sum, got);
    }
    for (int s = 0; s < c->p - 1; s++) {
        const KRingStep x = step_of(c, s);
        coll_sendrecv(c, x.to, block(&b, x.out), x.from, block(&b, x.arrives));
    }
}

static bool groups_hold(const Coll *c)
{
    return c->p % c->par.radix == 0;
}
static const CollNeed need_groups = {groups_hold, "p is no multiple of the radix", "p a multiple of the radix"};

static int same_as(const Coll *c)
{
    return c->in.len / c->elem % (size_t)c->p == 0 ? c->rank % c->par.radix : c->rank;
}

static int64_t formula(const CollPoint *x)
{
    return 2 * (x->p - 1) * x->alpha + (x->m - x->m / x->p) * (2 * x->beta + x->gamma);
}

const CollAlgorithm allreduce_k_ring_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "k_ring",
    .summary = "rings in groups of k ranks, and a step to the next group for every k-1 steps inside",
    .run = allreduce_k_ring,
    .needs = {&need_commutative, &need_count_p, &need_groups},
    .otherwise = "ring",
    .params = {RADIX(4, "ranks of a group")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "2(p-1) alpha + (p-1)/p m (2 beta + gamma)",
    .formula = formula,
    .source = "Wilkins et al. 2023",
};
