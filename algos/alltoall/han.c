// What:   In each round a node has one other node as its partner, and every rank has the rank with its own number in
//         that node. The rank collects what the ranks of its node have for its partner and sends all of it as one
//         message. Receives from all partners are posted first; a message arrives straight in its place. In round i the
//         partner of node a is node i-a mod nodes; the round in which that is the node itself is put off until the end,
//         and sends nothing. Some nodes have put it off and others have not, so two nodes can send to the same one.
//         HAN's ranks read each other's memory (XPMEM). Here these reads are messages of an alltoall within the node,
//         the part `low`. HAN sends them only addresses, 24 bytes from each rank, in an allgather beforehand.
// Cost:   two nodes: T_addresses(k) of 24 bytes + 2 T_low(k) + alpha + k m beta, k the ranks of a node; on two levels,
//         the message has the figures between nodes, the parts those within a node.
// Source: Open MPI main, mca_coll_han_alltoall_using_smsc (coll_han_alltoall.c).
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, nodes of consecutive ranks, parts
//         that can run, low without max_requests; else linear runs.
//
//   p = 4, 2 per node      0-1   2-3      0-2   1-3 (2 blocks)      0-1   2-3
#include "coll.h"
#include "times/times.h"

enum { LOW, ADDRESSES };

enum { ADDRESS_BYTES = 24 }; // a rank's buffer and two flags

// Returns the rank that has the caller's number in a node.
static int equal_in(const Coll *c, int node)
{
    return coll_nodes_lane_rank(c->nodes, c->nodes->local[c->rank], node);
}

static void receive_all(const Coll *c)
{
    const int n = c->nodes->n, node = c->nodes->of[c->rank];
    const Blocks out = blocks_even(c, c->out, n);
    coll_phase(c, "across nodes");
    for (int round = 0; round < n - 1; round++) {
        const int partner = rails_partner(node, round, n);
        coll_irecv(c, equal_in(c, partner), block(&out, partner));
    }
    coll_waitall(c, 0);
}

static void collect_and_send(void *view)
{
    const Coll *c = view;
    const int n = c->nodes->n, node = c->nodes->of[c->rank];
    const Blocks in = blocks_even(c, c->in, n), out = blocks_even(c, c->out, n);
    Coll low = coll_node_under(c, LEADER_FIRST);
    const Slice collected = low.out = block(&out, node); // no message comes to this place
    for (int round = 0; round < n; round++) {
        const int partner = rails_partner(node, round, n);
        low.in = block(&in, partner);
        coll_call(&low, c->par.part[LOW]);
        coll_phase(c, "across nodes");
        if (partner != node)
            coll_send(c, equal_in(c, partner), collected);
    }
}

static void alltoall_han(const Coll *c)
{
    Coll view = *c;
    rails_tell(c, c->par.part[ADDRESSES], ADDRESS_BYTES);
    coll_overlap(c, receive_all, collect_and_send, &view);
}

// A limit of requests would count the receives too.
static bool low_is_free(const Coll *c)
{
    const CollAlgorithm *low = c->par.part[LOW];
    return !algorithm_param(low, "max_requests") || algorithm_defaults(low).max_requests == 0;
}
static const CollNeed need_free = {low_is_free, "low has a limit of requests", "low without max_requests"};

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    const CollPoint far = point_far(x);
    const int64_t addresses = call_time_near(x, ADDRESSES, k, ADDRESS_BYTES), low = call_time_near(x, LOW, k, x->m);
    return x->nodes->n == 2 ? then(then(addresses, then(low, low)), u(&far, k * x->m)) : -1;
}

const CollAlgorithm alltoall_han_algorithm = {
    .collective = COLL_ALLTOALL,
    .name = "han",
    .aliases = {"han:smsc"},
    .summary = "Open MPI's two levels: each rank exchanges with its equals in other nodes what is for or from its node",
    .run = alltoall_han,
    .needs = {&need_nodes, &need_nodes_equal, &need_nodes_ordered, &need_group_parts, &need_free},
    .groups = {[LOW] = RAILS_NODE, [ADDRESSES] = RAILS_NODE},
    .otherwise = "linear",
    .params = {PART("low", LOW, COLL_ALLTOALL, "linear", "the alltoall within a node, in each round"),
               PART("addresses", ADDRESSES, COLL_ALLGATHER, "bruck", "the allgather of the buffers' addresses")},
    .peers = PEERS_SHIFT,
    .same_as = same_in_nodes,
    .cost = "two nodes: T_addresses(k) of 24 bytes + 2 T_low(k) + alpha + k m beta, k the ranks of a node; on two "
            "levels, the message has the figures between nodes, the parts those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "more than two nodes: some of them send to the same one at a time",
    .source = "Open MPI main, mca_coll_han_alltoall_using_smsc (coll_han_alltoall.c)",
};
