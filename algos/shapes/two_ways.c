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

WayChain two_ways_chain(const Coll *c, RankWay way, Slice vector, bool up)
{
    const int above = (two_ways_place(c->nodes, way, c->rank) - two_ways_place(c->nodes, way, c->root) + c->p) % c->p;
    const int below = c->p - 1 - above, comes_over = up ? below : above, n = blocks_size(c, vector, c->par.segment).n;
    return (WayChain){.before = above > 0 ? two_ways_before(c, way, 1) : -1,
                      .after = below > 0 ? two_ways_before(c, way, -1) : -1,
                      .first = comes_over > 0 ? (int64_t)c->par.leaders * (comes_over - 1) : 0,
                      .segments = blocks_even(c, two_ways_share(c, way, vector), n)};
}

int two_ways_segment(const WayChain *x, int64_t first, int64_t t)
{
    return t >= first && t - first < x->segments.n ? (int)(t - first) : -1;
}

WaySteps two_ways_steps(const Coll *c, const WayChain *a, const WayChain *b)
{
    const int64_t steps = a->segments.n + 2 * c->par.leaders;
    const bool swapped = b->first < a->first;
    const int64_t first = swapped ? b->first : a->first, second = swapped ? a->first : b->first;
    return (WaySteps){.t = first - 1, .idle = first + steps, .again = second, .end = second + steps};
}

bool two_ways_next(const Coll *c, WaySteps *x)
{
    x->t++;
    if (x->t >= x->idle && x->t < x->again)
        x->t = x->again; // all messages of one chain have ended, and the other one has not reached the caller
    if (x->t >= x->end)
        return false;
    const int k = (int)(x->t % c->par.leaders);
    for (int i = 0; i < x->n_open[k]; i++)
        coll_wait(c, x->open[k][i]);
    x->n_open[k] = 0;
    return true;
}

void two_ways_begin(const Coll *c, WaySteps *x, CollReq message)
{
    const int k = (int)(x->t % c->par.leaders);
    x->open[k][x->n_open[k]++] = message;
}
