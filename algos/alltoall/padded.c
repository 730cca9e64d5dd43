// What:   Every rank pads its blocks to the longest, an alltoall brings them to their ranks, and these drop what was
//         added. A parameter selects the alltoall, which may be one that knows the nodes.
// Cost:   T = T_alltoall(p, m), m the longest block.
// Source: Fan et al. 2022, padded Bruck. Here the alltoall may be any.
// Needs:  parts that can run; else padded_bruck runs.
//
//   p = 4, alltoall bruck      to r+1: blocks of r+1, r+3   to r+2: blocks of r+2, r+3
#include "coll.h"
#include "times/times.h"

enum { ALLTOALL };

static void alltoallv_padded(const Coll *c)
{
    Coll even = *c;
    even.counts = NULL;
    if (!c->counts) { // nothing to pad
        coll_call(&even, c->par.part[ALLTOALL]);
        return;
    }
    const Blocks in = coll_in(c), out = coll_out(c);
    const size_t size = blocks_longest(&in);
    even.in = coll_scratch(c, (size_t)c->p * size);
    even.out = coll_scratch(c, (size_t)c->p * size);
    exchange_pad(c, even.in, &in, 0, 1, size);
    coll_call(&even, c->par.part[ALLTOALL]);
    exchange_unpad(c, &out, 0, 1, even.out, size);
}

static int same_as(const Coll *c)
{
    Coll even = *c;
    even.counts = NULL;
    return call_same(&even, c->par.part[ALLTOALL]);
}

static int64_t formula(const CollPoint *x)
{
    return call_time(x, x->par.part[ALLTOALL], x->p, x->m);
}

const CollAlgorithm alltoallv_padded_algorithm = {
    .collective = COLL_ALLTOALLV,
    .name = "padded",
    .summary = "blocks are padded to the longest, and travel by an alltoall",
    .run = alltoallv_padded,
    .needs = {&need_group_parts},
    .otherwise = "padded_bruck",
    .params = {PART("alltoall", ALLTOALL, COLL_ALLTOALL, "bruck", "the alltoall of the padded blocks")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "T_alltoall(p, m), m the longest block",
    .formula = formula,
    .unknown = "a part without a formula",
    .source = "Fan et al. 2022, padded Bruck",
};
