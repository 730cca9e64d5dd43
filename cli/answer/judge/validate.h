// Writes the answer of `collsim validate`.
#pragma once
#include "out/answer.h"
#include "out/html_sheet.h"
#include "judge/validate/score.h"

// What validate found out.
typedef struct Validation {
    const ValidateRows *rows;
    const GArray *scores;   // of Score
    const GPtrArray *notes; // of char *: what calibrated the predictions; may be empty
} Validation;

// Writes the scores and the notes, or with `points` each row.
void validate_report(const Answer *answer, const Validation *validation, gboolean points);
// Adds the scores and the notes to a page.
void validate_html(Html *page, const Validation *validation);
// Writes a picture to `to`: for each set a panel of measured over predicted times. `path` says its format. Returns
// FALSE and an error if it cannot be drawn.
gboolean validate_draw(const Validation *validation, const char *path, const char *title, FILE *to, GError **error);
