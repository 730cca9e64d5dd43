// Times predicted by terms: the time of a choice as a sum of 1, ceil(log2 p), p-1, m, m ceil(log2 p), m (p-1) and m / p, each
// with a coefficient that is not negative. The coefficients of a choice are those with which the sum of the squares of the
// relative errors is smallest, over the points of its collective, machine and ranks per node that are learnt from.
#pragma once
#include "advice/learn/data.h"

// Appends to `errors` (of double) how far the predicted times are from the true ones, |predicted / true - 1|, for all
// choices that can run at the points with this value of the feature. The terms are learnt from all other points. A choice
// with fewer than three of these is passed over.
void learn_terms_errors(const LearnData *data, LearnFeature feature, gint64 left_out, GArray *errors);
// Returns the value below which this part of the errors lie, 0.5 for the median; NAN if there are none. Sorts them.
double learn_terms_quantile(GArray *errors, double part);
