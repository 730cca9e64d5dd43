// What:   In rounds of distance 1, 2, 4 .., the remaining ranks meet in pairs, and the upper rank of a pair loses: it
//         signals the lower rank and waits. Rank 0 wins; then it broadcasts a signal down a binomial tree. See
//         shapes/tree.c for the two trees.
// Cost:   T = 2 ceil(log2 p) alpha; eager: (floor(log2 p) + ceil(log2 p)) alpha. There are 2(p-1) messages.
// Source: Hensgen, Finkel, Manber 1988. In the paper the winner sets a flag that all ranks see.
// Needs:  nothing.
//
//   p = 8      1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4      4 -> 0
//              0 -> 1      0 -> 2   1 -> 3      0 -> 4   1 -> 5   2 -> 6   3 -> 7
#include "coll.h"
#include "times/times.h"

static void barrier_tournament(const Coll *c)
{
    const Blocks news = blocks_size(c, c->out, 0);
    const Tree t = tree_binomial_in_order(c, 0);
    coll_phase(c, "up");
    for (int i = 0; i < t.n; i++)
        coll_recv(c, t.child[i], c->out);
    if (t.parent >= 0)
        coll_send(c, t.parent, c->out);
    coll_phase(c, "down");
    tree_bcast(c, tree_binomial(c, 0), &news);
}

static int64_t formula(const CollPoint *x)
{
    return ((x->eager ? log2_floor(x->p) : log2_ceil(x->p)) + log2_ceil(x->p)) * x->alpha;
}

// Ranks are alike if they lose in the same round and receive the broadcast in the same round.
static int same_as(const Coll *c)
{
    const int r = c->rank, first = r & -r;
    if (!is_pow2(c->p) || r == 0)
        return r;
    return pow2_floor(r) | first;
}

const CollAlgorithm barrier_tournament_algorithm = {
    .collective = COLL_BARRIER,
    .name = "tournament",
    .summary = "in each pair the loser signals the winner, then the last winner broadcasts a signal",
    .run = barrier_tournament,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "2 ceil(log2 p) alpha; eager: (floor(log2 p) + ceil(log2 p)) alpha",
    .formula = formula,
    .source = "Hensgen, Finkel, Manber 1988",
};
