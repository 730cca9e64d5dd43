// What:   The vectors travel up a k-nomial tree to rank 0, and the result travels down the same tree. A rank receives
//         and reduces one child's vector after the other, then sends the sum to its parent. Every subtree is a run of
//         consecutive ranks; the children with larger subtrees come first.
// Cost:   p = 2^d, k = 2: d (d+3)/2 u + d (d+1)/2 g, u = alpha + m beta, g = m gamma; else, for one child after the
//         other, up: t = max(t, ready(child)) + u + g (eager: max(t, ready(child) + u) + g), down: u. A rank waits
//         first for its largest subtree, which is the last to be ready.
// Source: MPICH, allreduce tree. This is the tree type knomial_1 of MPICH, without segments.
// Needs:  nothing.
//
//   p = 8, k = 2      3 -> 2  6 -> 5    2 -> 1    4 -> 1    1 -> 0    5 -> 0    7 -> 0
//                     0 -> 1    0 -> 5  1 -> 2    0 -> 7  1 -> 4  2 -> 3  5 -> 6
#include "coll.h"
#include "times/times.h"

static void allreduce_knomial_tree(const Coll *c)
{
    const Tree t = tree_knomial_runs(c, 0, c->par.radix);
    const Slice inbox = coll_scratch(c, t.n ? c->out.len : 0);
    const Blocks whole = blocks_size(c, c->out, 0);
    coll_copy(c, c->out, c->in);
    coll_phase(c, "reduce");
    for (int i = 0; i < t.n; i++) {
        coll_recv(c, t.child[i], inbox);
        coll_reduce(c, c->out, c->out, inbox);
    }
    if (t.parent >= 0)
        coll_send(c, t.parent, c->out);
    coll_phase(c, "bcast");
    tree_bcast(c, t, &whole);
}

// Returns when the root of a subtree of n ranks, whose runs are shorter than `run`, has reduced them all.
static int64_t up(const CollPoint *x, int64_t n, int64_t run)
{
    const int64_t um = u(x, x->m);
    int64_t t = 0;
    while (run > 1 && n > 1) {
        run /= x->par.radix;
        for (int j = 1; j < x->par.radix && n > 1; j++) {
            const int64_t size = n - 1 < run ? n - 1 : run, ready = up(x, size, run);
            t = (x->eager ? later(t, ready + um) : later(t, ready) + um) + g(x, x->m);
            n -= size;
        }
    }
    return t;
}

// Returns when the last rank of this subtree has the result, if its root has it at time t.
static int64_t down(const CollPoint *x, int64_t n, int64_t run, int64_t t)
{
    int64_t end = t;
    while (run > 1 && n > 1) {
        run /= x->par.radix;
        for (int j = 1; j < x->par.radix && n > 1; j++) {
            const int64_t size = n - 1 < run ? n - 1 : run;
            t += u(x, x->m);
            end = later(end, down(x, size, run, t));
            n -= size;
        }
    }
    return end;
}

static int64_t formula(const CollPoint *x)
{
    int64_t run = 1;
    while (run < x->p)
        run *= x->par.radix;
    return down(x, x->p, run, up(x, x->p, run));
}

const CollAlgorithm allreduce_knomial_tree_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "knomial_tree",
    .aliases = {"mpich:tree"},
    .summary = "up and down one k-nomial tree whose subtrees are runs of ranks",
    .run = allreduce_knomial_tree,
    .params = {RADIX(2, "k of the k-nomial tree")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .cost = "p = 2^d, k = 2: d (d+3)/2 u + d (d+1)/2 g, u = alpha + m beta, g = m gamma; else, for one child after the "
            "other, up: t = max(t, ready(child)) + u + g (eager: max(t, ready(child) + u) + g), down: u",
    .formula = formula,
    .source = "MPICH, allreduce tree",
};
