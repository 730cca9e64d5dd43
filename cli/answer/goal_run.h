#pragma once
#include "ask/ask.h"
#include "ask/options.h"

// collsim run --goal FILE: runs the schedule as LogGOPSim does, on the platform of the options (loggopsim where none is
// named), and prints when each rank ends, or what is left unmatched. Options that mean nothing here are refused. Returns
// the exit status.
int goal_run(const char *file, const RequestOptions *options, Format format, GError **error);
