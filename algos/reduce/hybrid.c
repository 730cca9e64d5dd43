// What:   h rounds halve the vector, as in a reduce-scatter; the ranks that hold the same part then reduce it over a
//         binomial tree; and the owners of the parts, which are the trees' roots, gather them at the root. h = 0 is a
//         binomial tree, and h = log2 p is Rabenseifner's algorithm. In a halving, a rank first reduces what it sends
//         next, and reduces the rest while that travels. See shapes/holders.h.
// Cost:   T = 2h alpha + (m-s) (2 beta + gamma) - sum of min(u,g) for the halvings' messages of m/4, m/8 .. s + T of
//         reduce binomial on p / 2^h ranks with s bytes, where 2^h divides p, s = m / 2^h; else, and eager, a recurrence
//         over all ranks' clocks.
// Source: van de Geijn, On global combine operations, 1994; Rabenseifner 2004; the ring of owners is ours.
// Needs:  a commutative operation.
//
//   p = 8, halvings = 1      r -> r+4 (m/2)     (owners are 0 and 4)
//                            r -> r+1 (m/2)     3 -> 4   1 -> 2   7 -> 0   5 -> 6
//                            r -> r+2 (m/2)     2 -> 4   6 -> 0
//                            4 -> 0 (m/2)
#include "coll.h"
#include "times/times.h"

// Reduces the parts that the caller holds, from the leaves of their trees up. If there are two, it owns the first one,
// and is a leaf of the other's tree.
static void reduce_parts(const Coll *c, const Holders *x, const HoldersSeat *s, const Blocks *sum)
{
    const CollReq first = coll_mark(c);
    Coll part = *c;
    part.in = block(sum, s->near);
    part.par.segment = 0; // a part is one message
    if (s->far != s->near)
        coll_isend(c, holders_tree(x, c, s->far).parent, block(sum, s->far));
    tree_reduce(&part, holders_tree(x, c, s->near), part.in);
    coll_waitall(c, first);
}

static void reduce_hybrid(const Coll *up)
{
    const Coll all = coll_sub(up, up->p, coll_v(up), coll_rank), *c = &all; // counted from the root
    const Holders x = holders_of(c->p, c->par.halvings);
    const HoldersSeat s = holders_seat(&x, c->rank);
    const Blocks in = holders_blocks(&x, c, c->in), sum = blocks_turned(c, &in, c->rank);
    circulant_turn(c, &sum, &in, false);
    coll_phase(c, "reduce-scatter");
    circulant_halve_overlap(c, &x.graph, x.halvings, &sum);
    coll_phase(c, "reduce");
    reduce_parts(c, &x, &s, &sum);
    if (s.near > 0)
        return;
    const Coll owners = holders_group(&x, c);
    const Blocks parts = holders_parts(&x, c, reduce_acc(c));
    coll_copy(c, block(&parts, s.part), block(&sum, 0));
    coll_phase(c, "gather");
    tree_gather_blocks(&owners, &parts);
}

const CollAlgorithm reduce_hybrid_algorithm = {
    .collective = COLL_REDUCE,
    .name = "hybrid",
    .summary = "rounds that halve the vector, binomial trees of whole parts, and a gather of the parts, for any p",
    .run = reduce_hybrid,
    .needs = {&need_commutative},
    .params = {HALVINGS(2)},
    .peers = PEERS_SHIFT,
    .pattern = holders_pattern,
    .cost = "2h alpha + (m-s) (2 beta + gamma) - sum of min(u,g) for the halvings' messages of m/4, m/8 .. s + T of "
            "reduce binomial on p / 2^h ranks with s bytes, where 2^h divides p, s = m / 2^h; else, and eager, a "
            "recurrence over all ranks' clocks",
    .formula = holders_reduce_time,
    .source = "van de Geijn, On global combine operations, 1994; Rabenseifner 2004; the ring of owners is ours",
};
