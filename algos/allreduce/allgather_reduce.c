// What:   An allgather brings the vectors of all ranks to every rank, and every rank reduces them by itself. A
//         parameter selects the allgather.
// Cost:   T = T_allgather(p, m) + (p-1) m gamma.
// Source: Open MPI main, allreduce allgather_reduce.
// Needs:  an allgather that can run; else recursive_doubling runs.
//
//   p = 4      allgather: 0 1 2 3 at every rank      then p-1 reductions at each
#include "coll.h"
#include "times/times.h"

enum { ALLGATHER };

// Returns the view of the allgather of whole vectors into `out`.
static Coll gather_view(const Coll *c, Slice out)
{
    Coll all = *c;
    all.root = 0;
    all.out = out;
    return all;
}

static bool part_can(const Coll *c)
{
    const Coll all = gather_view(c, (Slice){.len = (size_t)c->p * c->in.len});
    return coll_can(&all, c->par.part[ALLGATHER]);
}

static const CollNeed need_part = {part_can, "the allgather cannot run", "an allgather that can run"};

static void allreduce_allgather_reduce(const Coll *c)
{
    const Coll all = gather_view(c, coll_scratch(c, (size_t)c->p * c->in.len));
    const Blocks b = blocks_even(c, all.out, c->p);
    coll_call(&all, c->par.part[ALLGATHER]);
    coll_copy(c, c->out, slice_like(block(&b, 0), c->out));
    coll_phase(c, "reduce");
    for (int r = 1; r < c->p; r++)
        coll_reduce(c, c->out, c->out, slice_like(block(&b, r), c->out));
}

static int same_as(const Coll *c)
{
    const Coll all = gather_view(c, (Slice){.len = (size_t)c->p * c->in.len});
    return call_same(&all, c->par.part[ALLGATHER]);
}

static int64_t formula(const CollPoint *x)
{
    return then(call_time(x, x->par.part[ALLGATHER], x->p, x->m), (x->p - 1) * g(x, x->m));
}

const CollAlgorithm allreduce_allgather_reduce_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "allgather_reduce",
    .aliases = {"ompi-main:7"},
    .summary = "every rank gathers all vectors and reduces them by itself",
    .run = allreduce_allgather_reduce,
    .needs = {&need_part},
    .otherwise = "recursive_doubling",
    .params = {PART("allgather", ALLGATHER, COLL_ALLGATHER, "bruck", "the allgather of the vectors")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "T_allgather(p, m) + (p-1) m gamma",
    .formula = formula,
    .unknown = "an allgather without a formula",
    .source = "Open MPI main, allreduce allgather_reduce",
};
