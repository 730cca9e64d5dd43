// Calibration of the model measured: from times of messages and of collectives to tables, gaps and costs of work.
//
// A sample says what it determines by its kind and, if its label names one, by its part and level. Messages give points
// of a table directly: a ping-pong of `one`, a sendrecv of `step`, a burst of `gap`. Collectives whose time is a sum of
// equal steps (measured_steps.h) give them too. What is then missing comes from the other collectives, by simulation
// (measured_rest.h), and the rest only shows how good the result is.
#pragma once
#include "measurements/calibrate/measured_found.h"

// Calibrates from logs (of Log *) and the collectives in them (of CalibrateRow); both must outlive the result.
// `assumed` has the levels, and figures that are taken as they are, such as gamma, lambda or what the ranks of a node
// share. Its tables stay at levels where no rows give others; those of --set stay whatever the rows say. The platform's
// runs have the model measured.
// Returns NULL and an error if a table cannot be determined or if a row cannot be simulated. Free with
// measured_fit_free.
MeasuredFit *measured_fit(const GPtrArray *logs, const GArray *rows, const Platform *assumed, GError **error);
void measured_fit_free(MeasuredFit *fit); // NULL is allowed

// What a byte of a reduction takes where nothing shows it, in s: between those of current processors, 0.05 to 0.2 ns.
#define MEASURED_ASSUMED_GAMMA 1e-10
// Gives the platform that gamma, and says so in `assumed`, unless it has one. For runs that reduce although the rows that
// calibrated did not.
gboolean measured_fit_assume_gamma(MeasuredFit *fit, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MeasuredFit, measured_fit_free)
