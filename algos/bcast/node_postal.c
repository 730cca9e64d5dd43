// What:   A tree for nodes whose NICs take one message after the other, while a message is long under way. In a node that
//         has the message, a rank sends to another node as soon as it has the message itself, so that a message leaves in
//         every step of the node's leader; L is the number of steps until it has arrived. As many nodes are reached in
//         t steps as the recurrence f(t) = f(t-1) + f(t-1-L) says, f = 1 up to L. The leader hands the message to these
//         ranks one by one, and then to the others by a binomial tree.
// Cost:   the tree's recurrence; t steps of a leader, f(t) >= n nodes, are followed by ceil(log2 k) steps within a node
//         of k ranks.
// Source: Bar-Noy, Kipnis, Designing broadcasting algorithms in the postal model, 1994, whose tree the nodes form.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else binomial_far runs.
//
//   p = 16, 4 per node      in node 0           0 -> 1 2 3
//                           between the nodes   1 -> 4   2 -> 8   3 -> 12
//                           in the nodes        4 -> 5 6   5 -> 7   8 -> 9 10   9 -> 11   12 -> 13 14   13 -> 15
#include "coll.h"
#include "times/times.h"

// What a rank knows of the tree. Nodes, and the ranks of a node, are counted from the root's.
typedef struct Postal {
    const Coll *c;
    int root, n, k;
    int latency;
    int *reach; // reach[t]: the number of nodes that are reached in t steps, at most n
} Postal;

// A node, and how many nodes its subtree has: it and those after it. They are reached in so many steps.
typedef struct PostalShare {
    int node, n, steps;
} PostalShare;

static int rank_at(const Postal *x, int w, int l)
{
    return coll_nodes_ahead(x->c->nodes, x->root, w, l);
}

// Returns all nodes' tree. The number of nodes doubles, at least, in latency + 1 steps.
static PostalShare whole_tree(Postal *x)
{
    int t = 0;
    x->reach = coll_ints(x->c, (size_t)(x->latency + 1) * (size_t)(log2_ceil(x->n) + 1) + 1);
    for (x->reach[0] = 1; x->reach[t] < x->n; t++) {
        const int64_t next = x->reach[t] + (t < x->latency ? 0 : (int64_t)x->reach[t - x->latency]);
        x->reach[t + 1] = (int)(next < x->n ? next : x->n);
    }
    return (PostalShare){0, x->n, t};
}

// Returns the subtree of the node that a node sends to as its i-th, i >= 1, which begins at `at`, and moves `at` to the
// first node after it. Its n is 0 if there is none.
static PostalShare below(const Postal *x, PostalShare of, int i, int *at)
{
    const int steps = of.steps - i - x->latency, left = of.node + of.n - *at;
    if (steps < 0 || left <= 0)
        return (PostalShare){0};
    const PostalShare child = {*at, x->reach[steps] < left ? x->reach[steps] : left, steps};
    *at += child.n;
    return child;
}

// Returns the number, in its node, of the rank that sends to the i-th node.
static int sender(const Postal *x, int i)
{
    return x->k > 1 ? 1 + (i - 1) % (x->k - 1) : 0;
}

// Adds the place of rank l in a node whose first ranks, after the leader, are senders. The others and the leader form a
// binomial tree.
static void add_node(const Postal *x, int w, int l, int senders, int *child, Tree *tree)
{
    for (int i = 1; i <= senders && l == 0; i++)
        child[tree->n++] = rank_at(x, w, i);
    if (l > 0 && l <= senders) {
        tree->parent = rank_at(x, w, 0);
        return;
    }
    Coll others = *x->c;
    others.p = x->k - senders;
    others.rank = l > 0 ? l - senders : 0;
    const Tree t = tree_binomial(&others, 0);
    if (l > 0)
        tree->parent = rank_at(x, w, t.parent > 0 ? senders + t.parent : 0);
    for (int i = 0; i < t.n; i++)
        child[tree->n++] = rank_at(x, w, senders + t.child[i]);
}

static Tree tree_of_nodes(const Coll *c, int root)
{
    const CollNodes *nodes = c->nodes;
    Postal x = {.c = c, .root = root, .n = nodes->n, .k = coll_nodes_equal(nodes), .latency = c->par.leaders};
    const int w = (nodes->of[c->rank] - nodes->of[root] + x.n) % x.n;
    const int l = (nodes->local[c->rank] - nodes->local[root] + x.k) % x.k;
    PostalShare own = whole_tree(&x);
    Tree tree = {.parent = -1};
    while (own.node != w) {
        int at = own.node + 1, i = 1;
        PostalShare child = below(&x, own, i, &at);
        while (w >= at)
            child = below(&x, own, ++i, &at);
        tree.parent = l == 0 && child.node == w ? rank_at(&x, own.node, sender(&x, i)) : -1;
        own = child;
    }
    int at = w + 1, sent = 0;
    while (below(&x, own, sent + 1, &at).n > 0)
        sent++;
    int *children = coll_ints(c, (size_t)x.k + (size_t)sent);
    tree.child = children;
    add_node(&x, w, l, sent < x.k - 1 ? sent : x.k - 1, children, &tree);
    at = w + 1;
    for (int i = 1; i <= sent; i++) {
        const PostalShare child = below(&x, own, i, &at);
        if (sender(&x, i) == l)
            children[tree.n++] = rank_at(&x, child.node, 0);
    }
    return tree;
}

static void bcast_node_postal(const Coll *c)
{
    const Blocks whole = blocks_size(c, c->out, 0);
    tree_bcast(c, tree_of_nodes(c, c->root), &whole);
}

static int64_t formula(const CollPoint *x)
{
    CollPoint whole = *x;
    whole.par.segment = 0;
    return tree_bcast_time(&whole, tree_of_nodes, 0);
}

const CollAlgorithm bcast_node_postal_algorithm = {
    .collective = COLL_BCAST,
    .name = "node_postal",
    .summary = "a tree in which messages leave a node one after the other, each from another rank",
    .run = bcast_node_postal,
    .needs = {&need_nodes, &need_nodes_equal},
    .otherwise = "binomial_far",
    .params = {{"latency", PARAM_INT, offsetof(CollParams, leaders), 4, 1, 64, NULL,
                "steps until a message has arrived at another node; in each step a leader sends within its node", 0}},
    .peers = PEERS_SHIFT,
    .cost = "the tree's recurrence; t steps of a leader, f(t) >= n nodes, are followed by ceil(log2 k) steps within a "
            "node of k ranks",
    .formula = formula,
    .levels = true,
    .source = "Bar-Noy, Kipnis, Designing broadcasting algorithms in the postal model, 1994, whose tree the nodes form",
};
