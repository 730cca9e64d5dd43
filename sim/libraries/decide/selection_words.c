#include "libraries/decide/selection_words.h"
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
