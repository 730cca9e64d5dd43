// Calls all collectives of MPI with what a tuning file may not have thought of: no elements, fewer elements than ranks,
// MPI_IN_PLACE, operations of the program's own, one of which is not commutative, counts that differ between ranks,
// nonblocking and neighbourhood collectives, intercommunicators. The results of reductions, of allgather and of alltoall
// are checked; for the others it is enough that the library does not end the program. Rank 0 prints the number of calls.
// The exit status is 1 if a result is wrong.
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16384, MOST_RANKS = 64 };
static double in[MOST * MOST_RANKS], out[MOST * MOST_RANKS];
static long calls, wrong;

// A group of ranks, and the caller's place in it.
typedef struct CallGroup {
    MPI_Comm comm;
    int p, rank;
} CallGroup;

typedef enum { SUM, OWN_SUM, LAST, N_OPERATIONS } CallOperation;
static MPI_Op operations[N_OPERATIONS];

static void add(void *a, void *into, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((double *)into)[i] += ((const double *)a)[i];
}

// The result is what the last rank has: associative, but not commutative.
static void keep_last(void *a, void *into, int *n, MPI_Datatype *type)
{
    (void)a;
    (void)into;
    (void)n;
    (void)type;
}

static double value(int rank, int i)
{
    return rank * 7 + i % 1000;
}

// Returns element i of the reduction over ranks 0..last.
static double reduced(CallOperation operation, int last, int i)
{
    double sum = 0;
    for (int r = 0; r <= last; r++)
        sum += value(r, i);
    return operation == LAST ? value(last, i) : sum;
}

static void check(const char *name, const CallGroup *g, int n, double is, double should)
{
    if (is == should)
        return;
    if (wrong++ < 5)
        printf("%s of %d elements on %d ranks, rank %d: %g in place of %g\n", name, n, g->p, g->rank, is, should);
}

// Checks that out[i] is element first + i of the reduction.
static void check_reduced(const char *name, const CallGroup *g, CallOperation operation, int last, int first, int n)
{
    for (int i = 0; i < n; i++)
        check(name, g, n, out[i], reduced(operation, last, first + i));
    calls++;
}

static void fill(const CallGroup *g, double *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = value(g->rank, i);
}

static void reduce_all(const CallGroup *g, CallOperation operation, int n, bool in_place)
{
    const MPI_Op op = operations[operation];
    const int p = g->p, root = p / 2;
    const void *from = in_place ? MPI_IN_PLACE : (const void *)in;
    int counts[MOST_RANKS], first = 0;
    fill(g, in, n * p);
    fill(g, out, n);
    MPI_Allreduce(from, out, n, MPI_DOUBLE, op, g->comm);
    check_reduced("allreduce", g, operation, p - 1, 0, n);
    fill(g, out, n);
    MPI_Reduce(in_place && g->rank == root ? MPI_IN_PLACE : in, out, n, MPI_DOUBLE, op, root, g->comm);
    check_reduced("reduce", g, operation, p - 1, 0, g->rank == root ? n : 0);
    fill(g, out, n);
    MPI_Scan(from, out, n, MPI_DOUBLE, op, g->comm);
    check_reduced("scan", g, operation, g->rank, 0, n);
    fill(g, out, n);
    MPI_Exscan(from, out, n, MPI_DOUBLE, op, g->comm);
    check_reduced("exscan", g, operation, g->rank - 1, 0, g->rank > 0 ? n : 0);
    fill(g, out, n * p);
    MPI_Reduce_scatter_block(from, out, n, MPI_DOUBLE, op, g->comm);
    check_reduced("reduce_scatter_block", g, operation, p - 1, g->rank * n, n);
    for (int regular = 0; regular <= 1; regular++) {
        for (int i = 0; i < p; i++)
            counts[i] = regular ? n : i % 3 ? n : 0;
        first = 0;
        for (int i = 0; i < g->rank; i++)
            first += counts[i];
        fill(g, out, n * p);
        MPI_Reduce_scatter(from, out, counts, MPI_DOUBLE, op, g->comm);
        check_reduced("reduce_scatter", g, operation, p - 1, first, counts[g->rank]);
    }
}

static void move_all(const CallGroup *g, int n, bool in_place)
{
    const int p = g->p, root = p - 1;
    const bool at_root = in_place && g->rank == root;
    int counts[MOST_RANKS], at[MOST_RANKS], bytes[MOST_RANKS];
    MPI_Datatype types[MOST_RANKS];
    const void *all = in_place ? MPI_IN_PLACE : (const void *)in;
    for (int i = 0; i < p; i++) {
        counts[i] = n;
        at[i] = i * n;
        bytes[i] = at[i] * (int)sizeof(double);
        types[i] = MPI_DOUBLE;
    }
    fill(g, in, n * p);
    fill(g, out + at[g->rank], n);
    MPI_Allgather(all, n, MPI_DOUBLE, out, n, MPI_DOUBLE, g->comm);
    for (int i = 0; i < n * p; i++)
        check("allgather", g, n, out[i], value(i / n, i % n));
    fill(g, out + at[g->rank], n);
    MPI_Allgatherv(all, n, MPI_DOUBLE, out, counts, at, MPI_DOUBLE, g->comm);
    for (int i = 0; i < n * p; i++)
        check("allgatherv", g, n, out[i], value(i / n, i % n));
    fill(g, out, n * p);
    MPI_Alltoall(all, in_place ? 0 : n, in_place ? MPI_DATATYPE_NULL : MPI_DOUBLE, out, n, MPI_DOUBLE, g->comm);
    for (int i = 0; i < n * p; i++)
        check("alltoall", g, n, out[i], value(i / n, g->rank * n + i % n));
    MPI_Alltoallv(all, counts, at, MPI_DOUBLE, out, counts, at, MPI_DOUBLE, g->comm);
    MPI_Alltoallw(all, counts, bytes, types, out, counts, bytes, types, g->comm);
    MPI_Bcast(out, n, MPI_DOUBLE, root, g->comm);
    MPI_Gather(at_root ? MPI_IN_PLACE : in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, root, g->comm);
    MPI_Scatter(in, n, MPI_DOUBLE, at_root ? MPI_IN_PLACE : out, n, MPI_DOUBLE, root, g->comm);
    MPI_Gatherv(at_root ? MPI_IN_PLACE : in, n, MPI_DOUBLE, out, counts, at, MPI_DOUBLE, root, g->comm);
    MPI_Scatterv(in, counts, at, MPI_DOUBLE, at_root ? MPI_IN_PLACE : out, n, MPI_DOUBLE, root, g->comm);
    MPI_Barrier(g->comm);
    calls += 11;
}

static void nonblocking(const CallGroup *g, CallOperation operation, int n)
{
    const MPI_Op op = operations[operation];
    MPI_Request r[16];
    int k = 0;
    for (int i = 0; i < 16; i++)
        r[i] = MPI_REQUEST_NULL;
    static double to[12][MOST];
    int counts[MOST_RANKS], at[MOST_RANKS];
    for (int i = 0; i < g->p; i++) {
        counts[i] = n;
        at[i] = i * n;
    }
    MPI_Ibarrier(g->comm, &r[k++]);
    MPI_Ibcast(to[0], n, MPI_DOUBLE, 0, g->comm, &r[k++]);
    MPI_Iallreduce(in, to[1], n, MPI_DOUBLE, op, g->comm, &r[k++]);
    MPI_Ireduce(in, to[2], n, MPI_DOUBLE, op, 0, g->comm, &r[k++]);
    MPI_Iscan(in, to[3], n, MPI_DOUBLE, op, g->comm, &r[k++]);
    MPI_Iexscan(in, to[4], n, MPI_DOUBLE, op, g->comm, &r[k++]);
    MPI_Ireduce_scatter_block(in, to[5], n, MPI_DOUBLE, op, g->comm, &r[k++]);
    MPI_Ireduce_scatter(in, to[6], counts, MPI_DOUBLE, op, g->comm, &r[k++]);
    MPI_Iallgather(in, n, MPI_DOUBLE, to[7], n, MPI_DOUBLE, g->comm, &r[k++]);
    MPI_Iallgatherv(in, n, MPI_DOUBLE, to[8], counts, at, MPI_DOUBLE, g->comm, &r[k++]);
    MPI_Ialltoall(in, n, MPI_DOUBLE, to[9], n, MPI_DOUBLE, g->comm, &r[k++]);
    MPI_Ialltoallv(in, counts, at, MPI_DOUBLE, to[10], counts, at, MPI_DOUBLE, g->comm, &r[k++]);
    MPI_Igather(in, n, MPI_DOUBLE, to[11], n, MPI_DOUBLE, 0, g->comm, &r[k++]);
    MPI_Waitall(k, r, MPI_STATUSES_IGNORE);
    MPI_Iscatter(in, n, MPI_DOUBLE, to[0], n, MPI_DOUBLE, 0, g->comm, &r[0]);
    MPI_Igatherv(in, n, MPI_DOUBLE, to[1], counts, at, MPI_DOUBLE, 0, g->comm, &r[1]);
    MPI_Iscatterv(in, counts, at, MPI_DOUBLE, to[2], n, MPI_DOUBLE, 0, g->comm, &r[2]);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    calls += k + 3;
}

static void neighbours(const CallGroup *g)
{
    const int size = g->p, periodic = 1;
    int counts[2] = {3, 3}, at[2] = {0, 3};
    const MPI_Aint far[2] = {0, 24};
    const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
    MPI_Comm ring;
    MPI_Request r[2];
    MPI_Cart_create(g->comm, 1, &size, &periodic, 0, &ring);
    MPI_Neighbor_allgather(in, 3, MPI_DOUBLE, out, 3, MPI_DOUBLE, ring);
    MPI_Neighbor_allgatherv(in, 3, MPI_DOUBLE, out, counts, at, MPI_DOUBLE, ring);
    MPI_Neighbor_alltoall(in, 3, MPI_DOUBLE, out, 3, MPI_DOUBLE, ring);
    MPI_Neighbor_alltoallv(in, counts, at, MPI_DOUBLE, out, counts, at, MPI_DOUBLE, ring);
    MPI_Neighbor_alltoallw(in, counts, far, types, out, counts, far, types, ring);
    MPI_Ineighbor_allgather(in, 3, MPI_DOUBLE, out, 3, MPI_DOUBLE, ring, &r[0]);
    MPI_Ineighbor_alltoall(in, 3, MPI_DOUBLE, out + 8, 3, MPI_DOUBLE, ring, &r[1]);
    // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): it does not know that these two calls make requests.
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&ring);
    calls += 7;
}

// Calls collectives between the lower and the upper half of the ranks.
static void between(const CallGroup *g, int n)
{
    const bool upper = g->rank >= g->p / 2;
    const int p = g->p, others = upper ? p / 2 : p - p / 2, own = p - others;
    const int to_first = upper ? g->rank == p / 2 ? MPI_ROOT : MPI_PROC_NULL : 0;
    int counts[MOST_RANKS];
    MPI_Comm half, both;
    MPI_Comm_split(g->comm, upper, g->rank, &half);
    MPI_Intercomm_create(half, 0, g->comm, upper ? 0 : p / 2, 7, &both);
    for (int i = 0; i < own; i++)
        counts[i] = n * others;
    MPI_Barrier(both);
    MPI_Bcast(out, n, MPI_DOUBLE, to_first, both);
    MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, both);
    MPI_Allgather(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, both);
    MPI_Alltoall(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, both);
    MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_SUM, to_first, both);
    MPI_Gather(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, to_first, both);
    MPI_Scatter(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, to_first, both);
    MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_SUM, both);
    MPI_Reduce_scatter_block(in, out, n * others, MPI_DOUBLE, MPI_SUM, both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    calls += 10;
}

static void call_all(const CallGroup *g)
{
    const int sizes[] = {0, 1, 2, g->p - 1, g->p, 37, 600};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int in_place = 0; in_place <= 1; in_place++) {
            for (int o = 0; o < N_OPERATIONS; o++)
                reduce_all(g, (CallOperation)o, sizes[k], in_place);
            move_all(g, sizes[k], in_place);
        }
        for (int o = 0; o < N_OPERATIONS; o++)
            nonblocking(g, (CallOperation)o, sizes[k]);
        if (g->p > 1)
            between(g, sizes[k]);
    }
    neighbours(g);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    long all_wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    operations[SUM] = MPI_SUM;
    MPI_Op_create(add, 1, &operations[OWN_SUM]);
    MPI_Op_create(keep_last, 0, &operations[LAST]);
    const int some[] = {1, 2, 3, 5, 8, 11, 16};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        CallGroup g = {.p = some[i]};
        if (g.p > ranks)
            continue;
        MPI_Comm_split(MPI_COMM_WORLD, rank < g.p ? 0 : MPI_UNDEFINED, rank, &g.comm);
        if (rank >= g.p)
            continue;
        MPI_Comm_rank(g.comm, &g.rank);
        call_all(&g);
        MPI_Comm_free(&g.comm);
    }
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld calls, %ld results are wrong\n", calls, all_wrong);
    MPI_Bcast(&all_wrong, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return all_wrong > 0;
}
