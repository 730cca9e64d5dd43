// Nodes: runs of per_node consecutive ranks, of which the last one may be shorter, and the groups that hierarchical
// algorithms are composed over.
#include "times/times.h"

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

static bool nodes_hold(const Coll *c)
{
    return c->per_node > 1 && c->per_node < c->p;
}

const CollNeed need_nodes = {nodes_hold, "no nodes: see --per-node", "several nodes of several ranks (--per-node)"};

// ---- Compositions: part[0] among the leaders, the others within every node -----------------------------------------

static bool parts_can(const Coll *c)
{
    Coll first = *c, last = *c; // all ranks must come to the same answer, and only the last node may be smaller
    first.rank = 0;
    last.rank = c->p - 1;
    const Coll leaders = coll_leaders(c), nodes[] = {coll_node(&first), coll_node(&last)};
    bool can = coll_can(&leaders, c->par.part[0]);
    for (int i = 1; i < COLL_MAX_PARTS && c->par.part[i]; i++)
        can = can && coll_can(&nodes[0], c->par.part[i]) && coll_can(&nodes[1], c->par.part[i]);
    return can;
}

const CollNeed need_node_parts = {parts_can, "a part cannot run on these nodes", "parts that can run on the nodes"};

int64_t node_parts_time(const CollPoint *x)
{
    if (x->p % x->per_node != 0)
        return -1;
    int64_t sum = 0;
    for (int i = 0; i < COLL_MAX_PARTS && x->par.part[i]; i++) {
        const int64_t t = call_time(x, x->par.part[i], i == 0 ? x->p / x->per_node : x->per_node, x->m);
        if (t < 0)
            return -1;
        sum += t;
    }
    return sum;
}
