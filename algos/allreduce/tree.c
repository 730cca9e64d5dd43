// What:   For n = 2^ceil(log2 p) down to 2, each rank r = n/2 .. n-1 sends its partial result to rank r - n/2, which
//         reduces it into its own; then the result returns by the same steps backwards. Version 1 is described for
//         powers of two only; version 2 omits messages of ranks that do not exist.
// Cost:   T = 2 c (alpha + m beta) + c m gamma, c = ceil(log2 p); eager: a recurrence, for p = 2^d the same.
// Source: the tree and butterfly report, 2. The report uses only the blocking MPI_Send and MPI_Recv.
// Needs:  allreduce tree_v1: p a power of two, a commutative operation; else tree_v2 runs.
//         allreduce tree_v2: a commutative operation; else recursive_doubling runs.
//
//   p = 8      4 -> 0  5 -> 1  6 -> 2  7 -> 3      2 -> 0  3 -> 1      1 -> 0
//              0 -> 1      0 -> 2  1 -> 3      0 -> 4  1 -> 5  2 -> 6  3 -> 7
#include "coll.h"
#include "times/times.h"

static void allreduce_tree(const Coll *c)
{
    const int r = c->rank, N = 1 << log2_ceil(c->p);
    const Slice inbox = coll_scratch(c, c->in.len);
    coll_copy(c, c->out, c->in);
    coll_phase(c, "reduce");
    for (int n = N; n > 1 && r < n; n /= 2) {
        if (r >= n / 2) {
            coll_send(c, r - n / 2, c->out);
        } else if (r + n / 2 < c->p) {
            coll_recv(c, r + n / 2, inbox);
            coll_reduce(c, c->out, c->out, inbox);
        }
    }
    coll_phase(c, "bcast");
    for (int n = 2; n <= N; n *= 2) {
        if (r >= n / 2 && r < n)
            coll_recv(c, r - n / 2, c->out);
        else if (r < n / 2 && r + n / 2 < c->p)
            coll_send(c, r + n / 2, c->out);
    }
}

// Far peers exist only for the lower ranks. The ranks of a level are alike if they have equally many peers.
static int same_as(const Coll *c)
{
    const int r = c->rank, half = 1 << log2_ceil(c->p) >> 1;
    if (r == 0)
        return 0;
    const int level = pow2_floor(r); // r meets r + level * 2, r + level * 4 .. half
    const int fewer = c->p - half;   // ranks from here on do not have the last of these peers
    return r >= fewer && fewer > level && level < half ? fewer : level;
}

// Returns when rank r has the reduction over the ranks r, r + n, r + 2n .. below p.
static int64_t ready(const CollPoint *x, int r, int n)
{
    if (n >= x->p)
        return 0;
    const int64_t own = ready(x, r, 2 * n);
    if (r + n >= x->p)
        return own;
    const int64_t got = ready(x, r + n, 2 * n) + u(x, x->m);
    return later(own, got) + g(x, x->m);
}

static int64_t formula(const CollPoint *x)
{
    const int c = log2_ceil(x->p);
    return c * u(x, x->m) + (x->eager ? ready(x, 0, 1) : c * (u(x, x->m) + g(x, x->m)));
}

#define COMMON                                                                                                         \
    .collective = COLL_ALLREDUCE, .run = allreduce_tree, .peers = PEERS_SHIFT, .same_as = same_as, .formula = formula, \
    .cost = "2 c (alpha + m beta) + c m gamma, c = ceil(log2 p); eager: a recurrence, for p = 2^d the same",           \
    .source = "the tree and butterfly report, 2"

const CollAlgorithm allreduce_tree_v1_algorithm = {
    COMMON,
    .name = "tree_v1",
    .summary = "the upper half of the ranks sends to the lower half, and so on, then back, for 2^d ranks",
    .needs = {&need_pow2, &need_commutative},
    .otherwise = "tree_v2",
};

const CollAlgorithm allreduce_tree_v2_algorithm = {
    COMMON,
    .name = "tree_v2",
    .summary = "the upper half of the ranks sends to the lower half, and so on, then back",
    .needs = {&need_commutative},
    .otherwise = "recursive_doubling",
};
