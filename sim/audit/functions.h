// What formulas may call. All give NAN where they have no value: popcount(2.5), knomial(p, 1).
#pragma once
#include <stdbool.h>

typedef struct Function {
    const char *name, *takes; // "log", "(x, k)"
    int arguments;            // 0: one or more
    // The one of them that fits `arguments`.
    double (*one)(double x);
    double (*two)(double x, double y);
    double (*any)(const double *x, int n);
} Function;

extern const Function functions[];
extern const int n_functions;
// The function of this name, n characters long; NULL when there is none.
const Function *function_find(const char *name, int n);

// Of `functions`, those that are called from C too.
double ceil_near(double x);
double floor_near(double x);
double log_base(double x, double k);
double popcount_of(double x);
double knomial_of(double p, double k);
double bintree_of(double p);
double popcounts_of(double p);
