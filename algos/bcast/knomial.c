// What:   The message travels down a k-nomial tree. A larger k gives the root more children and the tree fewer levels;
//         k = 2 is a binomial tree. See shapes/tree.c for the tree, and shapes/tree_engines.c for the order in which a
//         rank sends and receives.
// Cost:   T = S N (alpha + m/S beta), N = (k-1)(h-1) + floor((p-1)/k^(h-1)), h = ceil(log_k p). S is the number of
//         segments. N is the number of the root's children, which is (k-1) log_k p if p is a power of k.
// Source: Open MPI 4.1, bcast knomial.
// Needs:  nothing.
//
//   p = 8, k = 4           0
//                    4   1   2   3
//                  5 6 7
#include "coll.h"
#include "times/times.h"

static void bcast_knomial(const Coll *c)
{
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    tree_bcast(c, tree_knomial(c, c->root, c->par.radix), &segments);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m);
    return S * times_knomial_rounds(x->p, x->par.radix) * u(x, x->m / S);
}

const CollAlgorithm bcast_knomial_algorithm = {
    .collective = COLL_BCAST,
    .name = "knomial",
    .aliases = {"ompi:7", "smpi:mvapich2_knomial_intra_node", "libnbc:knomial", "intel:8"},
    .summary = "a k-nomial tree: for k > 2 it has fewer levels than a binomial tree, and ranks have more children",
    .run = bcast_knomial,
    .params = {SEGMENT, RADIX(4, "k of the k-nomial tree")},
    .peers = PEERS_SHIFT,
    .same_as = same_knomial,
    .cost = "S N (alpha + m/S beta), N = (k-1)(h-1) + floor((p-1)/k^(h-1)), h = ceil(log_k p)",
    .formula = formula,
    .source = "Open MPI 4.1, bcast knomial",
};
