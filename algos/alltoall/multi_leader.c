// What:   Every node has several leaders, each for its share of the node's ranks. A leader gathers all that its share
//         sends; the leaders of all nodes exchange the blocks between their shares; and each scatters what arrived in
//         its share. See registry/rails.h for the groups.
// Cost:   T_gather(s) of p m bytes + T_outer(p/s) of s^2 m bytes + T_scatter(s) of p m bytes, s = k/leaders the ranks
//         of a share, k those of a node; on two levels, one leader: T_outer has the figures between nodes, the rest
//         those within a node.
// Source: Kandalla et al. 2009, whose leaders gather and exchange likewise in an allgather; the scatter mirrors it.
// Needs:  alltoall multi_leader: several nodes of several ranks (--map or --per-node), nodes of equal size, which
//         leaders divides, parts that can run; else pairwise runs.
//         alltoallv multi_leader: several nodes of several ranks (--map or --per-node), nodes of consecutive ranks,
//         nodes of equal size, which leaders divides, parts that can run; else pairwise runs.
//
//   p = 8, 4 per node, 2 leaders      1 -> 0   3 -> 2   5 -> 4   7 -> 6 (8 blocks)
//                                     each of 0, 2, 4, 6 with each other one (4 blocks)
//                                     0 -> 1   2 -> 3   4 -> 5   6 -> 7 (8 blocks)
#include "coll.h"
#include "times/times.h"

enum { OUTER, GATHER, SCATTER };

// Writes the numbers of the blocks that the leaders exchange. which[] has those that were gathered, source by source,
// in the order of the shares that they go to. sorted[] has those that arrived, share by share, in the order of the
// ranks of this share that they go to, and then of their sources.
static void number_blocks(const Coll *c, int shares, int size, int *which, int *sorted)
{
    const int *member = c->nodes->member;
    for (int share = 0, at = 0; share < shares; share++)
        for (int from = 0; from < size; from++)
            for (int to = 0; to < size; to++, at++) {
                which[at] = from * c->p + member[share * size + to];
                sorted[to * c->p + member[share * size + from]] = at;
            }
}

// Returns the numbers that the gathered blocks have in the leader's own view: rank `from` of the share has a block for
// rank `to` that is as long as the leader's block for rank from + to.
static const int *lengths_like(const Coll *c, int size)
{
    int *number = coll_ints(c, (size_t)c->p * (size_t)size);
    for (int from = 0; from < size; from++)
        for (int to = 0; to < c->p; to++)
            number[from * c->p + to] = (from + to) % c->p;
    return number;
}

// Exchanges the blocks of the share, which are in `gathered`, and returns those for the share.
static Slice among_leaders(const Coll *c, Slice gathered, int size)
{
    Coll leaders = rails_group(c, RAILS_ALL_LEADERS);
    const int n = c->p * size;
    const Blocks in = coll_in(c);
    int *which = NULL, *sorted = NULL;
    if (in.counts || coll_copies(c)) { // blocks of equal length have numbers only where they are copied
        which = coll_ints(c, (size_t)n);
        sorted = coll_ints(c, (size_t)n);
        number_blocks(c, leaders.p, size, which, sorted);
    }
    leaders.in = coll_scratch(c, gathered.len);
    leaders.out = coll_scratch(c, gathered.len);
    CollCounts counts, gives, takes;
    const Blocks sent = rails_copies(c, gathered, &gives, &in, in.counts ? lengths_like(c, size) : NULL, n);
    const Blocks got = rails_copies(c, leaders.out, &takes, &sent, which, n);
    rails_exchanged(&leaders, &counts, &sent, which, size * size);
    coll_pack(c, leaders.in, &sent, n, which);
    coll_call(&leaders, c->par.part[OUTER]);
    coll_pack(c, gathered, &got, n, sorted);
    return gathered;
}

// Blocks of different lengths may lie in any order and have gaps between them, so they are packed first and unpacked at
// the end. All ranks send and receive the same number of bytes.
static void alltoall_multi_leader(const Coll *c)
{
    Coll share = rails_group(c, RAILS_SHARE);
    const Blocks in = coll_in(c), out = coll_out(c);
    const size_t all = blocks_total(&in, c->p, c->nodes->member);
    const Slice box = coll_scratch_if(c, share.rank == 0, (size_t)share.p * all); // has the blocks of the share
    share.in = in.counts ? coll_scratch(c, all) : c->in;
    if (in.counts)
        coll_pack(c, share.in, &in, c->p, c->nodes->member);
    share.out = box;
    coll_call(&share, c->par.part[GATHER]);
    share.out = in.counts ? share.in : c->out;
    share.in = share.rank == 0 ? among_leaders(c, box, share.p) : box;
    coll_call(&share, c->par.part[SCATTER]);
    if (in.counts)
        coll_unpack(c, &out, c->p, c->nodes->member, share.out);
}

static int same_as(const Coll *c)
{
    return rails_group(c, RAILS_SHARE).rank ? rails_same_node(c, false)
                                            : rails_same_across(c, RAILS_ALL_LEADERS, c->par.part[OUTER]);
}

static int64_t formula(const CollPoint *x)
{
    const int size = coll_nodes_equal(x->nodes) / x->par.leaders;
    // Several leaders of a node are on two levels, and a part may group them by node.
    if (x->par.leaders > 1 && (x->levels || algorithm_needs_nodes(x->par.part[OUTER])))
        return -1;
    const CollPoint far = point_far(x);
    const int64_t gather = call_time_near(x, GATHER, size, x->p * x->m);
    const int64_t outer = call_time(&far, x->par.part[OUTER], x->p / size, (int64_t)size * size * x->m);
    return then(then(gather, outer), call_time_near(x, SCATTER, size, x->p * x->m));
}

#define COMMON                                                                                                         \
    .name = "multi_leader",                                                                                            \
    .summary = "several leaders in each node gather, each for its share of the ranks, exchange, and scatter",          \
    .run = alltoall_multi_leader,                                                                                      \
    .groups = {[OUTER] = RAILS_ALL_LEADERS, [GATHER] = RAILS_SHARE, [SCATTER] = RAILS_SHARE}, .otherwise = "pairwise", \
    .peers = PEERS_SHIFT, .same_as = same_as,                                                                          \
    .cost =                                                                                                            \
        "T_gather(s) of p m bytes + T_outer(p/s) of s^2 m bytes + T_scatter(s) of p m bytes, s = k/leaders the ranks " \
        "of a share, k those of a node; on two levels, one leader: T_outer has the figures between nodes, the rest "   \
        "those within a node",                                                                                         \
    .formula = formula, .levels = true,                                                                                \
    .unknown =                                                                                                         \
        "several leaders on two levels, or with an outer part that groups them by node; a part without a formula",     \
    .source =                                                                                                          \
        "Kandalla et al. 2009, whose leaders gather and exchange likewise in an allgather; the scatter mirrors it"
#define PARAMS(collective, name)                                                                                       \
    {                                                                                                                  \
        {"leaders", PARAM_INT, offsetof(CollParams, leaders), 2,      1,                                               \
         INT32_MAX, NULL,      "number of leaders in a node", CUT_NOT},                                                \
            PART("outer", OUTER, collective, "pairwise", "the " name " between the leaders of all nodes"),             \
            PART("gather", GATHER, COLL_GATHER, "binomial", "the gather within a share"),                              \
            PART("scatter", SCATTER, COLL_SCATTER, "binomial", "the scatter within a share")                           \
    }

const CollAlgorithm alltoall_multi_leader_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALL,
    .needs = {&need_nodes, &need_leaders, &need_group_parts},
    .params = PARAMS(COLL_ALLTOALL, "alltoall"),
};

const CollAlgorithm alltoallv_multi_leader_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALLV,
    .needs = {&need_nodes, &need_nodes_ordered, &need_leaders, &need_group_parts},
    .params = PARAMS(COLL_ALLTOALLV, "alltoallv"),
};
