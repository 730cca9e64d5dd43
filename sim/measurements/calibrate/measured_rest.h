// What rows of equal steps do not determine comes from the other collectives, by simulation: what the ranks of a node
// share, gamma, and the times between nodes if all rows that cross nodes also have messages inside them.
#pragma once
#include "measurements/calibrate/measured_found.h"

// Returns the time of a row on a platform, in s, or NAN and an error if it cannot be simulated. Where the mean over the
// ranks was measured, it is that mean.
double measured_rest_time(const Platform *platform, const CalibrateRow *row, GError **error);

// Fits the factors of a node's memory to rows whose messages are all of one size and inside a node: for each size, the
// factor at which the simulated time is the measured one. `rows` has the indices (guint) of these rows. The platform
// has all tables. Sets KEY_MEMORY there, unless no size shows that ranks wait for each other. Returns FALSE and an
// error if a row cannot be simulated.
gboolean measured_rest_memory(Platform *platform, const GArray *all, const GArray *rows, const char *source,
                              GError **error);

// The figures that a fit may find.
typedef enum RestFigure {
    REST_FIXED,      // of a message between nodes, in s
    REST_BYTE,       // of its bytes, beyond what a NIC is busy with them
    REST_RENDEZVOUS, // what it takes longer if it is not eager
    REST_NIC_BYTE,   // how long a NIC is busy with a byte
    REST_NIC_MESSAGE,
    REST_GAMMA,
    N_REST_FIGURES
} RestFigure;

// Fits the figures with free[] set to all rows with use[] set: they minimise the sum of |ln(predicted/measured)|, and
// none is negative. The certificate of a simulated row says how its time grows with each figure; rows are simulated and
// the figures fitted in turn, until the sum falls no more. Sets the figures in the platform, with the source. Returns
// FALSE and an error if a row cannot be simulated. *errors becomes that of the rows.
gboolean measured_rest_fit(Platform *platform, const GArray *all, const gboolean *use, const gboolean *free,
                           const char *source, FitErrors *errors, GError **error);

// Does this for the figures that are still missing in a fit, with the rows that it has not used, and sets which it uses. It leaves those with kept[] set.
// `timed` says that the times of messages between nodes are known, and `gamma` that gamma is. Returns FALSE and an error if
// a row cannot be simulated.
gboolean measured_rest_missing(MeasuredFit *fit, const GArray *rows, const Platform *assumed, const gboolean *kept,
                               gboolean timed, gboolean gamma, GError **error);
