// What:   Dissemination over nodes, in few rounds between them: in round d = 1, R, R^2 .., node a signals the nodes a +
//         j d, j = 1 .. R-1, at once, R the least number with R^rounds >= nodes. Each of these signals is from a rank
//         of the node, its sender, to the rank with the same number in the other node. A barrier in each node comes
//         first, and one comes after each round, among those that have received or will send; after the last one, among
//         all.
// Cost:   T_inner(k) + the sum over the rounds, with S senders of c signals each, S' in the next one, k after the last:
//         c alpha.far + T_inner(max(S, S')); on two levels, T_inner has the figures within a node.
// Source: Bienz, Olson, Gropp, Node-aware improvements to allreduce, EuroMPI 2019; Hensgen, Finkel, Manber 1988.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run; else
//         dissemination runs.
//
//   p = 9, 3 per node, 1 round      in the nodes        r -> r+1   r -> r+2
//                                   between the nodes   0 -> 3   3 -> 6   6 -> 0   1 -> 7   4 -> 1   7 -> 4
//                                   in the nodes        r -> r+1   r -> r+2
#include "coll.h"
#include "times/times.h"

enum { INNER };

// The signals of the round at distance d between n nodes of k ranks.
typedef struct Signals {
    int n;       // signals of a node
    int senders; // the ranks that send them
} Signals;

static Signals signals_of(int n, int k, int radix, int64_t d)
{
    const int64_t most = (n - 1) / d, signals = most < radix - 1 ? most : radix - 1;
    return (Signals){(int)signals, (int)(signals < k ? signals : k)};
}

// Returns the number of ranks that meet after the round at distance d.
static int meet(int n, int k, int radix, int64_t d)
{
    const int now = signals_of(n, k, radix, d).senders;
    if (d * radix >= n)
        return k;
    const int next = signals_of(n, k, radix, d * radix).senders;
    return now > next ? now : next;
}

static void barrier_node_dissemination(const Coll *c)
{
    const CollNodes *nodes = c->nodes;
    const int n = nodes->n, k = coll_nodes_equal(nodes), node = nodes->of[c->rank], sender = nodes->local[c->rank];
    const int radix = fan_radix(n, c->par.halvings);
    const Coll all = rails_group(c, RAILS_NODE);
    const Slice nothing = slice_at(c->out, 0, 0);
    coll_call(&all, c->par.part[INNER]);
    for (int64_t d = 1; d < n; d *= radix) {
        const Signals s = signals_of(n, k, radix, d);
        coll_phase(c, "across nodes");
        for (int64_t j = 1 + sender; sender < s.senders && j <= s.n; j += s.senders)
            coll_sendrecv(c, coll_nodes_lane_rank(nodes, sender, (int)((node + j * d) % n)), nothing,
                          coll_nodes_lane_rank(nodes, sender, (int)((node - j * d + (int64_t)radix * n) % n)), nothing);
        Coll view = *c;
        view.par.leaders = meet(n, k, radix, d);
        const Coll group = fan_group(&view);
        if (group.rank >= 0 && group.p > 1)
            coll_call(&group, c->par.part[INNER]);
    }
}

static int same_as(const Coll *c)
{
    return rails_same_node(c, false);
}

static int64_t formula(const CollPoint *x)
{
    const int n = x->nodes->n, k = coll_nodes_equal(x->nodes), radix = fan_radix(n, x->par.halvings);
    const CollPoint far = point_far(x);
    bool known = call_ends_in_step(x->par.part[INNER], k);
    int64_t T = call_time_near(x, INNER, k, 0);
    for (int64_t d = 1; d < n; d *= radix) {
        const Signals s = signals_of(n, k, radix, d);
        const int group = meet(n, k, radix, d);
        known = known && s.n % s.senders == 0 && s.senders == group && call_ends_in_step(x->par.part[INNER], group);
        T = then(then(T, s.n / s.senders * u(&far, 0)), call_time_near(x, INNER, group, 0));
    }
    return known ? T : -1;
}

const CollAlgorithm barrier_node_dissemination_algorithm = {
    .collective = COLL_BARRIER,
    .name = "node_dissemination",
    .summary = "dissemination over nodes, in which many ranks of a node signal other nodes at once",
    .run = barrier_node_dissemination,
    .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},
    .groups = {[INNER] = RAILS_NODE},
    .otherwise = "dissemination",
    .params = {NODE_ROUNDS, PART("inner", INNER, COLL_BARRIER, "dissemination", "the barrier within a node")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "T_inner(k) + the sum over the rounds, with S senders of c signals each, S' in the next one, k after the "
            "last: c alpha.far + T_inner(max(S, S')); on two levels, T_inner has the figures within a node",
    .formula = formula,
    .levels = true,
    .unknown = "ranks of a node that send different numbers of signals, or a part whose ranks end at different times",
    .source = "Bienz, Olson, Gropp, Node-aware improvements to allreduce, EuroMPI 2019; Hensgen, Finkel, Manber 1988",
};
