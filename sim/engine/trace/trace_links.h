// The links between nodes that carry the most bytes in a trace: how many messages have each of them at a time, and how many
// bytes these are. A message has the links of its route from its begin at the sender to its arrival, whatever its round, so
// where ranks drift apart a picture of them shows what the model's rounds leave out.
#pragma once
#include "engine/trace/trace.h"
#include "machine/network/network.h"

enum { TRACE_LINKS = 4 }; // the most links of a trace

// Sets trace->links to the busiest links, the first one first, or to none if no message in the trace passes a link; host[i]
// is the host of rank i. Links for which the trace has no room are left out.
void trace_add_links(Trace *trace, const Network *network, const int *host);
