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
    return g;
}

Coll coll_leaders(const Coll *c)
{
    const int node = c->nodes->of[c->rank];
    Coll g = coll_sub(c, c->nodes->n, c->rank == leader_of(c, node) ? node : -1, leader_of);
    g.root = c->nodes->of[c->root];
    return g;
}

static int rank_in_lane(const Coll *up, int i)
{
    const int local = up->nodes->local[up->rank];
    for (int node = 0;; node++)
        if (local < coll_nodes_size(up->nodes, node) && i-- == 0)
            return up->nodes->member[up->nodes->first[node] + local];
}

Coll coll_lane(const Coll *c)
{
    const int local = c->nodes->local[c->rank];
    int p = 0, mine = 0;
    for (int node = 0; node < c->nodes->n; node++) {
        mine = node == c->nodes->of[c->rank] ? p : mine;
        p += local < coll_nodes_size(c->nodes, node);
    }
    return coll_sub(c, p, mine, rank_in_lane);
}
