// The true values at one point of the grid, taken from simulation, and the classes of points that a claim can be right
// for.
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { SAMPLE_PARTS = 4, SAMPLE_MIXED = 2 };

// The true values at one point. T is judged coefficient by coefficient: part i is T where the i-th of the costs alpha,
// beta, gamma (or L, o, g, G) is 1 and the others are 0. These are integers as long as the coefficients of beta and
// gamma are whole bytes. `mixed` is T at (7, 3, 1) and (7, 1, 3), in LogGP at (7, 3, 1, 2) and (7, 1, 3, 2), with 0 for
// each cost that the claim leaves out. It shows whether T is the sum of its parts: two costs may overlap so that only
// the larger one counts, and each is the larger one once. A quantity that is not a time has one part.
typedef struct Sample {
    int p;
    double m;    // bytes, as -m
    double S, k; // the number of segments; the radix or the number of chains. 1 if the algorithm has none
    int family; // the index of the point's Family (claim_grid.h): S and k are the same functions of p in all its points
    double part[SAMPLE_PARTS], mixed[SAMPLE_MIXED];
} Sample;

// A class of points, by a property of p, S and k.
typedef struct SampleClass {
    const char *name; // "powers of two"
    bool (*has)(const Sample *s);
} SampleClass;

// The first class has all points ("all"). All classes are infinite.
extern const SampleClass sample_classes[];
extern const size_t n_sample_classes;

// Returns the sum of the n parts times their costs: T at these costs, if T is the sum of its parts.
double sample_sum(const Sample *s, int n, const double *cost);
// Sets `mixed` to these sums, for a quantity that is the sum of its parts by definition.
void sample_add_up(Sample *s, int n, const double (*mixed)[SAMPLE_PARTS]);

// Returns true if two doubles that were computed in different ways are equal up to rounding.
static inline bool same_value(double a, double b)
{
    return a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)));
}
