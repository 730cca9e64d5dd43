#include "run/mpi/host.h"
#include "run/mpi/mpi_run.h"

// What reducing a byte costs in SMPI, where computing takes no time. An MPI_User_function has no argument that could
// hold it, hence a variable of the file; all ranks set the same value.
static double gamma_s;

static void charge(int n, MPI_Datatype type)
{
    int size;
    if (gamma_s <= 0)
        return;
    MPI_Type_size(type, &size);
    host_compute((double)n * size * gamma_s);
}

static void charged_sum(void *left, void *right, int *n, MPI_Datatype *type)
{
    MPI_Reduce_local(left, right, *n, *type, MPI_SUM);
    charge(*n, *type);
}

static void charged_max(void *left, void *right, int *n, MPI_Datatype *type)
{
    MPI_Reduce_local(left, right, *n, *type, MPI_MAX);
    charge(*n, *type);
}

// An ordered element stands for an affine map: its halves a, b mean x -> a x + b modulo 2^bits. The reduction composes
// two maps, the left one applied first. This is associative and does not commute.
#define COMPOSE(bits)                                                                                                  \
    static void compose_##bits(void *left, void *right, int *n, MPI_Datatype *type)                                    \
    {                                                                                                                  \
        const uint##bits##_t *l = left;                                                                                \
        uint##bits##_t *r = right;                                                                                     \
        for (int i = 0; i < 2 * *n; i += 2) {                                                                          \
            const uint##bits##_t a = (uint##bits##_t)((uint64_t)l[i] * r[i]);                                          \
            r[i + 1] = (uint##bits##_t)((uint64_t)l[i + 1] * r[i] + r[i + 1]);                                         \
            r[i] = a;                                                                                                  \
        }                                                                                                              \
        charge(*n, *type);                                                                                             \
    }
COMPOSE(8)
COMPOSE(16)
COMPOSE(32)
COMPOSE(64)

// Open MPI's own sums of small integers do not wrap around: with AVX they stop at the largest value (Open MPI issue
// 8045).
#define ADD(bits)                                                                                                      \
    static void add_##bits(void *left, void *right, int *n, MPI_Datatype *type)                                        \
    {                                                                                                                  \
        const uint##bits##_t *l = left;                                                                                \
        uint##bits##_t *r = right;                                                                                     \
        for (int i = 0; i < *n; i++)                                                                                   \
            r[i] = (uint##bits##_t)(l[i] + r[i]);                                                                      \
        charge(*n, *type);                                                                                             \
    }
ADD(8)
ADD(16)

bool mpi_reduction_make(JobOp op, size_t elem, double cost_s, MpiReduction *reduction)
{
    static MPI_User_function *const compose[] = {
        [2] = compose_8, [4] = compose_16, [8] = compose_32, [16] = compose_64};
    // An element of another size is a vector of smaller numbers. The numbers are signed, because MPICH 4.0 computes the
    // maximum of unsigned numbers as if they were signed (MPICH issue 6083).
    const size_t size = elem % 8 == 0 ? 8 : elem % 4 == 0 ? 4 : elem % 2 == 0 ? 2 : 1;
    const bool ordered = op == JOB_ORDERED, wraps = op == JOB_SUM && size <= 2;
    *reduction = (MpiReduction){0};
    if (ordered && (elem >= sizeof compose / sizeof *compose || !compose[elem]))
        return false;
    *reduction = (MpiReduction){.op = op == JOB_MAX ? MPI_MAX : MPI_SUM,
                                .type = size == 8   ? MPI_INT64_T
                                        : size == 4 ? MPI_INT32_T
                                        : size == 2 ? MPI_INT16_T
                                                    : MPI_INT8_T,
                                .size = ordered ? elem : size,
                                .ordered = ordered,
                                .own = ordered || wraps || host_one_clock()};
    gamma_s = cost_s;
    if (ordered) {
        MPI_Type_contiguous((int)elem, MPI_BYTE, &reduction->type);
        MPI_Type_commit(&reduction->type);
    }
    if (reduction->own)
        MPI_Op_create(ordered              ? compose[elem]
                      : wraps && size == 1 ? add_8
                      : wraps              ? add_16
                      : op == JOB_MAX      ? charged_max
                                           : charged_sum,
                      !ordered, &reduction->op);
    return true;
}

void mpi_reduction_free(MpiReduction *reduction)
{
    if (reduction->ordered)
        MPI_Type_free(&reduction->type);
    if (reduction->own)
        MPI_Op_free(&reduction->op);
}
