#include "registry/coverage.h"
#include <glib.h>
#include <string.h>

const char *const cover_names[] = {"Open MPI", "MPICH", "UCC", "libnbc", "Intel", "documents"};

#define OMPI_IN(versions, collective, id, name, alias)                                                                 \
    {                                                                                                                  \
        COVER_OMPI, collective, alias, name, NULL, versions                                                            \
    }
// An algorithm of 4.1, 5 and the main branch; of 4.1 and 5 alone; of 5 and main; and of main alone.
#define OMPI(collective, id, name)    OMPI_IN(IN_41 | IN_5 | IN_MAIN, collective, id, name, "ompi:" #id)
#define EARLIER(collective, id, name) OMPI_IN(IN_41 | IN_5, collective, id, name, "ompi:" #id)
#define SINCE_5(collective, id, name) OMPI_IN(IN_5 | IN_MAIN, collective, id, name, "ompi-main:" #id)
#define LATER(collective, id, name)   OMPI_IN(IN_MAIN, collective, id, name, "ompi-main:" #id)
// A name of a library, which is the alias of an entry or has a reason why no entry sends the messages.
#define NAMED(cover, collective, alias, name, reason)                                                                  \
    {                                                                                                                  \
        cover, collective, alias, name, reason, 0                                                                      \
    }
#define MPICH(collective, name)            NAMED(COVER_MPICH, collective, "mpich:" name, NULL, NULL)
#define NO_MPICH(collective, name, reason) NAMED(COVER_MPICH, collective, "mpich:" name, NULL, reason)
// A composition of the device ch4, which MPICH asks first.
#define CH4(collective, name)            NAMED(COVER_MPICH, collective, "mpich-ch4:" name, NULL, NULL)
#define NO_CH4(collective, name, reason) NAMED(COVER_MPICH, collective, "mpich-ch4:" name, NULL, reason)
// UCC's names, from the files of its component tl/ucp, as of 2021 to 2026, which were read and not run. An entry has
// the name if its ranks send and receive the same messages in the same order, where UCC posts a round's sends before
// its receives.
#define UCC(collective, name)            NAMED(COVER_UCC, collective, "ucc:" name, NULL, NULL)
#define NO_UCC(collective, name, reason) NAMED(COVER_UCC, collective, "ucc:" name, NULL, reason)
// Reasons that several of UCC's algorithms have.
#define WRITES "writes into the memory of other ranks, and entries send messages"
#define RINGS  "two rings in opposite directions, each with half of every block; our ring is one"
// The names of libnbc, Open MPI's component for nonblocking collectives, that coll_libnbc_ibcast_algorithm and the like
// take. libnbc counts the ranks from the root in another way: it swaps the root with rank 0.
#define LIBNBC(collective, name) NAMED(COVER_LIBNBC, collective, "libnbc:" name, NULL, NULL)
// The numbers of Intel's I_MPI_ADJUST_BCAST and the like, with the names that Intel's references of 2018 to 2024 give
// them. The source is closed, so an entry has the number only if the name says what the algorithm sends.
#define INTEL(collective, id, name)            NAMED(COVER_INTEL, collective, "intel:" #id, name, NULL)
#define NO_INTEL(collective, id, name, reason) NAMED(COVER_INTEL, collective, "intel:" #id, name, name reason)
// What follows the name in several of these reasons.
#define CLOSED   ": the source is closed, and the name does not say what ranks send"
#define BY_NODES ": the source is closed, and the name does not say which part runs where"
// The numbers of the documents.
#define DOCUMENT(number, collective, entry)           NAMED(COVER_DOCUMENTS, collective, #number, entry, NULL)
#define NO_DOCUMENT(number, collective, name, reason) NAMED(COVER_DOCUMENTS, collective, #number, name, reason)

const CoverItem cover_items[] = {
    OMPI(COLL_ALLGATHER, 1, "linear"),
    EARLIER(COLL_ALLGATHER, 2, "bruck"),
    OMPI(COLL_ALLGATHER, 3, "recursive_doubling"),
    OMPI(COLL_ALLGATHER, 4, "ring"),
    OMPI(COLL_ALLGATHER, 5, "neighbor"),
    OMPI(COLL_ALLGATHER, 6, "two_proc"),
    LATER(COLL_ALLGATHER, 2, "bruck-k-fanout"),
    SINCE_5(COLL_ALLGATHER, 7, "sparbit"),
    LATER(COLL_ALLGATHER, 8, "direct-messaging"),
    OMPI(COLL_ALLGATHERV, 1, "default"),
    OMPI(COLL_ALLGATHERV, 2, "bruck"),
    OMPI(COLL_ALLGATHERV, 3, "ring"),
    OMPI(COLL_ALLGATHERV, 4, "neighbor"),
    OMPI(COLL_ALLGATHERV, 5, "two_proc"),
    SINCE_5(COLL_ALLGATHERV, 6, "sparbit"),
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
    MPICH(COLL_ALLREDUCE, "circ_graph"),
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
    CH4(COLL_ALLGATHER, "alpha"),
    NO_CH4(COLL_ALLGATHER, "beta", "the algorithm of all ranks"),
    CH4(COLL_ALLREDUCE, "alpha"),
    NO_CH4(COLL_ALLREDUCE, "beta", "the algorithm of all ranks"),
    NO_CH4(COLL_ALLREDUCE, "gamma", "the algorithm of all ranks, for one node"),
    CH4(COLL_ALLTOALL, "alpha"),
    NO_CH4(COLL_ALLTOALL, "beta", "the algorithm of all ranks"),
    CH4(COLL_BARRIER, "alpha"),
    NO_CH4(COLL_BARRIER, "beta", "the algorithm of all ranks"),
    CH4(COLL_BCAST, "alpha"),
    CH4(COLL_BCAST, "beta"),
    NO_CH4(COLL_BCAST, "gamma", "the algorithm of all ranks"),
    CH4(COLL_REDUCE, "alpha"),
    CH4(COLL_REDUCE, "beta"),
    NO_CH4(COLL_REDUCE, "gamma", "the algorithm of all ranks"),
    CH4(COLL_SCAN, "alpha"),
    NO_CH4(COLL_SCAN, "beta", "the algorithm of all ranks"),

    // What UCC calls reduce_scatter has equal blocks, and its reduce_scatterv has counts.
    UCC(COLL_ALLGATHER, "knomial"),
    UCC(COLL_ALLGATHER, "ring"),
    UCC(COLL_ALLGATHER, "neighbor"),
    UCC(COLL_ALLGATHER, "bruck"),
    UCC(COLL_ALLGATHER, "sparbit"),
    UCC(COLL_ALLGATHER, "linear"),
    UCC(COLL_ALLGATHERV, "knomial"),
    UCC(COLL_ALLGATHERV, "ring"),
    UCC(COLL_ALLREDUCE, "knomial"),
    UCC(COLL_ALLREDUCE, "sra_knomial"),
    NO_UCC(COLL_ALLREDUCE, "sliding_window", WRITES),
    UCC(COLL_ALLREDUCE, "dbt"),
    NO_UCC(COLL_ALLREDUCE, "ring", RINGS),
    NO_UCC(COLL_ALLTOALL, "pairwise", "posts several rounds at once, and our pairwise does one after the other"),
    UCC(COLL_ALLTOALL, "bruck"),
    NO_UCC(COLL_ALLTOALL, "onesided", WRITES),
    NO_UCC(COLL_ALLTOALLV, "pairwise", "posts several rounds at once, and our pairwise does one after the other"),
    UCC(COLL_ALLTOALLV, "hybrid"),
    NO_UCC(COLL_ALLTOALLV, "onesided", WRITES),
    UCC(COLL_BARRIER, "knomial"),
    UCC(COLL_BCAST, "knomial"),
    UCC(COLL_BCAST, "sag_knomial"),
    UCC(COLL_BCAST, "dbt"),
    UCC(COLL_GATHER, "knomial"),
    NO_UCC(COLL_GATHERV, "linear", "the root receives from the next rank on, and our linear in the order of the ranks"),
    UCC(COLL_REDUCE, "knomial"),
    UCC(COLL_REDUCE, "dbt"),
    UCC(COLL_REDUCE, "srg_knomial"),
    NO_UCC(COLL_REDUCE_SCATTER, "ring", RINGS),
    UCC(COLL_REDUCE_SCATTER_BLOCK, "knomial"),
    NO_UCC(COLL_REDUCE_SCATTER_BLOCK, "ring", RINGS),
    NO_UCC(COLL_SCATTERV, "linear", "the root sends to 16 ranks at a time, from the next rank on; our linear to all"),

    LIBNBC(COLL_ALLGATHER, "linear"),
    LIBNBC(COLL_ALLGATHER, "recursive_doubling"),
    LIBNBC(COLL_ALLREDUCE, "ring"),
    LIBNBC(COLL_ALLREDUCE, "binomial"),
    LIBNBC(COLL_ALLREDUCE, "rabenseifner"),
    LIBNBC(COLL_ALLREDUCE, "recursive_doubling"),
    LIBNBC(COLL_BCAST, "linear"),
    LIBNBC(COLL_BCAST, "binomial"),
    LIBNBC(COLL_BCAST, "chain"),
    LIBNBC(COLL_BCAST, "knomial"),
    LIBNBC(COLL_EXSCAN, "linear"),
    LIBNBC(COLL_EXSCAN, "recursive_doubling"),
    LIBNBC(COLL_REDUCE, "chain"),
    LIBNBC(COLL_REDUCE, "binomial"),
    LIBNBC(COLL_REDUCE, "rabenseifner"),
    LIBNBC(COLL_SCAN, "linear"),
    LIBNBC(COLL_SCAN, "recursive_doubling"),

    INTEL(COLL_ALLGATHER, 1, "Recursive doubling"),
    INTEL(COLL_ALLGATHER, 2, "Bruck's"),
    INTEL(COLL_ALLGATHER, 3, "Ring"),
    NO_INTEL(COLL_ALLGATHER, 4, "Topology aware Gatherv + Bcast", BY_NODES),
    NO_INTEL(COLL_ALLGATHER, 5, "Knomial", CLOSED),
    INTEL(COLL_ALLGATHERV, 1, "Recursive doubling"),
    INTEL(COLL_ALLGATHERV, 2, "Bruck's"),
    INTEL(COLL_ALLGATHERV, 3, "Ring"),
    NO_INTEL(COLL_ALLGATHERV, 4, "Topology aware Gatherv + Bcast", BY_NODES),
    INTEL(COLL_ALLREDUCE, 1, "Recursive doubling"),
    INTEL(COLL_ALLREDUCE, 2, "Rabenseifner's"),
    INTEL(COLL_ALLREDUCE, 3, "Reduce + Bcast"),
    NO_INTEL(COLL_ALLREDUCE, 4, "Topology aware Reduce + Bcast", BY_NODES),
    NO_INTEL(COLL_ALLREDUCE, 5, "Binomial gather + scatter", CLOSED),
    NO_INTEL(COLL_ALLREDUCE, 6, "Topology aware binomial gather + scatter", BY_NODES),
    NO_INTEL(COLL_ALLREDUCE, 7, "Shumilin's ring", CLOSED),
    INTEL(COLL_ALLREDUCE, 8, "Ring"),
    NO_INTEL(COLL_ALLREDUCE, 9, "Knomial", CLOSED),
    NO_INTEL(COLL_ALLREDUCE, 10, "Topology aware SHM-based flat", BY_NODES),
    NO_INTEL(COLL_ALLREDUCE, 11, "Topology aware SHM-based Knomial", BY_NODES),
    NO_INTEL(COLL_ALLREDUCE, 12, "Topology aware SHM-based Knary", BY_NODES),
    INTEL(COLL_ALLTOALL, 1, "Bruck's"),
    INTEL(COLL_ALLTOALL, 2, "Isend/Irecv + waitall"),
    INTEL(COLL_ALLTOALL, 3, "Pair wise exchange"),
    NO_INTEL(COLL_ALLTOALL, 4, "Plum's", CLOSED),
    INTEL(COLL_ALLTOALLV, 1, "Isend/Irecv + waitall"),
    NO_INTEL(COLL_ALLTOALLV, 2, "Plum's", CLOSED),
    INTEL(COLL_BARRIER, 1, "Dissemination"),
    INTEL(COLL_BARRIER, 2, "Recursive doubling"),
    NO_INTEL(COLL_BARRIER, 3, "Topology aware dissemination", BY_NODES),
    NO_INTEL(COLL_BARRIER, 4, "Topology aware recursive doubling", BY_NODES),
    INTEL(COLL_BARRIER, 5, "Binomial gather + scatter"),
    NO_INTEL(COLL_BARRIER, 6, "Topology aware binomial gather + scatter", BY_NODES),
    NO_INTEL(COLL_BARRIER, 7, "Topology aware SHM-based flat", BY_NODES),
    NO_INTEL(COLL_BARRIER, 8, "Topology aware SHM-based Knomial", BY_NODES),
    NO_INTEL(COLL_BARRIER, 9, "Topology aware SHM-based Knary", BY_NODES),
    INTEL(COLL_BCAST, 1, "Binomial"),
    INTEL(COLL_BCAST, 2, "Recursive doubling"),
    INTEL(COLL_BCAST, 3, "Ring"),
    NO_INTEL(COLL_BCAST, 4, "Topology aware binomial", BY_NODES),
    NO_INTEL(COLL_BCAST, 5, "Topology aware recursive doubling", BY_NODES),
    NO_INTEL(COLL_BCAST, 6, "Topology aware ring", BY_NODES),
    NO_INTEL(COLL_BCAST, 7, "Shumilin's", CLOSED),
    INTEL(COLL_BCAST, 8, "Knomial"),
    NO_INTEL(COLL_BCAST, 9, "Topology aware SHM-based flat", BY_NODES),
    NO_INTEL(COLL_BCAST, 10, "Topology aware SHM-based Knomial", BY_NODES),
    NO_INTEL(COLL_BCAST, 11, "Topology aware SHM-based Knary", BY_NODES),
    NO_INTEL(COLL_BCAST, 12, "NUMA aware SHM-based (SSE4.2)", BY_NODES),
    NO_INTEL(COLL_BCAST, 13, "NUMA aware SHM-based (AVX2)", BY_NODES),
    NO_INTEL(COLL_BCAST, 14, "NUMA aware SHM-based (AVX512)", BY_NODES),
    NO_INTEL(COLL_EXSCAN, 1, "Partial results gathering", CLOSED),
    NO_INTEL(COLL_EXSCAN, 2, "Partial results gathering regarding layout of processes", BY_NODES),
    INTEL(COLL_GATHER, 1, "Binomial"),
    NO_INTEL(COLL_GATHER, 2, "Topology aware binomial", BY_NODES),
    NO_INTEL(COLL_GATHER, 3, "Shumilin's", CLOSED),
    NO_INTEL(COLL_GATHER, 4, "Binomial with segmentation", CLOSED),
    INTEL(COLL_GATHERV, 1, "Linear"),
    NO_INTEL(COLL_GATHERV, 2, "Topology aware linear", BY_NODES),
    NO_INTEL(COLL_GATHERV, 3, "Knomial", CLOSED),
    NO_INTEL(COLL_REDUCE, 1, "Shumilin's", CLOSED),
    INTEL(COLL_REDUCE, 2, "Binomial"),
    NO_INTEL(COLL_REDUCE, 3, "Topology aware Shumilin's", BY_NODES),
    NO_INTEL(COLL_REDUCE, 4, "Topology aware binomial", BY_NODES),
    INTEL(COLL_REDUCE, 5, "Rabenseifner's"),
    NO_INTEL(COLL_REDUCE, 6, "Topology aware Rabenseifner's", BY_NODES),
    INTEL(COLL_REDUCE, 7, "Knomial"),
    NO_INTEL(COLL_REDUCE, 8, "Topology aware SHM-based flat", BY_NODES),
    NO_INTEL(COLL_REDUCE, 9, "Topology aware SHM-based Knomial", BY_NODES),
    NO_INTEL(COLL_REDUCE, 10, "Topology aware SHM-based Knary", BY_NODES),
    NO_INTEL(COLL_REDUCE, 11, "Topology aware SHM-based binomial", BY_NODES),
    INTEL(COLL_REDUCE_SCATTER, 1, "Recursive halving"),
    INTEL(COLL_REDUCE_SCATTER, 2, "Pair wise exchange"),
    INTEL(COLL_REDUCE_SCATTER, 3, "Recursive doubling"),
    INTEL(COLL_REDUCE_SCATTER, 4, "Reduce + Scatterv"),
    NO_INTEL(COLL_REDUCE_SCATTER, 5, "Topology aware Reduce + Scatterv", BY_NODES),
    NO_INTEL(COLL_SCAN, 1, "Partial results gathering", CLOSED),
    NO_INTEL(COLL_SCAN, 2, "Topology aware partial results gathering", BY_NODES),
    INTEL(COLL_SCATTER, 1, "Binomial"),
    NO_INTEL(COLL_SCATTER, 2, "Topology aware binomial", BY_NODES),
    NO_INTEL(COLL_SCATTER, 3, "Shumilin's", CLOSED),
    INTEL(COLL_SCATTERV, 1, "Linear"),
    NO_INTEL(COLL_SCATTERV, 2, "Topology aware linear", BY_NODES),

    // 000: a report on Open MPI's algorithms
    DOCUMENT(000, COLL_ALLGATHER, "bruck"),
    DOCUMENT(000, COLL_ALLGATHER, "direct"),
    DOCUMENT(000, COLL_ALLGATHER, "k_bruck"),
    DOCUMENT(000, COLL_ALLGATHER, "linear"),
    DOCUMENT(000, COLL_ALLGATHER, "neighbor_exchange"),
    DOCUMENT(000, COLL_ALLGATHER, "recursive_doubling"),
    DOCUMENT(000, COLL_ALLGATHER, "ring"),
    DOCUMENT(000, COLL_ALLGATHER, "sparbit"),
    DOCUMENT(000, COLL_ALLGATHER, "two_procs"),
    DOCUMENT(000, COLL_BCAST, "binomial"),
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
    DOCUMENT(000, COLL_REDUCE, "binomial_blocking"),
    DOCUMENT(000, COLL_REDUCE, "chain"),
    DOCUMENT(000, COLL_REDUCE, "generic"),
    DOCUMENT(000, COLL_REDUCE, "in_order_binary"),
    DOCUMENT(000, COLL_REDUCE, "knomial"),
    DOCUMENT(000, COLL_REDUCE, "linear"),
    DOCUMENT(000, COLL_REDUCE, "pipeline"),
    DOCUMENT(000, COLL_REDUCE, "redscat_gather"),
    NO_DOCUMENT(000, COLL_GATHER, "generic", "named, not described; the trees that it could take are entries"),
    NO_DOCUMENT(000, COLL_SCATTER, "generic", "named, not described; the trees that it could take are entries"),
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
    DOCUMENT(001, COLL_ALLREDUCE, "smp"),
    NO_DOCUMENT(001, COLL_ALLREDUCE, "nb", "named as an MPICH function: the non-blocking call and a wait"),
    NO_DOCUMENT(001, COLL_ALLREDUCE, "inter", "between two groups (an intercommunicator), which no entry here has"),
    DOCUMENT(001, COLL_BCAST, "binomial_far"),
    DOCUMENT(001, COLL_BCAST, "scatter_rd_allgather"),
    DOCUMENT(001, COLL_BCAST, "scatter_ring_allgather"),
    DOCUMENT(001, COLL_REDUCE, "binomial_blocking"),
    DOCUMENT(001, COLL_REDUCE, "redscat_gather"),
    DOCUMENT(001, COLL_REDUCE, "ring_gather"),
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
    DOCUMENT(003, COLL_ALLREDUCE, "shm_kary"),
    DOCUMENT(003, COLL_ALLREDUCE, "shm_knomial"),
    DOCUMENT(003, COLL_ALLREDUCE, "shm_sets"),
    DOCUMENT(003, COLL_BARRIER, "shm_kary"),
    DOCUMENT(003, COLL_BCAST, "shm_flat"),
    DOCUMENT(003, COLL_BCAST, "shm_kary"),
    DOCUMENT(003, COLL_BCAST, "shm_queue"),
    DOCUMENT(003, COLL_BCAST, "shm_sets"),
    DOCUMENT(003, COLL_GATHER, "shm_flat"),
    DOCUMENT(003, COLL_REDUCE, "shm_flat"),
    DOCUMENT(003, COLL_REDUCE, "shm_kary"),
    DOCUMENT(003, COLL_REDUCE, "shm_knomial"),
    DOCUMENT(003, COLL_REDUCE, "shm_queue"),
    DOCUMENT(003, COLL_REDUCE, "shm_sets"),
    DOCUMENT(003, COLL_SCATTER, "shm_flat"),
    // 004: tree and butterfly for any number of ranks
    DOCUMENT(004, COLL_ALLREDUCE, "butterfly_v1"),
    DOCUMENT(004, COLL_ALLREDUCE, "butterfly_v2"),
    DOCUMENT(004, COLL_ALLREDUCE, "reduce_bcast"),
    DOCUMENT(004, COLL_ALLREDUCE, "tree_v1"),
    DOCUMENT(004, COLL_ALLREDUCE, "tree_v2"),
};
const int n_cover_items = G_N_ELEMENTS(cover_items);

const CollAlgorithm *cover_entry(const CoverItem *item)
{
    return algorithm_find(item->collective, item->cover == COVER_DOCUMENTS ? item->entry : item->name);
}

// The sources of names, by CoverColumn: the prefix of the aliases, or the cover whose items are asked.
static const struct {
    const char *prefix;
    Cover cover;
    int version; // of Open MPI; 0 for the other sources
} sources[] = {
    [COLUMN_OMPI_41] = {NULL, COVER_OMPI, IN_41},
    [COLUMN_OMPI_5] = {NULL, COVER_OMPI, IN_5},
    [COLUMN_OMPI_MAIN] = {NULL, COVER_OMPI, IN_MAIN},
    [COLUMN_HAN] = {"han:", COVER_OMPI, 0},
    [COLUMN_MPICH] = {"mpich", COVER_MPICH, 0},
    [COLUMN_SIMGRID] = {"smpi:", COVER_MPICH, 0},
    [COLUMN_UCC] = {"ucc:", COVER_UCC, 0},
    [COLUMN_LIBNBC] = {"libnbc:", COVER_LIBNBC, 0},
    [COLUMN_INTEL] = {"intel:", COVER_INTEL, 0},
    [COLUMN_DOCUMENTS] = {NULL, COVER_DOCUMENTS, 0},
};
_Static_assert(G_N_ELEMENTS(sources) == N_COVER_COLUMNS, "a source for each column");

// Adds a name to a list.
static void add_name(GString *names, const char *name)
{
    g_string_append_printf(names, "%s%s", names->len ? " " : "", name);
}

// Returns the name without what says where it is from: "6" for "ompi:6", but "ch4:beta" for "mpich-ch4:beta".
static const char *bare(const char *alias)
{
    static const char mpich[] = "mpich-";
    const char *colon = strchr(alias, ':');
    return g_str_has_prefix(alias, mpich) ? alias + strlen(mpich) : colon ? colon + 1 : alias;
}

char *cover_cell(const CollAlgorithm *a, CoverColumn column)
{
    GString *names = g_string_new(NULL);
    const char *prefix = sources[column].prefix;
    for (int i = 0; prefix && i < COLL_MAX_ALIASES && a->aliases[i]; i++)
        if (g_str_has_prefix(a->aliases[i], prefix))
            add_name(names, bare(a->aliases[i]));
    for (int i = 0; !prefix && i < n_cover_items; i++)
        if (cover_items[i].cover == sources[column].cover && cover_entry(&cover_items[i]) == a &&
            (!sources[column].version || (cover_items[i].versions & sources[column].version)))
            add_name(names, bare(cover_items[i].name));
    return g_string_free(names, FALSE);
}

bool cover_in(const CoverItem *item, CoverColumn column)
{
    return column != COLUMN_HAN && column != COLUMN_SIMGRID && item->cover == sources[column].cover &&
           (!sources[column].version || (item->versions & sources[column].version));
}

const char *cover_bare_name(const CoverItem *item)
{
    return bare(item->name);
}
