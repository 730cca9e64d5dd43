// Loops over arrays of clocks, for the gears that move many ranks in one step. Private to the replay.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Set the n clocks now[i] of ranks that are ready at old[i] to the end of an exchange. The rank from which each of them
// receives is ready at from[i], and under rendezvous the one to which it sends at to[i]. The messages that it sends and
// receives take the times `sent` and `received`.
void clocks_exchange_eager(double *restrict now, const double *restrict old, const double *restrict from, size_t n,
                           double sent, double received);
void clocks_exchange_rendezvous(double *restrict now, const double *restrict old, const double *restrict from,
                                const double *restrict to, size_t n, double sent, double received);
// Does the same for other rules. A rank's receive waits for nobody, but it may not end before `busy` after the rank is
// ready. The rank's send waits for the later of its two ends.
void clocks_exchange_mixed(double *restrict now, const double *restrict old, const double *restrict from,
                           const double *restrict to, size_t n, double sent, double received, double busy);
// Exchange the clocks of n pairs of ranks, in place. Each message waits for the later of its two ends, or else for
// nobody; then a rank's exchange may not end before `busy` after the rank is ready.
void clocks_pairs_rendezvous(double *restrict low, double *restrict high, size_t n, double received);
void clocks_pairs_eager(double *restrict low, double *restrict high, size_t n, double received, double busy);
// Returns true if each of the n clocks x[i] is later than a[i], and than b[i] as well.
bool clocks_later(const double *x, const double *a, const double *b, size_t n);
// Adds a cost to each of the n clocks.
void clocks_add(double *now, size_t n, double cost);
