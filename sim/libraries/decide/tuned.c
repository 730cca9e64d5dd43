#include "libraries/decide/tuned.h"
#include <string.h>

const TunedCollective tuned_collectives[TUNED_COLLECTIVES] = {
    {"allgather", TUNED_SIZE_ALL, TUNED_SIZE_ALL},
    {"allgatherv", TUNED_SIZE_MEAN, TUNED_SIZE_ALL},
    {"allreduce", TUNED_SIZE_VECTOR, TUNED_SIZE_VECTOR},
    {"alltoall", TUNED_SIZE_ALL, TUNED_SIZE_ALL},
    {"alltoallv", TUNED_SIZE_NONE, TUNED_SIZE_NONE},
    {"alltoallw", TUNED_SIZE_NO_METHOD, TUNED_SIZE_NO_METHOD},
    {"barrier", TUNED_SIZE_NONE, TUNED_SIZE_NO_METHOD},
    {"bcast", TUNED_SIZE_VECTOR, TUNED_SIZE_VECTOR},
    {"exscan", TUNED_SIZE_TYPE, TUNED_SIZE_NO_METHOD},
    {"gather", TUNED_SIZE_ALL, TUNED_SIZE_NO_METHOD},
    {"gatherv", TUNED_SIZE_NO_METHOD, TUNED_SIZE_NO_METHOD},
    {"reduce", TUNED_SIZE_VECTOR, TUNED_SIZE_VECTOR},
    {"reduce_scatter", TUNED_SIZE_SUM, TUNED_SIZE_SUM},
    {"reduce_scatter_block", TUNED_SIZE_ALL, TUNED_SIZE_VECTOR},
    {"scan", TUNED_SIZE_TYPE, TUNED_SIZE_NO_METHOD},
    {"scatter", TUNED_SIZE_ALL, TUNED_SIZE_NO_METHOD},
    {"scatterv", TUNED_SIZE_NO_METHOD, TUNED_SIZE_NO_METHOD},
    {"neighbor_allgather", TUNED_SIZE_NO_METHOD, TUNED_SIZE_NO_METHOD},
    {"neighbor_allgatherv", TUNED_SIZE_NO_METHOD, TUNED_SIZE_NO_METHOD},
    {"neighbor_alltoall", TUNED_SIZE_NO_METHOD, TUNED_SIZE_NO_METHOD},
    {"neighbor_alltoallv", TUNED_SIZE_NO_METHOD, TUNED_SIZE_NO_METHOD},
    {"neighbor_alltoallw", TUNED_SIZE_NO_METHOD, TUNED_SIZE_NO_METHOD},
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

int tuned_collective_read(const char *name)
{
    for (int i = 0; i < TUNED_COLLECTIVES; i++) {
        const char *known = tuned_collectives[i].name;
        const char last = known[strlen(known) - 1];
        if (strcmp(name, known) == 0 ||
            ((last == 'v' || last == 'w') && strcmp(known, "scatterv") != 0 && g_str_has_prefix(name, known)))
            return i;
    }
    return -1;
}

Collective tuned_ours(int number)
{
    int i = number < TUNED_COLLECTIVES ? 0 : N_COLLECTIVES;
    while (i < N_COLLECTIVES && strcmp(collectives[i].name, tuned_collectives[number].name) != 0)
        i++;
    return (Collective)i;
}

TunedSize tuned_kind(LibraryFamily family, int collective)
{
    const TunedCollective *c = &tuned_collectives[collective];
    return family == LIBRARY_UCC ? c->ucc : c->size;
}

gint64 tuned_size(int collective, int ranks, gint64 block, gint64 type)
{
    return tuned_kind_size(tuned_collectives[collective].size, ranks, block, type);
}

gint64 tuned_kind_size(TunedSize kind, int ranks, gint64 block, gint64 type)
{
    gint64 all;
    switch (kind) {
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

gint64 tuned_part_size(int collective, int ranks, gint64 bytes)
{
    gint64 sum = bytes;
    const gboolean mean = tuned_collectives[collective].size == TUNED_SIZE_MEAN; // the part has the sum
    return mean && __builtin_mul_overflow(bytes, (gint64)ranks, &sum) ? G_MAXINT64 : sum;
}
