// Writes a trace in Chrome's JSON format, which Perfetto (ui.perfetto.dev) and chrome://tracing open. Every node is a
// process, or every rank where ranks are not grouped; process 1 is the run, with the critical path and the counter of
// bytes on their way, and on a network counters of the busiest links.
#pragma once
#include "engine/trace/trace.h"
#include <stdio.h>

// A fact about the run, which the file keeps under `otherData`.
typedef struct ChromeFact {
    const char *name, *value; // value: a text
} ChromeFact;

// `nodes` says where ranks are if trace->nodes is set, and may be NULL otherwise.
void chrome_write(const Trace *trace, const CollNodes *nodes, const ChromeFact *facts, size_t n_facts, FILE *to);
