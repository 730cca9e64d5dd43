// The time T of an operation under hockney as a function of the message size (SizeForm), and as a function of the
// number of segments (SegmentForm). The counts of alpha, beta and gamma in T come from the registry's exact formula or,
// if none applies, from the certificate of a simulated run.
#pragma once
#include "engine/model/model.h"

enum { COSTS = 3 }; // alpha, beta and gamma; arrays of COSTS have this order
// Sets figure[] to the alpha, beta and gamma of a platform, in s, s per byte and s per byte.
void size_form_figures(const Platform *platform, double figure[COSTS]);

// ---- T as a function of the size ------------------------------------------------------------------------------------

// T at m bytes (as -m gives them) is the sum of (fixed[i] + m per_byte[i]) figure[i] over the costs i. Example: linear
// bcast on 4 ranks sends 3 messages of m bytes one after the other, so fixed = {3, 0, 0} and per_byte = {0, 3, 0}.
typedef struct SizeForm {
    double fixed[COSTS], per_byte[COSTS];
    bool simulated; // at least one of the three sizes that give the form was simulated
} SizeForm;
// Finds the form that an operation has near its size, from its costs at the three sizes m, 2m and 3m. Here m is the
// size nearest to op->m that all blocks and segments divide; op->m itself need not have this property.
//
// Returns false, and leaves *form undefined, if the costs at the three sizes do not lie on a line, if 3m exceeds `most`
// bytes, or if at one of the sizes the costs are unknown or the algorithm itself cannot run.
bool size_form(const Operation *op, const Platform *platform, Transfer transfer, size_t most, SizeForm *form);
// Returns the message size, in bytes, at which two forms take the same time; beyond it the one whose time grows more
// slowly is faster. Returns NAN if both grow equally fast, or if they only meet at a size of 0 or less.
double size_forms_meet(const SizeForm *first, const SizeForm *second, const Platform *platform);

// ---- T as a function of the number of segments ----------------------------------------------------------------------

// A message of m bytes consists of `parts` equal parts, and each part is cut into S segments. The length of a path is
//     (fixed[0] + varying[0] S) alpha + m (fixed[1] + varying[1] / S) beta + m (fixed[2] + varying[2] / S) gamma,
// and T is that of the longer one of two paths. Example: pipeline bcast takes p-2+S rounds, each with a message of m/S
// bytes. So parts = 1, and both paths have fixed = {p-2, 1, 0} and varying = {1, p-2, 0}.
typedef struct SegmentPath {
    double fixed[COSTS], varying[COSTS]; // messages for alpha; bytes per byte of m for beta and gamma
} SegmentPath;

// Example of two paths: binomial reduce on 4 ranks with gamma > beta. While segments are long, reductions take longer
// than messages, and a rank waits for them: T = 2 (alpha + m/S beta + m gamma), which falls with S. When they are
// short, it waits for messages: T = 2 (S alpha + m beta + m/S gamma).
typedef struct SegmentForm {
    int parts;           // 1 (segments cut the whole message), 2 (its halves) or p (the ranks' blocks)
    SegmentPath path[2]; // that of few segments, and that on which messages take longer than reductions; often the same
    // If true, the form is exact from S = 1 up to the best S, and a lower bound of T beyond that. If false, T does not
    // have this form, and the form is an estimate for large S that is fitted to S = 6 and 12.
    bool linear;
    bool simulated; // no formula gives the costs, only a simulation
} SegmentForm;
// Finds the form of an operation of op->m bytes, as if all blocks and segments were of equal length, whatever op->m is.
// `segment` is the parameter that sets the length of a segment; the other parameters are op's. If `segment` is NULL,
// the algorithm has no segments: then `varying` is 0, and only a formula gives the form, never a simulation. Returns
// false if no form is known, also where bytes are not in proportion to the size; then only form->parts and
// form->simulated are set.
bool segment_form(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                  SegmentForm *form);
// Returns true if only simulations could give the form, and then sets form->parts and form->simulated alone.
bool segment_form_needs_run(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                            SegmentForm *form);
// Returns T, in seconds, with S segments of each of `parts` parts, again as if all were of equal length. The costs are
// found for this S, so the result is exact even if T does not have the form above. Returns NAN if they are unknown, or
// if S x parts x p exceeds 4096.
double segment_form_at(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                       int parts, size_t S);
// Returns T by the form, in seconds; S >= 1 need not be an integer.
double segment_form_time(const SegmentForm *form, const Platform *platform, size_t m, double S);
// Returns the S at which T by the form is smallest, not rounded and between 1 and `most` >= 1. At this S one of the
// paths is shortest, sqrt(m (varying[1] beta + varying[2] gamma) / (varying[0] alpha)), or both are equally long.
// Returns 1 if segments cannot make T smaller.
double segment_form_best(const SegmentForm *form, const Platform *platform, size_t m, double most);
// Returns the length of a segment, in bytes, if the parts of a message of m bytes are cut into S segments each. The
// length is rounded up to whole elements of `elem` bytes. With S = 1 it is the length of a part.
size_t segment_form_bytes(const SegmentForm *form, size_t m, size_t elem, size_t S);
