// Closed forms: the exact formulas of the registry, evaluated with the figures of a machine.
#pragma once
#include "engine/model/model.h"
#include "machine/platform/mapping.h"
#include "times/times.h"

// Returns true if the registry's formulas apply to p ranks and m bytes. They ignore rounding, so m bytes must split
// evenly into p blocks and into 2^floor(log2 p) blocks, and each of these blocks into two halves, all of whole
// elements.
bool closed_form_holds(int p, size_t m, size_t elem);
// Returns the smallest size above 0 for which closed_form_holds(); the other sizes are its multiples. Returns G_MAXSIZE
// if it does not fit into 64 bits.
size_t closed_form_least(int p, size_t elem);
// Returns the smallest size whose multiples all satisfy closed_form_holds() and split evenly into 2, 3, 4, 6, 8, 12 and
// 24 segments; G_MAXSIZE if it does not fit into 64 bits.
size_t closed_form_unit(int p, size_t elem);
// Returns the point at which to evaluate the formula of an operation. Its costs (alpha, beta, gamma; write, read, flag,
// lanes) are 0, for the caller to set.
CollPoint closed_form_point(const Operation *op, bool eager);
// Returns T of the operation, in seconds: under hockney, from closed_form_counts(), or under the shared model if its
// algorithm is for shared memory. There time_s is an estimate of T, such as a simulated time, from which a unit is
// chosen in which T is an integer. Returns NAN if no formula applies, if its integers would not fit into 64 bits, or if
// they would be too coarse for the figures. A formula applies if the algorithm has one that knows these p and
// parameters, closed_form_holds(), the root is 0 and blocks are of equal length. `map` says where the ranks are, and is
// NULL if no two of them share anything. If messages within a node and between nodes cost differently, the formula must
// know two levels, and none applies if there are more levels between the ranks or if they share NICs or memory.
double closed_form(const Operation *op, const Platform *platform, const Mapping *map, bool eager, double time_s);
// Finds the counts of alpha, beta and gamma in T under hockney: T = count[0] alpha + count[1] beta + count[2] gamma. If
// the formula has maxima, the counts hold only for costs near the platform's figures. Returns false if no formula
// applies, if the algorithm is for shared memory, if the counts might not fit into 64 bits, if a maximum has its kink
// exactly at these figures, or if the ranks are on several levels, or share NICs or memory.
bool closed_form_counts(const Operation *op, const Platform *platform, bool eager, int64_t count[3]);
// Finds the certificate of a run on a flat machine whose texts cut all blocks to equal lengths (PredictOptions.form), also
// where closed_form_holds() returns false. Returns false as closed_form_counts() does, but does not look at levels.
bool closed_form_certificate(const Operation *op, const Platform *platform, bool eager, int64_t count[3]);
// Returns T under hockney in units of alpha if beta and gamma are 0, or -1 if no formula applies. This is not
// closed_form_counts().count[0], which says how often the chain that is the longest with all three costs pays alpha.
int64_t closed_form_messages(const Operation *op, bool eager);
