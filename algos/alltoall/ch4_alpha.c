// What:   The ranks of a node pass a barrier and exchange blocks, so that rank i of the node has all that the node
//         sends to the ranks of number i in all nodes. The ranks of one number, a lane, then exchange these blocks, k
//         of them in each message, k the ranks of a node. In MPICH, a node has a segment of shared memory. After a
//         barrier, which protects the call before, every rank copies its p blocks into the segment, where they lie in
//         the order of lanes, nodes and sources. After a second barrier it takes part in the alltoall of its lane,
//         which sends from the segment. Here the part `inner` stands for the copies and the second barrier; shm_flat is
//         such a part in shared memory, and the default sends messages.
// Cost:   T_barrier(k) + T_inner(k) of nodes m bytes + T_outer(nodes) of k m bytes, k the ranks of a node; on two
//         levels, T_outer has the figures between nodes, the rest those within a node.
// Source: MPICH 4.3, MPIDI_Alltoall_intra_composition_alpha (ch4_coll_impl.h), with the default of
//         ALLTOALL_SHM_PER_RANK.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equally many consecutive ranks, blocks of at
//         most 4096 bytes, parts that can run; else pairwise runs.
//
//   p = 4, 2 per node      in the nodes         0-1   2-3 (empty)      0-1   2-3 (2 blocks: to one number)
//                          between the nodes    0-2   1-3 (2 blocks)
#include "coll.h"
#include "times/times.h"

enum { OUTER, INNER, BARRIER };

static void alltoall_ch4_alpha(const Coll *c)
{
    Coll node = rails_group(c, RAILS_NODE), lane = rails_group(c, RAILS_LANE);
    node.in = node.out = slice_at(c->in, 0, 0);
    coll_call(&node, c->par.part[BARRIER]);
    node.in = lane.in = coll_scratch(c, c->in.len);
    node.out = coll_scratch(c, c->in.len);
    const Blocks in = coll_in(c), got = blocks_of(node.out, &in);
    coll_pack(c, node.in, &in, c->p, rails_order(c, node.p));
    coll_call(&node, c->par.part[INNER]);
    coll_pack(c, lane.in, &got, c->p, rails_columns(c, node.p, lane.p, 1)); // by source, then by node: turn it
    coll_call(&lane, c->par.part[OUTER]);
}

static int same_as(const Coll *c)
{
    const Coll lane = rails_group(c, RAILS_LANE);
    return rails_same_lane(c, &lane, c->par.part[OUTER], false);
}

static int64_t formula(const CollPoint *x)
{
    const int n = x->nodes->n, k = coll_nodes_equal(x->nodes);
    const int64_t near = then(call_time_near(x, BARRIER, k, 0), call_time_near(x, INNER, k, n * x->m));
    return then(near, call_time_far(x, OUTER, k * x->m));
}

const CollAlgorithm alltoall_ch4_alpha_algorithm = {
    .collective = COLL_ALLTOALL,
    .name = "ch4_alpha",
    .aliases = {"mpich-ch4:alpha"},
    .summary = "MPICH's two levels: a barrier and an exchange in each node, then an alltoall in each lane",
    .run = alltoall_ch4_alpha,
    .needs = {&need_nodes, &need_nodes_regular, &need_block_4096, &need_group_parts},
    .groups = {[OUTER] = RAILS_LANE, [INNER] = RAILS_NODE, [BARRIER] = RAILS_NODE},
    .otherwise = "pairwise",
    .params = {PART("outer", OUTER, COLL_ALLTOALL, "scattered", "the alltoall between the nodes"),
               PART_WITHIN("inner", INNER, COLL_ALLTOALL, "pairwise", "the exchange within a node"),
               PART("barrier", BARRIER, COLL_BARRIER, "dissemination", "the first barrier of a node")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "T_barrier(k) + T_inner(k) of nodes m bytes + T_outer(nodes) of k m bytes, k the ranks of a node; on two "
            "levels, T_outer has the figures between nodes, the rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "a part without a formula",
    .source = "MPICH 4.3, MPIDI_Alltoall_intra_composition_alpha (ch4_coll_impl.h), with the default of "
              "ALLTOALL_SHM_PER_RANK",
};
