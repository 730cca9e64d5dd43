// What:   Every rank of a node works for a part of the vector. The ranks of a node give each other these parts of
//         their vectors, and add up those that they get; the ranks with the same part, a lane, make an exscan of the
//         nodes' sums; and a rank hands what comes before each of the others, or up to it, to that rank. If a node has
//         more than `radix` ranks, it does so level by level, and the levels overlap. See shapes/prefix_parts.h.
// Cost:   no formula: the first node has nothing to add, and its ranks send earlier than others.
// Source: Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020. This is for
//         the exscan in lanes; the parts of the scan within a node are ours.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, nodes of consecutive ranks, parts
//         that can run; else recursive_doubling runs.
//
//   p = 6, 3 per node      0-1-2   3-4-5 (m/3)      0 -> 3   1 -> 4   2 -> 5 (m/3)      0-1-2   3-4-5 (m/3)
#include "coll.h"

enum { OUTER };

static PrefixParts parts_of(const Coll *node)
{
    return prefix_parts(node, node->p, node->par.radix);
}

static void run(const Coll *c, bool exclusive)
{
    const Coll node = rails_group(c, RAILS_NODE);
    Coll lane = rails_group(c, RAILS_LANE);
    PrefixParts x = parts_of(&node);
    x.overlap = true;
    coll_phase(c, "sums");
    lane.in = prefix_parts_up(&node, &x);
    lane.out = coll_scratch(c, lane.in.len);
    coll_phase(c, "exscan");
    coll_call(&lane, c->par.part[OUTER]);
    coll_phase(c, "prefixes");
    prefix_parts_down(&node, &x, lane.out, lane.rank > 0, exclusive);
}

static void scan_lane(const Coll *c)
{
    run(c, false);
}

static void exscan_lane(const Coll *c)
{
    run(c, true);
}

// The ranks of the first node are like no others.
static int same_as(const Coll *c)
{
    const Coll node = rails_group(c, RAILS_NODE);
    Coll lane = rails_group(c, RAILS_LANE);
    const PrefixParts x = parts_of(&node);
    lane.in = lane.out = prefix_parts_own(&x, c, c->in);
    return rails_same_lane(c, &lane, c->par.part[OUTER], true);
}

#define COMMON                                                                                                         \
    .name = "lane",                                                                                                    \
    .summary = "the ranks of a node exchange parts; exscans of the parts between the nodes; prefixes back",            \
    .needs = {&need_nodes, &need_nodes_equal, &need_nodes_ordered, &need_group_parts},                                 \
    .groups = {[OUTER] = RAILS_LANE}, .otherwise = "recursive_doubling",                                               \
    .params = {RADIX(8, "largest number of ranks that exchange parts at a time, where that divides a node's"),         \
               PART("outer", OUTER, COLL_EXSCAN, "two_phase", "the exscan of a part between the nodes")},              \
    .ordered = true, .peers = PEERS_SHIFT, .same_as = same_as,                                                         \
    .cost = "no formula: the first node has nothing to add, and its ranks send earlier than others",                   \
    .unknown = "the first node has nothing to add, and its ranks send earlier than others",                            \
    .source = "Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020"

const CollAlgorithm exscan_lane_algorithm = {COMMON, .collective = COLL_EXSCAN, .run = exscan_lane};
const CollAlgorithm scan_lane_algorithm = {COMMON, .collective = COLL_SCAN, .run = scan_lane};
