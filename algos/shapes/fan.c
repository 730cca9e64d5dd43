// Trees and groups in which many ranks of a node send to other nodes at once.
#include "shapes/fan.h"
#include "api/communicate.h"
#include "api/integers.h"

int fan_radix(int n, int rounds)
{
    int radix = 2;
    for (;; radix++) {
        int64_t reached = 1;
        for (int i = 0; i < rounds && reached < n; i++)
            reached *= radix;
        if (reached >= n)
            return radix;
    }
}

int fan_senders(const Coll *c)
{
    const int k = coll_nodes_equal(c->nodes), others = fan_radix(c->nodes->n, c->par.halvings) - 1;
    return others < k ? others : k;
}

// ---- The tree ------------------------------------------------------------------------------------------------------

typedef struct Fan {
    const Coll *c;
    int root;
    int n, k, radix, senders;
    int *child;
    Tree tree;
} Fan;

// Returns the rank with number l in node w, both counted from the root's.
static int rank_at(const Fan *f, int w, int l)
{
    return coll_nodes_ahead(f->c->nodes, f->root, w, l);
}

static void add(Fan *f, int w, int l)
{
    f->child[f->tree.n++] = rank_at(f, w, l);
}

// Adds the parent and the children of number i of a binomial tree of n ranks of node w: those with the numbers first,
// first + step .. Number 0 keeps the parent that it has.
static void add_binomial(Fan *f, int w, int first, int step, int i, int n)
{
    if (i > 0)
        f->tree.parent = rank_at(f, w, first + step * (i - pow2_floor(i)));
    for (int64_t d = i > 0 ? 2 * (int64_t)pow2_floor(i) : 1; i + d < n; d *= 2)
        add(f, w, first + step * (int)(i + d));
}

// Adds the leaders of the nodes below node w that sender l serves.
static void add_nodes(Fan *f, int w, int l)
{
    for (int64_t m = tree_knomial_place(w, f->n, f->radix) / f->radix; m >= 1; m /= f->radix)
        for (int j = 1 + l; j < f->radix && w + j * m < f->n; j += f->senders)
            add(f, w + (int)(j * m), 0);
}

Tree tree_fan(const Coll *c, int root)
{
    const CollNodes *nodes = c->nodes;
    Fan f = {.c = c, .root = root, .n = nodes->n, .k = coll_nodes_equal(nodes), .tree = {.parent = -1}};
    f.radix = fan_radix(f.n, c->par.halvings);
    f.senders = fan_senders(c);
    const int w = (nodes->of[c->rank] - nodes->of[root] + f.n) % f.n;
    const int l = (nodes->local[c->rank] - nodes->local[root] + f.k) % f.k, sender = l % f.senders;
    const int most = 2 * log2_ceil(f.k) + log2_ceil(f.n) * ((f.radix - 2) / f.senders + 1);
    f.child = coll_ints(c, (size_t)most);
    if (w > 0 && l == 0) {
        const int64_t m = tree_knomial_place(w, f.n, f.radix);
        const int j = (int)(w / m % f.radix);
        f.tree.parent = rank_at(&f, w - (int)(j * m), (j - 1) % f.senders);
    }
    if (w + 1 >= f.n || tree_knomial_place(w, f.n, f.radix) == 1) {
        add_binomial(&f, w, 0, 1, l, f.k);
    } else {
        if (l < f.senders) {
            add_binomial(&f, w, 0, 1, l, f.senders);
            add_nodes(&f, w, l);
        }
        add_binomial(&f, w, sender, f.senders, l / f.senders, (f.k - 1 - sender) / f.senders + 1);
    }
    f.tree.child = f.child;
    return f.tree;
}

Tree tree_fan_reversed(const Coll *c, int root)
{
    Tree t = tree_fan(c, root);
    int *child = coll_ints(c, (size_t)t.n);
    for (int i = 0; i < t.n; i++)
        child[i] = t.child[t.n - 1 - i];
    t.child = child;
    return t;
}

// The ranks of the whole tree, each before the subtrees of its children; and by rank, where it stands in that order, and
// where what follows its subtree does.
typedef struct Preorder {
    int *order, *place, *behind;
} Preorder;

// Lists the subtree of a rank from place n on, and returns the place behind it.
static int list(const Coll *c, int root, int rank, const Preorder *x, int n)
{
    Coll other = *c;
    other.rank = rank;
    const Tree t = tree_fan(&other, root);
    x->place[rank] = n;
    x->order[n++] = rank;
    for (int i = 0; i < t.n; i++)
        n = list(c, root, t.child[i], x, n);
    return x->behind[rank] = n;
}

// The key is the root, and the rounds of the tree.
static void make_preorder(const Coll *c, CollKey key, int *table)
{
    const Preorder x = {table, table + c->p, table + 2 * c->p};
    list(c, (int)key.first, (int)key.first, &x, 0);
}

const int *fan_preorder(const Coll *c, const Tree *t, int *end)
{
    const CollKey key = {(size_t)c->root, (size_t)c->par.halvings};
    const int *table = coll_nodes_table(c, make_preorder, key, 3 * (size_t)c->p), *place = table + c->p,
              *behind = place + c->p, first = place[c->rank];
    end[0] = 1;
    for (int i = 0; i < t->n; i++)
        end[i + 1] = behind[t->child[i]] - first;
    return table + first;
}

const size_t *fan_positions(const Coll *c, const Blocks *b, const int *order, int n)
{
    size_t *at = coll_sizes(c, (size_t)n + 1);
    at[0] = 0;
    for (int i = 0; i < n; i++)
        at[i + 1] = at[i] + block(b, order[i]).len;
    return at;
}

// ---- Groups --------------------------------------------------------------------------------------------------------

static int sender_in_node(const Coll *up, int i)
{
    const CollNodes *nodes = up->nodes;
    return nodes->member[nodes->first[nodes->of[up->rank]] + i];
}

static int follower(const Coll *up, int i)
{
    const CollNodes *nodes = up->nodes;
    const int sender = nodes->local[up->rank] % up->par.leaders;
    return nodes->member[nodes->first[nodes->of[up->rank]] + sender + i * up->par.leaders];
}

Coll fan_group(const Coll *view)
{
    const int local = view->nodes->local[view->rank], n = view->par.leaders;
    Coll group = coll_sub(view, n, local < n ? local : -1, sender_in_node);
    group.level = COLL_INNER_LEVEL;
    return group;
}

Coll fan_followers(const Coll *view)
{
    const int local = view->nodes->local[view->rank], senders = view->par.leaders, below = view->par.max_requests;
    const int sender = local % senders;
    Coll group = coll_sub(view, sender < below ? (below - 1 - sender) / senders + 1 : 1,
                          local < below ? local / senders : -1, follower);
    group.level = COLL_INNER_LEVEL;
    return group;
}
