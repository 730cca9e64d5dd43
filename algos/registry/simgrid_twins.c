#include "registry/simgrid_twins.h"
#include "api/integers.h"
#include <glib.h>
#include <string.h>

// ---- Rules: parameters that SimGrid chooses by p and m -------------------------------------------------------------

// Chooses half as many chains as ranks.
static void half_chains(int p, size_t m, CollParams *par)
{
    (void)m;
    par->segment = 64 << 10;
    par->chains = MAX(1, p / 2);
}

// The other rules are those of Open MPI 1.x: p is compared with a line in m, and the answer selects the segment size.
static bool below(int p, double slope, double offset, size_t m)
{
    return p < slope * (double)m + offset;
}

static void bcast_pipeline_rule(int p, size_t m, CollParams *par)
{
    par->segment = 128 << 10;
    if (below(p, 1.6134e-6, 2.1102, m))
        return;
    if (below(p, 2.3679e-6, 1.1787, m))
        par->segment = 64 << 10;
    else if (below(p, 3.2118e-6, 8.7936, m))
        par->segment = 16 << 10;
}

static void reduce_pipeline_rule(int p, size_t m, CollParams *par)
{
    const bool many = p > 0.0410 / 1024 * (double)m + 9.7128, some = p > 0.0033 / 1024 * (double)m + 1.6761;
    par->segment = many ? 1 << 10 : some ? 32 << 10 : 64 << 10;
}

static void reduce_binomial_rule(int p, size_t m, CollParams *par)
{
    const bool whole = (p < 8 && m < 20480) || m < 2048;
    par->segment = !whole && p > 0.6016 / 1024 * (double)m + 1.3496 ? 1 << 10 : 0;
}

static void split_bintree_rule(int p, size_t m, CollParams *par)
{
    (void)p;
    par->segment = m < 370728 ? 1 << 10 : 8 << 10;
}

static void first_segment_rule(int p, size_t m, CollParams *par)
{
    (void)p;
    par->segment = m > 92160 ? 32 << 10 : 1 << 10;
}

// ---- The table -----------------------------------------------------------------------------------------------------

#define SHARES(text) .shares = true, .difference = text ": in SimGrid these messages share a port, here they queue"
#define ROOT_SENDS   SHARES("the root sends to all at once")
#define TWO_CHILDREN SHARES("a rank receives from two children at a time")
#define ALL_AT_ONCE  SHARES("every rank sends to several others at once")
#define CUT(which)                                                                                                     \
    .cut = (which), .difference = "the vector cannot be cut evenly, and SimGrid cuts it into other blocks"
#define NONE(what) .difference = what

const SimgridTwin simgrid_twins[] = {
    {COLL_ALLGATHER, "bruck", "bruck"},
    {COLL_ALLGATHER, "spreading_simple", "direct", ALL_AT_ONCE},
    {COLL_ALLGATHER, "GB", "linear", .with = {"gather:ompi_basic_linear", "bcast:flattree"}, ROOT_SENDS},
    {COLL_ALLGATHER, "ompi_neighborexchange", "neighbor_exchange"},
    {COLL_ALLGATHER, "rdb", "recursive_doubling_any"},
    {COLL_ALLGATHER, "NTSLR", "ring"},
    {COLL_ALLGATHER, "NTSLR_NB", "ring"},
    {COLL_ALLGATHER, "2dmesh", NONE("an allgather in the rows of a square, then in its columns")},
    {COLL_ALLGATHER, "3dmesh", NONE("an allgather along each side of a cuboid")},
    {COLL_ALLGATHER, "loosely_lr", NONE("a ring of the nodes, and an exchange in each node at the same time")},
    {COLL_ALLGATHER, "pair", NONE("a rank sends its block to rank xor i, for i = 1, 2 .. p-1")},
    {COLL_ALLGATHER, "rhv", NONE("recursive doubling that begins with the farthest peer")},
    {COLL_ALLGATHER, "ring", NONE("a rank sends its block to rank + i, for i = 1, 2 .. p-1")},
    {COLL_ALLGATHER, "SMP_NTS", NONE("an exchange in each node, a ring of the leaders, chains in each node")},
    {COLL_ALLGATHER, "smp_simple", NONE("an exchange in each node, one of the leaders, a broadcast in each node")},
    {COLL_ALLGATHER, "mvapich2_smp",
     NONE("a gather in each node, an allgather of the leaders, a broadcast in each node")},

    {COLL_ALLGATHERV, "ompi_bruck", "bruck"},
    {COLL_ALLGATHERV, "GB", "linear", .with = {"bcast:flattree"}, ROOT_SENDS},
    {COLL_ALLGATHERV, "ompi_neighborexchange", "neighbor_exchange"},
    {COLL_ALLGATHERV, "mpich_rdb", "recursive_doubling_any"},
    {COLL_ALLGATHERV, "mpich_ring", "ring"},
    {COLL_ALLGATHERV, "pair", NONE("a rank sends its block to rank xor i, for i = 1, 2 .. p-1")},
    {COLL_ALLGATHERV, "ring", NONE("a rank sends its block to rank + i, for i = 1, 2 .. p-1")},

    {COLL_ALLREDUCE, "rab_rdb", "rabenseifner", CUT(CUT_POW2)},
    {COLL_ALLREDUCE, "mvapich2_rs", "rabenseifner", CUT(CUT_POW2)},
    {COLL_ALLREDUCE, "rab", "rabenseifner"},
    {COLL_ALLREDUCE, "rdb", "recursive_doubling"},
    {COLL_ALLREDUCE, "redbcast", "reduce_bcast", .with = {"reduce:binomial", "bcast:binomial_tree"}, .order = true,
     .difference = "in SimGrid a rank reduces its children's vectors in another order"},
    {COLL_ALLREDUCE, "lr", "ring", .cut = CUT_RANKS,
     .difference = "p does not divide the elements, and SimGrid reduces the remainder in an allreduce of its own"},
    {COLL_ALLREDUCE, "ompi_ring_segmented", "segmented_ring"},
    {COLL_ALLREDUCE, "smp_rdb", "smp", .nodes = true},
    {COLL_ALLREDUCE, "smp_binomial", "smp", .nodes = true},
    {COLL_ALLREDUCE, "smp_rsag_lr", "smp", .nodes = true, CUT(CUT_RANKS)},
    {COLL_ALLREDUCE, "smp_rsag", "smp", .nodes = true, CUT(CUT_RANKS)},
    {COLL_ALLREDUCE, "smp_rsag_rab", "smp", .nodes = true, .pow2 = true, CUT(CUT_RANKS)},
    {COLL_ALLREDUCE, "rab1", NONE("recursive halving, then the allgather that SimGrid has selected")},
    {COLL_ALLREDUCE, "rab2", NONE("an alltoall, local reductions, then the allgather that SimGrid has selected")},
    {COLL_ALLREDUCE, "smp_binomial_pipeline", NONE("smp_binomial in segments of 4096 elements")},
    {COLL_ALLREDUCE, "mvapich2_two_level", NONE("smp, with parts from the tables of MVAPICH2")},

    {COLL_ALLTOALL, "bruck", "bruck"},
    {COLL_ALLTOALL, "basic_linear", "linear", ALL_AT_ONCE},
    {COLL_ALLTOALL, "mvapich2_scatter_dest", "linear_sync", .differs = true,
     .difference = "in SimGrid four sends at a time share a port, and a rank sends to itself as well"},
    {COLL_ALLTOALL, "ring", "pairwise"},
    {COLL_ALLTOALL, "2dmesh", NONE("an alltoall in the rows of a square, then in its columns")},
    {COLL_ALLTOALL, "3dmesh", NONE("an alltoall along each side of a cuboid")},
    {COLL_ALLTOALL, "pair", "pairwise_xor", .pow2 = true},
    {COLL_ALLTOALL, "pair_rma", NONE("one-sided puts")},
    {COLL_ALLTOALL, "pair_light_barrier", NONE("pair, with a byte to and from the next partner before each step")},
    {COLL_ALLTOALL, "pair_mpi_barrier", NONE("pair, with a barrier before each step")},
    {COLL_ALLTOALL, "pair_one_barrier", NONE("pair after one barrier")},
    {COLL_ALLTOALL, "rdb", NONE("recursive doubling with the whole send buffers of all ranks")},
    {COLL_ALLTOALL, "ring_light_barrier", NONE("ring, with a byte to the next partner before each step")},
    {COLL_ALLTOALL, "ring_mpi_barrier", NONE("ring, with a barrier before each step")},
    {COLL_ALLTOALL, "ring_one_barrier", NONE("ring after one barrier")},

    {COLL_ALLTOALLV, "ompi_basic_linear", "linear", ALL_AT_ONCE},
    {COLL_ALLTOALLV, "ring", "pairwise"},
    {COLL_ALLTOALLV, "bruck", NONE("four messages at a time, in spite of its name")},
    {COLL_ALLTOALLV, "pair", NONE("an exchange with rank xor i, for i = 1, 2 .. p-1")},
    {COLL_ALLTOALLV, "pair_light_barrier", NONE("pair, with a byte to and from the next partner before each step")},
    {COLL_ALLTOALLV, "pair_mpi_barrier", NONE("pair, with a barrier before each step")},
    {COLL_ALLTOALLV, "pair_one_barrier", NONE("pair after one barrier")},
    {COLL_ALLTOALLV, "ring_light_barrier", NONE("ring, with a byte to the next partner before each step")},
    {COLL_ALLTOALLV, "ring_mpi_barrier", NONE("ring, with a barrier before each step")},
    {COLL_ALLTOALLV, "ring_one_barrier", NONE("ring after one barrier")},

    {COLL_BARRIER, "ompi_bruck", "dissemination"},
    {COLL_BARRIER, "ompi_doublering", "double_ring"},
    {COLL_BARRIER, "ompi_basic_linear", "linear", ROOT_SENDS},
    {COLL_BARRIER, "ompi_recursivedoubling", "recursive_doubling"},
    {COLL_BARRIER, "mvapich2_pair", "recursive_doubling"},
    {COLL_BARRIER, "mpich_smp", "smp", .nodes = true},
    {COLL_BARRIER, "ompi_tree", "tree"},
    {COLL_BARRIER, "ompi_two_procs", "two_procs"},

    {COLL_BCAST, "binomial_tree", "binomial_far"},
    {COLL_BCAST, "mvapich2_knomial_intra_node", "knomial", SHARES("a rank sends to all its children at once")},
    {COLL_BCAST, "flattree", "linear", ROOT_SENDS},
    {COLL_BCAST, "ompi_pipeline", "pipeline", .rule = bcast_pipeline_rule},
    {COLL_BCAST, "NTSL", "pipeline", SHARES("a rank sends all segments at once")},
    {COLL_BCAST, "NTSL_Isend", "pipeline", SHARES("a rank sends all segments at once")},
    {COLL_BCAST, "scatter_rdb_allgather", "scatter_rd_allgather", CUT(CUT_RANKS)},
    {COLL_BCAST, "scatter_LR_allgather", "scatter_ring_allgather", CUT(CUT_RANKS)},
    {COLL_BCAST, "SMP_binomial", "smp", .nodes = true},
    {COLL_BCAST, "ompi_split_bintree", "split_bintree", .rule = split_bintree_rule},
    {COLL_BCAST, "arrival_pattern_aware", NONE("an order that depends on which ranks have arrived")},
    {COLL_BCAST, "arrival_pattern_aware_wait", NONE("an order that depends on which ranks have arrived")},
    {COLL_BCAST, "arrival_scatter", NONE("an order that depends on which ranks have arrived")},
    {COLL_BCAST, "flattree_pipeline", NONE("the flat tree, segment by segment")},
    {COLL_BCAST, "NTSB", NONE("a binary tree whose ranks are numbered row by row; no tree here is")},
    {COLL_BCAST, "SMP_binary", NONE("smp in segments of 8 KiB, over binary trees numbered row by row")},
    {COLL_BCAST, "SMP_linear", NONE("smp in segments of 8 KiB, over chains; it never ends with one rank on each host")},
    {COLL_BCAST, "mvapich2_inter_node", NONE("smp, with parts from the tables of MVAPICH2")},
    {COLL_BCAST, "mvapich2_intra_node", NONE("an algorithm from the tables of MVAPICH2")},

    {COLL_GATHER, "ompi_binomial", "binomial"},
    {COLL_GATHER, "ompi_basic_linear", "linear"},
    {COLL_GATHER, "ompi_linear_sync", "linear_sync", .rule = first_segment_rule,
     SHARES("the root receives a rank's second segment and the next rank's first at the same time")},
    {COLL_GATHER, "mvapich2_two_level", NONE("a gather in each node, then one among the leaders")},

    {COLL_GATHERV, "default", "linear", SHARES("the root receives from all at once")},

    {COLL_REDUCE, "ompi_binary", "binary", TWO_CHILDREN},
    {COLL_REDUCE, "ompi_binomial", "binomial", .rule = reduce_binomial_rule, TWO_CHILDREN},
    {COLL_REDUCE, "binomial", "binomial_blocking"},
    {COLL_REDUCE, "ompi_chain", "chain", .rule = half_chains, TWO_CHILDREN},
    {COLL_REDUCE, "ompi_in_order_binary", "in_order_binary", TWO_CHILDREN},
    {COLL_REDUCE, "mvapich2_knomial", "knomial", .order = true,
     SHARES("a rank receives from all its children at once, and reduces them in another order")},
    {COLL_REDUCE, "ompi_basic_linear", "linear"},
    {COLL_REDUCE, "flat_tree", "linear"},
    {COLL_REDUCE, "ompi_pipeline", "pipeline", .rule = reduce_pipeline_rule},
    {COLL_REDUCE, "NTSL", "pipeline", SHARES("a rank sends all segments at once")},
    {COLL_REDUCE, "scatter_gather", "redscat_gather", CUT(CUT_POW2)},
    {COLL_REDUCE, "rab", "redscat_gather"},
    {COLL_REDUCE, "arrival_pattern_aware", NONE("an order that depends on which ranks have arrived")},
    {COLL_REDUCE, "mvapich2_two_level", NONE("smp, with parts from the tables of MVAPICH2")},

// clang-format off
#define REDUCE_SCATTERS(collective)                                                                                    \
    {collective, "mpich_noncomm", "mirrored", .pow2 = true},                                                            \
    {collective, "mpich_pair", "pairwise"},                                                                            \
    {collective, "mpich_rdb", "recursive_doubling"},                                                                   \
    {collective, "ompi_ring", "ring"}
    REDUCE_SCATTERS(COLL_REDUCE_SCATTER),
    {COLL_REDUCE_SCATTER, "ompi_butterfly", "butterfly"},
    {COLL_REDUCE_SCATTER, "ompi_basic_recursivehalving", "recursive_halving"},
    REDUCE_SCATTERS(COLL_REDUCE_SCATTER_BLOCK),
    {COLL_REDUCE_SCATTER_BLOCK, "ompi_butterfly", "butterfly", .differs = true,
     .difference = "SimGrid exchanges blocks at the end; Open MPI and we permute them before, if p is a power of two"},
    {COLL_REDUCE_SCATTER_BLOCK, "ompi_basic_recursivehalving", "recursive_halving"},
    // clang-format on

    {COLL_SCATTER, "ompi_binomial", "binomial", .differs = true,
     .difference = "SimGrid sends the smallest subtree first; here the largest is first"},
    {COLL_SCATTER, "ompi_basic_linear", "linear"},
    {COLL_SCATTER, "ompi_linear_nb", "linear_nb", ROOT_SENDS},
    {COLL_SCATTER, "mvapich2_two_level_binomial", NONE("a scatter to the leaders, then one in each node")},
    {COLL_SCATTER, "mvapich2_two_level_direct", NONE("a scatter to the leaders, then one in each node")},

    {COLL_SCATTERV, "default", "linear", ROOT_SENDS},
};
const int n_simgrid_twins = G_N_ELEMENTS(simgrid_twins);

// ---- Queries -------------------------------------------------------------------------------------------------------

const SimgridTwin *simgrid_twin(const CollAlgorithm *a)
{
    const bool named = g_str_has_prefix(a->name, "smpi:");
    const char *wanted = named ? a->name + strlen("smpi:") : a->name;
    for (int i = 0; i < n_simgrid_twins; i++) {
        const SimgridTwin *t = &simgrid_twins[i];
        const char *name = named ? t->name : t->algorithm;
        if (name && t->collective == a->collective && strcmp(name, wanted) == 0)
            return t;
    }
    return NULL;
}

char **simgrid_twin_options(const SimgridTwin *t)
{
    // SimGrid's reduce_scatter_block calls its reduce_scatter, with equal blocks.
    const Collective chosen = t->collective == COLL_REDUCE_SCATTER_BLOCK ? COLL_REDUCE_SCATTER : t->collective;
    g_autoptr(GStrvBuilder) all = g_strv_builder_new();
    if (strcmp(t->name, "default") != 0) {
        g_autofree char *option = g_strdup_printf("--cfg=smpi/%s:%s", collectives[chosen].name, t->name);
        g_strv_builder_add(all, option);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(t->with) && t->with[i]; i++) {
        g_autofree char *option = g_strconcat("--cfg=smpi/", t->with[i], NULL);
        g_strv_builder_add(all, option);
    }
    return g_strv_builder_end(all);
}

CollParams simgrid_twin_params(const SimgridTwin *t, int p, size_t m)
{
    g_autofree char *alias = g_strconcat("smpi:", t->name, NULL);
    CollParams par = algorithm_defaults(algorithm_find(t->collective, alias));
    if (t->rule)
        t->rule(p, m, &par);
    return par;
}

static bool is_cut_alike(const SimgridTwin *t, size_t p, size_t elements)
{
    switch (t->cut) {
    case CUT_RANKS:
        return elements % p == 0;
    case CUT_POW2:
        return elements % (size_t)pow2_floor((int)p) == 0 && elements >= p;
    case CUT_FILLED:
        return elements >= p;
    default:
        return true;
    }
}

bool simgrid_twin_equal(const SimgridTwin *t, int p, int per_node, size_t elements, bool eager, bool reduces)
{
    if (t->differs || (t->shares && !eager) || (t->pow2 && !is_pow2(p)))
        return false;
    if (t->order && reduces)
        return false;
    if (t->nodes && (per_node < 2 || p % per_node != 0))
        return false;
    return is_cut_alike(t, (size_t)p, elements);
}
