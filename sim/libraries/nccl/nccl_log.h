// What NCCL prints of its choices (NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=INIT,ENV,GRAPH,TUNING), wherever it stands in a
// job's output:
//
//     NCCL version 2.20.5+cuda12.4
//     n1:1:9 [0] NCCL INFO NCCL_ALGO set by environment to Tree
//     n1:1:9 [0] NCCL INFO Pattern 4, crossNic 0, nChannels 16, bw 20.0/20.0, type NVL/PIX, sameChannels 1
//     n1:1:9 [0] NCCL INFO comm 0x55 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0
//     n1:1:9 [0] NCCL INFO Channel 00/16 :    0   7   6 ..
//     n1:1:9 [0] NCCL INFO Latency/AlgBw |    Tree/    LL |    Tree/ LL128 | ..               up to 2.18
//     n1:1:9 [0] NCCL INFO   Algorithm   |      Tree      |      Ring      | ..               newer: blocks of three
//     n1:1:9 [0] NCCL INFO   Protocol    |   LL  |  LL128 |  Simple | ..
//     n1:1:9 [0] NCCL INFO     AllReduce |    25.2/   8.7 |    48.5/  70.4 | ..
//     n1:1:1 [0] NCCL INFO 262144 Bytes -> Algo 0 proto 1 time 54.707825                      up to 2.22
//     n1:1:1 [0] NCCL INFO AllReduce: 1048576 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..15}
//
// A table begins with its first row, and has what the lines before it say of its communicator. Older lines of choices
// do not say the collective, so that it is the one of nccl-tests' line "# Collective test starting: all_reduce_perf",
// or the caller's.
#pragma once
#include "libraries/nccl/nccl.h"

// One choice, each only once.
typedef struct NcclChoice {
    guint line;   // the first one of it
    int function; // -1 if nothing says it
    size_t bytes; // as nccl_estimate counts them
    NcclPair pair;
    double time_us; // what NCCL thought that it takes; NAN if the line does not say it
    int channels;   // 0 if the line does not say it
    int table;      // index of NcclLog.tables; -1 if there was none before it
} NcclChoice;

typedef struct NcclLog {
    GArray *tables;  // of NcclTable
    GArray *choices; // of NcclChoice, by line
    NcclPair forced; // NCCL_ALGO and NCCL_PROTO name one of each; otherwise -1
    NcclTable last;  // what the text says of communicators, without a table
    gboolean full;   // there are more choices than LIMIT_LOG_ROWS
} NcclLog;

// Reads a text, which a \0 ends. `function` is what older lines of choices are of, or -1. Returns NULL if nothing in it
// is of NCCL. Free with nccl_log_free.
NcclLog *nccl_log_read(const char *text, int function);
void nccl_log_free(NcclLog *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NcclLog, nccl_log_free)
// Returns TRUE if a line is one of NCCL's.
gboolean nccl_log_line(const char *line);
// Returns the table that a choice was made by, or else the only one of the log; NULL if there is none.
const NcclTable *nccl_log_table(const NcclLog *log, int table);
