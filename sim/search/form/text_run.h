// One rank's text, run alone to find a bound: its operations go to a function that may leave the text before its end.
#pragma once
#include "api/backend.h"
#include "engine/model/model.h"
#include <setjmp.h>

typedef struct TextRun {
    CollRun run;
    jmp_buf end; // of the text
} TextRun;

// Initialises a run that hands its operations to `emit`; a text may leave out copies (coll_copies). Free what it takes
// with coll_run_clear.
void text_run_init(TextRun *x, void (*emit)(CollRun *run, const CollIssue *op));
// Runs the text of a rank, to its end or until text_leave().
void text_run(TextRun *x, const Operation *op, int rank);
// Ends the text from within `emit`. If somebody added an algorithm, it returns and the text goes on, because only the
// texts of the registry are known to hold nothing that must be freed.
void text_leave(TextRun *x);
