// The groups of ranks that hierarchical algorithms work in.
#include "shapes/node.h"
#include "api/communicate.h"

static int first_of(const Coll *c, int node)
{
    return node * c->per_node;
}

static int node_of(const Coll *c, int rank)
{
    return rank / c->per_node;
}

static int leader_of(const Coll *c, int node)
{
    return node == node_of(c, c->root) ? c->root : first_of(c, node);
}

static int rank_in_node(const Coll *up, int i)
{
    return first_of(up, node_of(up, up->rank)) + i;
}

Coll coll_node(const Coll *c)
{
    const int node = node_of(c, c->rank), first = first_of(c, node), rest = c->p - first;
    Coll g = coll_sub(c, rest < c->per_node ? rest : c->per_node, c->rank - first, rank_in_node);
    g.root = leader_of(c, node) - first;
    return g;
}

Coll coll_leaders(const Coll *c)
{
    const int node = node_of(c, c->rank);
    Coll g = coll_sub(c, node_of(c, c->p - 1) + 1, c->rank == leader_of(c, node) ? node : -1, leader_of);
    g.root = node_of(c, c->root);
    return g;
}

static int rank_in_lane(const Coll *up, int i)
{
    return first_of(up, i) + up->rank % up->per_node;
}

Coll coll_lane(const Coll *c)
{
    const int local = c->rank % c->per_node;
    return coll_sub(c, node_of(c, c->p - 1 - local) + 1, node_of(c, c->rank), rank_in_lane);
}
