// Scores predictions: how far they are from what was measured, and what it costs to choose by them.
//
// The error of a row is |predicted / measured - 1|. Quantiles are interpolated linearly between the two nearest values.
// The loss of a choice is the measured time of the candidate that is predicted to be the fastest, divided by that of
// the fastest one, less 1. Candidates whose prediction is within a share of the least one are tied, and the loss is the
// mean of theirs. A choice counts if at least three candidates are predicted.
#pragma once
#include "judge/validate/validate_rows.h"

// By what the rows of a set are gathered.
typedef enum ScoreBy {
    SCORE_BY_SET,
    SCORE_BY_COLLECTIVE,
    SCORE_BY_RANKS,
    SCORE_BY_BYTES, // a band: up to 1K, 32K or 1M, or above
    SCORE_BY_ALGORITHM,
    SCORE_BY_GROUP,
    N_SCORE_BY
} ScoreBy;
extern const char *const score_by_names[]; // by ScoreBy, NULL-terminated

// The score of a part of a set.
typedef struct Score {
    const char *set;
    ScoreBy by;
    char *part; // of the set: "allreduce", "64", "up to 1K"; "" for all of it
    guint rows; // that are scored; without any, the next three are NAN
    double median, p90;
    double bias;    // the median of predicted / measured - 1
    guint unscored; // rows to be scored that have no prediction
    guint choices;  // if there are none, the next three are NAN
    double mean_loss, median_loss, p90_loss;
} Score;

// Returns the scores (of Score), set by set in the order of the rows. The whole set comes first, and then its parts by
// each of `by` that is set, in the order of ScoreBy. A choice has no algorithm, so it does not count in parts by
// algorithm. Free with g_array_unref. `tie` is the share within which predictions are tied.
GArray *score(const ValidateRows *rows, const gboolean by[N_SCORE_BY], double tie);
