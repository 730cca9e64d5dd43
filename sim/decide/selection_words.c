#include "decide/selection_words.h"
#include <string.h>

#define V40  (1u << LIBRARY_MPICH_40)
#define V43  (1u << LIBRARY_MPICH_43)
#define BOTH (V40 | V43)

// ---- Conditions -----------------------------------------------------------------------------------------------------

// A key is the first word that fits it.
static const SelectionWord words[] = {
    {"algorithm=", WORD_LEAF, .prefix = TRUE, .libraries = BOTH},
    {"composition=", WORD_LEAF, .prefix = TRUE, .libraries = BOTH},
    {"collective=", WORD_COLLECTIVE, .prefix = TRUE, .libraries = BOTH},
    {"is_multi_threaded=yes", WORD_FLAG, SELECT_THREADED, 1, .libraries = BOTH},
    {"is_multi_threaded=no", WORD_FLAG, SELECT_THREADED, 0, .libraries = BOTH},
    {"comm_type=intra", WORD_FLAG, SELECT_INTER, 0, .of_comm = TRUE, .libraries = BOTH},
    {"comm_type=inter", WORD_FLAG, SELECT_INTER, 1, .of_comm = TRUE, .libraries = BOTH},
    {"comm_size=pow2", WORD_FLAG, SELECT_POW2, 1, .of_comm = TRUE, .chained = TRUE, .libraries = BOTH},
    {"comm_size=node_comm_size", WORD_FLAG, SELECT_ONE_NODE, 1, .of_comm = TRUE, .chained = TRUE, .libraries = BOTH},
    {"comm_size=any", WORD_ANY, .of_comm = TRUE, .libraries = V40},
    {"comm_size<=", WORD_NUMBER, SELECT_RANKS, 0, TRUE, .of_comm = TRUE, .chained = TRUE, .libraries = BOTH},
    {"comm_size<", WORD_NUMBER, SELECT_RANKS, 1, TRUE, .of_comm = TRUE, .chained = TRUE, .libraries = BOTH},
    {"count<=", WORD_NUMBER, SELECT_COUNT, 0, TRUE, .chained = TRUE, .libraries = BOTH},
    {"count<pow2", WORD_FLAG, SELECT_BELOW_POW2, 1, .chained = TRUE, .libraries = BOTH},
    {"count=any", WORD_ANY, .libraries = V40},
    {"avg_msg_size=any", WORD_ANY, .libraries = V40},
    {"avg_msg_size<=", WORD_NUMBER, SELECT_AVERAGE, 0, TRUE, .chained = TRUE, .libraries = BOTH},
    {"avg_msg_size<", WORD_NUMBER, SELECT_AVERAGE, 1, TRUE, .chained = TRUE, .libraries = BOTH},
    {"total_msg_size=any", WORD_ANY, .libraries = V40},
    {"total_msg_size<=", WORD_NUMBER, SELECT_TOTAL, 0, TRUE, .chained = TRUE, .libraries = BOTH},
    {"total_msg_size<", WORD_NUMBER, SELECT_TOTAL, 1, TRUE, .chained = TRUE, .libraries = BOTH},
    {"is_commutative=yes", WORD_FLAG, SELECT_COMMUTATIVE, 1, .libraries = BOTH},
    {"is_commutative=no", WORD_FLAG, SELECT_COMMUTATIVE, 0, .libraries = BOTH},
    {"is_sendbuf_inplace=yes", WORD_FLAG, SELECT_IN_PLACE, 1, .libraries = BOTH},
    {"is_sendbuf_inplace=no", WORD_FLAG, SELECT_IN_PLACE, 0, .libraries = BOTH},
    {"is_op_built_in=yes", WORD_FLAG, SELECT_BUILT_IN, 1, .libraries = BOTH},
    {"is_op_built_in=no", WORD_FLAG, SELECT_BUILT_IN, 0, .libraries = BOTH},
    {"is_block_regular=yes", WORD_FLAG, SELECT_REGULAR, 1, .libraries = BOTH},
    {"is_block_regular=no", WORD_FLAG, SELECT_REGULAR, 0, .libraries = BOTH},
    {"is_node_consecutive=yes", WORD_FLAG, SELECT_CONSECUTIVE, 1, .of_comm = TRUE, .libraries = BOTH},
    {"is_node_consecutive=no", WORD_FLAG, SELECT_CONSECUTIVE, 0, .of_comm = TRUE, .libraries = BOTH},
    {"comm_avg_ppn<=", WORD_NUMBER, SELECT_PER_NODE, 0, TRUE, .of_comm = TRUE, .chained = TRUE, .libraries = BOTH},
    {"comm_avg_ppn<", WORD_NUMBER, SELECT_PER_NODE, 1, TRUE, .of_comm = TRUE, .chained = TRUE, .libraries = V43},
    {"comm_hierarchy=parent", WORD_HIERARCHY, 0, SELECT_PARENT, .of_comm = TRUE, .libraries = BOTH},
    {"comm_hierarchy=node_roots", WORD_HIERARCHY, 0, SELECT_NODE_ROOTS, .of_comm = TRUE, .libraries = BOTH},
    {"comm_hierarchy=node", WORD_HIERARCHY, 0, SELECT_NODE, .of_comm = TRUE, .libraries = BOTH},
    {"comm_hierarchy=flat", WORD_HIERARCHY, 0, SELECT_FLAT, .of_comm = TRUE, .libraries = BOTH},
    {"comm_hierarchy=any", WORD_HIERARCHY, 0, SELECT_ANY_HIERARCHY, .of_comm = TRUE, .libraries = V40},
};

const SelectionWord *selection_word(const Library *library, const char *key, const char **rest)
{
    static const SelectionWord any = {"any", WORD_ANY, .of_comm = TRUE, .libraries = V43};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        const SelectionWord *word = &words[i];
        if (!(word->libraries & 1u << library->id) ||
            (word->prefix ? !g_str_has_prefix(key, word->text) : strcmp(key, word->text) != 0))
            continue;
        *rest = key + strlen(word->text);
        return word;
    }
    *rest = "";
    return any.libraries & 1u << library->id && (strcmp(key, "any") == 0 || g_str_has_suffix(key, "=any")) ? &any
                                                                                                           : NULL;
}

// ---- Collectives ----------------------------------------------------------------------------------------------------

#define AVERAGE     (1u << SELECT_AVERAGE)
#define TOTAL       (1u << SELECT_TOTAL)
#define COUNT       (1u << SELECT_COUNT)
#define COMMUTATIVE (1u << SELECT_COMMUTATIVE)
#define BUILT_IN    (1u << SELECT_BUILT_IN)
#define REGULAR     (1u << SELECT_REGULAR)
#define IN_PLACE    (1u << SELECT_IN_PLACE)

const SelectionCollective selection_collectives[SELECTION_COLLECTIVES] = {
    {"allgather", TOTAL | COUNT, 0},
    {"allgatherv", TOTAL | COUNT, 0},
    {"allreduce", AVERAGE | TOTAL | COUNT, COMMUTATIVE | BUILT_IN},
    {"alltoall", AVERAGE | TOTAL, IN_PLACE},
    {"alltoallv", TOTAL, IN_PLACE},
    {"alltoallw", TOTAL, IN_PLACE},
    {"barrier", 0, 0},
    {"bcast", AVERAGE | TOTAL | COUNT, 0},
    {"exscan", 0, 0},
    {"gather", TOTAL, 0},
    {"gatherv", 0, 0},
    {"iallgather", TOTAL | COUNT, 0},
    {"iallgatherv", TOTAL | COUNT, 0},
    {"iallreduce", AVERAGE | TOTAL | COUNT, COMMUTATIVE | BUILT_IN},
    {"ialltoall", AVERAGE | TOTAL, IN_PLACE},
    {"ialltoallv", TOTAL, IN_PLACE},
    {"ialltoallw", TOTAL, IN_PLACE},
    {"ibarrier", 0, 0},
    {"ibcast", AVERAGE | TOTAL, 0},
    {"iexscan", 0, 0},
    {"igather", TOTAL, 0},
    {"igatherv", 0, 0},
    {"ineighbor_allgather", 0, 0},
    {"ineighbor_allgatherv", 0, 0},
    {"ineighbor_alltoall", 0, 0},
    {"ineighbor_alltoallv", 0, 0},
    {"ineighbor_alltoallw", 0, 0},
    {"ireduce", AVERAGE | TOTAL | COUNT, COMMUTATIVE | BUILT_IN},
    {"ireduce_scatter", TOTAL | COUNT, COMMUTATIVE | REGULAR},
    {"ireduce_scatter_block", TOTAL | COUNT, COMMUTATIVE},
    {"iscan", 0, 0},
    {"iscatter", TOTAL, 0},
    {"iscatterv", 0, 0},
    {"neighbor_allgather", 0, 0},
    {"neighbor_allgatherv", 0, 0},
    {"neighbor_alltoall", 0, 0},
    {"neighbor_alltoallv", 0, 0},
    {"neighbor_alltoallw", 0, 0},
    {"reduce", AVERAGE | TOTAL | COUNT, COMMUTATIVE | BUILT_IN},
    {"reduce_scatter", TOTAL | COUNT, COMMUTATIVE | REGULAR},
    {"reduce_scatter_block", TOTAL | COUNT, COMMUTATIVE},
    {"scan", 0, 0},
    {"scatter", TOTAL, 0},
    {"scatterv", 0, 0},
};

#undef COMMUTATIVE
#undef BUILT_IN
#undef REGULAR
#undef IN_PLACE

int selection_collective(const char *name)
{
    for (int i = 0; i < SELECTION_COLLECTIVES; i++)
        if (strcmp(selection_collectives[i].name, name) == 0)
            return i;
    return -1;
}

// ---- Algorithms -----------------------------------------------------------------------------------------------------

const struct SelectionNeedText selection_needs[] = {
    {NEED_POW2, "a power of two of ranks"},
    {NEED_COUNT_POW2, "as many elements as the greatest power of two that is not above the ranks"},
    {NEED_BUILT_IN, "an operation of MPI's own"},
    {NEED_COMMUTATIVE, "a commutative operation"},
    {NEED_REGULAR, "equal blocks"},
    {NEED_IN_PLACE, "MPI_IN_PLACE"},
    {NEED_NOT_IN_PLACE, "a send buffer that is not MPI_IN_PLACE"},
    {NEED_PARENT, "ranks that share a node"},
    {NEED_CONSECUTIVE, "ranks of a node that follow each other"},
    {0, NULL},
};

#define POW2         NEED_POW2
#define COUNT_POW2   NEED_COUNT_POW2
#define BUILT_IN     NEED_BUILT_IN
#define COMMUTATIVE  NEED_COMMUTATIVE
#define REGULAR      NEED_REGULAR
#define IN_PLACE     NEED_IN_PLACE
#define NOT_IN_PLACE NEED_NOT_IN_PLACE
#define PARENT       NEED_PARENT
#define CONSECUTIVE  NEED_CONSECUTIVE

// clang-format off
const SelectionAlgorithm selection_algorithms[] = {
    {"MPIR_Allgather_intra_brucks", "allgather", BOTH},
    {"MPIR_Allgather_intra_recursive_doubling", "allgather", BOTH, .dies = POW2},
    {"MPIR_Allgather_intra_ring", "allgather", BOTH},
    {"MPIR_Allgather_inter_local_gather_remote_bcast", "allgather", BOTH},
    {"MPIR_Allgather_allcomm_nb", "allgather", BOTH},
    {"MPIR_Allgather_intra_k_brucks", "allgather", V43, .params = "k"},
    {"MPIR_Allgather_intra_recexch_doubling", "allgather", V43, .params = "k single_phase_recv"},
    {"MPIR_Allgather_intra_recexch_halving", "allgather", V43, .params = "k single_phase_recv"},
    {"MPIR_Allgatherv_intra_brucks", "allgatherv", BOTH},
    {"MPIR_Allgatherv_intra_recursive_doubling", "allgatherv", BOTH, .dies = POW2},
    {"MPIR_Allgatherv_intra_ring", "allgatherv", BOTH},
    {"MPIR_Allgatherv_inter_remote_gather_local_bcast", "allgatherv", BOTH},
    {"MPIR_Allgatherv_allcomm_nb", "allgatherv", BOTH},
    {"MPIR_Allreduce_intra_recursive_doubling", "allreduce", BOTH},
    {"MPIR_Allreduce_intra_reduce_scatter_allgather", "allreduce", BOTH, .dies = BUILT_IN | COUNT_POW2},
    {"MPIR_Allreduce_intra_smp", "allreduce", BOTH, .wrong = PARENT | COMMUTATIVE},
    {"MPIR_Allreduce_inter_reduce_exchange_bcast", "allreduce", BOTH},
    {"MPIR_Allreduce_allcomm_nb", "allreduce", BOTH},
    {"MPIR_Allreduce_intra_recursive_multiplying", "allreduce", V43, .params = "k"},
    {"MPIR_Allreduce_intra_tree", "allreduce", V43, .params = "tree_type k chunk_size buffer_per_child"},
    {"MPIR_Allreduce_intra_recexch", "allreduce", V43, .params = "k single_phase_recv"},
    {"MPIR_Allreduce_intra_ring", "allreduce", V43, .wrong = COMMUTATIVE},
    {"MPIR_Allreduce_intra_k_reduce_scatter_allgather", "allreduce", V43, .wrong = COMMUTATIVE, .params = "k single_phase_recv"},
    {"MPIR_Allreduce_intra_ccl", "allreduce", V43, .params = "ccl"},
    {"MPIR_Alltoall_intra_brucks", "alltoall", BOTH, .dies = NOT_IN_PLACE},
    {"MPIR_Alltoall_intra_pairwise", "alltoall", BOTH, .dies = NOT_IN_PLACE},
    {"MPIR_Alltoall_intra_pairwise_sendrecv_replace", "alltoall", BOTH, .wrong = IN_PLACE},
    {"MPIR_Alltoall_intra_scattered", "alltoall", BOTH, .dies = NOT_IN_PLACE},
    {"MPIR_Alltoall_inter_pairwise_exchange", "alltoall", BOTH},
    {"MPIR_Alltoall_allcomm_nb", "alltoall", BOTH},
    {"MPIR_Alltoall_intra_k_brucks", "alltoall", V43, .params = "k"},
    {"MPIR_Alltoallv_intra_pairwise_sendrecv_replace", "alltoallv", BOTH, .dies = IN_PLACE},
    {"MPIR_Alltoallv_intra_scattered", "alltoallv", BOTH, .dies = NOT_IN_PLACE},
    {"MPIR_Alltoallv_inter_pairwise_exchange", "alltoallv", BOTH},
    {"MPIR_Alltoallv_allcomm_nb", "alltoallv", BOTH},
    {"MPIR_Alltoallw_intra_pairwise_sendrecv_replace", "alltoallw", BOTH, .dies = IN_PLACE},
    {"MPIR_Alltoallw_intra_scattered", "alltoallw", BOTH, .dies = NOT_IN_PLACE},
    {"MPIR_Alltoallw_inter_pairwise_exchange", "alltoallw", BOTH},
    {"MPIR_Alltoallw_allcomm_nb", "alltoallw", BOTH},
    {"MPIR_Barrier_intra_dissemination", "barrier", V40},
    {"MPIR_Barrier_intra_smp", "barrier", BOTH, .dies = PARENT},
    {"MPIR_Barrier_inter_bcast", "barrier", BOTH},
    {"MPIR_Barrier_allcomm_nb", "barrier", BOTH},
    {"MPIR_Barrier_intra_k_dissemination", "barrier", V43, .params = "k"},
    {"MPIR_Barrier_intra_recexch", "barrier", V43, .params = "k"},
    {"MPIR_Bcast_intra_binomial", "bcast", BOTH},
    {"MPIR_Bcast_intra_scatter_recursive_doubling_allgather", "bcast", BOTH},
    {"MPIR_Bcast_intra_scatter_ring_allgather", "bcast", BOTH},
    {"MPIR_Bcast_intra_smp", "bcast", BOTH, .dies = PARENT},
    {"MPIR_Bcast_inter_remote_send_local_bcast", "bcast", BOTH},
    {"MPIR_Bcast_allcomm_nb", "bcast", BOTH},
    {"MPIR_Bcast_intra_tree", "bcast", V43, .params = "tree_type k is_non_blocking"},
    {"MPIR_Bcast_intra_pipelined_tree", "bcast", V43, .params = "tree_type k is_non_blocking chunk_size recv_pre_posted"},
    {"MPIR_Exscan_intra_recursive_doubling", "exscan", BOTH},
    {"MPIR_Exscan_allcomm_nb", "exscan", BOTH},
    {"MPIR_Gather_intra_binomial", "gather", BOTH},
    {"MPIR_Gather_inter_linear", "gather", BOTH},
    {"MPIR_Gather_inter_local_gather_remote_send", "gather", BOTH},
    {"MPIR_Gather_allcomm_nb", "gather", BOTH},
    {"MPIR_Gatherv_allcomm_linear", "gatherv", BOTH},
    {"MPIR_Gatherv_allcomm_nb", "gatherv", BOTH},
    {"MPIR_Iallgather_intra_tsp_brucks", "iallgather", BOTH},
    {"MPIR_Iallgather_intra_sched_brucks", "iallgather", BOTH},
    {"MPIR_Iallgather_intra_sched_recursive_doubling", "iallgather", BOTH, .dies = POW2},
    {"MPIR_Iallgather_intra_sched_ring", "iallgather", BOTH},
    {"MPIR_Iallgather_intra_tsp_recexch_doubling", "iallgather", BOTH},
    {"MPIR_Iallgather_intra_tsp_recexch_halving", "iallgather", BOTH},
    {"MPIR_Iallgather_intra_tsp_ring", "iallgather", BOTH},
    {"MPIR_Iallgather_inter_sched_local_gather_remote_bcast", "iallgather", BOTH},
    {"MPIR_Iallgatherv_intra_tsp_brucks", "iallgatherv", BOTH},
    {"MPIR_Iallgatherv_intra_sched_brucks", "iallgatherv", BOTH},
    {"MPIR_Iallgatherv_intra_sched_recursive_doubling", "iallgatherv", BOTH, .dies = POW2},
    {"MPIR_Iallgatherv_intra_sched_ring", "iallgatherv", BOTH},
    {"MPIR_Iallgatherv_intra_tsp_recexch_doubling", "iallgatherv", BOTH},
    {"MPIR_Iallgatherv_intra_tsp_recexch_halving", "iallgatherv", BOTH},
    {"MPIR_Iallgatherv_intra_tsp_ring", "iallgatherv", BOTH},
    {"MPIR_Iallgatherv_inter_sched_remote_gather_local_bcast", "iallgatherv", BOTH},
    {"MPIR_Iallreduce_intra_sched_naive", "iallreduce", BOTH},
    {"MPIR_Iallreduce_intra_sched_recursive_doubling", "iallreduce", BOTH},
    {"MPIR_Iallreduce_intra_sched_reduce_scatter_allgather", "iallreduce", BOTH, .dies = BUILT_IN | COUNT_POW2},
    {"MPIR_Iallreduce_intra_tsp_recexch_single_buffer", "iallreduce", BOTH, .params = "k"},
    {"MPIR_Iallreduce_intra_tsp_recexch_multiple_buffer", "iallreduce", BOTH, .params = "k"},
    {"MPIR_Iallreduce_intra_tsp_tree", "iallreduce", BOTH, .params = "tree_type k chunk_size buffer_per_child"},
    {"MPIR_Iallreduce_intra_tsp_ring", "iallreduce", BOTH, .wrong = COMMUTATIVE},
    {"MPIR_Iallreduce_intra_tsp_recexch_reduce_scatter_recexch_allgatherv", "iallreduce", BOTH, .wrong = COMMUTATIVE, .params = "k"},
    {"MPIR_Iallreduce_intra_sched_smp", "iallreduce", BOTH, .dies = PARENT, .wrong = COMMUTATIVE},
    {"MPIR_Iallreduce_inter_sched_remote_reduce_local_bcast", "iallreduce", BOTH},
    {"MPIR_Ialltoall_intra_tsp_ring", "ialltoall", BOTH},
    {"MPIR_Ialltoall_intra_tsp_brucks", "ialltoall", BOTH},
    {"MPIR_Ialltoall_intra_tsp_scattered", "ialltoall", BOTH},
    {"MPIR_Ialltoall_intra_sched_brucks", "ialltoall", BOTH, .dies = NOT_IN_PLACE},
    {"MPIR_Ialltoall_intra_sched_inplace", "ialltoall", BOTH, .dies = IN_PLACE},
    {"MPIR_Ialltoall_intra_sched_pairwise", "ialltoall", BOTH, .dies = NOT_IN_PLACE},
    {"MPIR_Ialltoall_intra_sched_permuted_sendrecv", "ialltoall", BOTH, .dies = NOT_IN_PLACE},
    {"MPIR_Ialltoall_inter_sched_pairwise_exchange", "ialltoall", BOTH},
    {"MPIR_Ialltoallv_intra_sched_blocked", "ialltoallv", BOTH, .dies = NOT_IN_PLACE},
    {"MPIR_Ialltoallv_intra_sched_inplace", "ialltoallv", BOTH},
    {"MPIR_Ialltoallv_intra_tsp_scattered", "ialltoallv", BOTH},
    {"MPIR_Ialltoallv_intra_tsp_blocked", "ialltoallv", BOTH},
    {"MPIR_Ialltoallv_intra_tsp_inplace", "ialltoallv", BOTH},
    {"MPIR_Ialltoallv_inter_sched_pairwise_exchange", "ialltoallv", BOTH},
    {"MPIR_Ialltoallw_intra_tsp_blocked", "ialltoallw", BOTH},
    {"MPIR_Ialltoallw_intra_tsp_inplace", "ialltoallw", BOTH},
    {"MPIR_Ialltoallw_intra_sched_blocked", "ialltoallw", BOTH, .dies = NOT_IN_PLACE},
    {"MPIR_Ialltoallw_intra_sched_inplace", "ialltoallw", BOTH},
    {"MPIR_Ialltoallw_inter_sched_pairwise_exchange", "ialltoallw", BOTH},
    {"MPIR_Ibarrier_intra_sched_recursive_doubling", "ibarrier", BOTH},
    {"MPIR_Ibarrier_intra_tsp_recexch", "ibarrier", BOTH},
    {"MPIR_Ibarrier_inter_sched_bcast", "ibarrier", BOTH},
    {"MPIR_Ibarrier_intra_tsp_k_dissem", "ibarrier", V43},
    {"MPIR_Ibcast_intra_tsp_tree", "ibcast", BOTH, .params = "tree_type k chunk_size"},
    {"MPIR_Ibcast_intra_tsp_scatterv_recexch_allgatherv", "ibcast", BOTH, .params = "scatterv_k allgatherv_k"},
    {"MPIR_Ibcast_intra_tsp_ring", "ibcast", BOTH, .params = "chunk_size"},
    {"MPIR_Ibcast_intra_sched_binomial", "ibcast", BOTH},
    {"MPIR_Ibcast_intra_sched_scatter_recursive_doubling_allgather", "ibcast", BOTH, .dies = POW2},
    {"MPIR_Ibcast_intra_sched_scatter_ring_allgather", "ibcast", BOTH},
    {"MPIR_Ibcast_intra_sched_smp", "ibcast", BOTH, .dies = PARENT},
    {"MPIR_Ibcast_inter_sched_flat", "ibcast", BOTH},
    {"MPIR_Iexscan_intra_sched_recursive_doubling", "iexscan", BOTH},
    {"MPIR_Igather_intra_tsp_tree", "igather", BOTH},
    {"MPIR_Igather_intra_sched_binomial", "igather", BOTH},
    {"MPIR_Igather_inter_sched_long", "igather", BOTH},
    {"MPIR_Igather_inter_sched_short", "igather", BOTH},
    {"MPIR_Igatherv_allcomm_tsp_linear", "igatherv", BOTH},
    {"MPIR_Igatherv_allcomm_sched_linear", "igatherv", BOTH},
    {"MPIR_Ineighbor_allgather_allcomm_tsp_linear", "ineighbor_allgather", BOTH},
    {"MPIR_Ineighbor_allgather_allcomm_sched_linear", "ineighbor_allgather", BOTH},
    {"MPIR_Ineighbor_allgatherv_allcomm_tsp_linear", "ineighbor_allgatherv", BOTH},
    {"MPIR_Ineighbor_allgatherv_allcomm_sched_linear", "ineighbor_allgatherv", BOTH},
    {"MPIR_Ineighbor_alltoall_allcomm_tsp_linear", "ineighbor_alltoall", BOTH},
    {"MPIR_Ineighbor_alltoall_allcomm_sched_linear", "ineighbor_alltoall", BOTH},
    {"MPIR_Ineighbor_alltoallv_allcomm_tsp_linear", "ineighbor_alltoallv", BOTH},
    {"MPIR_Ineighbor_alltoallv_allcomm_sched_linear", "ineighbor_alltoallv", BOTH},
    {"MPIR_Ineighbor_alltoallw_allcomm_tsp_linear", "ineighbor_alltoallw", BOTH},
    {"MPIR_Ineighbor_alltoallw_allcomm_sched_linear", "ineighbor_alltoallw", BOTH},
    {"MPIR_Ireduce_intra_tsp_tree", "ireduce", BOTH, .wrong = COMMUTATIVE, .params = "tree_type k chunk_size buffer_per_child"},
    {"MPIR_Ireduce_intra_tsp_ring", "ireduce", BOTH, .params = "chunk_size buffer_per_child"},
    {"MPIR_Ireduce_intra_sched_binomial", "ireduce", BOTH},
    {"MPIR_Ireduce_intra_sched_reduce_scatter_gather", "ireduce", BOTH, .dies = BUILT_IN | COUNT_POW2},
    {"MPIR_Ireduce_intra_sched_smp", "ireduce", BOTH, .dies = PARENT, .wrong = COMMUTATIVE},
    {"MPIR_Ireduce_inter_sched_local_reduce_remote_send", "ireduce", BOTH},
    {"MPIR_Ireduce_scatter_intra_sched_noncommutative", "ireduce_scatter", BOTH, .dies = POW2 | REGULAR},
    {"MPIR_Ireduce_scatter_intra_sched_pairwise", "ireduce_scatter", BOTH, .dies = COMMUTATIVE},
    {"MPIR_Ireduce_scatter_intra_sched_recursive_doubling", "ireduce_scatter", BOTH},
    {"MPIR_Ireduce_scatter_intra_sched_recursive_halving", "ireduce_scatter", BOTH, .dies = COMMUTATIVE},
    {"MPIR_Ireduce_scatter_intra_tsp_recexch", "ireduce_scatter", BOTH, .wrong = COMMUTATIVE},
    {"MPIR_Ireduce_scatter_inter_sched_remote_reduce_local_scatterv", "ireduce_scatter", BOTH},
    {"MPIR_Ireduce_scatter_block_intra_tsp_recexch", "ireduce_scatter_block", BOTH, .wrong = COMMUTATIVE},
    {"MPIR_Ireduce_scatter_block_intra_sched_noncommutative", "ireduce_scatter_block", BOTH, .dies = POW2},
    {"MPIR_Ireduce_scatter_block_intra_sched_pairwise", "ireduce_scatter_block", BOTH, .dies = COMMUTATIVE},
    {"MPIR_Ireduce_scatter_block_intra_sched_recursive_doubling", "ireduce_scatter_block", BOTH},
    {"MPIR_Ireduce_scatter_block_intra_sched_recursive_halving", "ireduce_scatter_block", BOTH, .dies = COMMUTATIVE},
    {"MPIR_Ireduce_scatter_block_inter_sched_remote_reduce_local_scatterv", "ireduce_scatter_block", BOTH},
    {"MPIR_Iscan_intra_sched_recursive_doubling", "iscan", BOTH},
    {"MPIR_Iscan_intra_sched_smp", "iscan", BOTH, .wrong = CONSECUTIVE},
    {"MPIR_Iscan_intra_tsp_recursive_doubling", "iscan", BOTH},
    {"MPIR_Iscatter_intra_tsp_tree", "iscatter", BOTH},
    {"MPIR_Iscatter_intra_sched_binomial", "iscatter", BOTH},
    {"MPIR_Iscatter_inter_sched_linear", "iscatter", BOTH},
    {"MPIR_Iscatter_inter_sched_remote_send_local_scatter", "iscatter", BOTH},
    {"MPIR_Iscatterv_allcomm_tsp_linear", "iscatterv", BOTH},
    {"MPIR_Iscatterv_allcomm_sched_linear", "iscatterv", BOTH},
    {"MPIR_Neighbor_allgather_allcomm_nb", "neighbor_allgather", BOTH},
    {"MPIR_Neighbor_allgatherv_allcomm_nb", "neighbor_allgatherv", BOTH},
    {"MPIR_Neighbor_alltoall_allcomm_nb", "neighbor_alltoall", BOTH},
    {"MPIR_Neighbor_alltoallv_allcomm_nb", "neighbor_alltoallv", BOTH},
    {"MPIR_Neighbor_alltoallw_allcomm_nb", "neighbor_alltoallw", BOTH},
    {"MPIR_Reduce_intra_binomial", "reduce", BOTH},
    {"MPIR_Reduce_intra_reduce_scatter_gather", "reduce", BOTH, .dies = BUILT_IN | COUNT_POW2},
    {"MPIR_Reduce_intra_smp", "reduce", BOTH, .dies = COMMUTATIVE, .wrong = PARENT},
    {"MPIR_Reduce_inter_local_reduce_remote_send", "reduce", BOTH},
    {"MPIR_Reduce_allcomm_nb", "reduce", BOTH},
    {"MPIR_Reduce_scatter_intra_noncommutative", "reduce_scatter", BOTH, .dies = POW2 | REGULAR},
    {"MPIR_Reduce_scatter_intra_pairwise", "reduce_scatter", BOTH, .dies = COMMUTATIVE},
    {"MPIR_Reduce_scatter_intra_recursive_doubling", "reduce_scatter", BOTH},
    {"MPIR_Reduce_scatter_intra_recursive_halving", "reduce_scatter", BOTH, .dies = COMMUTATIVE},
    {"MPIR_Reduce_scatter_inter_remote_reduce_local_scatter", "reduce_scatter", BOTH},
    {"MPIR_Reduce_scatter_allcomm_nb", "reduce_scatter", BOTH},
    {"MPIR_Reduce_scatter_block_intra_noncommutative", "reduce_scatter_block", BOTH, .dies = POW2},
    {"MPIR_Reduce_scatter_block_intra_pairwise", "reduce_scatter_block", BOTH, .dies = COMMUTATIVE},
    {"MPIR_Reduce_scatter_block_intra_recursive_doubling", "reduce_scatter_block", BOTH},
    {"MPIR_Reduce_scatter_block_intra_recursive_halving", "reduce_scatter_block", BOTH, .dies = COMMUTATIVE},
    {"MPIR_Reduce_scatter_block_inter_remote_reduce_local_scatter", "reduce_scatter_block", BOTH},
    {"MPIR_Reduce_scatter_block_allcomm_nb", "reduce_scatter_block", BOTH},
    {"MPIR_Scan_intra_recursive_doubling", "scan", BOTH},
    {"MPIR_Scan_intra_smp", "scan", BOTH, .wrong = PARENT | CONSECUTIVE},
    {"MPIR_Scan_allcomm_nb", "scan", BOTH},
    {"MPIR_Scatter_intra_binomial", "scatter", BOTH},
    {"MPIR_Scatter_inter_linear", "scatter", BOTH},
    {"MPIR_Scatter_inter_remote_send_local_scatter", "scatter", BOTH},
    {"MPIR_Scatter_allcomm_nb", "scatter", BOTH},
    {"MPIR_Scatterv_allcomm_linear", "scatterv", BOTH},
    {"MPIR_Scatterv_allcomm_nb", "scatterv", BOTH},
};
// clang-format on
const int selection_n_algorithms = G_N_ELEMENTS(selection_algorithms);

const SelectionAlgorithm *selection_algorithm(const Library *library, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(selection_algorithms); i++)
        if (selection_algorithms[i].libraries & 1u << library->id && strcmp(selection_algorithms[i].name, name) == 0)
            return &selection_algorithms[i];
    return NULL;
}

// Source: create_container() of src/mpid/ch4/src/ch4_init.c, and the compositions of ch4_coll_impl.h. Those of parts use
// the communicators of a node and of the nodes' leaders, which only exist where ranks share a node.
// clang-format off
static const SelectionAlgorithm compositions[] = {
    {"MPIDI_Barrier_intra_composition_alpha", "barrier", BOTH, .wrong = NEED_PARENT},
    {"MPIDI_Barrier_intra_composition_beta", "barrier", BOTH},
    {"MPIDI_Bcast_intra_composition_alpha", "bcast", BOTH, .dies = NEED_PARENT},
    {"MPIDI_Bcast_intra_composition_beta", "bcast", BOTH, .wrong = NEED_PARENT},
    {"MPIDI_Bcast_intra_composition_gamma", "bcast", BOTH},
    {"MPIDI_Reduce_intra_composition_alpha", "reduce", BOTH, .wrong = NEED_PARENT | NEED_COMMUTATIVE},
    {"MPIDI_Reduce_intra_composition_beta", "reduce", BOTH, .wrong = NEED_PARENT | NEED_COMMUTATIVE},
    {"MPIDI_Reduce_intra_composition_gamma", "reduce", BOTH},
    {"MPIDI_Allreduce_intra_composition_alpha", "allreduce", BOTH, .wrong = NEED_PARENT | NEED_COMMUTATIVE},
    {"MPIDI_Allreduce_intra_composition_beta", "allreduce", BOTH},
    {"MPIDI_Allreduce_intra_composition_gamma", "allreduce", BOTH, .wrong = NEED_PARENT},
    {"MPIDI_Alltoall_intra_composition_alpha", "alltoall", BOTH},
    {"MPIDI_Alltoall_intra_composition_beta", "alltoall", V43},
    {"MPIDI_Alltoallv_intra_composition_alpha", "alltoallv", BOTH},
    {"MPIDI_Alltoallw_intra_composition_alpha", "alltoallw", BOTH},
    {"MPIDI_Allgather_intra_composition_alpha", "allgather", BOTH},
    {"MPIDI_Allgather_intra_composition_beta", "allgather", V43},
    {"MPIDI_Allgatherv_intra_composition_alpha", "allgatherv", BOTH},
    {"MPIDI_Gather_intra_composition_alpha", "gather", BOTH},
    {"MPIDI_Gatherv_intra_composition_alpha", "gatherv", BOTH},
    {"MPIDI_Scatter_intra_composition_alpha", "scatter", BOTH},
    {"MPIDI_Scatterv_intra_composition_alpha", "scatterv", BOTH},
    {"MPIDI_Reduce_scatter_intra_composition_alpha", "reduce_scatter", BOTH},
    {"MPIDI_Reduce_scatter_block_intra_composition_alpha", "reduce_scatter_block", BOTH},
    {"MPIDI_Scan_intra_composition_alpha", "scan", BOTH, .wrong = NEED_PARENT | NEED_CONSECUTIVE},
    {"MPIDI_Scan_intra_composition_beta", "scan", BOTH},
    {"MPIDI_Exscan_intra_composition_alpha", "exscan", BOTH},
};
// clang-format on

const SelectionAlgorithm *selection_composition(const Library *library, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(compositions); i++)
        if (compositions[i].libraries & 1u << library->id && strcmp(compositions[i].name, name) == 0)
            return &compositions[i];
    return NULL;
}

const char *selection_short_name(const SelectionAlgorithm *algorithm)
{
    static const char *const infixes[] = {"_intra_composition_", "_intra_", "_inter_", "_allcomm_"};
    for (size_t i = 0; i < G_N_ELEMENTS(infixes); i++) {
        const char *at = strstr(algorithm->name, infixes[i]);
        if (at)
            return at + strlen(infixes[i]);
    }
    return algorithm->name;
}
