// What:   The root's two subtrees in a binary tree each receive one half of the message, in segments: the ranks with
//         odd v get the left half, those with even v get the right half. Then an odd and an even rank exchange their
//         halves, pair by pair. If p is even, v = p-1 has no partner and gets the right half from the root, which for
//         p = 2 sends both halves to it. See shapes/tree.c for the tree.
// Cost:   T = (D + 2(S-1)) (alpha + m/(2S) beta) + alpha + m/2 beta, S segments of a half, D as for bintree; p = 2: S
//         in place of D + 2(S-1).
// Source: Open MPI 4.1, bcast split_binary_tree.
// Needs:  two halves of at least a segment; else pipeline runs.
//
//   p = 7            0                 then   1 <-> 2   3 <-> 4   5 <-> 6
//            left 1     2 right
//               3  5   4  6
#include "coll.h"
#include "times/times.h"

static bool two_segments(const Coll *c)
{
    const size_t half = c->out.len / c->elem / 2 * c->elem;
    return half > 0 && half >= c->par.segment;
}

static const CollNeed need_two_segments = {two_segments, "a half is empty or smaller than a segment",
                                           "two halves of at least a segment"};

// Broadcasts one half down the tree. A leaf receives the segments one by one; another rank posts the next receive
// before it waits for a segment, and sends it to its children in turn.
static void pass_half(const Coll *c, Tree t, const Blocks *segments)
{
    for (int s = 0; t.n == 0 && s < segments->n; s++)
        coll_recv(c, t.parent, block(segments, s));
    CollReq arriving = t.n > 0 ? coll_irecv(c, t.parent, block(segments, 0)) : 0;
    for (int s = 0; t.n > 0 && s < segments->n; s++) {
        const CollReq arrived = arriving;
        if (s + 1 < segments->n)
            arriving = coll_irecv(c, t.parent, block(segments, s + 1));
        coll_wait(c, arrived);
        for (int i = 0; i < t.n; i++)
            coll_send(c, t.child[i], block(segments, s));
    }
}

static void bcast_split_bintree(const Coll *c)
{
    const int v = coll_v(c);
    const Blocks half = blocks_even(c, c->out, 2);
    const Blocks segments[2] = {blocks_size(c, block(&half, 0), c->par.segment),
                                blocks_size(c, block(&half, 1), c->par.segment)};
    const Tree t = tree_binary(c, c->root);
    const int last = coll_rank(c, c->p - 1); // has no partner if p is even

    coll_phase(c, "halves");
    if (v == 0) {
        for (int s = 0; s < segments[0].n || s < segments[1].n; s++)
            for (int h = 0; h < t.n; h++)
                if (s < segments[h].n)
                    coll_send(c, t.child[h], block(&segments[h], s));
        coll_phase(c, "exchange");
        if (c->p % 2 == 0)
            coll_send(c, last, block(&half, 1));
        return;
    }
    const int mine = v % 2 ? 0 : 1;
    pass_half(c, t, &segments[mine]);
    coll_phase(c, "exchange");
    if (c->p % 2 == 0 && v == c->p - 1) {
        coll_recv(c, c->root, block(&half, 1));
    } else {
        const int partner = (c->rank + (v % 2 ? 1 : c->p - 1)) % c->p;
        coll_sendrecv(c, partner, block(&half, mine), partner, block(&half, 1 - mine));
    }
}

static int64_t formula(const CollPoint *x)
{
    const int64_t S = segments(x, x->m / 2), rounds = x->p == 2 ? S : times_binary_rounds(x->p) + 2 * (S - 1);
    return x->p == 1 ? 0 : rounds * u(x, x->m / 2 / S) + u(x, x->m / 2);
}

const CollAlgorithm bcast_split_bintree_algorithm = {
    .collective = COLL_BCAST,
    .name = "split_bintree",
    .aliases = {"ompi:4", "smpi:ompi_split_bintree"},
    .summary = "each half of the message travels down one half of a binary tree, then pairs exchange halves",
    .run = bcast_split_bintree,
    .needs = {&need_two_segments},
    .otherwise = "pipeline",
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .cost =
        "(D + 2(S-1)) (alpha + m/(2S) beta) + alpha + m/2 beta, S segments of a half, D as for bintree; p = 2: S in "
        "place of D + 2(S-1)",
    .formula = formula,
    .source = "Open MPI 4.1, bcast split_binary_tree",
};
