// Two ways through all ranks: by node and by lane.
#include "shapes/two_ways.h"

int two_ways_place(const CollNodes *nodes, RankWay way, int rank)
{
    const int node = nodes->of[rank], local = nodes->local[rank];
    return way == WAY_BY_NODE ? nodes->first[node] + local : nodes->lane_first[local] + nodes->in_lane[rank];
}

int two_ways_before(const Coll *c, RankWay way, int places)
{
    const int *order = way == WAY_BY_NODE ? c->nodes->member : c->nodes->lane;
    return order[(two_ways_place(c->nodes, way, c->rank) - places + c->p) % c->p];
}

Slice two_ways_share(const Coll *c, RankWay way, Slice s)
{
    const size_t near = s.len / c->elem * (size_t)c->par.chains / 100 * c->elem;
    return way == WAY_BY_NODE ? slice_at(s, 0, near) : slice_at(s, near, s.len - near);
}
