// What:   MPICH's broadcast over nodes, which has three branches. A short message, or one to few ranks, travels to the
//         leaders of the nodes and then within the nodes (ch4_alpha). A medium one on 2^d ranks reaches the root's node
//         first (ch4_beta). The others are scattered over all ranks, and travel around a ring of all ranks.
// Cost:   m < 12288 or p < 8: T_short; else m < 524288 and p = 2^d: T_medium; else T_long.
// Source: MPICH 4.0.2, MPIR_Bcast_intra_smp (bcast_intra_smp.c), with the defaults of BCAST_SHORT_MSG_SIZE,
//         BCAST_LONG_MSG_SIZE and BCAST_MIN_PROCS. MPICH sends no empty message.
// Needs:  several nodes of several ranks (--map or --per-node), parts that can run on the nodes; else binomial_far
//         runs.
//
//   p = 8, 4 per node, root 1      short    1 -> 0     0 -> 4     0 -> 2  4 -> 6     0 -> 1  2 -> 3  4 -> 5  6 -> 7
//                                  medium   1 -> 3     1 -> 2  3 -> 0     0 -> 4     4 -> 6     4 -> 5  6 -> 7
//                                  long     1 -> 5     1 -> 3  5 -> 7     1 -> 2  3 -> 4  5 -> 6  7 -> 0
//                                           7 times    0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0
#include "coll.h"
#include "times/times.h"

enum { SHORT, MEDIUM, LONG };
enum { MEDIUM_FROM = 12288, LONG_FROM = 524288, MANY_RANKS = 8 }; // the first two in bytes

static const CollAlgorithm *branch(const CollParams *par, int p, size_t m)
{
    if (m < MEDIUM_FROM || p < MANY_RANKS)
        return par->part[SHORT];
    return par->part[m < LONG_FROM && is_pow2(p) ? MEDIUM : LONG];
}

static void bcast_mpich_smp(const Coll *c)
{
    coll_call(c, branch(&c->par, c->p, c->out.len));
}

static int same_as(const Coll *c)
{
    return call_same(c, branch(&c->par, c->p, c->out.len));
}

static bool parts_can(const Coll *c)
{
    return coll_can(c, branch(&c->par, c->p, c->out.len));
}

static const CollNeed need_parts = {parts_can, "a part cannot run on these nodes", "parts that can run on the nodes"};

static int64_t formula(const CollPoint *x)
{
    return call_time(x, branch(&x->par, x->p, (size_t)x->m), x->p, x->m);
}

const CollAlgorithm bcast_mpich_smp_algorithm = {
    .collective = COLL_BCAST,
    .name = "mpich_smp",
    .aliases = {"mpich:smp"},
    .summary = "MPICH's broadcast over nodes: ch4_alpha, ch4_beta, or a scatter and a ring, by size and ranks",
    .run = bcast_mpich_smp,
    .branch = branch,
    .needs = {&need_nodes, &need_parts},
    .otherwise = "binomial_far",
    .params = {PART("short", SHORT, COLL_BCAST, "ch4_alpha", "the broadcast below 12288 bytes or 8 ranks"),
               PART("medium", MEDIUM, COLL_BCAST, "ch4_beta", "the one below 524288 bytes on 2^d ranks"),
               PART("long", LONG, COLL_BCAST, "scatter_ring_allgather", "the one for the rest")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "m < 12288 or p < 8: T_short; else m < 524288 and p = 2^d: T_medium; else T_long",
    .formula = formula,
    .levels = true,
    .unknown = "nodes of unequal size, a part that groups no ranks by node on two levels, or one without a formula",
    .source = "MPICH 4.0.2, MPIR_Bcast_intra_smp (bcast_intra_smp.c), with the defaults of BCAST_SHORT_MSG_SIZE, "
              "BCAST_LONG_MSG_SIZE and BCAST_MIN_PROCS. MPICH sends no empty message",
};
