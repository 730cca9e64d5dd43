// What:   All ranks reduce their vectors to rank 0, which broadcasts the result. Parameters select the reduction and
//         the broadcast; by default both run over binomial trees.
// Cost:   T = T_reduce(p, m) + T_bcast(p, m); both binomial, p = 2^d: 2 d u + d g, u = alpha + m beta, g = m gamma.
// Source: Open MPI 4.1, allreduce nonoverlapping. The library decides anew which reduction and which broadcast it runs.
// Needs:  parts that can run; else recursive_doubling runs.
//
//   p = 8      1 -> 0   3 -> 2   5 -> 4   7 -> 6      2 -> 0   6 -> 4      4 -> 0
//              0 -> 1      0 -> 2   1 -> 3      0 -> 4   1 -> 5   2 -> 6   3 -> 7
#include "coll.h"
#include "times/times.h"

enum { REDUCE, BCAST };

static void allreduce_reduce_bcast(const Coll *c)
{
    Coll result = *c;
    result.in = c->out;
    coll_call(c, c->par.part[REDUCE]);
    coll_call(&result, c->par.part[BCAST]);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t up = call_time(x, x->par.part[REDUCE], x->p, x->m);
    const int64_t down = call_time(x, x->par.part[BCAST], x->p, x->m);
    return call_root_ends(x->par.part[REDUCE]) ? then(up, down) : -1;
}

const CollAlgorithm allreduce_reduce_bcast_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "reduce_bcast",
    .aliases = {"ompi:2", "reduce_bcast_binomial", "smpi:redbcast", "mpich:circ_graph", "libnbc:binomial", "intel:3",
                "ucc:dbt"},
    .presets = {{"mpich:circ_graph", "reduce", 0, "circulant"},
                {"mpich:circ_graph", "bcast", 0, "circulant"},
                {"libnbc:binomial", "reduce", 0, "binomial_blocking"},
                {"ucc:dbt", "reduce", 0, "dbt"},
                {"ucc:dbt", "bcast", 0, "dbt"}},
    .summary = "a reduction to rank 0, then a broadcast",
    .run = allreduce_reduce_bcast,
    .needs = {&need_group_parts},
    .otherwise = "recursive_doubling",
    .params = {PART("reduce", REDUCE, COLL_REDUCE, "binomial", "the reduction to rank 0"),
               PART("bcast", BCAST, COLL_BCAST, "binomial", "the broadcast from rank 0")},
    .ordered = true,
    .peers = PEERS_SHIFT,
    .cost = "T_reduce(p, m) + T_bcast(p, m); both binomial, p = 2^d: 2 d u + d g, u = alpha + m beta, g = m gamma",
    .formula = formula,
    .unknown = "a part without a formula, or a reduction over nodes",
    .source = "Open MPI 4.1, allreduce nonoverlapping",
};
