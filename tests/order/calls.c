#include "order/calls.h"
#include "api/integers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Random calls --------------------------------------------------------------------------------------------------

static gboolean known(const Tables *tables, Collective collective)
{
    for (guint i = 0; i < tables->algorithms->len; i++)
        if (g_array_index(tables->algorithms, LibraryAlgorithm, i).collective == collective)
            return TRUE;
    return FALSE;
}

DecideCall calls_decide(const RandomCall *call)
{
    return (DecideCall){.collective = call->collective,
                        .p = call->p,
                        .m = (size_t)call->count * (size_t)call->elem,
                        .elem = (size_t)call->elem,
                        .commutative = call->commutative,
                        .in_place = call->in_place};
}

// Returns a size of at most `most` bytes: one of the tables' or an element beside it, or any.
static size_t random_size(const Tables *tables, GRand *random, const RandomCall *call, size_t most, gboolean threshold)
{
    const size_t elem = (size_t)call->elem;
    size_t size = (size_t)exp(g_rand_double_range(random, log((double)elem), log((double)most)));
    const DecideCall decide = calls_decide(call);
    g_autoptr(GArray) sizes = decide_sizes(tables, &decide);
    guint n = 0;
    while (n < sizes->len && g_array_index(sizes, size_t, n) <= most)
        n++;
    if (threshold && n > 0) {
        size = g_array_index(sizes, size_t, (guint)g_rand_int_range(random, 0, (gint32)n));
        size = size + elem * (size_t)g_rand_int_range(random, 0, 3) - MIN(elem, size);
    }
    return CLAMP(size, elem, most) / elem * elem;
}

static RandomCall random_call(const Tables *tables, GRand *random, gboolean threshold)
{
    static const int types[] = {1, 4, 8};
    RandomCall call = {.p = g_rand_int_range(random, 2, CALLS_RANKS + 1),
                       .elem = types[g_rand_int_range(random, 0, 3)]};
    do
        call.collective = (Collective)g_rand_int_range(random, 0, N_COLLECTIVES);
    while (!known(tables, call.collective));
    const CollectiveInfo *info = &collectives[call.collective];
    const int root = g_rand_int_range(random, 0, call.p), ordered = g_rand_int_range(random, 0, 3);
    call.root = info->rooted ? root : 0;
    call.commutative = !info->reduces || ordered > 0;
    call.in_place = g_rand_int_range(random, 0, 4) == 0 && info->in_place;
    const size_t most = info->vector ? CALLS_BYTES : CALLS_BYTES / (size_t)call.p;
    const size_t size = random_size(tables, random, &call, most, threshold);
    call.count = call.collective == COLL_BARRIER ? 0 : (int)(size / (size_t)call.elem);
    return call;
}

GArray *calls_random(const Tables *tables, guint32 seed, guint n)
{
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(RandomCall));
    GRand *random = g_rand_new_with_seed(seed);
    for (guint i = 0; i < n; i++) {
        const RandomCall call = random_call(tables, random, i % 4 == 3);
        g_array_append_val(calls, call);
    }
    g_rand_free(random);
    return calls;
}

void calls_print(const RandomCall *call)
{
    printf("%s,%d,%d,%d,%d,%s,%s,", collectives[call->collective].name, call->p, call->count, call->elem, call->root,
           call->commutative ? "yes" : "no", call->in_place ? "yes" : "no");
}

GArray *calls_read(const char *path)
{
    g_autofree char *text = NULL;
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(RandomCall));
    if (!g_file_get_contents(path, &text, NULL, NULL))
        g_error("%s cannot be read", path);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line && **line; line++) {
        g_auto(GStrv) word = g_strsplit(*line, ",", -1);
        g_assert(g_strv_length(word) >= 8);
        RandomCall call = {.p = atoi(word[1]),
                           .count = atoi(word[2]),
                           .elem = atoi(word[3]),
                           .root = atoi(word[4]),
                           .commutative = strcmp(word[5], "yes") == 0,
                           .in_place = strcmp(word[6], "yes") == 0,
                           .own = strcmp(word[7], "yes") == 0};
        for (int i = 0; i < N_COLLECTIVES; i++)
            if (strcmp(collectives[i].name, word[0]) == 0)
                call.collective = (Collective)i;
        g_array_append_val(calls, call);
    }
    return calls;
}

// ---- The library's call --------------------------------------------------------------------------------------------

static void keep_right(void *in, void *into, int *n, MPI_Datatype *type)
{
    (void)in;
    (void)into;
    (void)n;
    (void)type;
}

MPI_Op calls_operation(const RandomCall *x)
{
    static MPI_Op own[2] = {MPI_OP_NULL, MPI_OP_NULL}; // not commutative, commutative
    for (int i = 0; i < 2; i++)
        if (own[i] == MPI_OP_NULL)
            MPI_Op_create(keep_right, i, &own[i]);
    return x->commutative && !x->own ? MPI_MAX : own[x->commutative];
}

void calls_make(const RandomCall *x, MPI_Op op, MPI_Comm comm)
{
    static char from[CALLS_BYTES + 8], to[CALLS_BYTES + 8];
    const MPI_Datatype type = x->elem == 1 ? MPI_SIGNED_CHAR : x->elem == 4 ? MPI_INT : MPI_DOUBLE;
    const int n = x->count, p = x->p, root = x->root;
    g_autofree int *counts = g_new(int, p), *at = g_new(int, p);
    int rank;
    MPI_Comm_rank(comm, &rank);
    for (int i = 0, sum = 0; i < p; sum += counts[i++]) {
        counts[i] = x->collective == COLL_REDUCE_SCATTER ? n / p + (i < n % p) : n;
        at[i] = sum;
    }
    const void *all = x->in_place ? MPI_IN_PLACE : from, *at_root = x->in_place && rank == root ? MPI_IN_PLACE : from;
    void *into = x->in_place && rank == root ? MPI_IN_PLACE : to;
    switch (x->collective) {
    case COLL_BARRIER:
        MPI_Barrier(comm);
        break;
    case COLL_BCAST:
        MPI_Bcast(to, n, type, root, comm);
        break;
    case COLL_SCATTER:
        MPI_Scatter(from, n, type, into, n, type, root, comm);
        break;
    case COLL_SCATTERV:
        MPI_Scatterv(from, counts, at, type, into, n, type, root, comm);
        break;
    case COLL_GATHER:
        MPI_Gather(at_root, n, type, to, n, type, root, comm);
        break;
    case COLL_GATHERV:
        MPI_Gatherv(at_root, n, type, to, counts, at, type, root, comm);
        break;
    case COLL_ALLGATHER:
        MPI_Allgather(all, n, type, to, n, type, comm);
        break;
    case COLL_ALLGATHERV:
        MPI_Allgatherv(all, n, type, to, counts, at, type, comm);
        break;
    case COLL_ALLTOALL:
        MPI_Alltoall(all, n, type, to, n, type, comm);
        break;
    case COLL_ALLTOALLV:
        MPI_Alltoallv(all, counts, at, type, to, counts, at, type, comm);
        break;
    case COLL_REDUCE:
        MPI_Reduce(at_root, to, n, type, op, root, comm);
        break;
    case COLL_ALLREDUCE:
        MPI_Allreduce(all, to, n, type, op, comm);
        break;
    case COLL_SCAN:
        MPI_Scan(all, to, n, type, op, comm);
        break;
    case COLL_EXSCAN:
        MPI_Exscan(all, to, n, type, op, comm);
        break;
    case COLL_REDUCE_SCATTER:
        MPI_Reduce_scatter(all, to, counts, type, op, comm);
        break;
    case COLL_REDUCE_SCATTER_BLOCK:
        MPI_Reduce_scatter_block(all, to, n, type, op, comm);
        break;
    default:
        g_assert_not_reached();
    }
}
