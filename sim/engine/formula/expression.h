// A formula as papers and users write it: "ceil(log2(p))*(alpha + m*beta)". Its value is a double.
#pragma once
#include <glib.h>
#include <stdbool.h>

typedef struct Expression Expression;

// Returns true if a variable can have this name: at most 100 letters, digits and _, not beginning with a digit, and not
// the constant `never`. Otherwise returns FALSE and an error that calls the name `what`, as in "claim: let: ..".
gboolean expression_check_name(const char *what, const char *name, GError **error);

// Compiles a formula. Operators: + - * / ^ (-2^2 is -4, 2^3^2 is 2^9), < <= > >= == != && || (their result is 1 or 0)
// and `c ? x : y`. The functions are ln, log10, exp, sqrt and abs, as in C, and
//   ceil, floor       take a value within 1e-9 of an integer as that integer, so that rounding errors do not count
//   log2(x)           is exact at powers of two
//   log(x, k)         the logarithm to the base k, exact at x = k^d
//   min, max          take one or more arguments
//   popcount(x)       how many ones the integer x has in binary
//   popcounts(p)      popcount(0) + .. + popcount(p-1)
//   knomial(p, k)     how many messages the root of a k-nomial tree sends; ceil(log2(p)) if k = 2
//   bintree(p)        D(p): the time, in messages, until the last of p >= 2 ranks of a binary tree has the message
//   delta(p)          the largest difference of neighbouring exponents in p = 2^a + 2^b + ..; 3 for 2^6 + 2^5 + 2^2
// The constant `never` is infinity. A formula has at most 4000 characters and 100 levels of brackets.
//
// `names` lists the variables that the formula may use, NULL-terminated; expression_check_name() must accept each. A
// variable that has the name of a function hides the function. Errors call the formula `what` and give the column, as
// in "claim: column 7: .."; for an unknown name they list the allowed ones. Returns NULL and an error on bad input.
// Free with expression_free.
Expression *expression_new(const char *what, const char *text, const char *const *names, GError **error);
// Returns the same expression, which needs one more expression_free.
Expression *expression_ref(Expression *e);
void expression_free(Expression *e);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Expression, expression_free)

// Returns the formula with as few brackets as it needs: "(p - 1)/p*alpha". Free with g_free.
char *expression_text(const Expression *e);
// Returns the value of the formula if the variable names[i] is values[i]. Returns NAN or an infinity where the formula
// has no value, as after a division by 0.
double expression_value(const Expression *e, const double *values);
// Returns true if the formula uses the variable `name`.
bool expression_uses(const Expression *e, const char *name);
