// What:   As in hybrid, h rounds halve the vector, the ranks that have the same part reduce it over a binomial tree,
//         and the parts are gathered at the root; but all sums keep the order of the ranks. Neighbours halve first,
//         then ranks at distance 2, 4 and so on, and the trees are in order. In a halving, a rank first reduces what it
//         sends next, and reduces the rest while that travels. If 2^h does not divide p, pairs fold into one rank
//         first, as in redscat_gather.
// Cost:   2^h divides p: 2h alpha + (m-s) (2 beta + gamma) - sum of min(u,g) for the halvings' messages of m/4, m/8 ..
//         s + T of reduce binomial on p / 2^h ranks with s bytes, s = m / 2^h. Else, P = 2^floor(log2 p): alpha + m
//         (beta + gamma) and the cost for P ranks; prestep ompi alpha more, m/2 gamma less. Ranks that have not folded
//         may begin earlier, and eager send their parts earlier.
// Source: van de Geijn, On global combine operations, 1994; Rabenseifner 2004.
// Needs:  nothing. If the operation is not commutative, rank 0 sends the result to the root.
//
//   p = 8, halvings = 1      r xor 1 (m/2)
//                            2 -> 0   3 -> 1   6 -> 4   7 -> 5 (m/2)
//                            4 -> 0   5 -> 1 (m/2)
//                            1 -> 0 (m/2)
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

// Translates v, counted from the rank at which the result ends, to a rank.
static int from_top(const Coll *up, int v)
{
    return (v + reduce_top(up)) % up->p;
}

// Translates the number of a rank among those that have the caller's part.
static int same_part(const Coll *up, int v)
{
    const int parts = 1 << butterfly_halvings(&up->par, up->p);
    return v * parts + up->rank % parts;
}

// Reduces acc over all ranks to acc of rank 0; 2^h divides their number.
static void run(const Coll *c, Slice acc)
{
    const int h = butterfly_halvings(&c->par, c->p), q = c->p >> h;
    Slice at[32] = {acc};
    coll_phase(c, "reduce-scatter");
    butterfly_halve_in_order(c, h, at);
    coll_phase(c, "reduce");
    Coll group = coll_sub(c, q, c->rank >> h, same_part);
    group.in = at[h];
    group.par.segment = 0; // a part is one message
    tree_reduce(&group, tree_binomial_in_order(&group, 0), group.in);
    if (c->rank >= 1 << h)
        return;
    coll_phase(c, "gather");
    for (int i = h - 1; i >= 0; i--) {
        const Blocks half = blocks_even(c, at[i], 2);
        if (c->rank >> i & 1) {
            coll_send(c, c->rank ^ 1 << i, at[i + 1]);
            return;
        }
        coll_recv(c, c->rank ^ 1 << i, block(&half, 1));
    }
}

static void reduce_hybrid_in_order(const Coll *up)
{
    const int top = reduce_top(up), h = butterfly_halvings(&up->par, up->p);
    const Slice acc = up->rank == up->root || up->rank != top ? reduce_acc(up) : coll_scratch(up, up->in.len);
    const Coll all = coll_sub(up, up->p, (up->rank - top + up->p) % up->p, from_top), *c = &all;
    coll_copy(c, acc, c->in);
    if (butterfly_folds(c->p, h)) {
        const Fold f = fold_ranks(c, PRESTEP_OMPI); // the even ranks play under both pre-steps, so rank 0 does
        fold_reduce(c, &f, c->par.prestep, acc);
        if (f.v >= 0) {
            const Coll group = coll_sub(c, pow2_floor(c->p), f.v, f.map);
            run(&group, acc);
        }
    } else {
        run(c, acc);
    }
    reduce_hand_over(up, top, acc);
}

// Ranks of the same place in their trees are alike, and among the owners those that gather as much, if the parts are as
// long and nothing folds.
static int pattern(const Coll *c, int *x)
{
    const int h = butterfly_halvings(&c->par, c->p), q = c->p >> h, v = coll_v(c), member = v >> h;
    if (butterfly_folds(c->p, h) || reduce_top(c) != c->root || c->in.len / c->elem % ((size_t)1 << h) != 0)
        return 0;
    const int place = member ? __builtin_ctz((unsigned)member) : 31;
    x[0] = place;
    x[1] = 0;
    while (x[1] < place && member + (1LL << x[1]) < q)
        x[1]++;
    x[2] = member ? -1 : v ? log2_floor(v) : h;
    return 3;
}

// Adds the halvings to the times t[v] of P ranks.
static void halve_times(const CollPoint *x, int P, int h, int64_t *t)
{
    for (int i = 0; i < h; i++) {
        const int64_t half = x->m >> (i + 1), late = i > 0 ? g(x, half) : 0;
        for (int v = 0; v < P; v++) {
            const int peer = v ^ 1 << i;
            if (v > peer)
                continue;
            t[v] += late;
            t[peer] += late;
            const int64_t met = times_exchange(x, t[v], t[peer], half, half);
            t[v] = later(met, t[v] + late);
            t[peer] = later(met, t[peer] + late);
        }
    }
    for (int v = 0; v < P; v++)
        t[v] += h > 0 ? g(x, x->m >> h) : 0;
}

// Returns the point of one tree, of q ranks with a part of the vector.
static CollPoint tree_point(const CollPoint *x, int q, int h)
{
    CollPoint tree = *x;
    tree.p = q;
    tree.m = x->m >> h;
    tree.par.segment = 0;
    tree.kept = NULL;
    return tree;
}

// Returns T of what the P ranks do that play, if the first `folded` of them are late by `late` because they have
// folded: the others may have sent their parts before these receive them.
static int64_t late_time(const CollPoint *x, int P, int h, int folded, int64_t late)
{
    const int parts = 1 << h, q = P >> h;
    int64_t *t = malloc(((size_t)P + (size_t)q) * sizeof *t), *same = t + P;
    for (int v = 0; v < P; v++)
        t[v] = v < folded ? late : 0;
    halve_times(x, P, h, t);
    const CollPoint tree = tree_point(x, q, h);
    for (int part = 0; part < parts; part++) {
        for (int v = 0; v < q; v++)
            same[v] = t[v * parts + part];
        tree_reduce_times(&tree, tree_binomial_in_order, 0, same);
        t[part] = same[0];
    }
    for (int i = h - 1; i >= 0; i--)
        for (int v = 0; v < 1 << i; v++)
            times_pass(x, &t[v + (1 << i)], &t[v], x->m >> (i + 1));
    const int64_t end = t[0];
    free(t);
    return end;
}

static int64_t formula(const CollPoint *x)
{
    const int h = butterfly_halvings(&x->par, x->p), P = pow2_floor(x->p);
    if (butterfly_folds(x->p, h))
        return late_time(x, P, h, x->p - P, fold_reduce_time(x));
    const Circulant parts = circulant_graph(1 << h);
    const CollPoint tree = tree_point(x, x->p >> h, h);
    return circulant_overlap_time(x, &parts, h, tree.m) + h * x->alpha + (x->m - tree.m) * x->beta +
           tree_reduce_binomial_time(&tree);
}

const CollAlgorithm reduce_hybrid_in_order_algorithm = {
    .collective = COLL_REDUCE,
    .name = "hybrid_in_order",
    .summary = "rounds that halve the vector, binomial trees of whole parts, and a gather, in the ranks' order",
    .run = reduce_hybrid_in_order,
    .ordered = true,
    .params = {HALVINGS_UP_TO("floor(log2 p)", CUT_ROUNDS, 2), PRESTEP},
    .peers = PEERS_XOR,
    .pattern = pattern,
    .cost =
        "2^h divides p: 2h alpha + (m-s) (2 beta + gamma) - sum of min(u,g) for the halvings' messages of m/4, m/8 "
        ".. s + T of reduce binomial on p / 2^h ranks with s bytes, s = m / 2^h. Else, P = 2^floor(log2 p): alpha + "
        "m (beta + gamma) and the cost for P ranks; prestep ompi alpha more, m/2 gamma less. Ranks that have "
        "not folded may begin earlier, and eager send their parts earlier",
    .formula = formula,
    .source = "van de Geijn, On global combine operations, 1994; Rabenseifner 2004",
};
