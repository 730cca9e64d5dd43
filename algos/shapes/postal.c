// Postal trees: Bar-Noy and Kipnis (1994) call f the generalised Fibonacci numbers.
#include "shapes/postal.h"
#include "api/communicate.h"
#include "api/integers.h"

// A subtree: n consecutive v, from its root on, and the steps that are left when the root has the message.
typedef struct PostalRun {
    int v, n, steps;
} PostalRun;

// Returns reach[t], the number of ranks that are reached in t steps, cut at p, and sets *steps to the least t for p. f
// doubles, at least, in L steps, and L >= p-1 takes p-1+L steps; only the last ones add ranks, one each.
static const int *reached(const Coll *c, int *steps)
{
    const int L = c->par.leaders, p = c->p;
    int *reach = coll_ints(c, (size_t)L * (size_t)(log2_ceil(p) + 1) + 1), t = 0;
    for (reach[0] = 1; reach[t] < p; t++) {
        const int64_t next = t + 1 < L ? 1 : (int64_t)reach[t] + reach[t + 1 - L];
        reach[t + 1] = (int)(next < p ? next : p);
    }
    *steps = t;
    return reach;
}

// Returns the subtree of a rank's i-th child, i = 0, 1 .., of whose subtree `left` ranks are left. Its n is 0 if there
// is none.
static PostalRun child_of(const Coll *c, const int *reach, PostalRun of, int i, int left)
{
    const int steps = of.steps - i - c->par.leaders;
    if (steps < 0 || left <= 1)
        return (PostalRun){0};
    const int n = reach[steps] < left - 1 ? reach[steps] : left - 1;
    return (PostalRun){of.v + left - n, n, steps};
}

// Walks down to the caller's subtree. Returns it, and sets *parent to the v of its root's parent, -1 at the root.
static PostalRun subtree(const Coll *c, const int *reach, int steps, int v, int *parent)
{
    PostalRun own = {0, c->p, steps};
    *parent = -1;
    while (own.v != v) {
        int left = own.n, i = 0;
        PostalRun child = child_of(c, reach, own, i, left);
        while (v < child.v) {
            left -= child.n;
            child = child_of(c, reach, own, ++i, left);
        }
        *parent = own.v;
        own = child;
    }
    return own;
}

static int rank_of(const Coll *c, int root, int v)
{
    return (int)(((int64_t)v + root) % c->p);
}

static Runs runs_under(const Coll *c, int root)
{
    const int v = rank_of(c, c->p - root, c->rank);
    int steps, parent;
    const int *reach = reached(c, &steps);
    const PostalRun own = subtree(c, reach, steps, v, &parent);
    int *child = coll_ints(c, (size_t)own.steps + 1), *first = coll_ints(c, (size_t)own.steps + 1);
    Runs r = {
        .tree = {.parent = parent < 0 ? -1 : rank_of(c, root, parent), .child = child}, .n = own.n, .first = first};
    for (int left = own.n;;) {
        const PostalRun next = child_of(c, reach, own, r.tree.n, left);
        if (next.n == 0)
            return r;
        left -= next.n;
        first[r.tree.n] = left;
        child[r.tree.n++] = rank_of(c, root, next.v);
    }
}

Tree tree_postal(const Coll *c, int root)
{
    return runs_under(c, root).tree;
}

Tree tree_postal_reversed(const Coll *c, int root)
{
    Tree t = tree_postal(c, root);
    int *child = coll_ints(c, (size_t)t.n);
    for (int i = 0; i < t.n; i++)
        child[i] = t.child[t.n - 1 - i];
    t.child = child;
    return t;
}

Runs runs_postal(const Coll *c)
{
    return runs_under(c, c->root);
}

int postal_pattern(const Coll *c, int *pattern)
{
    const Runs r = runs_postal(c);
    if (r.tree.n > POSTAL_PATTERN - 2)
        return 0;
    pattern[0] = r.n;
    pattern[1] = r.tree.parent < 0 ? 0 : (r.tree.parent - c->rank + c->p) % c->p;
    for (int i = 0; i < r.tree.n; i++)
        pattern[2 + i] = r.first[i];
    return 2 + r.tree.n;
}
