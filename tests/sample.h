// Which part of its points a test runs that would take long. `make check` draws a sample, and another one each day;
// `make check-all` (CHECK_ALL=1) runs all points, and so does a test that COLLSIM_ALGO narrows to one algorithm (only.h).
// Under a sanitizer a test looks for memory errors, for which a sample is enough, so there it always draws one.
//
// A test names its points by numbers from 0 on, whose order is the same in every run:
//
//     if (sample_takes(i, 4))  // one of every four numbers in a row, drawn by the seed
//
// The environment variable CHECK_SEED is the seed; make sets it to the day's date, as 20261127, and prints it. It is 1 if
// it is not set. In shell tests, takes() and sampled() of tap.sh draw.
#pragma once
#include <glib.h>
#include <stdbool.h>

bool sample_all(void);
// Returns true if the test runs point i, where one in `apart` is drawn: exactly one of apart * k .. apart * k + apart - 1.
bool sample_takes(guint i, guint apart);
// Returns how many random points a test runs, or the least that it must have seen: `all`, or `few` of a sample.
int sample_of(int all, int few);
// Returns how many points are drawn, COLLSIM_POINTS or sample_of(all, few), and sets the number of the first: COLLSIM_SEED,
// CHECK_SEED or the day's date.
guint64 sample_points(int all, int few, guint64 *first);
// Returns the seed of random points: `usual`, or another one each day for a sample.
guint32 sample_seed(guint32 usual);
