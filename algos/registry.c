#include "registry.h"
#include <glib.h>
#include <string.h>

const CollectiveInfo collectives[N_COLLECTIVES] = {
    [COLL_ALLGATHER] = {"allgather", "a rank's block", false, false},
    [COLL_ALLREDUCE] = {"allreduce", "the vector", false, true},
    [COLL_BARRIER] = {"barrier", "nothing", false, false},
    [COLL_BCAST] = {"bcast", "the message", true, false},
    [COLL_GATHER] = {"gather", "a rank's block", true, false},
    [COLL_REDUCE] = {"reduce", "the vector", true, true},
    [COLL_REDUCE_SCATTER] = {"reduce_scatter", "the vector", false, true},
    [COLL_SCATTER] = {"scatter", "a rank's block", true, false},
};

// To add an algorithm: its file, and its line here.
#define ALGORITHMS(X)                                                                                                  \
    X(allgather_bruck)                                                                                                 \
    X(allgather_recursive_doubling)                                                                                    \
    X(allgather_ring)                                                                                                  \
    X(allreduce_rabenseifner)                                                                                          \
    X(allreduce_recursive_doubling)                                                                                    \
    X(allreduce_reduce_bcast)                                                                                          \
    X(allreduce_ring)                                                                                                  \
    X(barrier_dissemination)                                                                                           \
    X(barrier_double_ring)                                                                                             \
    X(barrier_recursive_doubling)                                                                                      \
    X(barrier_tree)                                                                                                    \
    X(bcast_binomial)                                                                                                  \
    X(bcast_bintree)                                                                                                   \
    X(bcast_chain)                                                                                                     \
    X(bcast_knomial)                                                                                                   \
    X(bcast_linear)                                                                                                    \
    X(bcast_pipeline)                                                                                                  \
    X(bcast_scatter_rd_allgather)                                                                                      \
    X(bcast_scatter_ring_allgather)                                                                                    \
    X(bcast_split_bintree)                                                                                             \
    X(gather_binomial)                                                                                                 \
    X(gather_linear)                                                                                                   \
    X(reduce_binary)                                                                                                   \
    X(reduce_binomial)                                                                                                 \
    X(reduce_chain)                                                                                                    \
    X(reduce_knomial)                                                                                                  \
    X(reduce_linear)                                                                                                   \
    X(reduce_pipeline)                                                                                                 \
    X(reduce_scatter_pairwise)                                                                                         \
    X(reduce_scatter_recursive_halving)                                                                                \
    X(reduce_scatter_ring)                                                                                             \
    X(scatter_binomial)                                                                                                \
    X(scatter_linear)

#define DECLARE(name) extern const CollAlgorithm name##_algorithm;
ALGORITHMS(DECLARE)
#define ENTRY(name) &name##_algorithm,
const CollAlgorithm *const algorithms[] = {ALGORITHMS(ENTRY)};
const int n_algorithms = G_N_ELEMENTS(algorithms);

const CollAlgorithm *algorithm_find(Collective collective, const char *name)
{
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        if (a->collective != collective)
            continue;
        if (strcmp(a->name, name) == 0)
            return a;
        for (int j = 0; j < COLL_MAX_ALIASES && a->aliases[j]; j++)
            if (strcmp(a->aliases[j], name) == 0)
                return a;
    }
    return NULL;
}

int64_t param_get(const CollParam *param, const CollParams *par)
{
    const char *at = (const char *)par + param->field;
    return param->kind == PARAM_SIZE ? (int64_t) * (const size_t *)at : *(const int *)at;
}

void param_set(const CollParam *param, CollParams *par, int64_t value)
{
    char *at = (char *)par + param->field;
    if (param->kind == PARAM_SIZE)
        *(size_t *)at = (size_t)value;
    else
        *(int *)at = (int)value;
}

CollParams algorithm_defaults(const CollAlgorithm *a)
{
    CollParams par = {0};
    for (int i = 0; i < COLL_MAX_PARAMS && a->params[i].name; i++)
        param_set(&a->params[i], &par, a->params[i].def);
    return par;
}
