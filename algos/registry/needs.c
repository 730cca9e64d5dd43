#include "registry/needs.h"
#include "api/integers.h"

static bool pow2_holds(const Coll *c)
{
    return is_pow2(c->p);
}
static bool even_holds(const Coll *c)
{
    return c->p % 2 == 0;
}
static bool two_holds(const Coll *c)
{
    return c->p == 2;
}
static bool few_ranks_hold(const Coll *c)
{
    return c->p <= COLL_FEW_RANKS;
}
static bool commutative_holds(const Coll *c)
{
    return c->commutative;
}
static bool fragment_holds(const Coll *c)
{
    return c->elem <= c->par.fragment;
}
// The two needs below are for reductions and broadcasts, where c->in is the vector.
static bool count_p_holds(const Coll *c)
{
    return c->in.len / c->elem >= (size_t)c->p;
}
static bool count_pow2_holds(const Coll *c)
{
    return c->in.len / c->elem >= (size_t)pow2_floor(c->p);
}
static bool nodes_hold(const Coll *c)
{
    return c->nodes && c->nodes->n > 1 && c->nodes->n < c->p;
}

static bool nodes_equal_hold(const Coll *c)
{
    return coll_nodes_equal(c->nodes) > 0;
}
static bool nodes_unequal_hold(const Coll *c)
{
    return !nodes_equal_hold(c);
}
static bool nodes_ordered_hold(const Coll *c)
{
    return c->nodes->ordered;
}
static bool nodes_regular_hold(const Coll *c)
{
    return nodes_equal_hold(c) && nodes_ordered_hold(c);
}
static bool block_4096_holds(const Coll *c)
{
    return c->out.len / (size_t)c->p <= 4096;
}
static bool nodes_order_holds(const Coll *c)
{
    return c->commutative || c->nodes->ordered;
}

const CollNeed need_pow2 = {pow2_holds, "p is not a power of two", "p a power of two"};
const CollNeed need_even = {even_holds, "p is odd", "p even"};
const CollNeed need_two = {two_holds, "p is not 2", "p = 2"};
const CollNeed need_few_ranks = {few_ranks_hold, "there are more than 1024 ranks", "at most 1024 ranks"};
const CollNeed need_commutative = {commutative_holds, "the operation is not commutative", "a commutative operation"};
const CollNeed need_fragment = {fragment_holds, "an element is larger than a fragment", "element <= fragment"};
const CollNeed need_count_p = {count_p_holds, "count < p", "count >= p"};
const CollNeed need_count_pow2 = {count_pow2_holds, "count < 2^floor(log2 p)", "count >= 2^floor(log2 p)"};
const CollNeed need_nodes = {nodes_hold, "needs nodes of several ranks: --map",
                             "several nodes of several ranks (--map or --per-node)"};
const CollNeed need_nodes_equal = {nodes_equal_hold, "the nodes are not of equal size", "nodes of equal size"};
const CollNeed need_nodes_unequal = {nodes_unequal_hold, "the nodes are of equal size", "nodes of unequal size"};
const CollNeed need_nodes_ordered = {nodes_ordered_hold, "the nodes are not runs of consecutive ranks",
                                     "nodes of consecutive ranks"};
const CollNeed need_nodes_regular = {nodes_regular_hold, "the nodes are not of equally many consecutive ranks",
                                     "nodes of equally many consecutive ranks"};
const CollNeed need_block_4096 = {block_4096_holds, "a block has more than 4096 bytes", "blocks of at most 4096 bytes"};
const CollNeed need_nodes_order = {nodes_order_holds,
                                   "the operation is not commutative, and the nodes are not runs of consecutive ranks",
                                   "nodes of consecutive ranks if the operation is not commutative"};
