// What:   h rounds halve the vector, as in a reduce-scatter; the ranks that have the same part add it up in exchanges
//         of the whole part, by a census; and the h rounds run backwards. h = 0 is the census alone, and h = log2 p a
//         reduce-scatter and an allgather. See shapes/circulant.c and shapes/census.c.
//         If 2^h divides p, the vector has 2^h parts, and the ranks r, r + 2^h .. have the same one. Otherwise it has p
//         blocks, as for `circulant`, and after the halvings rank r has the blocks r .. r+n-1, n = ceil(p / 2^h). For
//         the census it needs n-1 more, which rank r+n has; one more round brings them.
//         In hybrid_overlap a rank first reduces what it sends next, and reduces the rest while that travels.
// Cost:   allreduce hybrid: 2h alpha + (m-s) (2 beta + gamma) + q (alpha + s beta) + (q+k) s gamma, s = m / 2^h, q =
//         ceil(log2 p) - h; k < q rounds add what comes to a second sum too. If 2^h does not divide p, there are alpha
//         + s beta and, in the census, less than q s (beta + 2 gamma) more.
//         allreduce hybrid_overlap: as hybrid, less min(u,g) for each reduction of m/4, m/8 .. s beside a halving's
//         message, and for each of the k beside one of the census: there are k+1 if sums have 3 ranks after its second
//         round.
// Source: van de Geijn, On global combine operations, 1994; Bar-Noy, Kipnis, Schieber 1993; Kolmakov, Zhang, A
//         generalization of the allreduce operation, 2020.
// Needs:  a commutative operation; else recursive_doubling runs.
//
//   p = 6, halvings = 1      to r+1 (m/2)     to r+2, to r+2 (m/2)      to r-1 (m/2)
//   p = 5, halvings = 1      to r+3 (2/5 m)   to r-3 (2/5 m)   to r+1 (4/5 m), to r+1 (3/5 m)   to r-3 (2/5 m)
#include "coll.h"
#include "times/times.h"

typedef struct Hybrid {
    int halvings, left; // the rounds, and the number of blocks that a rank has left after them
    Circulant graph;    // of the blocks
    Census census;
} Hybrid;

static Hybrid hybrid_of(int p, int halvings)
{
    const int rounds = log2_ceil(p), h = halvings < rounds ? halvings : rounds;
    const bool ring = h < 31 && p % (1 << h) == 0;
    Hybrid x = {.halvings = h, .graph = circulant_graph(ring ? 1 << h : p)};
    x.left = x.graph.skip[x.graph.q - h];
    x.census = ring ? census_ring(p >> h, 1 << h) : census_line(x.left);
    return x;
}

static void run(const Coll *c, bool overlap)
{
    const Hybrid x = hybrid_of(c->p, c->par.halvings);
    const Blocks in = blocks_spread(c, c->in, x.graph.p), out = blocks_of(c->out, &in),
                 sum = blocks_turned(c, &in, c->rank % x.graph.p);
    circulant_turn(c, &sum, &in, false);
    coll_phase(c, "reduce-scatter");
    (overlap ? circulant_halve_overlap : circulant_halve)(c, &x.graph, x.halvings, &sum);
    coll_phase(c, "census");
    if (x.left > 1)
        coll_sendrecv(c, (c->rank + c->p - x.left) % c->p, blocks(&sum, 0, x.left - 1), (c->rank + x.left) % c->p,
                      blocks(&sum, x.left, 2 * x.left - 1));
    census_run(c, &x.census, &sum, overlap);
    coll_phase(c, "allgather");
    circulant_halve_back(c, &x.graph, x.halvings, &sum);
    circulant_turn(c, &sum, &out, true);
}

static void allreduce_hybrid(const Coll *c)
{
    run(c, false);
}

static void allreduce_hybrid_overlap(const Coll *c)
{
    run(c, true);
}

// Ranks are alike if their blocks have the same lengths.
static int same_as(const Coll *c)
{
    const int parts = hybrid_of(c->p, c->par.halvings).graph.p;
    return c->in.len / c->elem % (size_t)parts == 0 ? 0 : c->rank % parts;
}

static int64_t time_of(const CollPoint *x, bool overlap)
{
    const Hybrid h = hybrid_of(x->p, x->par.halvings);
    const int64_t block = x->m / h.graph.p, far = x->m - h.left * block;
    const int64_t back = h.halvings * x->alpha + far * x->beta;
    const int64_t halve = overlap ? circulant_overlap_time(x, &h.graph, h.halvings, block) : back + g(x, far);
    const int64_t more = h.left > 1 ? u(x, (h.left - 1) * block) : 0;
    return halve + more + census_time(x, &h.census, block, overlap) + back;
}

static int64_t formula(const CollPoint *x)
{
    return time_of(x, false);
}

static int64_t formula_overlap(const CollPoint *x)
{
    return time_of(x, true);
}

#define COMMON                                                                                                         \
    .collective = COLL_ALLREDUCE, .needs = {&need_commutative}, .otherwise = "recursive_doubling",                     \
    .params = {HALVINGS(2)}, .peers = PEERS_SHIFT, .same_as = same_as,                                                 \
    .source = "van de Geijn, On global combine operations, 1994; Bar-Noy, Kipnis, Schieber 1993; Kolmakov, Zhang, A "  \
              "generalization of the allreduce operation, 2020"

const CollAlgorithm allreduce_hybrid_algorithm = {
    COMMON,
    .name = "hybrid",
    .summary = "rounds that halve the vector, exchanges of whole parts, and the halvings backwards, for any p",
    .run = allreduce_hybrid,
    .cost =
        "2h alpha + (m-s) (2 beta + gamma) + q (alpha + s beta) + (q+k) s gamma, s = m / 2^h, q = ceil(log2 p) - h; "
        "k < q rounds add what comes to a second sum too. If 2^h does not divide p, there are alpha + s beta and, in "
        "the census, less than q s (beta + 2 gamma) more",
    .formula = formula,
};

const CollAlgorithm allreduce_hybrid_overlap_algorithm = {
    COMMON,
    .name = "hybrid_overlap",
    .summary = "hybrid, in which a rank reduces what it does not send next while messages travel",
    .run = allreduce_hybrid_overlap,
    .cost = "as hybrid, less min(u,g) for each reduction of m/4, m/8 .. s beside a halving's message, and for each of "
            "the k beside one of the census: there are k+1 if sums have 3 ranks after its second round",
    .formula = formula_overlap,
};
