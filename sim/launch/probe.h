// Probes of the machine: half of a ping-pong's round trip between two ranks (JOB_PINGPONG), and the time that one rank
// takes to reduce bytes with as many others (JOB_REDUCE).
#pragma once
#include "launch/meter.h"
#include "logs/logs.h"
#include "model/model.h"

typedef struct ProbeSample {
    size_t bytes;
    JobResult times; // over the repetitions
} ProbeSample;

// Probes all sizes (of size_t) in one launch; a reduction has elements of `elem` bytes. Returns ProbeSamples in the order
// of the sizes, to be freed with g_array_unref; NULL and an error as of meter_run, or if the data were wrong.
GArray *probe_run(const Meter *meter, JobKind kind, size_t elem, const GArray *sizes, GError **error);
// Measures what the model wants of a machine: a ping-pong, unless it is a model of shared memory, and reductions. The meter
// must be open. Returns NULL and an error as of probe_run. Free with log_free.
Log *probe_machine(const Model *model, const Meter *meter, GError **error);
// The name in place of a collective's, as "pingpong", and in place of an algorithm's, as "sendrecv".
const char *probe_name(JobKind kind);
const char *probe_algorithm(JobKind kind);
