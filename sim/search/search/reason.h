// Why of two algorithms one is the faster: how many messages and bytes are on their critical paths, and how these numbers
// grow with the ranks. They are counted in certificates of runs on ever more ranks, so they hold for algorithms of files
// and for machines with nodes too; no formula of the registry is read.
#pragma once
#include "search/search/points.h"

enum { REASON_PROBES = 6 };

// A number that depends on how many ranks or nodes there are, x, which are powers of two. If `known`, it is
// (many x log2 x + line x + log log2 x + fixed + rest / x) / scale at each x that was tried, as an equation of integers.
typedef struct Growth {
    int n;
    int64_t x[REASON_PROBES], num[REASON_PROBES], den[REASON_PROBES]; // the number at x[i] is num[i] / den[i]
    gboolean known;
    int64_t many, line, log, fixed, rest, scale;
} Growth;

typedef struct Reason {
    gboolean nodes;   // x is a number of nodes, of `per_node` ranks each, and not of ranks
    gboolean shared;  // of an algorithm of shared memory, whose ranks wait for flags and copy bytes
    gboolean block;   // m is a block of one rank and not the whole vector
    gboolean others;  // the request asks for numbers that are not powers of two, where x may not be one
    int per_node;     // as it was asked for
    Growth messages;  // on the critical path, for the shortest messages that all numbers of ranks allow
    Growth sent;      // .. how often m bytes are sent, for large m: bytes on the path that each byte of m adds
    Growth reduced;   // .. and how often they are reduced
    Growth queued;    // .. and how often m bytes of others go first through a NIC, a memory or a link
    Growth before;    // how many messages of others go first through a NIC, for the shortest messages
    const char *name; // of the algorithm; borrowed
} Reason;

// Counts for an algorithm of the request, on nodes of `per_node` ranks (see Point), with its parameters in the request.
// Returns FALSE if no such number can be counted: the algorithm runs on too few of these numbers of ranks, or is what a
// library decides, or nodes are those of a file, or ranks arrive late.
gboolean reason_find(const Request *request, const CollAlgorithm *a, int per_node, Reason *reason);
// Does the same with other parameters than those of the request; NULL for these.
gboolean reason_find_set(const Request *request, const CollAlgorithm *a, const CollParams *par, int per_node,
                         Reason *reason);

// Returns a sentence about one algorithm, such as "binomial has log2 p messages one after the other, and sends each byte
// log2 p times." Free with g_free.
char *reason_text(const Reason *x);
// Returns a sentence that compares two. Free with g_free.
char *reason_pair_text(const Reason *x, const Reason *y);
// Finds the reasons of two algorithms and returns this sentence; NULL if one cannot be counted. Free with g_free.
char *reason_of_pair(const Request *request, const CollAlgorithm *a, const CollAlgorithm *b, int per_node);
