// What:   This is the ring with its reduce-scatter in n phases, each for one n-th of every block. The allgather moves
//         whole blocks. See shapes/ring.c.
// Cost:   T = (n+1)(p-1) alpha + (p-1)/p m (2 beta + gamma), n = m / (p segment) to the nearest, 1 without segments. n
//         is the number of phases. More phases only add latency in this model; they help with caches and overlap, which
//         the model does not have.
// Source: Open MPI 4.1, allreduce ring_segmented.
// Needs:  a commutative operation, count >= p segments; else ring runs.
//
//   p = 8, 7 n + 7 times      0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
#include "coll.h"
#include "times/times.h"

// Returns the number of segments in a rank's block, rounded to the nearest and at least 1; 1 if segment = 0.
static int phases(size_t len, size_t p, size_t elem, size_t segment)
{
    const size_t all = p * (segment / elem ? segment / elem : 1) * elem; // the bytes of one segment of every block
    if (segment == 0 || all > len)
        return 1;
    return (int)(len / all + (len % all >= p * elem && len % all > all / 2));
}

static int phases_of(const Coll *c)
{
    return phases(c->in.len, (size_t)c->p, c->elem, c->par.segment);
}

static void allreduce_segmented_ring(const Coll *c)
{
    const Blocks in = blocks_even(c, c->in, c->p), out = blocks_even(c, c->out, c->p);
    coll_phase(c, "reduce-scatter");
    ring_reduce_scatter_parts(c, &in, &out, phases_of(c));
    coll_phase(c, "allgather");
    ring_allgather(c, &out);
}

static bool segments_hold(const Coll *c)
{
    const size_t count = c->in.len / c->elem, segment = c->par.segment / c->elem;
    return count / (size_t)c->p >= (segment ? segment : 1);
}
static const CollNeed need_segments = {segments_hold, "count < p segments", "count >= p segments"};

// If blocks are not all alike, neither are their parts, and ranks cannot share a schedule (Slice.cut).
static int same_as(const Coll *c)
{
    return phases_of(c) == 1 || c->in.len / c->elem % (size_t)c->p == 0 ? 0 : coll_v(c);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t n = phases((size_t)x->m, (size_t)x->p, 1, x->par.segment);
    return (n + 1) * (x->p - 1) * x->alpha + (x->m - x->m / x->p) * (2 * x->beta + x->gamma);
}

const CollAlgorithm allreduce_segmented_ring_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "segmented_ring",
    .aliases = {"ompi:5", "smpi:ompi_ring_segmented"},
    .presets = {{"smpi:ompi_ring_segmented", "segment", 1 << 20}},
    .summary = "a ring reduce-scatter of one segment at a time, then a ring allgather of whole blocks",
    .run = allreduce_segmented_ring,
    .needs = {&need_commutative, &need_segments},
    .otherwise = "ring",
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "(n+1)(p-1) alpha + (p-1)/p m (2 beta + gamma), n = m / (p segment) to the nearest, 1 without segments",
    .formula = formula,
    .source = "Open MPI 4.1, allreduce ring_segmented",
};
