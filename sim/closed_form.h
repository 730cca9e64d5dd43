// The exact formulas of the registry, at a machine's figures.
#pragma once
#include "model.h"

// Is the formula of an entry claimed there? For p ranks and m bytes: where the vector can be cut into p, into
// 2^floor(log2 p), and each of these into 2 blocks that are all alike.
bool closed_form_holds(int p, size_t m, size_t elem);
// T of the operation in seconds under hockney, or in shared memory where it is of that; NAN where there is no form.
// time_s: about what it is.
double closed_form(const Operation *op, const Platform *platform, bool eager, double time_s);
