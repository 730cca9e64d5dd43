// What:   Pairs fold until f k^d ranks are left, f = floor(p / k^d), counted from the root. A scatter gives each of
//         these one part of the message: in round i every rank that has some sends k-1 ranks, k^i ahead of each other,
//         their pieces of it. Then the rounds backwards are an allgather in groups of k ranks, in which nobody is sent
//         what it has had in the scatter. At the end the ranks that did not play get the message. See
//         shapes/butterfly.h for the parts, and shapes/fold.h for the pairs.
// Cost:   p = f P, P = k^d <= p < k P: 2 ((k-1) d + f-1) alpha + 2 (p-1)/p m beta; else, n = f P: 2 ((k-1) d + f-1)
//         alpha + 2 (n-1)/n m beta + alpha + m beta, where n divides m.
// Source: UCC, bcast sag_knomial. Here a rank takes its peers in an order in which no two ranks send to the same rank
//         at a time.
// Needs:  nothing.
//
//   p = 8, k = 4      scatter        0 -> 1 2 3 (m/4)      0 .. 3 -> 4 .. 7 (m/8)
//                     allgather      0 .. 3 -> 4 .. 7 (m/8)      0 -> 1 2 3   1-2-3   4-5-6-7 (m/4)
#include "coll.h"
#include "times/times.h"

static int from_root(const Coll *up, int v)
{
    return coll_rank(up, v);
}

static void scatter(const Coll *c, const Parts *part)
{
    const int v = c->rank;
    coll_phase(c, "scatter");
    for (int m = 1, k; m < c->p; m *= k) {
        k = butterfly_base(c->p, part->k, m);
        const CollReq all = coll_mark(c);
        for (int j = 1; v < m && j < k; j++)
            coll_isend(c, v + j * m, parts_left(part, v + j * m, m));
        coll_waitall(c, all);
        if (v >= m && v / k < m)
            coll_recv(c, v % m, parts_left(part, v, m));
    }
}

// The ranks below m had all that their groups at place m exchange.
static void allgather(const Coll *c, const Parts *part)
{
    const int v = c->rank;
    coll_phase(c, "allgather");
    for (int m = c->p > 1 ? pow_floor(c->p - 1, part->k) : 0; m >= 1; m /= part->k) {
        const int k = butterfly_base(c->p, part->k, m);
        const CollReq all = coll_mark(c);
        for (int j = 1; j < k; j++) {
            const int to = butterfly_digit_peer(v, k, m, j), from = butterfly_digit_peer(v, k, m, -j);
            if (v >= m)
                coll_irecv(c, from, parts_left(part, from, m));
            if (to >= m)
                coll_isend(c, to, parts_left(part, v, m));
        }
        coll_waitall(c, all);
    }
}

static void bcast_sag_knomial(const Coll *c)
{
    const Coll turned = coll_sub(c, c->p, coll_v(c), from_root);
    const FoldRadix f = fold_pairs(&turned);
    if (f.v >= 0) {
        const Coll group = coll_sub(&turned, f.p, f.v, f.map);
        const Parts part = {.blocks = blocks_even(c, c->out, f.p), .n = f.p, .k = c->par.radix, .nearest = true};
        scatter(&group, &part);
        allgather(&group, &part);
    }
    fold_radix_return(&turned, &f, c->out);
}

static int64_t formula(const CollPoint *x)
{
    const int k = x->par.radix, P = pow_floor(x->p, k), n = x->p / P * P;
    if (x->m % n)
        return -1;
    const int64_t rounds = (P > 1 ? times_knomial_rounds(P, k) : 0) + n / P - 1;
    return 2 * (rounds * x->alpha + (n - 1) * (x->m / n) * x->beta) + (n < x->p ? u(x, x->m) : 0);
}

const CollAlgorithm bcast_sag_knomial_algorithm = {
    .collective = COLL_BCAST,
    .name = "sag_knomial",
    .aliases = {"ucc:sag_knomial"},
    .summary = "a scatter with k parts among f k^d ranks, f < k, then an allgather by the same rounds backwards",
    .run = bcast_sag_knomial,
    .params = {RADIX_OF_PAIRS(4, "k, the number of ranks that exchange parts")},
    .peers = PEERS_XOR,
    .cost = "p = f P, P = k^d <= p < k P: 2 ((k-1) d + f-1) alpha + 2 (p-1)/p m beta; else, n = f P: 2 ((k-1) d + f-1) "
            "alpha + 2 (n-1)/n m beta + alpha + m beta, where n divides m",
    .formula = formula,
    .unknown = "f P does not divide m: ranks exchange parts of different lengths",
    .source = "UCC, bcast sag_knomial",
};
