// A formula as papers and users write it: "ceil(log2(p))*(alpha + m*beta)". muParser reads and evaluates it, in doubles.
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct Expression Expression;

// Beside muParser's own operators and functions (min, max, sqrt, comparisons, `?:`):
//   ceil, floor       a value within 1e-9 of an integer is that integer
//   log2(x)           exact at powers of two
//   log(x, k)         the logarithm to the base k; exact at x = k^d
//   popcount(x)       the ones of an integer in binary
//   knomial(p, k)     messages that the root of a k-nomial tree sends; k = 2: ceil(log2(p))
//   bintree(p)        the depth-like term D(p) of the binary tree: when its last rank has the message, in messages
//   popcounts(p)      popcount(0) + .. + popcount(p-1)
//   delta(p)          of the binary blocks of p, 2^a + 2^b + .., the largest difference of neighbouring exponents
// and the constant `never`, infinity. Free with expression_free.
//
// names: the variables that it may use, NULL-terminated. NULL and bad input, which tells the column where it is wrong
// and, of an unknown name, what is allowed: "claim: column 7: ...". `what` stands for the expression in errors.
Expression *expression_new(const char *what, const char *text, const char *const *names, GError **error);
void expression_free(Expression *e);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Expression, expression_free)

// Its value where the i-th name has values[i]. NAN or an infinity where it has none there (a division by 0).
// Not for two threads at a time with one expression.
double expression_value(const Expression *e, const double *values);
// Does it use the variable?
bool expression_uses(const Expression *e, const char *name);
