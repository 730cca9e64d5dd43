// What:   Every group of k consecutive ranks is a ring, and so are the ranks that have the same place in their groups.
//         In the allgather, blocks make k-1 steps around the rings of the groups, then one step to the next group, and
//         so on. The reduce-scatter, which comes first, is the same backwards. If a group is a node, k-1 of k steps
//         stay in the node.
// Cost:   T = 2(p-1) alpha + (p-1)/p m (2 beta + gamma). The ring has the same T.
// Source: Wilkins et al. 2023.
// Needs:  a commutative operation, count >= p, p a multiple of the radix; else ring runs.
//
//   p = 8, k = 4, allgather      3 times   0 -> 1 -> 2 -> 3 -> 0   4 -> 5 -> 6 -> 7 -> 4
//                                once      0 <-> 4   1 <-> 5   2 <-> 6   3 <-> 7
//                                3 times   0 -> 1 -> 2 -> 3 -> 0   4 -> 5 -> 6 -> 7 -> 4
#include "coll.h"
#include "times/times.h"

// What a rank does in one step of the allgather.
typedef struct KRingStep {
    int to, from;     // ranks
    int out, arrives; // the blocks that the rank sends and receives
} KRingStep;

// Returns the caller's step s = 0 .. p-2.
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
    // The steps of the allgather run backwards: where it sends a block, the partial result of the block returns.
    coll_phase(c, "reduce-scatter");
    for (int s = c->p - 2; s >= 0; s--) {
        const KRingStep x = step_of(c, s);
        const Slice sum = block(&b, x.out), got = slice_like(inbox, sum);
        coll_sendrecv(c, x.from, block(&b, x.arrives), x.to, got);
        coll_reduce(c, sum, sum, got);
    }
    coll_phase(c, "allgather");
    for (int s = 0; s < c->p - 1; s++) {
        const KRingStep x = step_of(c, s);
        coll_sendrecv(c, x.to, block(&b, x.out), x.from, block(&b, x.arrives));
    }
}

static bool groups_hold(const Coll *c)
{
    return c->p % c->par.radix == 0;
}
static const CollNeed need_groups = {groups_hold, "p is not a multiple of the radix", "p a multiple of the radix"};

static int same_as(const Coll *c)
{
    return c->rank % c->par.radix;
}

static int64_t formula(const CollPoint *x)
{
    return 2 * (x->p - 1) * x->alpha + (x->m - x->m / x->p) * (2 * x->beta + x->gamma);
}

const CollAlgorithm allreduce_k_ring_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "k_ring",
    .summary = "rings in groups of k ranks, and a step to the next group after every k-1 steps in a ring",
    .run = allreduce_k_ring,
    .needs = {&need_commutative, &need_count_p, &need_groups},
    .otherwise = "ring",
    .params = {RADIX(4, "k, the number of ranks in a group")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "2(p-1) alpha + (p-1)/p m (2 beta + gamma)",
    .formula = formula,
    .source = "Wilkins et al. 2023",
};
