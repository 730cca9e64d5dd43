// Each function returns the smallest v that has, relative to itself, the same schedule as the caller's v.
#include "shapes/symmetry.h"
#include "api/backend.h"
#include "api/communicate.h"
#include "api/integers.h"
#include "shapes/reduce.h"
#include "shapes/tree.h"
#include <glib.h>

int same_always(const Coll *c)
{
    (void)c;
    return 0;
}
int same_pow2(const Coll *c)
{
    return is_pow2(c->p) ? 0 : coll_v(c);
}
int same_divided(const Coll *c)
{
    return c->in.len / c->elem % (size_t)c->p == 0 ? 0 : coll_v(c);
}
int same_pow2_even(const Coll *c)
{
    return is_pow2(c->p) ? same_divided(c) : coll_v(c);
}
int same_linear(const Coll *c)
{
    return MIN(coll_v(c), 1);
}

// ---- Trees ---------------------------------------------------------------------------------------------------------

int same_chain(const Coll *c)
{
    const int v = coll_v(c), p = c->p, chains = c->par.chains;
    if (v == 0 || tree_chain_begins(v, p, chains))
        return v; // a head's distance to its parent, the root, is like no other rank's
    return tree_chain_span(v, p, chains) > 1 ? 2 : tree_chain_span(1, p, chains);
}

int same_chain_run(const Coll *c)
{
    const int v = coll_v(c), p = c->p, chains = c->par.chains;
    if (v == 0 || tree_chain_begins(v, p, chains))
        return v;
    return tree_chain_span(1, p, chains) - tree_chain_span(v, p, chains) + 1;
}

int symmetry_chain_row(const Coll *c)
{
    const int v = coll_v(c);
    return v >= 2 && v <= tree_chain_span(1, c->p, c->par.chains) ? 2 : v;
}

int symmetry_pipeline_row(const Coll *c)
{
    return MIN(coll_v(c), 1);
}

int same_pipeline(const Coll *c)
{
    const int v = coll_v(c);
    return v == c->p - 1 ? v : v < 1 ? v : 1;
}

int same_binary(const Coll *c)
{
    const int v = coll_v(c), level = pow2_floor(v + 1);
    if (v == 0)
        return 0;
    // The ranks of the left, or of the right, half of a level have parents at the same distance. Among them, those with
    // fewer children come last.
    const int half = v >= level - 1 + level / 2 ? level - 1 + level / 2 : level - 1;
    const int64_t fewer = v + (int64_t)level >= c->p ? c->p - (int64_t)level : c->p - 2 * (int64_t)level;
    return v + 2 * (int64_t)level < c->p || fewer < half ? half : (int)fewer;
}

int same_binomial(const Coll *c)
{
    const int v = coll_v(c);
    if (v == 0)
        return 0;
    const int high = pow2_floor(v);                              // the distance to the parent
    const int far = c->p - v > 1 ? pow2_floor(c->p - v - 1) : 0; // the last child, if beyond `high`
    const int64_t fewer = c->p - 2 * (int64_t)(far > high ? far : high);
    return fewer > high ? (int)fewer : high;
}

int same_binomial_in_order(const Coll *c)
{
    const int v = coll_v(c), low = v & -v;
    return v + (int64_t)low <= c->p ? low : v;
}

int same_knomial(const Coll *c)
{
    const int v = coll_v(c);
    const int64_t low = tree_knomial_place(v, v + 1, c->par.radix);
    return v == 0 ? 0 : v + low <= c->p ? (int)(v / low % c->par.radix * low) : v;
}

int same_chosen(const Coll *c)
{
    Coll view = *c;
    view.par.chains = view.par.radix = TREE_FANOUT;
    switch ((TreeShape)c->par.choice) {
    case TREE_CHAIN:
        return same_chain(&view);
    case TREE_PIPELINE:
        return same_pipeline(&view);
    case TREE_BINARY:
        return same_binary(&view);
    case TREE_BINOMIAL:
        return same_binomial(&view);
    case TREE_IN_ORDER_BINOMIAL:
        return same_binomial_in_order(&view);
    case TREE_IN_ORDER_BINARY:
        return coll_v(c);
    case TREE_KNOMIAL:
        break;
    }
    return same_knomial(&view);
}

int same_knomial_siblings(const Coll *c)
{
    const int v = coll_v(c), k = c->par.radix, parent = v ? tree_knomial_parent(v, k) : 0;
    if (parent == 0)
        return v;
    const int64_t low = tree_knomial_place(v, v + 1, k), up = tree_knomial_place(parent, parent + 1, k);
    return v + low > c->p || parent + up > c->p ? v : (int)(up + v / low % k * low);
}

int same_binary_run(const Coll *c)
{
    const int v = coll_v(c), level = pow2_floor(v + 1), span = tree_binary_span(v, c->p);
    if (v == 0)
        return 0;
    // The ranks of the left, or of the right, half of a level have parents at the same distance. Among them, those with
    // the larger subtrees come first.
    const int half = v >= level - 1 + level / 2 ? level - 1 + level / 2 : level - 1;
    if (tree_binary_span(half, c->p) == span)
        return half;
    const int last_level = pow2_floor(c->p); // its first rank is last_level - 1
    return level - 1 + (c->p - (last_level - 1)) % level;
}

int same_after_counts(const Coll *c)
{
    return c->par.choice == LEVEL_CONSERVATIVE && c->par.lengths != LENGTHS_FAR ? coll_v(c) : same_binomial_in_order(c);
}

int same_under_top(const Coll *c, int (*same)(const Coll *c))
{
    return reduce_top(c) == c->root ? same(c) : coll_v(c);
}

// ---- Butterflies and folds -----------------------------------------------------------------------------------------

int same_parity(const Coll *c)
{
    return c->p % 2 == 0 ? c->rank % 2 : c->rank;
}

int same_swing(const Coll *c)
{
    return same_divided(c) == 0 ? same_parity(c) : c->rank;
}

int same_in_nodes(const Coll *c)
{
    return c->run->unordered ? c->nodes->local[c->rank] : c->rank;
}

int same_fold_runs(const Coll *c)
{
    const int k = c->par.radix, out = c->p - pow_floor(c->p, k), runs = out / (k - 1), shorter = out % (k - 1);
    if (!is_pow2(k))
        return c->rank;
    if (c->rank < runs * k)
        return c->rank % k;
    const int others = runs * k + (shorter ? shorter + 1 : 0); // the first rank that plays only for itself
    return c->rank < others ? c->rank : others;
}

int same_fold_beyond(const Coll *c)
{
    const int P = pow_floor(c->p, c->par.radix), longer = c->p % P;
    if (!is_pow2(c->par.radix))
        return c->rank;
    return c->rank >= P ? c->rank / P * P : c->rank < longer ? 0 : longer;
}

int same_two_rings(const Coll *c)
{
    const int k = coll_nodes_equal(c->nodes), last = c->p - k;
    if (k == 0 || !c->nodes->ordered || c->rank == 0 || c->rank == c->p - 1)
        return c->rank;
    return c->rank < k ? 1 : c->rank < last ? k : last;
}

int same_two_rings_divided(const Coll *c)
{
    return c->in.len / c->elem % (size_t)c->p == 0 ? same_two_rings(c) : c->rank;
}

int same_fold(const Coll *c)
{
    const int r = c->p - pow2_floor(c->p);
    return c->rank < 2 * r ? c->rank % 2 : 2 * r;
}

int same_fold_even(const Coll *c)
{
    const size_t count = c->in.len / c->elem, parts = (size_t)pow2_floor(c->p);
    return count % parts == 0 ? same_fold(c) : c->rank; // with a fold, parts is even, so the halves are equal too
}

int symmetry_fold_pairs(const Coll *c, int *x)
{
    const int k = c->par.radix, P = pow_floor(c->p, k), out = c->p % P;
    if (P > 1 && !is_pow2(k))
        return 0;
    const int v = c->rank < 2 * out ? c->rank / 2 : c->rank - out;
    x[0] = c->rank < 2 * out ? c->rank % 2 : 2;
    x[1] = is_pow2(c->p / P) || x[0] == 1 ? 0 : v / P; // exchanges among other than 2^i ranks differ by the digit
    return 2;
}

int same_knomial_run(const Coll *c)
{
    const int v = coll_v(c), k = c->par.radix;
    const int64_t place = tree_knomial_place(v, c->p, k);
    return v + place <= c->p ? (int)(v / place % k * place)
                             : v; // a whole subtree is like the root's child that is as far
}
