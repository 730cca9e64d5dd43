// Narrows the tests that go over the registry to one algorithm, for `make check-one ALGO=bcast/binomial`.
//
// The environment variable COLLSIM_ALGO names the algorithm as COLLECTIVE/NAME, where NAME may also be an alias
// ("bcast/ompi:6"). If it is unset or empty, tests go over the whole registry. A test loops over the entries with
//
//     for (int i = only_first(); i < only_end(); i++)
//
// and expects totals of the whole registry only where only_one() returns NULL.
#pragma once
#include "registry/entry.h"

// Returns the algorithm that the tests are narrowed to, or NULL if they go over all. If COLLSIM_ALGO names no
// algorithm, the program ends with status 2 and one line on stderr that names the nearest algorithm.
const CollAlgorithm *only_one(void);

// Returns the first index into `algorithms`, and the index after the last, that the tests go over.
int only_first(void);
int only_end(void);

// Says how many points a test of the algorithm has visited. Skips the test with this reason if the algorithm is the
// only one and ran at none of them; two_procs, for example, runs on 2 ranks only. A test that has points for every
// algorithm asserts that n > 0 instead.
void only_visited(int64_t n);

// Adds a test that is skipped with this reason, for a program that has no test of the only algorithm.
void only_add_skipped(const char *path, const char *reason);
