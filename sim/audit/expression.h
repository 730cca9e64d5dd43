// A formula as papers and users write it: "ceil(log2(p))*(alpha + m*beta)". muParser reads and evaluates it, in doubles.
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct Expression Expression;

// Operators: + - * / ^ (-2^2 is -4, 2^3^2 is 2^9), < <= > >= == != && || (1 or 0) and `c ? x : y`. Functions:
//   ceil, floor       a value within 1e-9 of an integer is that integer
//   log2(x)           exact at powers of two
//   log(x, k)         the logarithm to the base k; exact at x = k^d. ln, log10, exp, sqrt, abs: as everywhere
//   min, max          of one or more
//   popcount(x)       the ones of an integer in binary
//   popcounts(p)      popcount(0) + .. + popcount(p-1)
//   knomial(p, k)     messages that the root of a k-nomial tree sends; k = 2: ceil(log2(p))
//   bintree(p)        the depth-like term D(p) of the binary tree: when its last rank has the message, in messages
//   delta(p)          of the binary blocks of p, 2^a + 2^b + .., the largest difference of neighbouring exponents
// and the constant `never`, infinity. At most 4000 characters, and 100 brackets in each other.
//
// names: the variables that it may use, NULL-terminated; none is called as a function is. NULL and bad input, which
// tells the column where it is wrong and, of an unknown name, what is allowed: "claim: column 7: ...". `what` stands
// for the expression in errors. Free with expression_free.
Expression *expression_new(const char *what, const char *text, const char *const *names, GError **error);
void expression_free(Expression *e);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Expression, expression_free)

// Its value where the i-th name has values[i]. NAN or an infinity where it has none there (a division by 0).
// Not for two threads at a time with one expression.
double expression_value(const Expression *e, const double *values);
// Does it use the variable?
bool expression_uses(const Expression *e, const char *name);
