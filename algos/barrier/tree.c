// What:   Signals travel up an in-order binomial tree to rank 0, and down the same tree again. See shapes/tree.c.
// Cost:   T = 2 ceil(log2 p) alpha; eager: (floor(log2 p) + ceil(log2 p)) alpha. There are 2(p-1) messages.
// Source: Open MPI 4.1, barrier tree.
// Needs:  nothing.
//
//   p = 8      up     1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4      4 -> 0
//              down   0 -> 4      0 -> 2   4 -> 6      0 -> 1   2 -> 3   4 -> 5   6 -> 7
#include "coll.h"
#include "times/times.h"

static void barrier_tree(const Coll *c)
{
    const Tree t = tree_binomial_in_order(c, 0);
    coll_phase(c, "up");
    for (int i = 0; i < t.n; i++)
        coll_recv(c, t.child[i], c->out);
    if (t.parent >= 0) {
        coll_send(c, t.parent, c->out);
        coll_phase(c, "down");
        coll_recv(c, t.parent, c->out);
    }
    coll_phase(c, "down");
    for (int i = t.n - 1; i >= 0; i--)
        coll_send(c, t.child[i], c->out);
}

static int64_t formula(const CollPoint *x)
{
    return ((x->eager ? log2_floor(x->p) : log2_ceil(x->p)) + log2_ceil(x->p)) * x->alpha;
}

const CollAlgorithm barrier_tree_algorithm = {
    .collective = COLL_BARRIER,
    .name = "tree",
    .aliases = {"ompi:6", "smpi:ompi_tree", "intel:5"},
    .summary = "signals travel up a binomial tree and down again",
    .run = barrier_tree,
    .peers = PEERS_SHIFT,
    .same_as = same_binomial_in_order,
    .cost = "2 ceil(log2 p) alpha; eager: (floor(log2 p) + ceil(log2 p)) alpha",
    .formula = formula,
    .source = "Open MPI 4.1, barrier tree",
};
