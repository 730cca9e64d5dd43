// What:   An allreduce over nodes in few rounds between them. First every node adds up the vectors of its ranks. Then,
//         in each round, a node's first ranks, its senders, exchange sums with one rank of another node each, and the
//         node adds up what they have received; so the nodes of a sum grow by a factor of R, the least number with
//         R^rounds >= nodes. In a ring of nodes, the sum of a node is that of itself and of those behind it. As in the
//         census (shapes/census.h), what is too much for a sum is left out by the `rest`, a sum without the node
//         itself. At last each sender hands the sum to the other ranks.
// Cost:   T = T_inner(k) + the sum over the rounds, with S senders of c messages each, t in all, S' senders in the next
//         one, k after the last: c u.far + (c-1 + 1 or 2) g + T_inner(S) + T_bcast(S'/S), u = alpha + m beta, g = m
//         gamma; on two levels, u.far has the figures between nodes, the rest those within a node.
// Source: Bienz, Olson, Gropp, Node-aware improvements to allreduce, EuroMPI 2019, for k^i nodes; Bar-Noy, Kipnis,
//         Schieber 1993 for the sums of other numbers.
// Needs:  a commutative operation, several nodes of several ranks (--map or --per-node), nodes of equal size, parts
//         that can run; else recursive_doubling runs.
//
//   p = 9, 3 per node, 1 round      in the nodes        0-1-2   3-4-5   6-7-8
//                                   between the nodes   3 -> 0   6 -> 3   0 -> 6   7 -> 1   1 -> 4   4 -> 7
//                                   in the nodes        0-1   3-4   6-7      0 -> 2   3 -> 5   6 -> 8
#include "coll.h"
#include "times/times.h"

enum { INNER, BCAST };

// Returns the number of senders of a node of k ranks in round i.
static int senders_of(const CensusPlan *x, int i, int k)
{
    return x->terms[i] - 1 < k ? x->terms[i] - 1 : k;
}

// Adds up, in `got`, the terms that the caller receives in round i.
static void receive_terms(const Coll *c, const CensusPlan *x, int i, Slice sum, Slice others, Slice got)
{
    const CollNodes *nodes = c->nodes;
    const int node = nodes->of[c->rank], sender = nodes->local[c->rank], n = nodes->n;
    const int senders = senders_of(x, i, coll_nodes_equal(nodes));
    const Slice inbox = coll_scratch(c, got.len);
    coll_phase(c, "across nodes");
    for (int j = 1 + sender; j < x->terms[i]; j += senders) {
        bool rest;
        const int ahead = census_behind(x, i, j, &rest);
        const Slice into = slice_like(j == 1 + sender ? got : inbox, got);
        coll_sendrecv(c, coll_nodes_lane_rank(nodes, sender, (node - ahead + n) % n), rest ? others : sum,
                      coll_nodes_lane_rank(nodes, sender, (node + ahead) % n), into);
        if (j > 1 + sender)
            coll_reduce(c, got, got, inbox);
    }
}

static void allreduce_node_census(const Coll *c)
{
    const int k = coll_nodes_equal(c->nodes), local = c->nodes->local[c->rank];
    const CensusPlan x = census_plan(c->nodes->n, fan_radix(c->nodes->n, c->par.halvings));
    const Slice sum = c->out;
    const Slice others = coll_scratch(c, sum.len), got = coll_scratch(c, sum.len);
    Coll node = rails_group(c, RAILS_NODE);
    coll_call(&node, c->par.part[INNER]);
    for (int i = 0; i < x.rounds; i++) {
        Coll view = *c;
        view.par.leaders = senders_of(&x, i, k);
        view.par.max_requests = i + 1 < x.rounds ? senders_of(&x, i + 1, k) : k;
        if (local < view.par.leaders) {
            Coll senders = fan_group(&view);
            receive_terms(c, &x, i, sum, others, got);
            senders.in = senders.out = got;
            if (senders.p > 1)
                coll_call(&senders, c->par.part[INNER]);
            coll_reduce(c, sum, sum, got);
            if (x.rest[i] && i == 0)
                coll_copy(c, others, got);
            else if (x.rest[i])
                coll_reduce(c, others, others, got);
        }
        Coll followers = fan_followers(&view);
        if (followers.rank < 0 || followers.p == 1)
            continue;
        followers.in = followers.out = sum;
        coll_call(&followers, c->par.part[BCAST]);
        followers.in = followers.out = others;
        if (x.rest[i])
            coll_call(&followers, c->par.part[BCAST]);
    }
}

static int same_as(const Coll *c)
{
    return rails_same_node(c, false);
}

// Returns true if the `next` senders of a round, to whom `senders` of them have handed the sum, may begin at different
// times, and the inner part then takes less: eager, it adds what early ranks have sent while others still send.
static bool gains_by_early(const CollPoint *x, int senders, int next)
{
    const CollAlgorithm *a = algorithm_entry(x->par.part[INNER]);
    return x->eager && next > senders && next != 2 * senders && a == &allreduce_k_census_overlap_algorithm;
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    const CensusPlan plan = census_plan(x->nodes->n, fan_radix(x->nodes->n, x->par.halvings));
    const CollPoint far = point_far(x);
    bool known = call_ends_in_step(x->par.part[INNER], k);
    int64_t T = call_time_near(x, INNER, k, x->m);
    for (int i = 0; i < plan.rounds; i++) {
        const int S = senders_of(&plan, i, k), next = i + 1 < plan.rounds ? senders_of(&plan, i + 1, k) : k;
        const int messages = (plan.terms[i] - 1) / S, behind = next > S ? (next - 1) / S + 1 : 1;
        const int64_t sums = messages + (plan.rest[i] && i > 0);
        const int64_t bcast = call_time_near(x, BCAST, behind, x->m);
        known = known && call_ends_in_step(x->par.part[INNER], S) && (plan.terms[i] - 1) % S == 0 &&
                (i + 1 == plan.rounds || !gains_by_early(x, S, next));
        T = then(T, messages * u(&far, x->m) + sums * g(x, x->m));
        T = then(then(T, call_time_near(x, INNER, S, x->m)), bcast < 0 ? bcast : bcast * (1 + plan.rest[i]));
    }
    return known ? T : -1;
}

const CollAlgorithm allreduce_node_census_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "node_census",
    .summary = "sums of R times as many nodes in each round, whose terms the ranks of a node fetch at once",
    .run = allreduce_node_census,
    .needs = {&need_commutative, &need_nodes, &need_nodes_equal, &need_group_parts},
    .groups = {[INNER] = RAILS_NODE, [BCAST] = RAILS_NODE},
    .otherwise = "recursive_doubling",
    .params = {NODE_ROUNDS, PART("inner", INNER, COLL_ALLREDUCE, "census", "the allreduce within a node"),
               PART("bcast", BCAST, COLL_BCAST, "binomial", "the broadcast from a sender to other ranks of its node")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "T_inner(k) + the sum over the rounds, with S senders of c messages each, t in all, S' senders in the next "
            "one, k after the last: c u.far + (c-1 + 1 or 2) g + T_inner(S) + T_bcast(S'/S), u = alpha + m beta, g = m "
            "gamma; on two levels, u.far has the figures between nodes, the rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "senders of different numbers of messages, a part that does not end at the same time at all ranks, or "
               "eager, k_census_overlap at senders that do not begin at the same time",
    .source =
        "Bienz, Olson, Gropp, Node-aware improvements to allreduce, EuroMPI 2019, for k^i nodes; Bar-Noy, Kipnis, "
        "Schieber 1993 for the sums of other numbers",
};
