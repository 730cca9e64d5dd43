// The trees that broadcasts, reductions, scatters and gathers use.
#include "shapes/tree.h"
#include "api/communicate.h"
#include "api/integers.h"
#include <glib.h>

static int v_of(const Coll *c, int root)
{
    const int v = c->rank - root;
    return v < 0 ? v + c->p : v;
}

static int rank_of(const Coll *c, int root, int v)
{
    return v + root >= c->p ? v + root - c->p : v + root;
}

int tree_chain_count(int p, int chains)
{
    return chains < p - 1 ? chains : p - 1;
}

int tree_chain_span(int v, int p, int chains)
{
    if (v == 0 || v >= p)
        return v == 0 ? p : 0;
    // Every chain has `base` ranks; the first `longer` chains have one more.
    const int k = tree_chain_count(p, chains), base = (p - 1) / k, longer = (p - 1) % k,
              in_longer = longer * (base + 1);
    return v <= in_longer ? base + 1 - (v - 1) % (base + 1) : base - (v - 1 - in_longer) % base;
}

bool tree_chain_begins(int v, int p, int chains)
{
    return v == 1 || (v > 1 && tree_chain_span(v - 1, p, chains) == 1);
}

Tree tree_chain(const Coll *c, int root, int chains)
{
    const int v = v_of(c, root), p = c->p, n = v == 0 ? tree_chain_count(p, chains) : tree_chain_span(v, p, chains) > 1;
    Tree t = {.parent = -1, .n = n};
    int *child = coll_ints(c, (size_t)n);
    for (int i = 0, w = v + 1; i < n; i++, w += tree_chain_span(w, p, chains))
        child[i] = rank_of(c, root, w);
    t.child = child;
    if (v > 0)
        t.parent = tree_chain_begins(v, p, chains) ? root : rank_of(c, root, v - 1);
    return t;
}

Tree tree_binary(const Coll *c, int root)
{
    const int v = v_of(c, root), level = pow2_floor(v + 1); // 2^l; level l is 2^l - 1 .. 2^(l+1) - 2
    int *child = coll_ints(c, 2);
    Tree t = {.parent = -1, .child = child};
    if (v > 0)
        t.parent = rank_of(c, root, v >= level - 1 + level / 2 ? v - level : v - level / 2);
    for (int j = 1; j <= 2; j++)
        if (v + (int64_t)j * level < c->p)
            child[t.n++] = rank_of(c, root, v + j * level);
    return t;
}

int tree_binary_span(int v, int p)
{
    const int level = pow2_floor(v + 1);
    int n = 0;
    // A rank v of level l has at most 2^i descendants i levels further down: every 2^l-th rank from `first` on.
    for (int64_t first = v, width = 1; first < p; first += level * width, width *= 2) {
        const int64_t there = (p - 1 - first) / level + 1;
        n += (int)(there < width ? there : width);
    }
    return n;
}

Tree tree_binomial(const Coll *c, int root)
{
    const int v = v_of(c, root);
    int64_t d = v ? 2 * (int64_t)pow2_floor(v) : 1;
    Tree t = {.parent = v ? rank_of(c, root, v - pow2_floor(v)) : -1};
    if (v + d < c->p) {
        int *child = coll_ints(c, 32);
        for (; v + d < c->p; d *= 2)
            child[t.n++] = rank_of(c, root, v + (int)d);
        t.child = child;
    }
    return t;
}

Tree tree_binomial_in_order(const Coll *c, int root)
{
    const int v = v_of(c, root), low = v & -v;
    Tree t = {.parent = v ? rank_of(c, root, v - low) : -1};
    int *child = coll_ints(c, 32);
    for (int64_t d = 1; (v == 0 || d < low) && v + d < c->p; d *= 2)
        child[t.n++] = rank_of(c, root, v + (int)d);
    t.child = child;
    return t;
}

int tree_binomial_span(int v, int p)
{
    const int low = v & -v;
    return v == 0 || low > p - v ? p - v : low;
}

int64_t tree_knomial_place(int v, int p, int radix)
{
    if (G_UNLIKELY(radix < 2))
        g_error("a k-nomial tree has radix %d; allowed: 2 and more", radix);
    int64_t low = 1;
    while (low < p && v / low % radix == 0)
        low *= radix;
    return low;
}

int tree_knomial_parent(int v, int radix)
{
    const int64_t above = tree_knomial_place(v, v + 1, radix) * radix;
    return (int)(v / above * above);
}

int tree_knomial_children(int v, int p, int radix)
{
    int64_t n = 0;
    for (int64_t d = 1, low = tree_knomial_place(v, p, radix); d < low; d *= radix)
        n += (p - 1 - v) / d < radix - 1 ? (p - 1 - v) / d : radix - 1;
    return (int)n;
}

int tree_knomial_siblings(const Coll *c)
{
    const int v = coll_v(c), k = c->par.radix;
    return v ? tree_knomial_children(tree_knomial_parent(v, k), c->p, k) : 0;
}

int tree_knomial_span(int v, int p, int radix)
{
    const int64_t place = tree_knomial_place(v, p, radix);
    return place < p - v ? (int)place : p - v;
}

Tree tree_knomial(const Coll *c, int root, int radix)
{
    const int v = v_of(c, root);
    int *child = coll_ints(c, (size_t)tree_knomial_children(v, c->p, radix));
    Tree t = {.parent = v ? rank_of(c, root, tree_knomial_parent(v, radix)) : -1, .child = child};
    for (int64_t d = tree_knomial_place(v, c->p, radix) / radix; d >= 1; d /= radix)
        for (int j = 1; j < radix && v + j * d < c->p; j++)
            child[t.n++] = rank_of(c, root, (int)(v + j * d));
    return t;
}

Tree tree_knomial_descending(const Coll *c, int root, int radix)
{
    const int v = v_of(c, root);
    int *child = coll_ints(c, (size_t)tree_knomial_children(v, c->p, radix));
    Tree t = {.parent = v ? rank_of(c, root, tree_knomial_parent(v, radix)) : -1, .child = child};
    for (int64_t d = tree_knomial_place(v, c->p, radix) / radix; d >= 1; d /= radix)
        for (int64_t j = radix - 1 < (c->p - 1 - v) / d ? radix - 1 : (c->p - 1 - v) / d; j >= 1; j--)
            child[t.n++] = rank_of(c, root, (int)(v + j * d));
    return t;
}

Tree tree_knomial_runs(const Coll *c, int root, int radix)
{
    const int v = v_of(c, root), k = radix;
    int64_t run = 1;
    while (run < c->p)
        run *= k;
    int at = 0, next = 1; // the root of a subtree that contains v, and where its remaining runs begin
    Tree t = {.parent = -1};
    while (at != v) {
        run /= k;
        const int64_t i = (v - next) / run;
        if (i < k - 1) {
            t.parent = rank_of(c, root, at);
            at = next + (int)(i * run);
            next = at + 1;
        } else {
            next += (k - 1) * (int)run;
        }
    }
    int *child = coll_ints(c, (size_t)(k < c->p / 32 ? 32 * k : c->p));
    int64_t first = next;
    while (run > 1 && first < c->p) {
        run /= k;
        for (int j = 1; j < k && first < c->p; j++, first += run)
            child[t.n++] = rank_of(c, root, (int)first);
    }
    t.child = child;
    return t;
}

Tree tree_kary(const Coll *c, int root, int radix)
{
    const int v = v_of(c, root);
    const int64_t first = (int64_t)v * radix + 1, n = c->p - first < radix ? c->p - first : radix;
    Tree t = {.parent = v ? rank_of(c, root, (v - 1) / radix) : -1};
    int *child = coll_ints(c, n > 0 ? (size_t)n : 0);
    for (int64_t i = 0; i < n; i++)
        child[t.n++] = rank_of(c, root, (int)(first + i));
    t.child = child;
    return t;
}

Tree tree_binary_in_order(const Coll *c, int root)
{
    const int start = (root + 1) % c->p, v = v_of(c, start); // the root is the last v
    int first = 0, n = c->p, parent = -1;                    // v's subtree is the n ranks from `first` on
    while (v != first + n - 1) {
        const int low = n / 2, high = n - 1 - low;
        const bool in_low = v < first + low;
        parent = first + n - 1;
        first += in_low ? 0 : low;
        n = in_low ? low : high;
    }
    int *child = coll_ints(c, 2);
    Tree t = {.parent = parent < 0 ? -1 : rank_of(c, start, parent), .child = child, .before = true};
    if (n > 1)
        child[t.n++] = rank_of(c, start, v - 1);
    if (n > 2)
        child[t.n++] = rank_of(c, start, first + n / 2 - 1);
    return t;
}

const char *const tree_names[TREE_KNOMIAL + 2] = {
    "chain", "pipeline", "binary", "binomial", "in_order_binomial", "in_order_binary", "knomial", NULL};

Tree tree_chosen(const Coll *c, int root)
{
    switch ((TreeShape)c->par.choice) {
    case TREE_CHAIN:
        return tree_chain(c, root, TREE_FANOUT);
    case TREE_PIPELINE:
        return tree_chain(c, root, 1);
    case TREE_BINARY:
        return tree_binary(c, root);
    case TREE_BINOMIAL:
        return tree_binomial(c, root);
    case TREE_IN_ORDER_BINOMIAL:
        return tree_binomial_in_order(c, root);
    case TREE_IN_ORDER_BINARY:
        return tree_binary_in_order(c, root);
    case TREE_KNOMIAL:
        break;
    }
    return tree_knomial(c, root, TREE_FANOUT);
}

Tree tree_flat(const Coll *c, int root)
{
    Tree t = {.parent = c->rank == root ? -1 : root};
    if (c->rank != root)
        return t;
    int *child = coll_ints(c, (size_t)c->p);
    for (int r = c->p - 1; r >= 0; r--)
        if (r != root)
            child[t.n++] = r;
    t.child = child;
    return t;
}
