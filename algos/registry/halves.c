#include "registry/halves.h"
#include "api/communicate.h"
#include "registry/composition.h"
#include "registry/rails.h"
#include "times/times.h"

// Returns the view of a part whose blocks are these. Both parts work in place where they may.
static Coll half(const Coll *c, int part, const Blocks *blocks)
{
    Coll view = *c;
    (part == HALF_SCATTER ? &view.out : &view.in)[0] = block(blocks, c->rank);
    view.root = part == HALF_SCATTER ? c->root : 0; // an allgather has no root
    view.counts = blocks->counts;
    view.counts_shift = 0;
    return view;
}

void call_halves(const Coll *c, const char *scatter)
{
    CollCounts counts;
    const Blocks blocks = rails_cut(c, c->out, &counts);
    const Coll first = half(c, HALF_SCATTER, &blocks), second = half(c, HALF_GATHER, &blocks);
    coll_phase(c, scatter);
    coll_call(&first, c->par.part[HALF_SCATTER]);
    coll_phase(c, "allgather");
    coll_call(&second, c->par.part[HALF_GATHER]);
}

// Ranks are alike if they are in both parts, and if their blocks are as long: all blocks, or where nodes are runs of
// ranks, those of ranks with the same number within their nodes, which are alike to a part as if all blocks were.
int call_halves_same(const Coll *c)
{
    const CollNodes *nodes = rails_share_equally(c, c->out);
    const size_t row = (size_t)c->p * c->elem;
    Coll like = *c;
    like.out.len -= like.out.len % row;
    like.in.len -= like.in.len % row;
    const Blocks blocks = blocks_even(c, like.out, c->p);
    const Coll scatter = half(&like, HALF_SCATTER, &blocks), gather = half(&like, HALF_GATHER, &blocks);
    const int one = call_same(&scatter, c->par.part[HALF_SCATTER]), two = call_same(&gather, c->par.part[HALF_GATHER]),
              rank = coll_rank(c, one);
    const bool alike = nodes ? nodes->ordered && like.out.len > 0 && nodes->local[rank] == nodes->local[c->rank]
                             : like.out.len == c->out.len;
    return rank == two && alike ? one : coll_v(c);
}

int64_t call_halves_time(const CollPoint *x)
{
    const CollAlgorithm *scatter = x->par.part[HALF_SCATTER];
    if (!call_ends_in_step(scatter, x->p))
        return -1;
    return then(call_time(x, scatter, x->p, x->m), call_time(x, x->par.part[HALF_GATHER], x->p, x->m / x->p));
}
