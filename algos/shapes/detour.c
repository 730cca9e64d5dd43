// Detours: an order of the ranks in which a binomial tree has hardly any edge within a node.
#include "shapes/detour.h"
#include "api/communicate.h"

// Returns 1 if the number of ones in x is odd, and otherwise 0.
static int is_odd(int x)
{
    return __builtin_parity((unsigned)x);
}

// Returns the number of places with an even number of ones. Of two places 2 i and 2 i + 1, one is of this kind.
static int even_places(int p)
{
    return p / 2 + (p % 2 && !is_odd(p - 1));
}

int detour_rank(const Coll *c, int place)
{
    const int k = coll_nodes_equal(c->nodes), turn = place / 2 + (is_odd(place) ? even_places(c->p) : 0);
    return coll_nodes_ahead(c->nodes, c->root, turn / k, turn % k);
}

int detour_place(const Coll *c, int rank)
{
    const CollNodes *nodes = c->nodes;
    const int k = coll_nodes_equal(nodes), node = nodes->of[rank] - nodes->of[c->root] + nodes->n;
    const int turn = node % nodes->n * k + (nodes->local[rank] - nodes->local[c->root] + k) % k,
              even = even_places(c->p);
    const bool odd = turn >= even;
    const int pair = 2 * (odd ? turn - even : turn);
    return pair + (is_odd(pair) != odd);
}

const int *detour_order(const Coll *c)
{
    int *order = coll_ints(c, (size_t)c->p);
    for (int place = 0; place < c->p; place++)
        order[place] = detour_rank(c, place);
    return order;
}
