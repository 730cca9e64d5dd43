// The files of `tune intel`, `tune nccl` and `tune pgmpi`.
#pragma once
#include "advice/targets/tune_target.h"

// Returns the lines (char *) of a file's comment: what made it, from what (`from`, sentences), how to load it, what it
// is expected to gain, and what it cannot say. `part` is the only part of a profile; NULL for files that have all. Free
// with g_ptr_array_unref.
GPtrArray *target_answer_header(const TuneTarget *x, const TuneTargetPart *part, const GPtrArray *from, double within);
// Returns the text of the file with all rules, or with those of a part, after the target's reader has taken it without
// a trap and with these rules. Free with g_free.
char *target_answer_text(const TuneTarget *x, const TuneTargetPart *part, const GPtrArray *from, double within);
