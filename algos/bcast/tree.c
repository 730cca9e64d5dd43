// What:   The message travels in segments down one of MPICH's trees. A rank posts its first three receives at once, and
//         later ones one at a time; it sends every segment to all its children, and waits for its sends at the end. If
//         the message cannot be cut evenly, the first segment is the shortest. See tree_kary,
//         tree_knomial_runs (knomial_1) and tree_knomial_descending (knomial_2) in shapes/tree.h for the trees.
// Cost:   S = 1: T(v) = T(parent) + (place among its children) (alpha + m beta). T(v) is the time at which v has the
//         message; places count from 1.
// Source: MPICH, bcast tree and pipelined_tree. In MPICH, pipelined_tree has segments of 8 KiB.
// Needs:  nothing.
//
//   p = 8, radix = 2      kary      0 -> 1 2   1 -> 3 4   2 -> 5 6   3 -> 7
//                         knomial_1 0 -> 1 5 7   1 -> 2 4   2 -> 3   5 -> 6
//                         knomial_2 0 -> 4 2 1   4 -> 6 5   2 -> 3   6 -> 7
#include "coll.h"
#include "times/times.h"

enum { KARY, KNOMIAL_1, KNOMIAL_2, POSTED = 3 };
static const char *const shapes[] = {"kary", "knomial_1", "knomial_2", NULL};

static Tree shape(const Coll *c, int root)
{
    const int k = c->par.radix;
    return c->par.choice == KARY        ? tree_kary(c, root, k)
           : c->par.choice == KNOMIAL_1 ? tree_knomial_runs(c, root, k)
                                        : tree_knomial_descending(c, root, k);
}

// Returns segment i of S. The first one takes the remainder.
static Slice segment(const Coll *c, int i, int S)
{
    const size_t full = blocks_first(c, c->out, c->par.segment), first = c->out.len - (size_t)(S - 1) * full;
    return i == 0 ? slice_at(c->out, 0, first) : slice_at(c->out, first + (size_t)(i - 1) * full, full);
}

static void bcast_tree(const Coll *c)
{
    const Tree t = shape(c, c->root);
    const int S = blocks_size(c, c->out, c->par.segment).n;
    CollReq arrived[POSTED];
    for (int i = 0; t.parent >= 0 && i < S && i < POSTED; i++)
        arrived[i] = coll_irecv(c, t.parent, segment(c, i, S));
    for (int i = 0; i < S; i++) {
        if (t.parent >= 0 && i < POSTED)
            coll_wait(c, arrived[i]);
        else if (t.parent >= 0)
            coll_recv(c, t.parent, segment(c, i, S));
        for (int j = 0; j < t.n; j++)
            coll_isend(c, t.child[j], segment(c, i, S));
    }
    coll_waitall(c, 0);
}

static int same_as(const Coll *c)
{
    return c->par.choice == KNOMIAL_2 ? same_knomial(c) : coll_v(c);
}

static int64_t formula(const CollPoint *x)
{
    return segments(x, x->m) == 1 ? tree_bcast_time(x, shape, 0) : -1;
}

const CollAlgorithm bcast_tree_algorithm = {
    .collective = COLL_BCAST,
    .name = "tree",
    .aliases = {"mpich:tree", "mpich:pipelined_tree", "ucc:knomial"},
    .presets = {{"mpich:pipelined_tree", "segment", 8192},
                {"ucc:knomial", "tree", KNOMIAL_2},
                {"ucc:knomial", "radix", 4}},
    .summary = "the message travels in segments down a k-ary or k-nomial tree",
    .run = bcast_tree,
    .params = {CHOICE("tree", shapes, "shape of the tree"), RADIX(2, "k of the tree"), SEGMENT},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "S = 1: T(v) = T(parent) + (place among its children) (alpha + m beta)",
    .formula = formula,
    .unknown = "several segments: a rank's sends overlap with its next receives",
    .source = "MPICH, bcast tree and pipelined_tree",
};
