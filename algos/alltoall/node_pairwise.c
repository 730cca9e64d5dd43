// What:   Pairwise exchanges in rounds that are alike for all ranks: in the rounds of distance d = 0, 1 .. N-1 between
//         nodes, number l of node a sends to number l+j of node a+d, j = 0 .. K-1. So either all messages of a round
//         stay within nodes or none does. In pairwise some rounds have both kinds, and ranks with fast messages wait
//         for those with slow ones. In node_pairwise_overlap the rounds come in another order, d = 0 .. N-1 for one j
//         after the other, and three of them are under way at a time. So the ranks that share a NIC, which begin one
//         after the other, do not wait for each other in every round.
// Cost:   T = (p-1) (alpha + m beta); on two levels, N nodes of K ranks: (K-1) (alpha + m beta) within a node + (N-1) K
//         (alpha + m beta) between nodes. m is the size of the block for one rank, in bytes.
// Source: this page.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else pairwise runs.
//
//   p = 6, 3 per node      round 1   0 -> 1 -> 2 -> 0     3 -> 4 -> 5 -> 3     round 2   0 -> 2 -> 1 -> 0 ..
//                          round 3   0-3   1-4   2-5
//                          round 4   0 -> 4   1 -> 5   2 -> 3   3 -> 1   4 -> 2   5 -> 0 ..
//   node_pairwise_overlap takes them in the order 3 1 4 2 5
#include "coll.h"
#include "times/times.h"

static void alltoall_node_pairwise(const Coll *c)
{
    const Blocks in = coll_in(c), out = coll_out(c);
    coll_copy(c, block(&out, c->rank), block(&in, c->rank));
    for (int d = 0; d < c->nodes->n; d++)
        for (int j = d == 0; j < coll_nodes_equal(c->nodes); j++) {
            const int to = coll_nodes_ahead(c->nodes, c->rank, d, j),
                      from = coll_nodes_ahead(c->nodes, c->rank, -d, -j);
            coll_sendrecv(c, to, block(&in, to), from, block(&out, from));
        }
}

static void alltoall_node_pairwise_overlap(const Coll *c)
{
    enum { OPEN = 3 }; // rounds that are under way at a time
    const Blocks in = coll_in(c), out = coll_out(c);
    CollReq begun[OPEN];
    coll_copy(c, block(&out, c->rank), block(&in, c->rank));
    for (int i = 1; i < c->p; i++) {
        const int d = i % c->nodes->n, j = i / c->nodes->n;
        const int to = coll_nodes_ahead(c->nodes, c->rank, d, j), from = coll_nodes_ahead(c->nodes, c->rank, -d, -j);
        for (CollReq k = 0; i > OPEN && k < 2; k++)
            coll_wait(c, begun[i % OPEN] + k);
        begun[i % OPEN] = coll_irecv(c, from, block(&out, from));
        coll_isend(c, to, block(&in, to));
    }
    coll_waitall(c, 0);
}

// Where the nodes are runs of ranks, those of one number within their nodes are alike.
static int same_as(const Coll *c)
{
    return c->nodes->ordered ? c->nodes->local[c->rank] : c->rank;
}

static int64_t formula(const CollPoint *x)
{
    const CollPoint near = point_near(x);
    const int64_t k = coll_nodes_equal(x->nodes);
    return (k - 1) * u(&near, x->m) + (x->p - k) * u(x, x->m);
}

#define COMMON                                                                                                         \
    .needs = {&need_nodes, &need_nodes_equal}, .otherwise = "pairwise", .peers = PEERS_SHIFT, .same_as = same_as,      \
    .cost = "(p-1) (alpha + m beta); on two levels, N nodes of K ranks: (K-1) (alpha + m beta) within a node + (N-1) " \
            "K (alpha + m beta) between nodes",                                                                        \
    .formula = formula, .levels = true, .source = "this page"
#define IN_TURN                                                                                                        \
    COMMON, .name = "node_pairwise", .run = alltoall_node_pairwise,                                                    \
            .summary = "pairwise exchanges, in rounds within nodes and then in rounds between nodes"
#define OVERLAP                                                                                                        \
    COMMON, .name = "node_pairwise_overlap", .run = alltoall_node_pairwise_overlap,                                    \
            .summary = "node_pairwise with rounds that overlap, so that ranks that share a NIC take turns"

const CollAlgorithm alltoall_node_pairwise_algorithm = {IN_TURN, .collective = COLL_ALLTOALL};
const CollAlgorithm alltoallv_node_pairwise_algorithm = {IN_TURN, .collective = COLL_ALLTOALLV};
const CollAlgorithm alltoall_node_pairwise_overlap_algorithm = {OVERLAP, .collective = COLL_ALLTOALL};
const CollAlgorithm alltoallv_node_pairwise_overlap_algorithm = {OVERLAP, .collective = COLL_ALLTOALLV};
