// The size, in bytes, from which another algorithm is the faster: INFINITY never, 0 always.
#pragma once
#include "audit/grid.h"
#include "model/model.h"

// By the coefficients of both at one size, to which beta's and gamma's are taken to be proportional.
double crossing_linear(const Sample *a, const Sample *b, const Platform *platform);
// Of algorithms of shared memory, by simulation, on p ranks. False and bad input.
gboolean crossing_shared(const Claim *claim, const CollParams *par, int p, const Platform *platform, double *bytes,
                         GError **error);
