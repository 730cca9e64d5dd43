// What:   Every node scans its own vectors, and its last rank hands the node's sum to its first rank. The first ranks
//         scan the sums, and each hands its result to the first rank of the next node, which broadcasts it in its node;
//         there every rank reduces it into its own result, in front. Before that broadcast, all first ranks broadcast
//         four bytes, which say whether anything comes before the node.
// Cost:   rank by rank: the formula follows the clocks of a node's ranks through the inner scan, those of the first
//         ranks through theirs, and those of every node's ranks through its broadcasts; on two levels, messages among
//         first ranks have the figures between nodes, the rest those within a node.
// Source: MPICH 4.0.2 and 4.3, MPIR_Scan_intra_smp (scan_intra_smp.c) and MPIDI_Scan_intra_composition_alpha
//         (ch4_coll_impl.h).
// Needs:  several nodes of several ranks (--map or --per-node), nodes of consecutive ranks, parts that can run on the
//         nodes; else recursive_doubling runs.
//
//   p = 8, 4 per node      in the nodes         0-1   2-3   4-5   6-7      0-2   1-3   4-6   5-7
//                          to the first ranks   3 -> 0   7 -> 4
//                          among the first      0-4      0 -> 4
//                          in the nodes         0 -> 2   4 -> 6      0 -> 1   2 -> 3   4 -> 5   6 -> 7   (4 bytes)
//                          in the second node   4 -> 6      4 -> 5   6 -> 7
#include "coll.h"
#include "times/times.h"
#include <string.h>

enum { OUTER, INNER, BCAST };
enum { SIGNAL = 4 }; // bytes

// Hands the sum of a node from its last rank to its first. Returns the slice in which the first rank has it.
static Slice hand_down(const Coll *node, Slice mine)
{
    const int last = node->p - 1;
    if (last == 0 || (node->rank > 0 && node->rank < last))
        return mine;
    if (node->rank == last) {
        coll_send(node, 0, mine);
        return mine;
    }
    const Slice sum = coll_scratch(node, mine.len);
    coll_recv(node, last, sum);
    return sum;
}

// Scans the sums of the nodes, and hands each result to the next node, which receives it in `before`.
static void among_first(const Coll *c, Coll *first, Slice sum, Slice before)
{
    first->in = sum;
    first->out = coll_scratch(c, sum.len);
    coll_call(first, c->par.part[OUTER]);
    coll_phase(c, "to the next node");
    if (first->rank < first->p - 1)
        coll_send(first, first->rank + 1, first->out);
    if (first->rank > 0)
        coll_recv(first, first->rank - 1, before);
}

// Broadcasts the four bytes in a node, as whole elements.
static void tell(const Coll *c, Coll node)
{
    node.in = node.out = coll_scratch(c, (SIGNAL + c->elem - 1) / c->elem * c->elem);
    coll_call(&node, c->par.part[BCAST]);
}

static void scan_smp(const Coll *c)
{
    Coll node = coll_node_under(c, LEADER_FIRST), first = coll_leaders_who(c, LEADER_FIRST);
    const bool is_later = c->nodes->of[c->rank] > 0; // something comes before the node
    const Slice before = coll_scratch(c, is_later ? c->in.len : 0);
    coll_call(&node, c->par.part[INNER]);
    coll_phase(c, "to the leader");
    const Slice sum = hand_down(&node, c->out);
    if (first.rank >= 0)
        among_first(c, &first, sum, before);
    tell(c, node);
    if (!is_later)
        return;
    node.in = node.out = before;
    coll_call(&node, c->par.part[BCAST]);
    coll_phase(c, "reduce");
    coll_reduce(c, c->out, before, c->out);
}

// The nodes behind the first one do the same, apart from their first ranks.
static int same_as(const Coll *c)
{
    return c->nodes->local[c->rank] == 0 ? coll_v(c) : rails_same_node(c, true);
}

static Tree tree_far(const Coll *c, int root)
{
    return tree_knomial(c, root, 2);
}

// Sets the times of the first ranks, which begin at time `begin`, to those at which they have what comes before them.
static void first_times(const CollPoint *x, int64_t begin, int64_t *t)
{
    CollPoint far = point_far(x);
    far.p = x->nodes->n;
    for (int i = 0; i < far.p; i++)
        t[i] = begin;
    prefix_doubling_times(&far, false, t);
    for (int i = far.p - 2; i >= 0; i--) // a rank sends before it receives
        times_pass(&far, &t[i], &t[i + 1], x->m);
}

// Returns when the last of a node's ranks is done, which begin the broadcasts at the times t.
static int64_t node_time(const CollPoint *near, bool is_later, int64_t *t)
{
    CollPoint told = *near;
    told.m = SIGNAL;
    tree_bcast_times(&told, tree_far, 0, t);
    if (is_later)
        tree_bcast_times(near, tree_far, 0, t);
    return times_latest(t, near->p) + (is_later ? g(near, near->m) : 0);
}

static int64_t formula(const CollPoint *x)
{
    const CollParams *par = &x->par;
    CollPoint near = point_near(x);
    near.p = coll_nodes_equal(x->nodes);
    if (near.p == 0 || par->part[OUTER] != &scan_recursive_doubling_algorithm ||
        par->part[INNER] != &scan_recursive_doubling_algorithm || par->part[BCAST] != &bcast_binomial_far_algorithm)
        return -1;
    Clocks node = clocks_new(near.p), first = clocks_new(x->nodes->n);
    prefix_doubling_times(&near, false, node.now);
    times_pass(&near, &node.now[near.p - 1], &node.now[0], x->m);
    first_times(x, node.now[0], first.now);
    int64_t end = 0;
    for (int i = 0; i < first.p; i++) {
        memcpy(node.before, node.now, (size_t)near.p * sizeof *node.now);
        node.before[0] = first.now[i];
        end = later(end, node_time(&near, i > 0, node.before));
    }
    clocks_free(&node);
    clocks_free(&first);
    return end;
}

const CollAlgorithm scan_smp_algorithm = {
    .collective = COLL_SCAN,
    .name = "smp",
    .aliases = {"mpich:smp", "mpich-ch4:alpha"},
    .summary = "a scan in each node, a scan of the nodes' sums, and its results' broadcast in the next nodes",
    .run = scan_smp,
    .needs = {&need_nodes, &need_nodes_ordered, &need_node_parts},
    .otherwise = "recursive_doubling",
    .params = {PART("outer", OUTER, COLL_SCAN, "recursive_doubling", "the scan among the first ranks of the nodes"),
               PART_WITHIN("inner", INNER, COLL_SCAN, "recursive_doubling", "the scan within a node"),
               PART("bcast", BCAST, COLL_BCAST, "binomial_far", "the broadcasts within a node")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost =
        "rank by rank: the formula follows the clocks of a node's ranks through the inner scan, those of the first "
        "ranks through theirs, and those of every node's ranks through its broadcasts; on two levels, messages among "
        "first ranks have the figures between nodes, the rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "nodes of unequal size, or parts other than the defaults",
    .source = "MPICH 4.0.2 and 4.3, MPIR_Scan_intra_smp (scan_intra_smp.c) and MPIDI_Scan_intra_composition_alpha "
              "(ch4_coll_impl.h)",
};
