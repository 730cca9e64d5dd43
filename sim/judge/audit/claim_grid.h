// The grid of points at which claims are judged:
//
//   p   2 .. 33, 64, 65, 100, 127 .. 129, 1000, 1023 .. 1025; also 32768 for connections, their memory and speed-ups
//   m   sizes whose blocks and segments are whole bytes, because formulas ignore rounding; one of them above a limit from
//       which on an algorithm does something else
//   S   1, 2, 4, ceil(log2 p) and p segments
//   k   2, 3, 4, 8 and ceil(sqrt p) for a radix; 1, 2, 4, ceil(sqrt p) and p-1 for a number of chains or leaders
//
// S, k and the algorithm's other parameters vary only if the claim names them. `refine` is 1 for this grid, or 2 for
// one with p up to 66 without gaps and up to 2049.
#pragma once
#include "judge/audit/claim.h"
#include "engine/model/model.h"

// Returns the largest number of messages that one simulated point may have. Points with more are left out: they take
// long and say nothing about a formula that smaller points do not say. So the refined grid ends below p = 2000 where p
// ranks send p^2 messages.
double claim_grid_max_messages(void);

// Returns the values of p, as int. The values that every claim has come first and rise. The additional values of a
// refined grid, and of a claim about connections or speed-ups, follow unsorted. Free with g_array_unref.
GArray *claim_grid_ranks(const Claim *claim, int refine);

// A family of points has one point at each p; only p varies along it. S and k are indices into the lists of values
// above, `params` is the index of the other parameters' values, and `size` is a factor of m.
typedef struct Family {
    int S, k, params, size;
} Family;
// Returns the families (Family) for a claim. Free with g_array_unref.
GArray *claim_grid_families(const Claim *claim);

// Sets *par, and p, m, S and k of *sample, to the point of a family at p. Returns false if the family has no point
// there, because k is out of its range or because only small p have the family's size.
bool claim_grid_place(const Claim *claim, const Family *family, int p, Sample *sample, CollParams *par);
// Returns true if the number of segments alone shows that a point has more messages than the grid allows. Call this
// before recording the point, because that takes long.
bool claim_grid_too_large(const Claim *claim, const Sample *sample, const CollParams *par);

// Returns the operation of a point. Its algorithm is the one that runs: `a` or, if a need of `a` is not met, the
// fallback (NULL if there is none); *why is then a static text that names this need.
Operation claim_grid_operation(const CollAlgorithm *a, const CollParams *par, int p, double m, const char **why);

// The trend of a ratio as p grows is judged along four sequences of p, each of three values: powers of two, 2^d-1,
// 2^d+1, and other numbers. Each value is about eight times the one before: 16, 128, 1024, or 12, 100, 1000.
enum { TAILS = 4, TAIL = 3 };
// Returns the i-th p of a sequence; 0 <= tail < TAILS, 0 <= i < TAIL.
int claim_grid_tail_ranks(int tail, int i, int refine);
