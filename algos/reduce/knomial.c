// What:   The vectors travel up a k-nomial tree. A rank receives the vectors of all its children, then reduces them one
//         after the other. See shapes/tree.c for the tree.
// Cost:   p = k^d: (k-1) d (alpha + m beta) + (k-1) d (d+1)/2 m gamma; gamma = 0: N (alpha + m beta); else, and eager,
//         a recurrence over subtrees. N is the number of the root's children.
// Source: Open MPI main, reduce knomial.
// Needs:  a commutative operation.
//
//   p = 8, k = 4           0
//                    4   1   2   3
//                  5 6 7
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

static void reduce_knomial(const Coll *c)
{
    const Tree t = tree_knomial(c, c->root, c->par.radix);
    const size_t m = c->in.len;
    if (t.n == 0 && t.parent >= 0) {
        coll_send(c, t.parent, c->in);
        return;
    }
    const Slice into = t.parent < 0 ? c->out : coll_scratch(c, m);
    const Slice inbox = coll_scratch(c, (size_t)t.n * m);
    for (int i = 0; i < t.n; i++)
        coll_irecv(c, t.child[i], slice_at(inbox, (size_t)i * m, m));
    coll_waitall(c, 0);
    coll_copy(c, into, c->in);
    for (int i = 0; i < t.n; i++)
        coll_reduce(c, into, into, slice_at(inbox, (size_t)i * m, m));
    if (t.parent >= 0)
        coll_send(c, t.parent, into);
}

// Returns when v has reduced its subtree. `place` is a power of k, and the children are at distances below it.
static int64_t subtree(const CollPoint *x, int v, int64_t place)
{
    const int k = x->par.radix;
    const int64_t um = u(x, x->m);
    int64_t *ready = malloc((size_t)x->p * sizeof *ready), end = 0;
    int n = 0;
    for (int64_t d = place / k; d >= 1; d /= k)
        for (int j = 1; j < k && v + j * d < x->p; j++)
            ready[n++] = d == 1 ? 0 : subtree(x, (int)(v + j * d), d);
    for (int i = 0; i < n; i++) {
        // The port takes the first child in tree order that is ready, or, if none is, the one that is ready first.
        int next = 0;
        for (int j = 1; j < n; j++)
            if (ready[next] > end && ready[j] < ready[next])
                next = j;
        const int64_t come = ready[next] + um, after = end + um;
        end = later(come, x->eager ? end : after);
        ready[next] = INT64_MAX;
    }
    free(ready);
    return end + n * g(x, x->m);
}

static int64_t formula(const CollPoint *x)
{
    const int k = x->par.radix;
    int64_t power = 1, d = 0;
    for (; power < x->p; power *= k)
        d++;
    if (power == x->p && !x->eager)
        return (k - 1) * d * u(x, x->m) + (k - 1) * d * (d + 1) / 2 * g(x, x->m);
    if (x->gamma == 0 && !x->eager)
        return times_knomial_rounds(x->p, k) * u(x, x->m);
    return subtree(x, 0, power);
}

const CollAlgorithm reduce_knomial_algorithm = {
    .collective = COLL_REDUCE,
    .name = "knomial",
    .aliases = {"ompi-main:8", "smpi:mvapich2_knomial"},
    .summary = "a k-nomial tree; a rank receives from all its children at once, then reduces in turn",
    .run = reduce_knomial,
    .needs = {&need_commutative},
    .params = {RADIX(4, "k of the k-nomial tree")},
    .peers = PEERS_SHIFT,
    .same_as = same_knomial,
    .cost = "p = k^d: (k-1) d (alpha + m beta) + (k-1) d (d+1)/2 m gamma; gamma = 0: N (alpha + m beta); else, "
            "and eager, a recurrence over subtrees",
    .formula = formula,
    .source = "Open MPI main, reduce knomial",
};
