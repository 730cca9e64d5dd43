// The functions that formulas may call. A function returns NAN where it has no value: popcount(2.5), knomial(p, 1).
#pragma once
#include <stdbool.h>

typedef struct Function {
    const char *name, *takes; // "log", "(x, k)"
    int arguments;            // 1 or 2; 0 for one or more
    // Only the pointer that fits `arguments` is set.
    double (*one)(double x);
    double (*two)(double x, double y);
    double (*any)(const double *x, int n);
} Function;

extern const Function functions[];
extern const int n_functions;
// Returns the function whose name is the n characters at `name`; NULL if there is none.
const Function *function_find(const char *name, int n);

// The ones that C code calls directly; expression.h says what they compute.
double functions_ceil(double x);
double functions_floor(double x);
double functions_log(double x, double k);
double functions_popcount(double x);
double functions_knomial(double p, double k);
double functions_bintree(double p);
double functions_popcounts(double p);
