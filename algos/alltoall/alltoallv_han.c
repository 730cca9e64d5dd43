// What:   As alltoall han: in each round a node has one other node as its partner, and every rank has the rank with its
//         own number in that node. The rank collects what the ranks of its node have for its partner, and exchanges it
//         for what the partner has collected; only then it goes on to the next round. The bytes travel in segments of
//         128 KiB. A rank sends four segments and receives four at a time, in buffers, and copies received blocks to
//         their places. In round i the partner of node a is node i-a mod nodes; the round in which that is the node
//         itself is put off until the end, and sends nothing. A barrier in each node ends the algorithm.
//         HAN's ranks read each other's memory (XPMEM), segment by segment. Here these reads are messages within the
//         node, and a rank has them all before it sends. HAN sends within the node only addresses, 40 bytes from each
//         rank, in an allgather beforehand. Each segment begins with four bytes for its length, which are left out
//         here, and so is the allreduce by which all ranks agree, in the first call alone, to use this algorithm.
// Cost:   two nodes, equal blocks, one segment: T_addresses(k) of 40 bytes + 2 (k-1) (alpha + m beta) + alpha + k m
//         beta + T_barrier(k), k the ranks of a node; on two levels, the message of k m bytes has the figures between
//         nodes, the rest those within a node.
// Source: Open MPI main, mca_coll_han_alltoallv_using_smsc (coll_han_alltoallv.c).
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, nodes of consecutive ranks, parts
//         that can run; else linear runs.
//
//   p = 4, 2 per node      0-1   2-3      0-2   1-3 (2 blocks)      0-1   2-3
#include "coll.h"
#include "times/times.h"

enum { ADDRESSES, BARRIER };

enum { ADDRESS_BYTES = 40 /* a rank's buffers and their extents */, AT_A_TIME = 4 };

// Returns the length of the block that rank `from` has for rank `to`.
static size_t length(const Coll *c, const Blocks *in, int from, int to)
{
    return block(in, (int)(((int64_t)from + to - c->rank + c->p) % c->p)).len;
}

// Returns the longest sum of blocks that the rank exchanges in a round: those that node `of` has for rank `to`, or the
// other way round.
static size_t longest(const Coll *c, bool sends)
{
    const int k = coll_nodes_equal(c->nodes), first = c->rank - c->nodes->local[c->rank];
    const Blocks in = coll_in(c), out = coll_out(c);
    size_t most = 0;
    for (int node = 0; node < c->nodes->n; node++) {
        size_t sum = 0;
        for (int i = 0; i < k; i++)
            sum += sends ? length(c, &in, first + i, node * k + c->rank - first) : block(&out, node * k + i).len;
        most = sum > most ? sum : most;
    }
    return most;
}

// Collects the blocks of the node's ranks for rank `to` in `into`, and gives each of them those for its own partner.
// Returns their length.
static size_t collect(const Coll *c, int to, Slice into)
{
    const int k = coll_nodes_equal(c->nodes), l = c->nodes->local[c->rank], first = c->rank - l, there = to - l;
    const Blocks in = coll_in(c);
    const CollReq before = coll_mark(c);
    size_t *at = coll_sizes(c, (size_t)k + 1);
    at[0] = 0;
    for (int i = 0; i < k; i++)
        at[i + 1] = at[i] + length(c, &in, first + i, to);
    coll_copy(c, slice_at(into, at[l], at[l + 1] - at[l]), block(&in, to));
    coll_phase(c, "inside nodes");
    for (int i = 1; i < k; i++) {
        const int from = (l + i) % k;
        coll_irecv(c, first + from, slice_at(into, at[from], at[from + 1] - at[from]));
    }
    for (int i = 1; i < k; i++) {
        const int peer = (l - i + k) % k;
        coll_isend(c, first + peer, block(&in, there + peer));
    }
    coll_waitall(c, before);
    return at[k];
}

// Exchanges the bytes of two slices with a rank, in segments; an empty slice causes no message.
static void exchange(const Coll *c, int peer, Slice send, Slice receive)
{
    const Blocks out = blocks_size(c, send, c->par.segment), in = blocks_size(c, receive, c->par.segment);
    const int n_out = send.len ? out.n : 0, n_in = receive.len ? in.n : 0, n = n_out > n_in ? n_out : n_in;
    const CollReq before = coll_mark(c);
    coll_phase(c, "across nodes");
    CollReq sent[AT_A_TIME], received[AT_A_TIME];
    for (int first = 0; first < n; first += AT_A_TIME) {
        for (int i = first; i < first + AT_A_TIME && i < n_in; i++) {
            if (first > 0)
                coll_wait(c, received[i - first]);
            received[i - first] = coll_irecv(c, peer, block(&in, i));
        }
        for (int i = first; i < first + AT_A_TIME && i < n_out; i++) {
            if (first > 0)
                coll_wait(c, sent[i - first]);
            sent[i - first] = coll_isend(c, peer, block(&out, i));
        }
    }
    coll_waitall(c, before);
}

static void alltoallv_han(const Coll *c)
{
    const int n = c->nodes->n, node = c->nodes->of[c->rank], k = coll_nodes_equal(c->nodes);
    const Blocks out = coll_out(c);
    Coll low = coll_node_under(c, LEADER_FIRST);
    rails_tell(c, c->par.part[ADDRESSES], ADDRESS_BYTES);
    const Slice mine = coll_scratch(c, longest(c, true)), theirs = coll_scratch(c, longest(c, false));
    for (int round = 0; round < n; round++) {
        const int partner = rails_partner(node, round, n);
        const int peer = coll_nodes_lane_rank(c->nodes, c->nodes->local[c->rank], partner);
        const int *which = blocks_numbers(c, partner * k, 1, k, c->p);
        size_t len = 0;
        for (int i = 0; i < k; i++)
            len += block(&out, which[i]).len;
        const Slice collected = slice_at(mine, 0, collect(c, peer, mine));
        const Slice received = partner == node ? collected : slice_at(theirs, 0, len);
        if (partner != node)
            exchange(c, peer, collected, received);
        coll_unpack(c, &out, k, which, received);
    }
    low.in = low.out = slice_at(c->out, 0, 0);
    coll_call(&low, c->par.part[BARRIER]);
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    const CollPoint far = point_far(x), near = point_near(x);
    if (x->nodes->n != 2 || segments(x, k * x->m) > 1)
        return -1;
    const int64_t messages = 2 * (k - 1) * u(&near, x->m) + u(&far, k * x->m);
    return then(then(call_time_near(x, ADDRESSES, k, ADDRESS_BYTES), messages), call_time_near(x, BARRIER, k, 0));
}

const CollAlgorithm alltoallv_han_algorithm = {
    .collective = COLL_ALLTOALLV,
    .name = "han",
    .aliases = {"han:smsc"},
    .summary = "Open MPI's two levels: each rank exchanges with its equals in other nodes what is for or from its node",
    .run = alltoallv_han,
    .needs = {&need_nodes, &need_nodes_equal, &need_nodes_ordered, &need_group_parts},
    .groups = {[ADDRESSES] = RAILS_NODE, [BARRIER] = RAILS_NODE},
    .otherwise = "linear",
    .params = {SEGMENT_OF(131072),
               PART("addresses", ADDRESSES, COLL_ALLGATHER, "bruck", "the allgather of the buffers' addresses"),
               PART("barrier", BARRIER, COLL_BARRIER, "recursive_doubling", "the barrier within a node")},
    .peers = PEERS_SHIFT,
    .same_as = same_in_nodes,
    .cost = "two nodes, equal blocks, one segment: T_addresses(k) of 40 bytes + 2 (k-1) (alpha + m beta) + alpha + k m "
            "beta + T_barrier(k), k the ranks of a node; on two levels, the message of k m bytes has the figures "
            "between nodes, the rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "more than two nodes, several segments, or a part without a formula",
    .source = "Open MPI main, mca_coll_han_alltoallv_using_smsc (coll_han_alltoallv.c)",
};
