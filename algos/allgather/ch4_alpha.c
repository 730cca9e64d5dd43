// What:   The ranks of a node pass a barrier, and then each of them gets the blocks of all of them. The ranks of one
//         number in all nodes, a lane, gather these: all ranks of a node receive the same from other nodes, at the same
//         time. In MPICH, a node has a segment of shared memory. Behind a barrier, which protects the call before,
//         every rank copies its block into the segment; behind a second barrier it takes part in the allgather of its
//         lane, which sends from the segment. Here the part `inner` stands for the copies and the second barrier;
//         shm_flat is such a part in shared memory, and the default sends messages.
// Cost:   T_barrier(k) + T_inner(k) of m bytes + T_outer(nodes) of k m bytes, k the ranks of a node; on two levels,
//         T_outer has the figures between nodes, the rest those within a node.
// Source: MPICH 4.3, MPIDI_Allgather_intra_composition_alpha (ch4_coll_impl.h), with the default of
//         ALLGATHER_SHM_PER_RANK.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equally many consecutive ranks, blocks of at
//         most 4096 bytes, parts that can run; else ring runs.
//
//   p = 8, 4 per node      in the nodes         r -> r+1   r -> r+2 (empty)      r -> r-1   r -> r-2 (2 blocks)
//                          between the nodes    0-4   1-5   2-6   3-7 (4 blocks)
#include "coll.h"
#include "times/times.h"

enum { OUTER, INNER, BARRIER };

static void allgather_ch4_alpha(const Coll *c)
{
    Coll node = rails_group(c, RAILS_NODE), lane = rails_group(c, RAILS_LANE);
    const Slice segment = coll_scratch(c, (size_t)node.p * c->in.len);
    node.in = node.out = slice_at(c->in, 0, 0);
    coll_call(&node, c->par.part[BARRIER]);
    node.in = c->in;
    node.out = segment;
    coll_call(&node, c->par.part[INNER]);
    lane.in = segment;
    coll_call(&lane, c->par.part[OUTER]);
}

static int same_as(const Coll *c)
{
    const Coll lane = rails_group(c, RAILS_LANE);
    return rails_same_lane(c, &lane, c->par.part[OUTER], false);
}

static int64_t formula(const CollPoint *x)
{
    const int k = coll_nodes_equal(x->nodes);
    const int64_t near = then(call_time_near(x, BARRIER, k, 0), call_time_near(x, INNER, k, x->m));
    return then(near, call_time_far(x, OUTER, k * x->m));
}

const CollAlgorithm allgather_ch4_alpha_algorithm = {
    .collective = COLL_ALLGATHER,
    .name = "ch4_alpha",
    .aliases = {"mpich-ch4:alpha"},
    .summary = "MPICH's two levels: a barrier and an exchange in each node, then an allgather in each lane",
    .run = allgather_ch4_alpha,
    .needs = {&need_nodes, &need_nodes_regular, &need_block_4096, &need_group_parts},
    .groups = {[OUTER] = RAILS_LANE, [INNER] = RAILS_NODE, [BARRIER] = RAILS_NODE},
    .otherwise = "ring",
    .params = {PART("outer", OUTER, COLL_ALLGATHER, "bruck", "the allgather between the nodes"),
               PART_WITHIN("inner", INNER, COLL_ALLGATHER, "bruck", "the exchange within a node"),
               PART("barrier", BARRIER, COLL_BARRIER, "dissemination", "the first barrier of a node")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "T_barrier(k) + T_inner(k) of m bytes + T_outer(nodes) of k m bytes, k the ranks of a node; on two levels, "
            "T_outer has the figures between nodes, the rest those within a node",
    .formula = formula,
    .levels = true,
    .unknown = "a part without a formula",
    .source = "MPICH 4.3, MPIDI_Allgather_intra_composition_alpha (ch4_coll_impl.h), with the default of "
              "ALLGATHER_SHM_PER_RANK",
};
