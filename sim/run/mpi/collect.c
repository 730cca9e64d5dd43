#include "run/mpi/collect.h"
#include <glib.h>

enum { TAG = 4 };

void collect_merge(const MpiRun *run, void *data, size_t size,
                   void (*merge)(void *mine, const void *other, size_t size))
{
    g_autofree void *other = g_malloc(size);
    for (int distance = 1; distance < run->p; distance *= 2) {
        if (run->rank % (2 * distance) != 0) {
            MPI_Send(data, (int)size, MPI_BYTE, run->rank - distance, TAG, run->comm);
            return;
        }
        if (run->rank + distance >= run->p)
            continue;
        MPI_Recv(other, (int)size, MPI_BYTE, run->rank + distance, TAG, run->comm, MPI_STATUS_IGNORE);
        merge(data, other, size);
    }
}

void collect_share(const MpiRun *run, void *data, size_t size)
{
    int distance = 1;
    while (distance < run->p && run->rank % (2 * distance) == 0)
        distance *= 2;
    if (run->rank != 0)
        MPI_Recv(data, (int)size, MPI_BYTE, run->rank - distance, TAG, run->comm, MPI_STATUS_IGNORE);
    while ((distance /= 2) > 0)
        if (run->rank + distance < run->p)
            MPI_Send(data, (int)size, MPI_BYTE, run->rank + distance, TAG, run->comm);
}

static void merge_max(void *mine, const void *other, size_t size)
{
    double *x = mine;
    const double *y = other;
    for (size_t i = 0; i < size / sizeof *x; i++)
        x[i] = MAX(x[i], y[i]);
}

void collect_max(const MpiRun *run, double *x, int n)
{
    collect_merge(run, x, (size_t)n * sizeof *x, merge_max);
}

static void merge_sum(void *mine, const void *other, size_t size)
{
    (void)size;
    *(double *)mine += *(const double *)other;
}

double collect_sum(const MpiRun *run, double x)
{
    collect_merge(run, &x, sizeof x, merge_sum);
    return x;
}
