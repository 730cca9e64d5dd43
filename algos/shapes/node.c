// The groups of ranks that hierarchical algorithms work in.
#include "shapes/node.h"
#include "api/communicate.h"

static int leader_of(const Coll *c, int node)
{
    return node == c->nodes->of[c->root] ? c->root : c->nodes->member[c->nodes->first[node]];
}

static int rank_in_node(const Coll *up, int i)
{
    return up->nodes->member[up->nodes->first[up->nodes->of[up->rank]] + i];
}

Coll coll_node(const Coll *c)
{
    const int node = c->nodes->of[c->rank];
    Coll g = coll_sub(c, coll_nodes_size(c->nodes, node), c->nodes->local[c->rank], rank_in_node);
    g.root = c->nodes->local[leader_of(c, node)];
    coll_set_ungrouped(&g);
    return g;
}

Coll coll_leaders(const Coll *c)
{
    const int node = c->nodes->of[c->rank];
    Coll g = coll_sub(c, c->nodes->n, c->rank == leader_of(c, node) ? node : -1, leader_of);
    g.root = c->nodes->of[c->root];
    coll_set_ungrouped(&g);
    return g;
}

static int rank_in_lane(const Coll *up, int i)
{
    return coll_nodes_lane_rank(up->nodes, up->nodes->local[up->rank], i);
}

Coll coll_lane(const Coll *c)
{
    const int lane = c->nodes->local[c->rank];
    Coll g = coll_sub(c, coll_nodes_lane_size(c->nodes, lane), coll_nodes_in_lane(c->nodes, c->rank), rank_in_lane);
    coll_set_ungrouped(&g);
    return g;
}
