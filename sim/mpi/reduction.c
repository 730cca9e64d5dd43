#include "mpi_run.h"
#include <string.h>

// An ordered element is an affine map: halves a, b stand for x -> a x + b modulo 2^bits, and two are composed, first the
// left one. That is associative, and does not commute.
#define COMPOSE(bits)                                                                                                  \
    static void compose_##bits(void *left, void *right, int *n, MPI_Datatype *type)                                    \
    {                                                                                                                  \
        const uint##bits##_t *l = left;                                                                                \
        uint##bits##_t *r = right;                                                                                     \
        (void)type;                                                                                                    \
        for (int i = 0; i < 2 * *n; i += 2) {                                                                          \
            const uint##bits##_t a = (uint##bits##_t)((uint64_t)l[i] * r[i]);                                          \
            r[i + 1] = (uint##bits##_t)((uint64_t)l[i + 1] * r[i] + r[i + 1]);                                         \
            r[i] = a;                                                                                                  \
        }                                                                                                              \
    }
COMPOSE(8)
COMPOSE(16)
COMPOSE(32)
COMPOSE(64)

bool mpi_reduction_make(JobOp op, size_t elem, MpiReduction *reduction)
{
    // Elements of other sizes are vectors of smaller numbers.
    const size_t size = elem % 8 == 0 ? 8 : elem % 4 == 0 ? 4 : elem % 2 == 0 ? 2 : 1;
    *reduction = (MpiReduction){.op = op == JOB_MAX ? MPI_MAX : MPI_SUM,
                                .type = size == 8   ? MPI_UINT64_T
                                        : size == 4 ? MPI_UINT32_T
                                        : size == 2 ? MPI_UINT16_T
                                                    : MPI_UINT8_T,
                                .size = size,
                                .ordered = op == JOB_ORDERED};
    if (op != JOB_ORDERED)
        return true;
    MPI_User_function *const compose = elem == 2    ? compose_8
                                       : elem == 4  ? compose_16
                                       : elem == 8  ? compose_32
                                       : elem == 16 ? compose_64
                                                    : NULL;
    if (!compose)
        return false;
    reduction->size = elem;
    MPI_Type_contiguous((int)elem, MPI_BYTE, &reduction->type);
    MPI_Type_commit(&reduction->type);
    MPI_Op_create(compose, 0, &reduction->op);
    return true;
}

void mpi_reduction_free(MpiReduction *reduction)
{
    if (!reduction->ordered)
        return;
    MPI_Type_free(&reduction->type);
    MPI_Op_free(&reduction->op);
}
