// What:   Every node but the root's reduces to its leader, which is its first rank. The leaders reduce to the leader of
//         the root's node, which has only its own vector then. At last the root's node reduces to the root. See
//         registry/hierarchy.h.
// Cost:   root 0, binomial parts: the recurrence of a reduction within a node, one among the leaders in which rank 0 is
//         ready at once, and one within a node in which all but rank 0 are; on two levels, the reduction among the
//         leaders has the figures between nodes, the others those within a node.
// Source: MPICH 4.0.2 and 4.3, MPIDI_Reduce_intra_composition_beta (ch4_coll_impl.h); the same messages as those of
//         MPIR_Reduce_intra_smp (reduce_intra_smp.c).
// Needs:  several nodes of several ranks (--map or --per-node), a commutative operation, parts that can run on the
//         nodes; else binomial runs.
//
//   p = 8, 4 per node, root 5      in the other node    1 -> 0   3 -> 2      2 -> 0
//                                  among the leaders    0 -> 4
//                                  in the root's node   6 -> 5   4 -> 7      7 -> 5
#include "coll.h"
#include "times/times.h"

enum { OUTER, INNER };

static const Hierarchy plan = {
    LEADER_FIRST, 3, {{IN_OTHER_NODES, INNER}, {AMONG_LEADERS, OUTER}, {IN_ROOTS_NODE, INNER}}};

// Follows the ranks of a blocking binomial reduction to rank 0 that begin at times t[v].
static void binomial_times(const CollPoint *x, int64_t *t)
{
    for (int mask = 1; mask < x->p; mask *= 2)
        for (int v = 0; v + mask < x->p; v += 2 * mask) {
            times_pass(x, &t[v + mask], &t[v], x->m);
            t[v] += g(x, x->m);
        }
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    const CollAlgorithm *binomial = &reduce_binomial_blocking_algorithm;
    if (k == 0 || x->par.part[OUTER] != binomial || x->par.part[INNER] != binomial)
        return -1;
    CollPoint far = point_far(x), near = point_near(x);
    far.p = x->nodes->n;
    near.p = k;
    Clocks other = clocks_new(near.p), leaders = clocks_new(far.p), own = clocks_new(near.p);
    binomial_times(&near, other.now);
    for (int i = 1; i < far.p; i++)
        leaders.now[i] = other.now[0];
    binomial_times(&far, leaders.now);
    own.now[0] = leaders.now[0];
    binomial_times(&near, own.now);
    const int64_t sent = later(clocks_free(&other), clocks_free(&leaders));
    return later(sent, clocks_free(&own));
}

const CollAlgorithm reduce_ch4_beta_algorithm = {
    .collective = COLL_REDUCE,
    .name = "ch4_beta",
    .aliases = {"mpich-ch4:beta", "mpich:smp"},
    .summary = "MPICH's two levels: the other nodes, then the first ranks of the nodes, then the root's node",
    .run = hierarchy_run,
    .hierarchy = &plan,
    .needs = {&need_nodes, &need_commutative, &need_hierarchy},
    .otherwise = "binomial",
    .params = {PART("outer", OUTER, COLL_REDUCE, "binomial_blocking", "the reduction among the leaders"),
               PART_WITHIN("inner", INNER, COLL_REDUCE, "binomial_blocking", "the reduction within a node")},
    .peers = PEERS_SHIFT,
    .same_as = hierarchy_same,
    .cost =
        "root 0, binomial parts: the recurrence of a reduction within a node, one among the leaders in which rank 0 "
        "is ready at once, and one within a node in which all but rank 0 are; on two levels, the reduction among "
        "the leaders has the figures between nodes, the others those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "nodes of unequal size, or parts other than binomial_blocking",
    .source = "MPICH 4.0.2 and 4.3, MPIDI_Reduce_intra_composition_beta (ch4_coll_impl.h); the same messages as those "
              "of MPIR_Reduce_intra_smp (reduce_intra_smp.c)",
};
