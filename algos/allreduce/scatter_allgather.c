// What:   A reduce-scatter leaves every rank with one block of the result, and an allgather brings the blocks to all
//         ranks. Parameters select both. The blocks may be of unequal length, which only an allgatherv takes.
// Cost:   T = T_reduce_scatter(p, m) + T_allgatherv(p, m/p).
// Source: van de Geijn, On global combine operations, 1994.
// Needs:  parts that can run; else recursive_doubling runs.
//
//   p = 4      to r+1, to r+2, to r+3 (m/4)      from r+1 (m/4)   from r+2 (m/2)
#include "coll.h"
#include "times/times.h"

enum { SCATTER, GATHER };

// Returns the view of the part that runs first, or of the second one.
static Coll half(const Coll *c, int part)
{
    Coll view = *c;
    const Blocks out = blocks_even(c, c->out, c->p);
    (part == SCATTER ? &view.out : &view.in)[0] = block(&out, c->rank);
    return view;
}

static void allreduce_scatter_allgather(const Coll *c)
{
    const Coll scatter = half(c, SCATTER), gather = half(c, GATHER);
    coll_phase(c, "reduce-scatter");
    coll_call(&scatter, c->par.part[SCATTER]);
    coll_phase(c, "allgather");
    coll_call(&gather, c->par.part[GATHER]);
}

// Ranks are alike if they are in both parts, and if their blocks are of equal length.
static int same_as(const Coll *c)
{
    const Coll scatter = half(c, SCATTER), gather = half(c, GATHER);
    const int one = call_same(&scatter, c->par.part[SCATTER]), two = call_same(&gather, c->par.part[GATHER]);
    return one == two && c->in.len / c->elem % (size_t)c->p == 0 ? one : c->rank;
}

static int64_t formula(const CollPoint *x)
{
    const CollAlgorithm *scatter = x->par.part[SCATTER];
    if (!call_ends_in_step(scatter, x->p))
        return -1;
    return then(call_time(x, scatter, x->p, x->m), call_time(x, x->par.part[GATHER], x->p, x->m / x->p));
}

const CollAlgorithm allreduce_scatter_allgather_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "scatter_allgather",
    .summary = "a reduce-scatter, then an allgather of the blocks",
    .run = allreduce_scatter_allgather,
    .needs = {&need_group_parts},
    .otherwise = "recursive_doubling",
    .params = {PART("scatter", SCATTER, COLL_REDUCE_SCATTER, "k_bruck", "the reduce-scatter"),
               PART("gather", GATHER, COLL_ALLGATHERV, "bruck", "the allgather of the blocks")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "T_reduce_scatter(p, m) + T_allgatherv(p, m/p)",
    .formula = formula,
    .unknown = "a part without a formula, or a reduce-scatter that ranks may end at different times",
    .source = "van de Geijn, On global combine operations, 1994",
};
