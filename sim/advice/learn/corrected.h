// Simulation corrected by measurements: what predictions of an algorithm miss where it was measured, they miss nearby.
//
// The corrected time is the predicted one times exp(f), where f is the mean of r = log(measured / predicted) over the
// points at which the algorithm was measured:
//
//     f = (sum of w r + b / 2) / (sum of w + 1 / 2)
//     w = exp(-((d log2 p / 2)^2 + (d log2 m / 3)^2 + (d log2 per_node / 2)^2) / 2)
//
// with d for differences from the point that is asked about. b is what counts far from all of them: the mean r of the
// algorithm, with four more points that have the mean of all algorithms. So one factor for all, as that of a slower
// clock, changes no choice, and an algorithm that was never measured gets the mean of all.
#pragma once
#include "advice/learn/data.h"

typedef struct Corrected {
    const LearnData *data;
    const guint *rows; // what was learnt from; not owned
    guint n;
    double all;     // the mean r of all
    double *factor; // by choice: b
} Corrected;

// Learns from n points, which may be none; then predictions stay what they are. The data and the rows must outlive it. Free
// with corrected_free.
Corrected *corrected_new(const LearnData *data, const guint *rows, guint n);
void corrected_free(Corrected *corrected);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Corrected, corrected_free)
// Returns the time of a choice at a point; NAN without a prediction.
double corrected_time(const Corrected *corrected, const LearnPoint *point, guint choice);
// Returns the choice with the smallest time of those measured at the point that have one; -1 if there is none. Of times
// that differ by rounding alone the first one counts.
int corrected_choose(const Corrected *corrected, const LearnPoint *point);
