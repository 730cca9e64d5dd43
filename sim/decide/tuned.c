#include "decide/tuned.h"
#include <string.h>

const TunedCollective tuned_collectives[TUNED_COLLECTIVES] = {
    {"allgather", TUNED_SIZE_ALL},
    {"allgatherv", TUNED_SIZE_MEAN},
    {"allreduce", TUNED_SIZE_VECTOR},
    {"alltoall", TUNED_SIZE_ALL},
    {"alltoallv", TUNED_SIZE_NONE},
    {"alltoallw", TUNED_SIZE_NO_METHOD},
    {"barrier", TUNED_SIZE_NONE},
    {"bcast", TUNED_SIZE_VECTOR},
    {"exscan", TUNED_SIZE_TYPE},
    {"gather", TUNED_SIZE_ALL},
    {"gatherv", TUNED_SIZE_NO_METHOD},
    {"reduce", TUNED_SIZE_VECTOR},
    {"reduce_scatter", TUNED_SIZE_SUM},
    {"reduce_scatter_block", TUNED_SIZE_ALL},
    {"scan", TUNED_SIZE_TYPE},
    {"scatter", TUNED_SIZE_ALL},
    {"scatterv", TUNED_SIZE_NO_METHOD},
    {"neighbor_allgather", TUNED_SIZE_NO_METHOD},
    {"neighbor_allgatherv", TUNED_SIZE_NO_METHOD},
    {"neighbor_alltoall", TUNED_SIZE_NO_METHOD},
    {"neighbor_alltoallv", TUNED_SIZE_NO_METHOD},
    {"neighbor_alltoallw", TUNED_SIZE_NO_METHOD},
};

const char *const tuned_size_names[] = {
    [TUNED_SIZE_VECTOR] = "type x count",    [TUNED_SIZE_ALL] = "type x count x ranks",
    [TUNED_SIZE_MEAN] = "type x mean count", [TUNED_SIZE_SUM] = "type x sum of counts",
    [TUNED_SIZE_TYPE] = "type x ranks",      [TUNED_SIZE_NONE] = "always 0",
    [TUNED_SIZE_NO_METHOD] = "never asked",
};

int tuned_collective(const char *name)
{
    for (int i = 0; i < TUNED_COLLECTIVES; i++)
        if (strcmp(tuned_collectives[i].name, name) == 0)
            return i;
    return -1;
}

gint64 tuned_size(int collective, int ranks, gint64 block, gint64 type)
{
    gint64 all;
    switch (tuned_collectives[collective].size) {
    case TUNED_SIZE_VECTOR:
    case TUNED_SIZE_MEAN:
    case TUNED_SIZE_SUM:
        return block;
    case TUNED_SIZE_ALL:
        return __builtin_mul_overflow(block, (gint64)ranks, &all) ? G_MAXINT64 : all;
    case TUNED_SIZE_TYPE:
        return __builtin_mul_overflow(type, (gint64)ranks, &all) ? G_MAXINT64 : all;
    case TUNED_SIZE_NONE:
    case TUNED_SIZE_NO_METHOD:
        return 0;
    }
    g_assert_not_reached();
}

#define ALL     (1u << LIBRARY_OMPI_41 | 1u << LIBRARY_OMPI_5 | 1u << LIBRARY_OMPI_MAIN)
#define TO_5    (1u << LIBRARY_OMPI_41 | 1u << LIBRARY_OMPI_5)
#define SINCE_5 (1u << LIBRARY_OMPI_5 | 1u << LIBRARY_OMPI_MAIN)
#define MAIN    (1u << LIBRARY_OMPI_MAIN)

// Source: the switches of coll_tuned_*_decision.c in Open MPI 4.1.4, 5.0.9 and main, and the tests at the beginning of
// the functions in coll_base_*.c. Which results are wrong was measured with 4.1.4.
static const TunedAlgorithm algorithms_of_tuned[] = {
    // allgather
    {0, 1, "linear", ALL, .parts = {"gather", "bcast"}},
    {0, 2, "bruck", TO_5},
    {0, 2, "bruck-k-fanout", MAIN, .fanout = TRUE, .older_fanout = 2},
    {0, 3, "recursive_doubling", ALL, .need = TUNED_NEEDS_POWER, .otherwise = 2},
    {0, 4, "ring", ALL},
    {0, 5, "neighbor", ALL, .need = TUNED_NEEDS_EVEN, .otherwise = 4},
    {0, 6, "two_proc", ALL, .need = TUNED_NEEDS_TWO},
    {0, 7, "sparbit", SINCE_5},
    {0, 8, "direct-messaging", MAIN},
    // allgatherv
    {1, 1, "default", ALL, .parts = {"bcast"}, .deaf = TRUE},
    {1, 2, "bruck", ALL},
    {1, 3, "ring", ALL},
    {1, 4, "neighbor", ALL, .need = TUNED_NEEDS_EVEN, .otherwise = 3},
    {1, 5, "two_proc", ALL, .need = TUNED_NEEDS_TWO},
    {1, 6, "sparbit", SINCE_5},
    // allreduce
    {2, 1, "basic_linear", ALL},
    {2, 2, "nonoverlapping", ALL, .parts = {"reduce", "bcast"}},
    {2, 3, "recursive_doubling", ALL},
    {2, 4, "ring", ALL, .need = TUNED_NEEDS_RANKS, .otherwise = 3, .ordered = TRUE},
    {2, 5, "segmented_ring", ALL, .need = TUNED_NEEDS_SEGMENTS, .otherwise = 4, .segment = TRUE, .ordered = TRUE},
    {2, 6, "rabenseifner", TO_5, .need = TUNED_NEEDS_POWER_MANY, .otherwise = 1},
    {2, 6, "rabenseifner", MAIN},
    {2, 7, "allgather_reduce", MAIN},
    // alltoall
    {3, 1, "linear", ALL},
    {3, 2, "pairwise", ALL},
    {3, 3, "modified_bruck", ALL},
    {3, 4, "linear_sync", ALL, .requests = TRUE},
    {3, 5, "two_proc", ALL, .need = TUNED_NEEDS_TWO},
    // alltoallv
    {4, 1, "basic_linear", ALL},
    {4, 2, "pairwise", ALL},
    // barrier
    {6, 1, "linear", ALL},
    {6, 2, "double_ring", ALL},
    {6, 3, "recursive_doubling", ALL},
    {6, 4, "bruck", ALL},
    {6, 5, "two_proc", ALL, .need = TUNED_NEEDS_TWO},
    {6, 6, "tree", ALL},
    // bcast
    {7, 1, "basic_linear", ALL},
    {7, 2, "chain", ALL, .fanout = TRUE, .segment = TRUE},
    {7, 3, "pipeline", ALL, .segment = TRUE},
    {7, 4, "split_binary_tree", ALL, .segment = TRUE},
    {7, 5, "binary_tree", ALL, .segment = TRUE},
    {7, 6, "binomial", ALL, .segment = TRUE},
    {7, 7, "knomial", ALL, .segment = TRUE},
    {7, 8, "scatter_allgather", ALL, .need = TUNED_NEEDS_RANKS, .otherwise = 1},
    {7, 9, "scatter_allgather_ring", ALL, .need = TUNED_NEEDS_RANKS, .otherwise = 1},
    // exscan
    {8, 1, "linear", ALL},
    {8, 2, "recursive_doubling", ALL},
    // gather
    {9, 1, "basic_linear", ALL},
    {9, 2, "binomial", ALL},
    {9, 3, "linear_sync", ALL, .segment = TRUE},
    // reduce
    {11, 1, "linear", ALL},
    {11, 2, "chain", ALL, .fanout = TRUE, .segment = TRUE, .requests = TRUE, .ordered = TRUE},
    {11, 3, "pipeline", ALL, .segment = TRUE, .requests = TRUE, .ordered = TRUE},
    {11, 4, "binary", ALL, .segment = TRUE, .requests = TRUE, .ordered = TRUE},
    {11, 5, "binomial", ALL, .segment = TRUE, .requests = TRUE, .ordered = TRUE},
    {11, 6, "in-order_binary", ALL, .segment = TRUE, .requests = TRUE},
    {11, 7, "rabenseifner", ALL, .need = TUNED_NEEDS_POWER_MANY, .otherwise = 1},
    {11, 8, "knomial", MAIN, .fanout = TRUE, .segment = TRUE},
    // reduce_scatter
    {12, 1, "non-overlapping", ALL, .parts = {"reduce"}},
    {12, 2, "recursive_halving", ALL, .ordered = TRUE},
    {12, 3, "ring", ALL, .ordered = TRUE},
    {12, 4, "butterfly", ALL},
    // reduce_scatter_block
    {13, 1, "basic_linear", ALL, .parts = {"reduce", "scatter"}},
    {13, 2, "recursive_doubling", ALL},
    {13, 3, "recursive_halving", ALL},
    {13, 4, "butterfly", ALL},
    // scan
    {14, 1, "linear", ALL},
    {14, 2, "recursive_doubling", ALL},
    // scatter
    {15, 1, "basic_linear", ALL},
    {15, 2, "binomial", ALL},
    {15, 3, "linear_nb", ALL},
};

const TunedAlgorithm *tuned_algorithm(const Library *library, int collective, int id)
{
    for (size_t i = 0; i < G_N_ELEMENTS(algorithms_of_tuned); i++) {
        const TunedAlgorithm *a = &algorithms_of_tuned[i];
        if (a->collective == collective && a->id == id && a->libraries & 1u << library->id)
            return a;
    }
    return NULL;
}

const TunedAlgorithm *tuned_of(const Library *library, Collective collective, int id)
{
    const int number = library->family == LIBRARY_OMPI ? tuned_collective(collectives[collective].name) : -1;
    return number < 0 ? NULL : tuned_algorithm(library, number, id);
}

const char *tuned_misorders(const Library *library, Collective collective, int id)
{
    const TunedAlgorithm *a = tuned_of(library, collective, id);
    return a && a->ordered ? "wrong for operations that do not commute" : NULL;
}

const TunedAlgorithm *tuned_deaf_to(const Library *library, int collective)
{
    for (size_t i = 0; i < G_N_ELEMENTS(algorithms_of_tuned); i++) {
        const TunedAlgorithm *a = &algorithms_of_tuned[i];
        for (size_t k = 0; a->deaf && k < G_N_ELEMENTS(a->parts) && a->parts[k]; k++)
            if (a->libraries & 1u << library->id && strcmp(a->parts[k], tuned_collectives[collective].name) == 0)
                return a;
    }
    return NULL;
}

gboolean tuned_suits(TunedNeed need, gint64 p)
{
    return need == TUNED_NEEDS_POWER  ? (p & (p - 1)) == 0
           : need == TUNED_NEEDS_EVEN ? p % 2 == 0
           : need == TUNED_NEEDS_TWO  ? p == 2
                                      : TRUE;
}

gint64 tuned_least_size(TunedNeed need, int p, gint64 elem, int segment)
{
    gint64 power = 1;
    switch (need) {
    case TUNED_NEEDS_RANKS:
        return p * elem;
    case TUNED_NEEDS_POWER_MANY:
        while (power <= p / 2)
            power *= 2;
        return power * elem;
    case TUNED_NEEDS_SEGMENTS:
        return segment > 0 ? (gint64)p * segment : -1;
    default:
        return 0;
    }
}

gint64 tuned_part_size(const TunedAlgorithm *algorithm, int ranks, gint64 bytes)
{
    gint64 sum = bytes;
    const gboolean mean = tuned_collectives[algorithm->collective].size == TUNED_SIZE_MEAN; // the part has the sum
    return mean && __builtin_mul_overflow(bytes, (gint64)ranks, &sum) ? G_MAXINT64 : sum;
}

const TunedAlgorithm *tuned_named(const Library *library, int collective, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(algorithms_of_tuned); i++) {
        const TunedAlgorithm *a = &algorithms_of_tuned[i];
        if (a->collective == collective && strcmp(a->name, name) == 0 && a->libraries & 1u << library->id)
            return a;
    }
    return NULL;
}
