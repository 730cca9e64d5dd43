// How NCCL chooses an algorithm and a protocol, as far as its log says it. NCCL has a table of a latency and a
// bandwidth for each, which NCCL_DEBUG=INFO with NCCL_DEBUG_SUBSYS=TUNING prints, and takes the pair whose
//
//     latency + bytes / bandwidth
//
// is the least, after it has corrected the bandwidths of trees and the latency of rings (nccl_estimate). These sums
// choose well and time badly: between small and large sizes they are off by four times, so nothing here predicts a
// measured time.
//
// Source: NVIDIA/nccl, src/graph/tuning.cc and src/enqueue.cc, as of 2.7.8, 2.17.1, 2.20 and 2.23.
#pragma once
#include "api/collective.h"
#include <glib.h>

// In the order in which NCCL numbers them. Older versions have fewer.
typedef enum {
    NCCL_TREE,
    NCCL_RING,
    NCCL_COLLNET_DIRECT,
    NCCL_COLLNET_CHAIN,
    NCCL_NVLS,
    NCCL_NVLS_TREE,
    NCCL_PAT,
    NCCL_N_ALGORITHMS
} NcclAlgorithm;
typedef enum { NCCL_LL, NCCL_LL128, NCCL_SIMPLE, NCCL_N_PROTOCOLS } NcclProtocol;
// The collectives that NCCL chooses for, in its order.
typedef enum {
    NCCL_BROADCAST,
    NCCL_REDUCE,
    NCCL_ALLGATHER,
    NCCL_REDUCESCATTER,
    NCCL_ALLREDUCE,
    NCCL_N_FUNCTIONS
} NcclFunction;

// An algorithm with a protocol, NCCL_N_PROTOCOLS times the one plus the other; -1 for none.
enum { NCCL_N_PAIRS = NCCL_N_ALGORITHMS * NCCL_N_PROTOCOLS };
typedef int NcclPair;
#define NCCL_PAIR(algorithm, protocol) ((NcclPair)(algorithm)*NCCL_N_PROTOCOLS + (NcclPair)(protocol))

// Finds a name in any case, with or without '_' ("COLLNET_DIRECT", "CollNetDirect", "nvls_tree"). Returns -1 if there
// is none.
int nccl_algorithm(const char *name);
int nccl_protocol(const char *name);
// Does the same for "AllReduce", "allreduce" and so on.
int nccl_function(const char *name);
// Return the names that a tuner's file has: "collnet_direct", "ll128", "reducescatter".
const char *nccl_algorithm_name(int algorithm);
const char *nccl_protocol_name(int protocol);
const char *nccl_function_name(int function);
// Returns "tree/ll128"; "" for -1. The text is static.
const char *nccl_pair_name(NcclPair pair);
// Finds "tree/ll128". Returns -1 if it is not a pair.
NcclPair nccl_pair(const char *name);
// Returns the collective that NCCL calls so, and -1 for one that it does not choose for.
Collective nccl_collective(int function);
int nccl_function_of(Collective collective);

// What a log says of one communicator.
typedef struct NcclTable {
    guint line;                                                // of its first row
    double latency_us[NCCL_N_FUNCTIONS][NCCL_N_PAIRS];         // as printed, with one decimal
    double bandwidth_gb_per_s[NCCL_N_FUNCTIONS][NCCL_N_PAIRS]; // 0: this pair is not used
    int version;         // 22005 for 2.20.5; 0 if the log does not say it, which counts as the newest
    int ranks, nodes;    // 0 if the log does not say it
    int channels;        // 0 if the log does not say it
    int capability;      // 90 for a GPU of capability 9.0; 0 if the log does not say it, which counts as 80 or more
    gboolean old_layout; // the table is one block, as up to 2.16
} NcclTable;

// Returns how long NCCL thinks that a pair takes, in microseconds, for a call of `bytes`: all that a rank has in the
// end, or at the beginning if that is more. Returns NAN if it does not use the pair.
double nccl_estimate(const NcclTable *table, int function, NcclPair pair, size_t bytes);
// Returns the pair that NCCL chooses, and sets *next to the best of the others; -1 if there is none.
NcclPair nccl_choose(const NcclTable *table, int function, size_t bytes, NcclPair *next);
// Returns what the table lacks for the choice, as "how many nodes there are"; NULL if nothing. The text is static.
const char *nccl_lacks(const NcclTable *table);
