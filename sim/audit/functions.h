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
double functions_ceil(double x);
double functions_floor(double x);
double functions_log(double x, double k);
double functions_popcount(double x);
double functions_knomial(double p, double k);
double functions_bintree(double p);
double functions_popcounts(double p);
