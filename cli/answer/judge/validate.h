// Writes the answer of `collsim validate`.
#pragma once
#include "figure/canvas.h"
#include "out/answer.h"
#include "out/html_sheet.h"
#include "judge/validate/score.h"
#include "judge/validate/winning.h"
#include "measurements/calibrate/spreads.h"

// What validate found out.
typedef struct Validation {
    const ValidateRows *rows;
    const Platform *platform; // has the spreads that are assumed
    const GArray *scores;     // of Score
    const GArray *winners;    // of Winning
    const SpreadFound *spreads;
    const GPtrArray *notes; // of char *: what calibrated the predictions; may be empty
} Validation;

// Writes the scores, the winners, the spreads and the notes, and with `points` each row.
void validate_report(const Answer *answer, const Validation *validation, gboolean points);
// Adds the scores and the notes to a page.
void validate_html(Html *page, const Validation *validation);
// Returns a picture: for each set a panel of measured over predicted times. Free with canvas_free. Returns NULL and an error if
// there is nothing to draw or too much.
Canvas *validate_canvas(const Validation *validation, const PictureAsk *ask, GError **error);
