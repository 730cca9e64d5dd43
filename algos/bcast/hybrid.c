// What:   The root scatters the message in 2^h parts; the owner of each part broadcasts it over a binomial tree to the
//         ranks that shall hold it; and h rounds of an allgather double what every rank has. h = 0 is a binomial tree,
//         and h = log2 p a scatter and an allgather. See shapes/holders.h.
// Cost:   T = (q+h) alpha + 2 (m-s) beta + (q-h) s beta where 2^h divides p, q = ceil(log2 p), s = m / 2^h; else a
//         recurrence over all ranks' clocks.
// Source: van de Geijn, On global combine operations, 1994; the ring of owners is ours.
// Needs:  nothing.
//
//   p = 8, halvings = 1      0 -> 4 (m/2)       (owners are 0 and 4)
//                            r -> r-2 (m/2)     4 -> 2   0 -> 6
//                            r -> r-1 (m/2)     4 -> 3   2 -> 1   0 -> 7   6 -> 5
//                            r -> r+4 (m/2)
#include "coll.h"
#include "times/times.h"

// Broadcasts the parts that the caller shall hold, from their owners down.
static void bcast_parts(const Coll *c, const Holders *x, const HoldersSeat *s, const Blocks *have)
{
    for (int d = 1 << log2_ceil(x->n) >> 1; d >= 1; d /= 2)
        coll_exchange(c, holders_has_child(x, s, d) ? (c->rank + c->p - d) % c->p : -1, block(have, s->near),
                      holders_has_parent(s, d) ? (c->rank + d) % c->p : -1, block(have, s->far));
}

static void bcast_hybrid(const Coll *up)
{
    const Coll all = coll_sub(up, up->p, coll_v(up), coll_rank), *c = &all; // counted from the root
    const Holders x = holders_of(c->p, c->par.halvings);
    const HoldersSeat s = holders_seat(&x, c->rank);
    const Blocks out = holders_blocks(&x, c, c->out), have = blocks_turned(c, &out, c->rank);
    if (s.near == 0) {
        const Coll owners = holders_group(&x, c);
        const Blocks parts = holders_parts(&x, c, c->out);
        coll_phase(c, "scatter");
        tree_scatter_blocks(&owners, &parts);
        coll_copy(c, block(&have, 0), block(&parts, s.part));
    }
    coll_phase(c, "broadcast");
    bcast_parts(c, &x, &s, &have);
    coll_phase(c, "allgather");
    circulant_halve_back(c, &x.graph, x.halvings, &have);
    circulant_turn(c, &have, &out, true);
}

const CollAlgorithm bcast_hybrid_algorithm = {
    .collective = COLL_BCAST,
    .name = "hybrid",
    .summary = "a scatter, binomial trees of whole parts, and rounds that double what a rank has, for any p",
    .run = bcast_hybrid,
    .params = {HALVINGS(2)},
    .peers = PEERS_SHIFT,
    .pattern = holders_pattern,
    .cost = "(q+h) alpha + 2 (m-s) beta + (q-h) s beta where 2^h divides p, q = ceil(log2 p), s = m / 2^h; else a "
            "recurrence over all ranks' clocks",
    .formula = holders_bcast_time,
    .source = "van de Geijn, On global combine operations, 1994; the ring of owners is ours",
};
