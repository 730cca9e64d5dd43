// What is true at a point of the grid, taken from simulation, and the kinds of points that claims can be right for.
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { SAMPLE_PARTS = 4, SAMPLE_MIXED = 2 };

// A cost of alpha, beta, gamma (or L, o, g, G) is judged coefficient by coefficient: part i is T where the i-th of them
// is 1 and the others are 0. `mixed` is T at (7, 3, 1) and (7, 1, 3) (LogGP: (7, 3, 1, 2) and (7, 1, 3, 2)): each of two
// costs that may hide behind each other is the larger one once. Integers, as long as beta's and gamma's are bytes. What
// is no cost has one part.
typedef struct Sample {
    int p;
    double m;    // bytes, as -m
    double S, k; // segments; the radix, or the number of chains; 1 where there is none
    int family;  // points of a family differ in p alone: S and k are the same functions of p
    double part[SAMPLE_PARTS], mixed[SAMPLE_MIXED];
} Sample;

typedef struct SampleClass {
    const char *name; // "powers of two"
    bool (*has)(const Sample *s);
} SampleClass;

// The first has all points ("all"). Each has points without end.
extern const SampleClass sample_classes[];
extern const size_t n_sample_classes;

// T at these costs, where it is the sum of its n parts.
double sample_sum(const Sample *s, int n, const double *cost);
// Sets `mixed` to that.
void sample_add_up(Sample *s, int n, const double (*mixed)[SAMPLE_PARTS]);

// What is computed in doubles along two ways: equal but for rounding.
static inline bool same_value(double a, double b)
{
    return a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)));
}
