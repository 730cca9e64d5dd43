// The answer of `app`: what each kind of call costs an application, what settings save, and the command that makes
// them.
#pragma once
#include "advice/app/mix.h"
#include "ask/ask.h"

// Reports the mix; tables have at most the `top` rows that take longest. The machine's options are in the command of
// the last line as they were given.
void app_report(const Answer *answer, const Request *request, const Profile *profile, const Mix *mix,
                const RequestOptions *options, guint top);
