// Loops over arrays of clocks, for the gears that move many ranks in one step. Private to the replay.
#pragma once
#include <stddef.h>

// Set the n clocks now[i] of ranks that are ready at old[i] to the end of an exchange. The rank from which each of them
// receives is ready at from[i], and under rendezvous the one to which it sends at to[i]. The messages that it sends and
// receives take the times `sent` and `received`.
void clocks_exchange_eager(double *restrict now, const double *restrict old, const double *restrict from, size_t n,
                           double sent, double received);
void clocks_exchange_rendezvous(double *restrict now, const double *restrict old, const double *restrict from,
                                const double *restrict to, size_t n, double sent, double received);
// Adds a cost to each of the n clocks.
void clocks_add(double *now, size_t n, double cost);
