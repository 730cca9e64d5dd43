// Writes the answer of `collsim compare`.
#pragma once
#include "figure/canvas.h"
#include "judge/compare/compare.h"
#include "judge/compare/nccl_choices.h"
#include "out/answer.h"
#include "out/sheet.h"

// What compare found out.
typedef struct CompareAnswer {
    const GPtrArray *all;   // of Compared *
    const GArray *choices;  // of NcclCompared; may be empty
    const GPtrArray *notes; // of char *; may be empty
} CompareAnswer;

// Writes a sentence for each curve, the candidates, how many curves were recognised, and the notes; with `points` also
// each size of each curve. CSV has a row for each curve, or with `points` for each size and candidate.
void compare_report(const Answer *answer, const CompareAnswer *comparison, gboolean points);
// Makes the sheet "choices", what NCCL chose and what its table gives. Free with sheet_free.
Sheet *nccl_answer_sheet(const GArray *choices);
// Prints how many choices are what the table gives, and the sheet.
void nccl_answer_print(const GArray *choices, const Sheet *sheet, FILE *to);
// Returns what a curve fits, "fits ompi-5:3 (recursive_doubling) to 8K, ompi-5:4 (ring) from 64K; the second candidate
// is 2.1 times worse". Free with g_free.
char *compare_sentence(const Compared *x);
// Returns "1.04", "2.1" or "over 1000": how many times worse a candidate is. Free with g_free.
char *compare_factor_text(double factor);
// Returns "allreduce on 8 ranks" and, if the log says it, what ran. Free with g_free.
char *compare_title(const Compared *x);
// Returns "ompi-5:4 (ring; as 5)": a candidate, its entry, and those that count as one with it. Free with g_free.
char *compare_candidate(const CompareCandidate *c);
// Returns a picture of the only curve: the measured points, and the candidates as lines. Free with canvas_free. Returns NULL and
// an error if there are several.
Canvas *compare_canvas(const CompareAnswer *comparison, const PictureAsk *ask, GError **error);
