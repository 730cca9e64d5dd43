// The times of a fold, alone and around recursive halving and doubling.
#include "times/times.h"
#include "api/integers.h"

int64_t fold_reduce_time(const CollPoint *x)
{
    // Open MPI's pairs send two halves, one after the other, and each rank reduces one half.
    const int64_t halves = x->par.prestep == PRESTEP_OMPI ? x->alpha - g(x, x->m / 2) : 0;
    return u(x, x->m) + g(x, x->m) + halves;
}

int64_t fold_halve_double_time(const CollPoint *x)
{
    const int f = log2_floor(x->p), e = !is_pow2(x->p);
    const int64_t part = x->m - (x->m >> f); // (P-1)/P m
    return 2 * (f + e) * x->alpha + 2 * (e * x->m + part) * x->beta + (e * x->m + part) * x->gamma;
}
