// The exact formulas of the registry, at a machine's figures.
#pragma once
#include "model/model.h"
#include "times/times.h"

// Is the formula of an entry claimed there? For p ranks and m bytes: where the vector can be cut into p, into
// 2^floor(log2 p), and each of these into 2 blocks that are all alike.
bool closed_form_holds(int p, size_t m, size_t elem);
// The least such m above 0, which divides all others; G_MAXSIZE if it does not fit into 64 bits.
size_t closed_form_least(int p, size_t elem);
// Returns the smallest size whose multiples all satisfy closed_form_holds() and split evenly into 2, 3, 4, 6, 8, 12 and
// 24 segments; G_MAXSIZE if it does not fit into 64 bits.
size_t closed_form_unit(int p, size_t elem);
// What the formula of an operation takes, but for the costs.
CollPoint closed_form_point(const Operation *op, bool eager);
// Returns T of the operation in seconds under hockney, or in shared memory where it is of that. time_s is about what it
// is. Returns NAN if there is no form, or if its integers would not fit into 64 bits.
double closed_form(const Operation *op, const Platform *platform, bool eager, double time_s);
// T under hockney as the form has it around the platform's figures: count[0] alpha + count[1] beta + count[2] gamma; where
// it is one linear form these are its coefficients. False where there is no form, or a kink just there.
bool closed_form_counts(const Operation *op, const Platform *platform, bool eager, int64_t count[3]);
