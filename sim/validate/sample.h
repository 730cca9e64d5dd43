// What a row says that was measured, as a sample of a log: an algorithm of collsim's, or half of a ping-pong.
#pragma once
#include "logs/log_names.h"
#include "validate/rows.h"

// Sets *sample and *known. A row that names an algorithm has it. Of the others, `names` (NULL if there are none) says
// what their collective is; besides, a bcast of two ranks is one message, and `pingpong` half of a ping-pong. *known is
// FALSE if nothing says it. The texts of the sample are the log's. Returns FALSE and an error that begins with the row's
// file and line on bad input.
gboolean validate_sample(const ValidateRow *row, const LogNames *names, Log *log, LogSample *sample, gboolean *known,
                         GError **error);
