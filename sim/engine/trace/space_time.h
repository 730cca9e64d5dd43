// Writes a trace as a space-time picture in SVG: ranks down, time across. A message is a band from its time at the
// sender's out-port to its time at the receiver; a reduction is filled, waiting is hatched, and the critical path is
// drawn strong. On a network, a row below the ranks has how many messages share the busiest link. The picture is readable in grey, because nothing is told by colour alone.
#pragma once
#include "engine/trace/trace.h"
#include <stdio.h>

enum { SPACE_TIME_RANKS = 64 }; // the most ranks of a picture

// `title` is plain text. The trace must have at most SPACE_TIME_RANKS ranks.
void space_time_write(const Trace *trace, const char *title, FILE *to);
