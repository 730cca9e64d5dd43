// Judges recommendations (kind `suited`): a source says for which ranks and sizes an algorithm is meant.
#pragma once
#include "judge/audit/audited.h"

// Judges the claims of this kind among `claims` (const Claim *), and sets their results, an Audited for each claim in
// the same order. A claim's number, 1.1 say, is how many times the best time the algorithm may take, at all points of a
// grid for which its `where` holds. The best is that of all algorithms of the collective that Open MPI 4.1 can be told
// to run, and both have the parameters that are best at the point, apart from those that the claim gives. The points
// are 16 numbers of ranks, 2 .. 1024, and 64 bytes .. 16 MiB on the platform, which is taken as flat. If the claim has
// rivals, the best is that of the rivals, and the points have every number of ranks, 2 .. 64. If the platform lacks
// figures of hockney, the results are those of claims that nobody has judged. Returns FALSE and an error on bad input.
gboolean suited_judge_all(const GPtrArray *claims, const Platform *platform, GArray *results, GError **error);
