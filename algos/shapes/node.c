// The groups of ranks that hierarchical algorithms work in.
#include "shapes/node.h"
#include "api/communicate.h"

static int first_of(const Coll *c, int node)
{
    return c->nodes->member[c->nodes->first[node]];
}

static int root_or_first_of(const Coll *c, int node)
{
    return node == c->nodes->of[c->root] ? c->root : first_of(c, node);
}

static int like_root_of(const Coll *c, int node)
{
    return c->nodes->member[c->nodes->first[node] + c->nodes->local[c->root]];
}

// Returns the rank that leads a node.
static CollMap leader_map(Leader leader)
{
    return leader == LEADER_ROOT ? root_or_first_of : leader == LEADER_FIRST ? first_of : like_root_of;
}

int coll_leader_of(const Coll *c, int node, Leader leader)
{
    return leader_map(leader)(c, node);
}

static int rank_in_node(const Coll *up, int i)
{
    return up->nodes->member[up->nodes->first[up->nodes->of[up->rank]] + i];
}

Coll coll_node_under(const Coll *c, Leader leader)
{
    const int node = c->nodes->of[c->rank];
    Coll g = coll_sub(c, coll_nodes_size(c->nodes, node), c->nodes->local[c->rank], rank_in_node);
    g.root = c->nodes->local[leader_map(leader)(c, node)];
    g.level = COLL_INNER_LEVEL;
    return g;
}

Coll coll_leaders_who(const Coll *c, Leader leader)
{
    const CollMap leader_of = leader_map(leader);
    const int node = c->nodes->of[c->rank];
    Coll g = coll_sub(c, c->nodes->n, c->rank == leader_of(c, node) ? node : -1, leader_of);
    g.root = c->nodes->of[c->root];
    g.level = COLL_OUTER_LEVEL;
    return g;
}

Coll coll_node(const Coll *c)
{
    return coll_node_under(c, LEADER_ROOT);
}

Coll coll_leaders(const Coll *c)
{
    return coll_leaders_who(c, LEADER_ROOT);
}

static int rank_in_lane(const Coll *up, int i)
{
    return coll_nodes_lane_rank(up->nodes, up->nodes->local[up->rank], i);
}

Coll coll_lane(const Coll *c)
{
    const int lane = c->nodes->local[c->rank];
    Coll g = coll_sub(c, coll_nodes_lane_size(c->nodes, lane), coll_nodes_in_lane(c->nodes, c->rank), rank_in_lane);
    g.level = COLL_OUTER_LEVEL;
    return g;
}
