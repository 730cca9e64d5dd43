// Finds the message size, in bytes, from which an algorithm is slower than its rival: 0 if it always is, INFINITY if
// never.
#pragma once
#include "judge/audit/claim_grid.h"
#include "engine/model/model.h"

// Returns the size from which `b` is faster than `a`, under hockney. Both samples are of the same p and m; their
// coefficients of beta and gamma are taken to be proportional to m.
double crossing_linear(const Sample *a, const Sample *b, const Platform *platform);
// Sets *bytes to the size from which claim->against is faster for good than claim->algorithm, on p ranks; for algorithms
// whose time is not proportional to the size, because they cut messages into segments or fragments. Simulates both at
// sizes up to 16 MiB: in shared memory, or under hockney, eager or else rendezvous. Returns FALSE and an error on bad
// input.
gboolean crossing_searched(const Claim *claim, const CollParams *par, int p, const Platform *platform, bool eager,
                           double *bytes, GError **error);
