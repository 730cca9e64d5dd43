// Probes of the machine: half of a ping-pong's round trip between two ranks (JOB_PINGPONG), the time that one rank
// takes to reduce bytes with as many others (JOB_REDUCE), and the time in which it copies them straight out of another
// rank's buffer (JOB_SINGLE).
#pragma once
#include "run/launch/meter.h"
#include "measurements/logs/logs.h"
#include "engine/model/model.h"

typedef struct ProbeSample {
    size_t bytes;
    JobResult times;
} ProbeSample;

// Probes all sizes (size_t) in one launch; a reduction has elements of `elem` bytes. Returns an array of ProbeSample in
// the order of the sizes; free with g_array_unref. Returns NULL and an error if the launch fails (see meter_run) or if
// the data are wrong.
GArray *probe_run(const Meter *meter, JobKind kind, size_t elem, const GArray *sizes, GError **error);
// Measures the samples that the model's parameters are fitted to: reductions and a ping-pong, or for a model of shared
// memory bcast, reduce and allreduce shm_flat and reduce shm_fused, on 2, 4 .. ranks up to the cores, and single copies.
// Where the cores are of several sockets, these ranks are on the sockets in turn; if `socket`, the name of the level of a
// socket, is not NULL, two ranks of one socket follow, for the flag of that level. `socket` must outlive the log.
// The meter must be open. Returns NULL and an error as probe_run does. Free with log_free.
Log *probe_machine(const Model *model, const Meter *meter, const char *socket, GError **error);
// Return what a probe's output has in place of a collective and an algorithm: "pingpong" and "sendrecv", "reduce_local"
// and "sum", or "single_copy" and "process_vm_readv"; and on how many ranks it runs.
const char *probe_name(JobKind kind);
const char *probe_algorithm(JobKind kind);
int probe_ranks(JobKind kind);
