#include "registry/spread.h"
#include <string.h>

const SpreadFamily spread_families[N_SPREADS] = {
    {"butterfly", 0.10},
    {"k_bruck", 0.10},
    {"neighbor_exchange", 0.10},
    {"recursive_doubling", 0.10},
    {"recursive_halving", 0.10},
    {"ring", 0.10},
    {"binomial", 0.16},
    {"bintree", 0.16},
    {"pairwise", 0.16},
    {"rabenseifner", 0.16},
    {"chain", 0.26},
    {"split_bintree", 0.26},
    {"binary", 0.38},
    {"in_order_binary", 0.53},
    {"linear", 0.53},
    {"linear_sync", 0.53},
    {"reduce_bcast", 0.53},
    {"bruck", 0.61},
    {"others", 0.24},
};

int spread_family(const char *name)
{
    int i = 0;
    while (i < N_SPREADS - 1 && !(name && strcmp(name, spread_families[i].name) == 0))
        i++;
    return i;
}
