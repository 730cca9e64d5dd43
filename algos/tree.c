// The trees that broadcasts and reductions run over, and the two segmented engines that run them.
#include "coll.h"

static int v_of(const Coll *c, int root)
{
    const int v = c->rank - root;
    return v < 0 ? v + c->p : v;
}

static int rank_of(const Coll *c, int root, int v)
{
    return v + root >= c->p ? v + root - c->p : v + root;
}

Tree tree_chain(const Coll *c, int root, int chains)
{
    const int v = v_of(c, root), k = chains < c->p - 1 ? chains : c->p - 1;
    Tree t = {.parent = -1};
    if (k == 0)
        return t;
    // Chain j has `base` ranks, the first `longer` chains one more.
    const int base = (c->p - 1) / k, longer = (c->p - 1) % k;
    if (v == 0) {
        int *child = coll_ints(c, (size_t)k);
        for (int j = 0; j < k; j++)
            child[j] = rank_of(c, root, 1 + j * base + (j < longer ? j : longer));
        t.child = child;
        t.n = k;
        return t;
    }
    const int in_longer = longer * (base + 1);
    const int place = v - 1 < in_longer ? (v - 1) % (base + 1) : (v - 1 - in_longer) % base;
    const int length = v - 1 < in_longer ? base + 1 : base;
    t.parent = place == 0 ? root : rank_of(c, root, v - 1);
    if (place < length - 1) {
        int *child = coll_ints(c, 1);
        child[0] = rank_of(c, root, v + 1);
        t.child = child;
        t.n = 1;
    }
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

int tree_span(int v, int p)
{
    const int low = v & -v;
    return v == 0 || low > p - v ? p - v : low;
}

int knomial_children(int v, int p, int radix)
{
    int n = 0;
    for (int64_t d = 1; d < p && v / d % radix == 0; d *= radix)
        for (int j = 1; j < radix && v + j * d < p; j++)
            n++;
    return n;
}

int knomial_siblings(const Coll *c)
{
    const int v = coll_v(c), k = c->par.radix;
    int64_t low = 1;
    while (v && v / low % k == 0)
        low *= k;
    return v ? knomial_children((int)(v - v / low % k * low), c->p, k) : 0;
}

Tree tree_knomial(const Coll *c, int root, int radix)
{
    const int v = v_of(c, root);
    int64_t low = 1; // the place of v's lowest non-zero digit; beyond p for the root
    while (low < c->p && v / low % radix == 0)
        low *= radix;
    Tree t = {.parent = -1};
    if (v)
        t.parent = rank_of(c, root, (int)(v - v / low % radix * low));
    int *child = coll_ints(c, (size_t)knomial_children(v, c->p, radix));
    for (int64_t d = low / radix; d >= 1; d /= radix)
        for (int j = 1; j < radix && v + j * d < c->p; j++)
            child[t.n++] = rank_of(c, root, (int)(v + j * d));
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

// ---- Places of equal shape ---------------------------------------------------------------------------------------------

int same_chain(const Coll *c)
{
    const int v = coll_v(c), k = c->par.chains < c->p - 1 ? c->par.chains : c->p - 1;
    if (v == 0)
        return 0;
    const Tree t = tree_chain(c, 0, c->par.chains);
    const int longest = (c->p - 1 + k - 1) / k; // the first chain's length
    if (v < 2 || t.parent != v - 1)
        return v; // a head: it tells its distance to the root
    return t.n ? 2 : longest;
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
    // The left or the right half of a level, and in it those with as many children.
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
    const int v = coll_v(c), k = c->par.radix;
    if (v == 0)
        return 0;
    int64_t low = 1;
    while (v / low % k == 0)
        low *= k;
    return v + low <= c->p ? (int)(v / low % k * low) : v;
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
    const int v = coll_v(c), k = c->par.radix;
    int64_t low = 1, up = 1; // the places of the lowest non-zero digits of v and of its parent
    while (v && v / low % k == 0)
        low *= k;
    const int64_t parent = v - v / low % k * low;
    while (parent && parent / up % k == 0)
        up *= k;
    if (parent == 0 || v + low > c->p || parent + up > c->p)
        return v;
    return (int)(up + v / low % k * low);
}

// ---- Engines -------------------------------------------------------------------------------------------------------------

void bcast_tree(const Coll *c, Tree t, const Blocks *segments)
{
    const bool root = t.parent < 0;
    CollReq arriving = 0;
    if (!root)
        arriving = coll_irecv(c, t.parent, block(segments, 0));
    for (int s = 0; s < segments->n; s++) {
        const CollReq arrived = arriving;
        if (!root && s + 1 < segments->n)
            arriving = coll_irecv(c, t.parent, block(segments, s + 1));
        if (!root)
            coll_wait(c, arrived);
        const CollReq sends = coll_mark(c);
        for (int i = 0; i < t.n; i++)
            coll_isend(c, t.child[i], block(segments, s));
        coll_waitall(c, sends);
    }
}

static void reduce_leaf(const Coll *c, Tree t, Slice into, const Blocks *own)
{
    if (t.parent < 0)
        coll_copy(c, into, c->in);
    for (int s = 0; t.parent >= 0 && s < own->n; s++) {
        if (c->par.max_requests == 0) {
            coll_send(c, t.parent, block(own, s));
        } else {
            coll_throttle(c, c->par.max_requests);
            coll_isend(c, t.parent, block(own, s));
        }
    }
    coll_waitall(c, 0);
}

void reduce_tree(const Coll *c, Tree t, Slice into)
{
    const Blocks own = blocks_size(c, c->in, c->par.segment);
    if (t.n == 0) {
        reduce_leaf(c, t, into, &own);
        return;
    }
    const Blocks acc = blocks_size(c, into, c->par.segment);
    // The next message arrives in one buffer while the last one is reduced from the other.
    const Slice inbox[2] = {coll_scratch(c, block(&own, 0).len), coll_scratch(c, block(&own, 0).len)};
    const int messages = t.n * own.n; // message i is segment i / n of child i mod n
    CollReq arriving = coll_irecv(c, t.child[0], slice_like(inbox[0], block(&own, 0)));
    for (int i = 0; i < messages; i++) {
        const CollReq arrived = arriving;
        if (i + 1 < messages)
            arriving =
                coll_irecv(c, t.child[(i + 1) % t.n], slice_like(inbox[(i + 1) % 2], block(&own, (i + 1) / t.n)));
        coll_wait(c, arrived);
        const Slice sum = block(&acc, i / t.n), got = slice_like(inbox[i % 2], sum);
        const Slice before = i % t.n == 0 ? block(&own, i / t.n) : sum;
        coll_reduce(c, sum, t.before ? got : before, t.before ? before : got);
        if (i % t.n == t.n - 1 && t.parent >= 0)
            coll_send(c, t.parent, sum);
    }
}

Slice reduce_room(const Coll *c, Tree t)
{
    return c->rank == c->root ? c->out : t.n == 0 ? c->in : coll_scratch(c, c->in.len);
}

void reduce_hand_over(const Coll *c, int top, Slice result)
{
    if (top == c->root)
        return;
    if (c->rank == top)
        coll_send(c, c->root, result);
    else if (c->rank == c->root)
        coll_recv(c, top, c->out);
}

void reduce_over(const Coll *c, int top, Tree t)
{
    const Slice into = reduce_room(c, t);
    reduce_tree(c, t, into);
    reduce_hand_over(c, top, into);
}

int reduce_top(const Coll *c)
{
    return c->commutative ? c->root : 0;
}

void gather_blocks(const Coll *c, const Blocks *b)
{
    const int v = v_of(c, c->root);
    const Tree t = tree_binomial_in_order(c, c->root);
    for (int i = 0; i < t.n; i++) {
        const int w = v + (1 << i);
        coll_recv(c, t.child[i], blocks(b, w, w + tree_span(w, c->p)));
    }
    if (t.parent >= 0)
        coll_send(c, t.parent, blocks(b, v, v + tree_span(v, c->p)));
}

void scatter_blocks(const Coll *c, const Blocks *b)
{
    const int v = v_of(c, c->root);
    const Tree t = tree_binomial_in_order(c, c->root);
    if (t.parent >= 0)
        coll_recv(c, t.parent, blocks(b, v, v + tree_span(v, c->p)));
    for (int i = t.n - 1; i >= 0; i--) {
        const int w = v + (1 << i);
        coll_send(c, t.child[i], blocks(b, w, w + tree_span(w, c->p)));
    }
}
