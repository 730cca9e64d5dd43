#include "registry/coverage.h"
#include <glib.h>

const char *const cover_names[] = {"Open MPI", "MPICH", "documents"};

#define OMPI(collective, id, name)                                                                                     \
    {                                                                                                                  \
        COVER_OMPI, collective, "ompi:" #id, name, NULL                                                                \
    }
#define LATER(collective, id, name)                                                                                    \
    {                                                                                                                  \
        COVER_OMPI, collective, "ompi-main:" #id, name, NULL                                                           \
    } // an algorithm that Open MPI has on its main branch, but not in 4.1
#define MPICH(collective, name)                                                                                        \
    {                                                                                                                  \
        COVER_MPICH, collective, "mpich:" name, name, NULL                                                             \
    }
#define NO_MPICH(collective, name, reason)                                                                             \
    {                                                                                                                  \
        COVER_MPICH, collective, "mpich:" name, name, reason                                                           \
    }
#define CH4(collective, name)                                                                                          \
    {                                                                                                                  \
        COVER_MPICH, collective, "mpich-ch4:" name, "ch4 " name, NULL                                                  \
    } // a composition of the device ch4, which MPICH asks first
#define NO_CH4(collective, name, reason)                                                                               \
    {                                                                                                                  \
        COVER_MPICH, collective, "mpich-ch4:" name, "ch4 " name, reason                                                \
    }
#define DOCUMENT(number, collective, entry)                                                                            \
    {                                                                                                                  \
        COVER_DOCUMENTS, collective, #number, entry, NULL                                                              \
    }
#define NO_DOCUMENT(number, collective, name, reason)                                                                  \
    {                                                                                                                  \
        COVER_DOCUMENTS, collective, #number, name, reason                                                             \
    }

const CoverItem cover_items[] = {
    OMPI(COLL_ALLGATHER, 1, "linear"),
    OMPI(COLL_ALLGATHER, 2, "bruck"),
    OMPI(COLL_ALLGATHER, 3, "recursive_doubling"),
    OMPI(COLL_ALLGATHER, 4, "ring"),
    OMPI(COLL_ALLGATHER, 5, "neighbor"),
    OMPI(COLL_ALLGATHER, 6, "two_proc"),
    LATER(COLL_ALLGATHER, 2, "bruck-k-fanout"),
    LATER(COLL_ALLGATHER, 7, "sparbit"),
    LATER(COLL_ALLGATHER, 8, "direct-messaging"),
    OMPI(COLL_ALLGATHERV, 1, "default"),
    OMPI(COLL_ALLGATHERV, 2, "bruck"),
    OMPI(COLL_ALLGATHERV, 3, "ring"),
    OMPI(COLL_ALLGATHERV, 4, "neighbor"),
    OMPI(COLL_ALLGATHERV, 5, "two_proc"),
    LATER(COLL_ALLGATHERV, 6, "sparbit"),
    OMPI(COLL_ALLREDUCE, 1, "basic_linear"),
    OMPI(COLL_ALLREDUCE, 2, "nonoverlapping"),
    OMPI(COLL_ALLREDUCE, 3, "recursive_doubling"),
    OMPI(COLL_ALLREDUCE, 4, "ring"),
    OMPI(COLL_ALLREDUCE, 5, "segmented_ring"),
    OMPI(COLL_ALLREDUCE, 6, "rabenseifner"),
    LATER(COLL_ALLREDUCE, 7, "allgather_reduce"),
    OMPI(COLL_ALLTOALL, 1, "linear"),
    OMPI(COLL_ALLTOALL, 2, "pairwise"),
    OMPI(COLL_ALLTOALL, 3, "modified_bruck"),
    OMPI(COLL_ALLTOALL, 4, "linear_sync"),
    OMPI(COLL_ALLTOALL, 5, "two_proc"),
    OMPI(COLL_ALLTOALLV, 1, "basic_linear"),
    OMPI(COLL_ALLTOALLV, 2, "pairwise"),
    OMPI(COLL_BARRIER, 1, "linear"),
    OMPI(COLL_BARRIER, 2, "double_ring"),
    OMPI(COLL_BARRIER, 3, "recursive_doubling"),
    OMPI(COLL_BARRIER, 4, "bruck"),
    OMPI(COLL_BARRIER, 5, "two_proc"),
    OMPI(COLL_BARRIER, 6, "tree"),
    OMPI(COLL_BCAST, 1, "basic_linear"),
    OMPI(COLL_BCAST, 2, "chain"),
    OMPI(COLL_BCAST, 3, "pipeline"),
    OMPI(COLL_BCAST, 4, "split_binary_tree"),
    OMPI(COLL_BCAST, 5, "binary_tree"),
    OMPI(COLL_BCAST, 6, "binomial"),
    OMPI(COLL_BCAST, 7, "knomial"),
    OMPI(COLL_BCAST, 8, "scatter_allgather"),
    OMPI(COLL_BCAST, 9, "scatter_allgather_ring"),
    OMPI(COLL_EXSCAN, 1, "linear"),
    OMPI(COLL_EXSCAN, 2, "recursive_doubling"),
    OMPI(COLL_GATHER, 1, "basic_linear"),
    OMPI(COLL_GATHER, 2, "binomial"),
    OMPI(COLL_GATHER, 3, "linear_sync"),
    OMPI(COLL_REDUCE, 1, "linear"),
    OMPI(COLL_REDUCE, 2, "chain"),
    OMPI(COLL_REDUCE, 3, "pipeline"),
    OMPI(COLL_REDUCE, 4, "binary"),
    OMPI(COLL_REDUCE, 5, "binomial"),
    OMPI(COLL_REDUCE, 6, "in-order_binary"),
    OMPI(COLL_REDUCE, 7, "rabenseifner"),
    LATER(COLL_REDUCE, 8, "knomial"),
    OMPI(COLL_REDUCE_SCATTER, 1, "non-overlapping"),
    OMPI(COLL_REDUCE_SCATTER, 2, "recursive_halving"),
    OMPI(COLL_REDUCE_SCATTER, 3, "ring"),
    OMPI(COLL_REDUCE_SCATTER, 4, "butterfly"),
    OMPI(COLL_REDUCE_SCATTER_BLOCK, 1, "basic_linear"),
    OMPI(COLL_REDUCE_SCATTER_BLOCK, 2, "recursive_doubling"),
    OMPI(COLL_REDUCE_SCATTER_BLOCK, 3, "recursive_halving"),
    OMPI(COLL_REDUCE_SCATTER_BLOCK, 4, "butterfly"),
    OMPI(COLL_SCAN, 1, "linear"),
    OMPI(COLL_SCAN, 2, "recursive_doubling"),
    OMPI(COLL_SCATTER, 1, "basic_linear"),
    OMPI(COLL_SCATTER, 2, "binomial"),
    OMPI(COLL_SCATTER, 3, "linear_nb"),

    MPICH(COLL_ALLGATHER, "brucks"),
    MPICH(COLL_ALLGATHER, "k_brucks"),
    MPICH(COLL_ALLGATHER, "recursive_doubling"),
    MPICH(COLL_ALLGATHER, "ring"),
    MPICH(COLL_ALLGATHER, "recexch_doubling"),
    MPICH(COLL_ALLGATHER, "recexch_halving"),
    MPICH(COLL_ALLGATHER, "circ_graph"),
    MPICH(COLL_ALLGATHERV, "brucks"),
    MPICH(COLL_ALLGATHERV, "recursive_doubling"),
    MPICH(COLL_ALLGATHERV, "ring"),
    MPICH(COLL_ALLREDUCE, "recursive_doubling"),
    MPICH(COLL_ALLREDUCE, "reduce_scatter_allgather"),
    MPICH(COLL_ALLREDUCE, "smp"),
    MPICH(COLL_ALLREDUCE, "tree"),
    MPICH(COLL_ALLREDUCE, "recexch"),
    MPICH(COLL_ALLREDUCE, "ring"),
    MPICH(COLL_ALLREDUCE, "k_reduce_scatter_allgather"),
    MPICH(COLL_ALLREDUCE, "recursive_multiplying"),
    NO_MPICH(COLL_ALLREDUCE, "ccl", "hands the call to a GPU library"),
    MPICH(COLL_ALLTOALL, "brucks"),
    MPICH(COLL_ALLTOALL, "k_brucks"),
    MPICH(COLL_ALLTOALL, "pairwise"),
    NO_MPICH(COLL_ALLTOALL, "pairwise_sendrecv_replace", "for MPI_IN_PLACE alone, which no alltoall here offers"),
    MPICH(COLL_ALLTOALL, "scattered"),
    NO_MPICH(COLL_ALLTOALLV, "pairwise_sendrecv_replace", "for MPI_IN_PLACE alone, which no alltoallv here offers"),
    MPICH(COLL_ALLTOALLV, "scattered"),
    MPICH(COLL_BARRIER, "dissemination"),
    MPICH(COLL_BARRIER, "k_dissemination"),
    MPICH(COLL_BARRIER, "recexch"),
    MPICH(COLL_BARRIER, "smp"),
    MPICH(COLL_BCAST, "binomial"),
    MPICH(COLL_BCAST, "scatter_recursive_doubling_allgather"),
    MPICH(COLL_BCAST, "scatter_ring_allgather"),
    MPICH(COLL_BCAST, "smp"),
    MPICH(COLL_BCAST, "tree"),
    MPICH(COLL_BCAST, "pipelined_tree"),
    MPICH(COLL_BCAST, "circ_graph"),
    MPICH(COLL_EXSCAN, "recursive_doubling"),
    MPICH(COLL_GATHER, "binomial"),
    MPICH(COLL_GATHERV, "linear"),
    MPICH(COLL_REDUCE, "binomial"),
    MPICH(COLL_REDUCE, "reduce_scatter_gather"),
    MPICH(COLL_REDUCE, "smp"),
    MPICH(COLL_REDUCE, "circ_graph"),
    MPICH(COLL_REDUCE_SCATTER, "noncommutative"),
    MPICH(COLL_REDUCE_SCATTER, "pairwise"),
    MPICH(COLL_REDUCE_SCATTER, "recursive_doubling"),
    MPICH(COLL_REDUCE_SCATTER, "recursive_halving"),
    MPICH(COLL_REDUCE_SCATTER_BLOCK, "noncommutative"),
    MPICH(COLL_REDUCE_SCATTER_BLOCK, "pairwise"),
    MPICH(COLL_REDUCE_SCATTER_BLOCK, "recursive_doubling"),
    MPICH(COLL_REDUCE_SCATTER_BLOCK, "recursive_halving"),
    MPICH(COLL_SCAN, "recursive_doubling"),
    MPICH(COLL_SCAN, "smp"),
    MPICH(COLL_SCATTER, "binomial"),
    MPICH(COLL_SCATTERV, "linear"),
    CH4(COLL_ALLREDUCE, "alpha"),
    NO_CH4(COLL_ALLREDUCE, "beta", "the algorithm of all ranks"),
    NO_CH4(COLL_ALLREDUCE, "gamma", "the algorithm of all ranks, for one node"),
    CH4(COLL_BARRIER, "alpha"),
    NO_CH4(COLL_BARRIER, "beta", "the algorithm of all ranks"),
    CH4(COLL_BCAST, "alpha"),
    CH4(COLL_BCAST, "beta"),
    NO_CH4(COLL_BCAST, "gamma", "the algorithm of all ranks"),
    CH4(COLL_REDUCE, "alpha"),
    CH4(COLL_REDUCE, "beta"),
    NO_CH4(COLL_REDUCE, "gamma", "the algorithm of all ranks"),

    // 000: a report on Open MPI's algorithms
    DOCUMENT(000, COLL_ALLGATHER, "direct"),
    DOCUMENT(000, COLL_ALLGATHER, "k_bruck"),
    DOCUMENT(000, COLL_ALLGATHER, "linear"),
    DOCUMENT(000, COLL_ALLGATHER, "neighbor_exchange"),
    DOCUMENT(000, COLL_ALLGATHER, "recursive_doubling"),
    DOCUMENT(000, COLL_ALLGATHER, "ring"),
    DOCUMENT(000, COLL_ALLGATHER, "sparbit"),
    DOCUMENT(000, COLL_ALLGATHER, "two_procs"),
    DOCUMENT(000, COLL_BCAST, "bintree"),
    DOCUMENT(000, COLL_BCAST, "chain"),
    DOCUMENT(000, COLL_BCAST, "generic"),
    DOCUMENT(000, COLL_BCAST, "knomial"),
    DOCUMENT(000, COLL_BCAST, "linear"),
    DOCUMENT(000, COLL_BCAST, "pipeline"),
    DOCUMENT(000, COLL_BCAST, "scatter_rd_allgather"),
    DOCUMENT(000, COLL_BCAST, "scatter_ring_allgather"),
    DOCUMENT(000, COLL_BCAST, "split_bintree"),
    DOCUMENT(000, COLL_GATHER, "binomial"),
    DOCUMENT(000, COLL_GATHER, "bintree_aggregated"),
    DOCUMENT(000, COLL_GATHER, "chain"),
    DOCUMENT(000, COLL_GATHER, "linear"),
    DOCUMENT(000, COLL_GATHER, "linear_sync"),
    DOCUMENT(000, COLL_GATHER, "pipeline"),
    DOCUMENT(000, COLL_REDUCE, "binary"),
    DOCUMENT(000, COLL_REDUCE, "binomial"),
    DOCUMENT(000, COLL_REDUCE, "chain"),
    DOCUMENT(000, COLL_REDUCE, "generic"),
    DOCUMENT(000, COLL_REDUCE, "in_order_binary"),
    DOCUMENT(000, COLL_REDUCE, "knomial"),
    DOCUMENT(000, COLL_REDUCE, "linear"),
    DOCUMENT(000, COLL_REDUCE, "pipeline"),
    DOCUMENT(000, COLL_REDUCE, "redscat_gather"),
    DOCUMENT(000, COLL_SCATTER, "binomial"),
    DOCUMENT(000, COLL_SCATTER, "bintree_aggregated"),
    DOCUMENT(000, COLL_SCATTER, "chain_aggregated"),
    DOCUMENT(000, COLL_SCATTER, "chain_blockwise"),
    DOCUMENT(000, COLL_SCATTER, "linear"),
    DOCUMENT(000, COLL_SCATTER, "linear_nb"),
    DOCUMENT(000, COLL_SCATTER, "pipeline"),
    NO_DOCUMENT(000, COLL_SCATTER, "topo", "named, not described; no library has it"),
    // 001: a survey of allreduce and what it is made of
    DOCUMENT(001, COLL_ALLGATHER, "bruck"),
    DOCUMENT(001, COLL_ALLGATHER, "recursive_doubling"),
    DOCUMENT(001, COLL_ALLGATHER, "ring"),
    DOCUMENT(001, COLL_ALLREDUCE, "binary_blocks"),
    DOCUMENT(001, COLL_ALLREDUCE, "linear"),
    DOCUMENT(001, COLL_ALLREDUCE, "rabenseifner"),
    DOCUMENT(001, COLL_ALLREDUCE, "recursive_doubling"),
    DOCUMENT(001, COLL_ALLREDUCE, "reduce_bcast"),
    DOCUMENT(001, COLL_ALLREDUCE, "ring"),
    DOCUMENT(001, COLL_ALLREDUCE, "segmented_ring"),
    DOCUMENT(001, COLL_BCAST, "binomial_far"),
    DOCUMENT(001, COLL_BCAST, "scatter_rd_allgather"),
    DOCUMENT(001, COLL_BCAST, "scatter_ring_allgather"),
    DOCUMENT(001, COLL_REDUCE, "binomial_blocking"),
    DOCUMENT(001, COLL_REDUCE, "redscat_gather"),
    DOCUMENT(001, COLL_REDUCE, "ring"),
    DOCUMENT(001, COLL_REDUCE_SCATTER, "nonoverlapping"),
    DOCUMENT(001, COLL_REDUCE_SCATTER, "pairwise"),
    DOCUMENT(001, COLL_REDUCE_SCATTER, "recursive_doubling"),
    DOCUMENT(001, COLL_REDUCE_SCATTER, "recursive_halving"),
    // 002: Gatherv by a binomial tree with message chains
    DOCUMENT(002, COLL_GATHERV, "binomial"),
    DOCUMENT(002, COLL_GATHERV, "binomial_chains"),
    DOCUMENT(002, COLL_GATHERV, "linear"),
    // 003: shared memory
    DOCUMENT(003, COLL_ALLREDUCE, "shm_flat"),
    DOCUMENT(003, COLL_ALLREDUCE, "shm_knomial"),
    DOCUMENT(003, COLL_ALLREDUCE, "shm_sets"),
    DOCUMENT(003, COLL_BCAST, "shm_flat"),
    DOCUMENT(003, COLL_BCAST, "shm_sets"),
    DOCUMENT(003, COLL_REDUCE, "shm_flat"),
    DOCUMENT(003, COLL_REDUCE, "shm_knomial"),
    DOCUMENT(003, COLL_REDUCE, "shm_sets"),
    // 004: tree and butterfly for any number of ranks
    DOCUMENT(004, COLL_ALLREDUCE, "butterfly_v1"),
    DOCUMENT(004, COLL_ALLREDUCE, "butterfly_v2"),
    DOCUMENT(004, COLL_ALLREDUCE, "tree_v1"),
    DOCUMENT(004, COLL_ALLREDUCE, "tree_v2"),
};
const int n_cover_items = G_N_ELEMENTS(cover_items);

const CollAlgorithm *cover_entry(const CoverItem *item)
{
    return algorithm_find(item->collective, item->cover == COVER_DOCUMENTS ? item->entry : item->name);
}
